"""A panel to play many games and look at what came of them, while the kernel stays free."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import ipywidgets
import plotly.graph_objects as go

from splendor_nb.agents.referee import AgentLike
from splendor_nb.agents.registry import AGENTS, agent_name
from splendor_nb.analysis import noble_play, outcomes, paired
from splendor_nb.board.explore.panel import (
    ExplorePanel,
    button,
    choice,
    number,
    watch,
)
from splendor_nb.board.explore.runs import Job, Plan, Played, report
from splendor_nb.charts.figures import comparisons, purchases, simulation
from splendor_nb.charts.figures.style import HEIGHT, figure
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.options import RULE_SETS
from splendor_nb.games.simulation import Simulation

MOST_GAMES: Final = 100_000  # what a panel holds in memory and draws within seconds
CHART: Final = "application/vnd.plotly.v1+json"
LONGEST_SEED: Final = 1000  # digits
FIRST: Final = ("greedy", "random", "random", "random")
EVERYBODY: Final = ""
NOTHING: Final = ""
WHO_WINS: Final = "who wins, by seat"
PURCHASES: Final = "what winners buy"
RULES: Final = "the same deals by other rules"


def explore_simulation(agents: Iterable[AgentLike] = ()) -> SimulationPanel:
    """Return a panel to play many games and look at what came of them.

    Choose who plays, by which rules, how many games and from which seed, and run. Stop ends it
    within moments and keeps the games that are finished. The code below the picture gives the
    same picture again.

    Parameters
    ----------
    agents
        Agents of one's own, offered beside those that have a name.

    Raises
    ------
    TypeError
        Where one of them cannot be called.

    Examples
    --------
    >>> explore_simulation()
    Splendor: run this cell (Shift+Enter) to explore many games
    """
    own = list(agents)
    for agent in own:
        if not callable(agent):
            raise TypeError(f"An agent is a function or a class, not {shortened(agent)}.")
    return SimulationPanel(own)


# -- what is drawn ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A figure of what has been played, as a function and as the code that does the same.

    Attributes
    ----------
    draw
        Makes it, from what was played and whose purchases are asked for.
    code
        The same as text, where ``sim``, ``other`` and ``who`` stand for what was played.
    """

    draw: Callable[[Played, str | None], go.Figure]
    code: str


def _draw_rules(played: Played, _who: str | None) -> go.Figure:
    if played.other is None:
        raise ValueError("Nothing was played by other rules.")
    table = paired.paired_differences(played.sim, played.other)
    return comparisons.rule_differences(table, *played.plan.sets)


def _draw_purchases(played: Played, who: str | None) -> go.Figure:
    return purchases.winners_buy(outcomes.card_outcomes(played.sim, who), who or "somebody")


def _draw_nobles(played: Played, _who: str | None) -> go.Figure:
    sim = played.sim
    rates = noble_play.noble_visit_rates(sim.games, sim.seats, sim.visits)
    return purchases.noble_visits(outcomes.noble_visits(sim), rates)


PICTURES: Final = {
    WHO_WINS: Picture(
        lambda played, _: simulation.win_rates(outcomes.rates_by_seat(played.sim)),
        "simulation.win_rates(outcomes.rates_by_seat(sim))",
    ),
    "how long games are": Picture(
        lambda played, _: simulation.game_length(outcomes.game_lengths({"games": played.sim})),
        'simulation.game_length(outcomes.game_lengths({"games": sim}))',
    ),
    "the points race": Picture(
        lambda played, _: simulation.points_race(played.sim.points_by_round()),
        "simulation.points_race(sim.points_by_round())",
    ),
    PURCHASES: Picture(
        _draw_purchases,
        'purchases.winners_buy(outcomes.card_outcomes(sim, who), who or "somebody")',
    ),
    "when nobles visit": Picture(
        _draw_nobles,
        "purchases.noble_visits(\n"
        "    outcomes.noble_visits(sim),\n"
        "    noble_play.noble_visit_rates(sim.games, sim.seats, sim.visits),\n"
        ")",
    ),
    "nobles and wins": Picture(
        lambda played, _: purchases.win_rate_by(outcomes.win_rate_by(played.sim, "nobles")),
        'purchases.win_rate_by(outcomes.win_rate_by(sim, "nobles"))',
    ),
    RULES: Picture(
        _draw_rules,
        "comparisons.rule_differences(paired.paired_differences(sim, other), *rules)",
    ),
}


