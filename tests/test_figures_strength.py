"""Charts of tournaments: what they hold."""

from __future__ import annotations

import pandas as pd
import pytest

from splendor_nb import tournament
from splendor_nb.charts.figures.strength import pair_map, rating_chart, strength_and_time
from splendor_nb.games.tournament import Tournament


@pytest.fixture(scope="module")
def result() -> Tournament:
    return tournament(["random", "greedy", "greedy"], games=20, seed=1, progress=False)


def test_each_field_of_the_map_is_the_score_of_its_pair(result: Tournament) -> None:
    pairs = result.pairs().set_index(["a", "b"])
    (heat,) = pair_map(result.pairs()).data
    for row, a in enumerate(heat.y):
        for column, b in enumerate(heat.x):
            if a == b:
                assert heat.text[row][column] == ""
            else:
                assert heat.z[row][column] == pairs["score"][a, b]
                assert f"{pairs['games'][a, b]:,} games" in heat.customdata[row][column]
                assert "95 % interval" in heat.customdata[row][column]


def test_ratings_carry_their_intervals(result: Tournament) -> None:
    table = result.ratings("random")
    drawn = rating_chart(table)
    (points,) = drawn.data
    assert list(points.x) == table["rating"].to_list()
    reach = [high - mid for mid, high in zip(table["rating"], table["high"], strict=True)]
    assert list(points.error_x.array) == reach
    assert "above random" in drawn.layout.xaxis.title.text


def test_strength_stands_against_time_on_a_log_axis(result: Tournament) -> None:
    moves = pd.DataFrame(
        {"agent": result.agents, "median_ms": [1.0, 2.0, 3.0], "q95_ms": [2.0, 3.0, 4.0]}
    )
    drawn = strength_and_time(result.ratings("random"), moves.assign(moves=9))
    assert drawn.layout.xaxis.type == "log"
    at = dict(zip(drawn.data[0].text, drawn.data[0].x, strict=True))
    assert at == {"random": 1.0, "greedy": 2.0, "greedy#2": 3.0}


def test_names_are_no_markup(result: Tournament) -> None:
    table = result.ratings("random").replace({"agent": {"greedy": "<b>greedy</b>"}})
    assert "&lt;b&gt;greedy" in str(rating_chart(table).data[0].y)
