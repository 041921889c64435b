"""The page of a contest: one file with all that it shows, and nothing from outside.

Its script sorts tables, and is the only one that a browser will run there: a policy in the page
names its hash. Every text of a student is escaped, and shut in where it turns the writing around.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from splendor_nb.charts.svg import position_svg
from splendor_nb.games.schedule import FINAL

if TYPE_CHECKING:
    from splendor_nb.games.contest_result import Contest

MOST_PICTURES = 40
PAGE = "index.html"

Row = Sequence[str]

_NUMBER = "<td class=number"


def write_contest_page(contest: Contest, *, pictures: int = MOST_PICTURES) -> Path:
    """Write the page of a contest into its folder, and return its path.

    Parameters
    ----------
    contest
        One that has been played.
    pictures
        Of how many games at most the last position is shown: those with faults first, then the
        final, then wins of each contestant.

    Raises
    ------
    OSError
        Where the folder does not take it.
    """
    file = contest.path / PAGE
    file.write_text(contest_page(contest, pictures=pictures), encoding="utf-8")
    return file


def contest_page(contest: Contest, *, pictures: int = MOST_PICTURES) -> str:
    """Return the page of a contest as HTML: standings, pairs, faults, games, pictures."""
    ranked = list(contest.standings()["name"])
    sections = [
        _section("Standings", *_standings(contest)),
        _section("Who beat whom", _pairs(contest, ranked)),
        _section("Faults", _faults(contest)),
        _section("Time", _times(contest)),
        _section("Games", _games(contest)),
        _section("Last positions", *_pictures(contest, ranked, pictures)),
    ]
    script_hash = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    return _PAGE.substitute(
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src 'sha256-{script_hash}'",
        style=_STYLE,
        summary=_summary(contest),
        sections="\n".join(filter(None, sections)),
        script=_SCRIPT,
    )


# -- parts of the page -----------------------------------------------------------------------------


def _summary(contest: Contest) -> str:
    settings = contest.settings
    seats = f"{contest.players} at a table"
    fault = (
        "a random legal action takes the place of a fault, up to the third in a game"
        if settings["beginners"]
        else "a fault forfeits the game"
    )
    return escape(
        f"{len(contest.contestants)} contestants, {len(contest):,} games, {seats}; {fault}. "
        f"Seed {settings['seed']}, splendor_nb {settings['version']}."
    )


def _standings(contest: Contest) -> Iterator[str]:
    """Yield the tables of the final, of all before it, and of each round."""
    if FINAL in contest.stages:
        yield f"<h3>Final</h3>{_standings_table(contest, FINAL)}<h3>Before the final</h3>"
    yield _standings_table(contest, None)
    rounds = [stage for stage in contest.stages if stage != FINAL]
    for stage in rounds if len(rounds) > 1 else []:
        table = _standings_table(contest, stage)
        yield f"<details><summary>{escape(stage.capitalize())}</summary>{table}</details>"


def _standings_table(contest: Contest, stage: str | None) -> str:
    references = {entrant.name for entrant in contest.contestants if entrant.is_reference}
    rows = []
    for row in contest.standings(stage).to_dict("records"):
        kind = " <small>(kit)</small>" if row["name"] in references else ""
        rows.append(
            [
                _number(row["rank"]),
                f"<td>{_name(row['name'])}{kind}</td>",
                _number(row["games"], f"{row['games']:,}"),
                _number(row["wins"], f"{row['wins']:,.4g}"),
                _number(row["win_rate"], _percent(row["win_rate"])),
                _number(row["low"], f"{100 * row['low']:.1f} – {_percent(row['high'])}"),
                _number(row["opponents"], _percent(row["opponents"])),
                _rating(row["rating"]),
                _number(row["faults"]),
            ]
        )
    heads = ["Rank", "Name", "Games", "Wins", "Win rate", "95 % interval", "Opponents'", "Rating"]
    return _table([*heads, "Faults"], rows)


def _pairs(contest: Contest, ranked: Sequence[str]) -> str:
    """Return the share of games in which the row's contestant stood above the column's."""
    found = {(row["a"], row["b"]): row for row in contest.pairs().to_dict("records")}
    heads = ["", *(str(place) for place in range(1, len(ranked) + 1))]
    rows = [
        [
            f"<th scope=row>{place}. {_name(name)}</th>",
            *(_pair(found.get((name, other))) for other in ranked),
        ]
        for place, name in enumerate(ranked, 1)
    ]
    note = "<p>In percent of their games, row against column; a tie counts half.</p>"
    return note + _table(heads, rows, kind="matrix", sortable=False)


def _pair(row: Mapping[Any, Any] | None) -> str:
    if row is None:
        return "<td></td>"
    title = f"{row['games']} games, 95 % interval {_percent(row['low'])} to {_percent(row['high'])}"
    return f'<td style="--s:{row["score"]:.2f}" title="{title}">{100 * row["score"]:.0f}</td>'


def _faults(contest: Contest) -> str:
    refused = "".join(
        f"<li>{_name(file)}: <bdi>{escape(reason)}</bdi></li>"
        for file, reason in contest.refused.items()
    )
    parts = [f"<p>Could not take part:</p><ul>{refused}</ul>"] if refused else []
    if contest.faults.empty:
        return "".join([*parts, "<p>No fault in any game.</p>"])
    files = {entrant.name: entrant.id for entrant in contest.contestants}
    rows = [
        [
            f"<td>{_name(row['name'])}</td>",
            _number(row["game"]),
            _number(row["turn"]),
            f"<td>{row['kind']}</td>",
            f"<td><bdi>{escape(row['text'])}</bdi></td>",
            f"<td>{'yes' if row['forfeit'] else 'no'}</td>",
            f"<td>{_link('logs/' + files[row['name']] + '.log', 'log')}</td>",
        ]
        for row in contest.faults.to_dict("records")
    ]
    table = _table(["Name", "Game", "Turn", "Kind", "What happened", "Forfeit", "Output"], rows)
    return "".join([*parts, table])


def _times(contest: Contest) -> str:
    rows = [
        [
            f"<td>{_name(row['name'])}</td>",
            _number(row["moves"], f"{row['moves']:,}"),
            _number(row["mean_ms"], f"{row['mean_ms']:,.1f}"),
            _number(row["slowest_ms"], f"{row['slowest_ms']:,.1f}"),
            _number(row["game_s"], f"{row['game_s']:,.2f}"),
        ]
        for row in contest.times().to_dict("records")
    ]
    return _table(["Name", "Actions", "Mean, ms", "Slowest, ms", "Game, s"], rows)


def _games(contest: Contest) -> str:
    seated = _seated(contest)
    rows = [
        [
            _number(row["game"]),
            f"<td>{escape(row['stage'])}</td>",
            _number(row["deal"]),
            f"<td>{_players(seated[row['game']])}</td>",
            f"{_NUMBER}>{escape(row['points'])}</td>",
            _number(row["turns"]),
            f"<td>{row['end_reason']}</td>",
            f"<td>{_link(row['file'], 'saved game')}</td>",
        ]
        for row in contest.games.to_dict("records")
    ]
    note = (
        "<p>In seat order, winners in bold. A saved game opens on the board: "
        "<code>play(load_game(…))</code>.</p>"
    )
    heads = ["Game", "Stage", "Deal", "Players", "Points", "Turns", "End", "File"]
    return note + _table(heads, rows)


def _pictures(contest: Contest, ranked: Sequence[str], most: int) -> Iterator[str]:
    seated = _seated(contest)
    for game in list(dict.fromkeys(_shown_games(contest, ranked)))[: max(0, most)]:
        record = contest.record(game)
        names = [name for name, _ in seated[game]]
        faults = [f"{fault.kind}: {names[fault.seat]}" for fault in record.faults[-1:]]
        picture = position_svg(
            record.state, last=record.actions[-1:], names=names, title=", ".join(faults) or None
        )
        data = base64.b64encode(picture.encode()).decode()
        yield (
            f"<details><summary>Game {game}: {_players(seated[game])}</summary>"
            f'<img loading=lazy alt="The last position of game {game}" '
            f'src="data:image/svg+xml;base64,{data}"></details>'
        )


def _shown_games(contest: Contest, ranked: Sequence[str]) -> Iterator[int]:
    """Yield the games worth a picture: first faults, the final, a win of each contestant."""
    firsts = contest.faults.drop_duplicates(["name", "kind"])
    yield from firsts["game"].tolist()
    yield from contest.games[contest.games["stage"] == FINAL]["game"].tolist()
    won = contest.seats[contest.seats["win_share"] > 0].drop_duplicates("name")
    games = dict(zip(won["name"], won["game"].tolist(), strict=True))
    yield from (games[name] for name in ranked if name in games)


def _seated(contest: Contest) -> dict[int, list[tuple[str, bool]]]:
    """Return who sat at the table of each game, in seat order, and whether they won."""
    seated: dict[int, list[tuple[str, bool]]] = {}
    columns = (contest.seats[name].tolist() for name in ("game", "name", "win_share"))
    for game, name, share in zip(*columns, strict=True):
        seated.setdefault(game, []).append((name, share > 0))
    return seated


# -- pieces of HTML --------------------------------------------------------------------------------


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>{''.join(parts)}</section>" if parts else ""


def _table(
    heads: Iterable[str], rows: Sequence[Row], *, kind: str = "list", sortable: bool = True
) -> str:
    """Return a table; where it is sortable, each head is a button."""
    form = "<button>{}</button>" if sortable else "{}"
    kinds = [" class=number" if _NUMBER in cell else "" for cell in rows[0]] if rows else []
    head = "".join(
        f"<th scope=col{of_number}>{form.format(escape(text))}</th>"
        for text, of_number in zip(heads, kinds, strict=False)
    )
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f"<div class=wide tabindex=0><table class={kind}><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _number(value: float, shown: str = "") -> str:
    return f'{_NUMBER} data-v="{value:.6g}">{shown or value}</td>'


def _rating(value: float | None) -> str:
    if value is None or math.isnan(value):
        return f"{_NUMBER}>–</td>"
    return _number(value, f"{value:+.0f}".replace("-", "−"))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _name(name: str) -> str:
    return f"<bdi>{escape(name)}</bdi>"


def _players(seated: Iterable[tuple[str, bool]]) -> str:
    names = (f"<b>{_name(name)}</b>" if won else _name(name) for name, won in seated)
    return " – ".join(names)


def _link(file: str, text: str) -> str:
    return f'<a href="{quote(file)}">{text}</a>'


_SCRIPT = """
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement, table = head.closest("table"), body = table.tBodies[0];
    const column = head.cellIndex, up = head.ariaSort !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.ariaSort = up ? "ascending" : "descending";
    const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const compare = (a, b) => {
      const [x, y] = [value(a), value(b)], difference = x - y;
      return (Number.isNaN(difference) ? x.localeCompare(y) : difference) * (up ? 1 : -1);
    };
    body.append(...[...body.rows].sort(compare));
  });
}
"""

_STYLE = """
:root { color-scheme: light dark; --paper: #fffdf8; --ink: #20242b; --soft: #5d5a52;
  --line: #cfc8b8; --row: #f3efe5; --good: #a9d8b8; --bad: #f0b9a6; --link: #2a66b6; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1e24; --ink: #ecebe6; --soft: #b5b1a6;
  --line: #444a55; --row: #242831; --good: #1f5c3a; --bad: #7a3322; --link: #8db8f2; } }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin-block: .5rem 0; } h2 { margin-block: 2.5rem .5rem; } small, p { color: var(--soft); }
a { color: var(--link); }
.wide { overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: start; vertical-align: top; }
thead th { position: sticky; top: 0; z-index: 1; background: var(--row); white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
.number { text-align: end; white-space: nowrap; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:hover { text-decoration: underline; }
th button:focus-visible, .wide:focus-visible { outline: 2px solid var(--link); }
th[aria-sort=ascending] button::after { content: " ▲"; }
th[aria-sort=descending] button::after { content: " ▼"; }
.matrix { width: auto; } .matrix td, .matrix thead th { text-align: center; min-width: 2rem; }
.matrix tbody th { position: sticky; inset-inline-start: 0; background: var(--paper);
  font-weight: 400; white-space: nowrap; max-width: 14rem; overflow: hidden;
  text-overflow: ellipsis; }
.matrix td[style] { background: color-mix(in srgb, var(--good) calc(var(--s) * 100%),
  var(--bad)); }
bdi { overflow-wrap: break-word; } td > bdi { display: inline-block; max-width: 40rem; }
td a { white-space: nowrap; }
details { margin-block: .4rem; } summary { cursor: pointer; }
img { display: block; width: 100%; max-width: 760px; height: auto; margin-block: .5rem; }
"""

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A contest of Splendor agents</title>
<style>$style</style>
</head>
<body>
<h1>A contest of Splendor agents</h1>
<p>$summary</p>
$sections
<script>$script</script>
</body>
</html>
""")