def code_of(played: Played, name: str, who: str | None) -> str:
    """Return the code that makes a picture again, from nothing.

    Parameters
    ----------
    played
        What it shows.
    name
        One of `PICTURES`.
    who
        Whose purchases are shown; `None` for everybody's.
    """
    text = PICTURES[name].code
    tables = [module for module in ("noble_play", "outcomes", "paired") if f"{module}." in text]
    charts = [name for name in ("comparisons", "purchases", "simulation") if f"{name}." in text]
    lines = [
        "from splendor_nb import simulate",
        f"from splendor_nb.analysis import {', '.join(tables)}" if tables else "",
        f"from splendor_nb.charts.figures import {', '.join(charts)}",
        "",
        f"sim = {_line_of(played.sim)}",
    ]
    if name == RULES and played.other is not None:
        lines += [f"other = {_line_of(played.other)}", f"rules = {played.plan.sets}"]
    if " who" in text:
        lines.append(f"who = {who!r}")
    return "\n".join([line for at, line in enumerate(lines) if line or at == 3] + [text])


def _line_of(sim: Simulation) -> str:
    """Return the line that plays the games that there are, which may be fewer than asked for."""
    return sim.code.replace(f"games={sim.requested},", f"games={len(sim)},", 1)


# -- the panel -------------------------------------------------------------------------------------


