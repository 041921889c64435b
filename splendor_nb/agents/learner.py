"""The network in torch: learning from records, and what it has learned as rows of numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from splendor_nb.agents import network
from splendor_nb.agents.network import BRANCHES, TRUNK, VIEW, WIDTH
from splendor_nb.agents.records import STATIC, Coloring, Log, static_numbers
from splendor_nb.engine import rules
from splendor_nb.engine.position import Tables

RATE, DECAY = 1e-3, 1e-4
AVERAGE = 0.998  # how much of the average of the weights each step keeps
TRUST = 0.5  # how much what the search expected counts beside what came true


class Learner:
    """A network that learns, on one thread.

    The one that plays is the average of the weights over the latest steps.

    Parameters
    ----------
    tables
        Of the games that it learns.
    players
        Seats at the table.
    seed
        Where it starts from.

    Attributes
    ----------
    steps
        How many batches it has seen.
    """

    def __init__(self, tables: Tables, players: int, seed: int = 1) -> None:
        import torch

        torch.set_num_threads(1)
        chance = torch.Generator().manual_seed(seed)
        self.players = players
        self.steps = 0
        self._static = torch.tensor(static_numbers(tables))
        self._scales = {name: torch.tensor(scale) for name, scale in _scales(players).items()}
        self._weights = {
            name: _start(name, shape, chance) for name, shape in _shapes(players).items()
        }
        self._average = {name: weight.detach().clone() for name, weight in self._weights.items()}
        self._optimizer = torch.optim.AdamW(
            self._weights.values(), lr=RATE, weight_decay=DECAY, betas=(0.9, 0.98)
        )

    def learn(self, log: Log, coloring: Coloring, *, rate: float = RATE) -> tuple[float, float]:
        """Take one step; return the losses of policy and value before it.

        Parameters
        ----------
        log
            A batch.
        coloring
            How its colors are exchanged.
        rate
            How far to step.
        """
        import torch

        for group in self._optimizer.param_groups:
            group["lr"] = rate
        policy, value = self._losses(self._weights, log, coloring)
        self._optimizer.zero_grad()
        (policy + value).backward()
        torch.nn.utils.clip_grad_norm_(self._weights.values(), 1.0)
        self._optimizer.step()
        self.steps += 1
        keep = min(AVERAGE, self.steps / (self.steps + 10))
        for name, weight in self._weights.items():
            self._average[name].lerp_(weight.detach(), 1 - keep)
        return float(policy.detach()), float(value.detach())

    def losses(self, log: Log, coloring: Coloring) -> tuple[float, float]:
        """Return the losses of the averaged network, in policy and in value."""
        policy, value = self._losses(self._average, log, coloring)
        return float(policy), float(value)

    def rows(self) -> Any:
        """Return what has been learned, as the array that `network` works on."""
        import numpy as np

        w = {name: weight.numpy() for name, weight in self._average.items()}
        scales = {name: scale.numpy()[:, None] for name, scale in self._scales.items()}
        rows = np.zeros((network.LEARNED, WIDTH), np.float32)
        _put(rows, network.CARD_TABLE, _table(self._static.numpy(), w["static"]))
        _put(rows, network.VIEW_ROWS, w["view"] * scales["view"])
        _put(rows, network.CREST_BIAS, w["crest_bias"])
        _put(rows, network.CREST_ROWS, w["crest"] * scales["crest"])
        _put(rows, network.TRUNK_BIAS, w["trunk_bias"])
        _put(rows, network.TRUNK_ROWS, w["trunk"] * scales["trunk"])
        _put(rows, network.BRANCH_BIAS, w["branch_bias"])
        _put(rows, network.BRANCH_ROWS, w["branch"])
        _put(rows, network.URGE_ROWS, w["urge"])
        _put(rows, network.RESERVE_SCORE, w["reserve"])
        _put(rows, network.BUY_SCORE, w["buy"])
        _put(rows, network.SEAT_SCORES, w["seat"].T)
        rows[network.SEAT_BIAS, : self.players] = w["seat_bias"]
        return rows

    def save(self, path: Path) -> None:
        """Write down all that is needed to go on later."""
        import torch

        state = {
            "steps": self.steps,
            "weights": self._weights,
            "average": self._average,
            "optimizer": self._optimizer.state_dict(),
        }
        torch.save(state, path)

    def load(self, path: Path) -> None:
        """Go on from what was written down."""
        import torch

        state = torch.load(path)
        self.steps = state["steps"]
        for name, weight in self._weights.items():
            weight.data.copy_(state["weights"][name])
            self._average[name].copy_(state["average"][name])
        self._optimizer.load_state_dict(state["optimizer"])

    def _losses(self, w: dict[str, Any], log: Log, coloring: Coloring) -> tuple[Any, Any]:
        import torch

        scores, outlook = self.think(w, log, coloring)
        visits = torch.from_numpy(log.visits)[:, coloring.visits].float()
        wanted = visits.clamp(min=0)
        wanted = wanted / wanted.sum(1, keepdim=True)
        scores = scores.masked_fill(visits < 0, -1e9)
        policy = -(wanted * scores.log_softmax(1)).sum(1).mean()
        value = -(_aims(log) * outlook.log_softmax(1)).sum(1).mean()
        return policy, value

    def think(self, w: dict[str, Any], log: Log, coloring: Coloring) -> tuple[Any, Any]:
        """Return the scores of all actions and of the seats, as `network` works them out.

        Parameters
        ----------
        w
            The weights.
        """
        import torch

        codes = self._codes(w, log, coloring)
        gist = self._gist(w, log, coloring, codes) * self._scales["trunk"]
        trunk = (gist @ w["trunk"] + w["trunk_bias"].flatten()).relu()
        branches = trunk @ w["branch"] + w["branch_bias"].flatten()
        hidden, takes, others, mood = branches.split(WIDTH, 1)
        own = codes[:, : rules.SLOTS + rules.RESERVE_LIMIT]
        urges = (own @ w["urge"] + mood[:, None]).relu()
        reserve, buy = urges[:, : rules.SLOTS] @ w["reserve"], urges @ w["buy"]
        parts = [takes[:, : rules.RESERVE], reserve, others[:, :3], buy, others[:, 3:9]]
        return torch.cat(parts, 1), hidden.relu() @ w["seat"] + w["seat_bias"]

    def _codes(self, w: dict[str, Any], log: Log, coloring: Coloring) -> Any:
        import torch

        static = self._static[:, coloring.static][torch.from_numpy(log.shown).long()]
        views = torch.from_numpy(log.views)[:, :, coloring.views].float() * self._scales["view"]
        return (views @ w["view"] + static @ w["static"]).relu()

    def _gist(self, w: dict[str, Any], log: Log, coloring: Coloring, codes: Any) -> Any:
        import torch

        needs = torch.from_numpy(log.needs)[:, :, coloring.needs].float() * self._scales["crest"]
        there = torch.arange(self.players + 1) < torch.from_numpy(log.nobles)[:, None]
        crests = (needs @ w["crest"] + w["crest_bias"]).relu() * there[:, :, None]
        facts = torch.from_numpy(log.facts).float()
        ends = [rules.SLOTS + rules.RESERVE_LIMIT * i for i in range(self.players + 1)]
        parts = [
            facts[:, 0, coloring.table_facts],
            facts[:, 1:, coloring.seat_facts].flatten(1),
            crests.sum(1),
            *(codes[:, i:j].sum(1) for i, j in zip([0, *ends], ends, strict=False)),
        ]
        return torch.cat(parts, 1)


def _aims(log: Log) -> Any:
    """Return what each seat should expect: what came true, mixed with what the search expected.

    The search says it of the seat that decides alone; the others share the rest.
    """
    import torch

    shares = torch.from_numpy(log.shares)
    value = torch.from_numpy(log.value)[:, None]
    rest = shares[:, 1:] + 0.05
    expected = torch.cat([value, (1 - value) * rest / rest.sum(1, keepdim=True)], 1)
    return torch.where(value < 0, shares, (1 - TRUST) * shares + TRUST * expected)


def _shapes(players: int) -> dict[str, tuple[int, ...]]:
    return {
        "static": (STATIC, WIDTH),
        "view": (WIDTH * ((players + 1) // network.VIEWS), WIDTH),
        "crest": (WIDTH, WIDTH),
        "crest_bias": (WIDTH,),
        "trunk": (WIDTH * (3 + 2 * players), WIDTH * TRUNK),
        "trunk_bias": (TRUNK, WIDTH),
        "branch": (WIDTH * TRUNK, WIDTH * BRANCHES),
        "branch_bias": (BRANCHES, WIDTH),
        "urge": (WIDTH, WIDTH),
        "reserve": (WIDTH,),
        "buy": (WIDTH,),
        "seat": (WIDTH, players),
        "seat_bias": (players,),
    }


def _start(name: str, shape: tuple[int, ...], chance: Any) -> Any:
    """Return where a weight starts: from chance, a bias from 0."""
    import torch

    if name.endswith("bias"):
        return torch.zeros(shape, requires_grad=True)
    spread = (2.0 / shape[0]) ** 0.5 * (0.3 if name in ("reserve", "buy", "seat") else 1.0)
    return (torch.randn(shape, generator=chance) * spread).requires_grad_()


def _scales(players: int) -> dict[str, Any]:
    """Return by what inputs are multiplied so that all are of about the same size."""
    import numpy as np

    view = np.ones(WIDTH * ((players + 1) // network.VIEWS), np.float32)
    crest, table, seat = np.ones((3, WIDTH), np.float32)
    for i in range(players):
        view[VIEW * i : VIEW * i + 10] = 1 / 2
        view[VIEW * i + 10 : VIEW * i + 12] = 1 / 4
        crest[network.NEED * i : network.NEED * i + 6] = 1 / 3
    table[:6], table[13:16] = 1 / 2, 1 / 12
    seat[:11], seat[11:14] = 1 / 2, 1 / 5
    sums = np.repeat(np.array([1 / 2, 1 / 6, *[1 / 2] * players], np.float32), WIDTH)
    gist = np.concatenate([table, *[seat] * players, sums])
    return {"view": view, "crest": crest, "trunk": gist}


def _table(static: Any, weights: Any) -> Any:
    """Return the row of each card."""
    table = static[:, :1] * weights[0]
    for i in range(1, STATIC):
        table = table + static[:, i : i + 1] * weights[i]
    return table


def _put(rows: Any, at: int, numbers: Any) -> None:
    numbers = numbers.reshape(-1, WIDTH)
    rows[at : at + len(numbers)] = numbers