class SimulationPanel(ExplorePanel):
    """The panel of `explore_simulation`.

    Parameters
    ----------
    own
        Agents of one's own.

    Attributes
    ----------
    played
        What was played last; `None` at first.
    shown
        The picture.
    """

    def __init__(self, own: list[AgentLike]) -> None:
        offered: list[tuple[str, Any]] = [(name, name) for name in AGENTS]
        offered += [(agent_name(agent), agent) for agent in own]
        sets = [(name, name) for name in RULE_SETS]
        self.played: Played | None = None
        self.players = choice("Players", [(str(n), n) for n in (2, 3, 4)], 2)
        self.agents = [choice(f"Agent {at + 1}", offered, FIRST[at]) for at in range(4)]
        self.rules = choice("Rules", sets, "standard")
        self.other = choice("Same deals by", [("no other rules", NOTHING), *sets], NOTHING)
        self.games = number("Games", 1, MOST_GAMES, 2000)
        self.seed = ipywidgets.Text(
            description="Seed", placeholder="any", layout=ipywidgets.Layout(width="14em")
        )
        self.bar = ipywidgets.IntProgress(layout=ipywidgets.Layout(width="14em"))
        self.picture = choice("Picture", [(WHO_WINS, WHO_WINS)], WHO_WINS)
        self.who = choice("Purchases of", [("everybody", EVERYBODY)], EVERYBODY)
        nothing = figure("Choose who plays, and press Run", x="", y="")
        nothing.update_xaxes(visible=False).update_yaxes(visible=False)
        self.shown = ipywidgets.Output(layout=ipywidgets.Layout(min_height=f"{HEIGHT}px"))
        put(nothing, self.shown)
        self._job: Job | None = None
        self._threads: list[threading.Thread] = []
        self._drawing = threading.RLock()
        super().__init__(
            "many games",
            [
                [self.players, *self.agents],
                [self.rules, self.other, self.games, self.seed],
                [button("Run", self.run), button("Stop", self.stop), self.bar],
                [self.picture, self.who],
            ],
            [self.shown],
        )
        watch([self.players], self._seat)
        watch([self.picture, self.who], self.draw)
        self._seat()
        _show(self.who, there=False)
        self.say("Nothing has been played yet.")

    def _seat(self) -> None:
        """Show as many lists of agents as there are players."""
        for at, agent in enumerate(self.agents):
            _show(agent, there=at < self.players.value)

    # -- playing -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Begin to play what is chosen."""
        if self._job is not None:
            self.say("Games are being played; press Stop first.")
            return
        try:
            plan = self._plan()
        except ValueError as error:
            self.say(str(error))
            return
        self.bar.max, self.bar.value = plan.games, 0
        self.say(f"Playing {plan.games:,} games …")
        self._job = Job(plan, self._tell, self._done)
        self._beside(self._job.run)

    def _plan(self) -> Plan:
        """Return what is chosen.

        One agent for all seats has nothing to rotate: then every game is a deal of its own.
        """
        chosen = [agent.value for agent in self.agents[: self.players.value]]
        alike = all(agent is chosen[0] for agent in chosen)
        if self.other.value == self.rules.value:
            raise ValueError("The other rules are the same; choose another set, or none.")
        settings = {
            "agents": chosen[0] if alike else chosen,
            "players": self.players.value,
            "games": self.games.value,
            "seed": read_seed(self.seed.value),
        }
        return Plan(settings, self.rules.value, self.other.value)

    def stop(self) -> None:
        """End the run, and show the games that are finished."""
        if self._job is None:
            self.say("Nothing is running.")
        else:
            self._job.stop()
            self.say("Stopping …")

    def _tell(self, finished: int) -> None:
        self.bar.value = finished

    def _done(self, answer: Played | str) -> None:
        self._job = None
        if isinstance(answer, str):
            self.say(answer)
        elif not len(answer.sim):
            self.say("Stopped before the first game was over; nothing new to show.")
        else:
            self.played = answer
            self._offer(answer)
            self._draw()

    def _offer(self, played: Played) -> None:
        """Offer the pictures that there are, and the agents that have played, keeping choices."""
        names = [name for name in PICTURES if name != RULES or played.other is not None]
        with self._drawing:
            _offer(self.picture, [(name, name) for name in names])
            _offer(self.who, [("everybody", EVERYBODY), *((a, a) for a in played.sim.agents)])

    def wait(self, timeout_s: float = 3600) -> None:
        """Wait until nothing is played or drawn any more, or so many seconds have gone by."""
        end = time.monotonic() + timeout_s
        while (busy := [t for t in self._threads if t.is_alive()]) and time.monotonic() < end:
            busy[0].join(max(0, end - time.monotonic()))

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the chosen picture beside the kernel: of many games it may take a second or more."""
        if self.played is not None:
            self._beside(self._draw)

    def _draw(self) -> None:
        with self._drawing:
            played, name, who = self.played, self.picture.value, self.who.value or None
            _show(self.who, there=name == PURCHASES)
            if played is None or name is None:
                return
            if self._job is None:
                self.say(f"{report(played)} Drawing …")
            said = self.message.value
            put(PICTURES[name].draw(played, who), self.shown)
            self.show_code(code_of(played, name, who))
            if self._job is None and self.message.value == said:  # nothing newer has been said
                self.say(report(played))

    def _beside(self, work: Callable[[], None]) -> None:
        """Do something beside the kernel; at once in a browser's kernel, which has no threads."""
        if sys.platform == "emscripten":
            work()
            return
        thread = threading.Thread(target=work, daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()


def put(drawn: go.Figure, shown: ipywidgets.Output) -> None:
    """Show a figure in the place of the one before, as a cell would.

    A widget of plotly would send its whole library anew with each, and cannot change from one kind
    of chart to another.
    """
    data = {CHART: json.loads(drawn.to_json()), "text/plain": drawn.layout.title.text}
    shown.outputs = ({"output_type": "display_data", "data": data, "metadata": {}},)


def read_seed(text: str) -> int | None:
    """Return the seed that somebody has typed; `None` to draw one where nothing is.

    Raises
    ------
    ValueError
        For anything else than a whole number.

    Examples
    --------
    >>> read_seed(" 7 "), read_seed("")
    (7, None)
    """
    digits = text.strip()
    if not digits:
        return None
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"A seed is a whole number from 0, not {shortened(text)}.")
    if len(digits) > LONGEST_SEED:
        raise ValueError(f"A seed has at most {LONGEST_SEED} digits.")
    return int(digits)


def _show(control: ipywidgets.Widget, *, there: bool) -> None:
    """Show a control, or hide it."""
    display = {} if there else {"display": "none"}
    control.layout = ipywidgets.Layout(
        width="auto", max_width="17em", margin="2px 12px 2px 0", **display
    )


def _offer(control: ipywidgets.Dropdown, options: list[tuple[str, str]]) -> None:
    """Change what a list offers; what was chosen stays so if it is still there."""
    chosen = control.value
    if list(control.options) != options:
        control.options = options
        control.value = chosen if chosen in dict(options).values() else options[0][1]
