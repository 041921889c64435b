"""What the page shows: one JSON value, made from what the viewer may know.

Legality, prices, reasons and labels are worked out here, so that the page holds no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from splendor_nb.analysis.noble_gaps import NobleGap, gaps_of
from splendor_nb.board.course import Course, Step, describe
from splendor_nb.board.picks import gem_picks
from splendor_nb.board.words import Words, name_in_sentence, unquoted
from splendor_nb.engine.cards import COLORS, GEMS, GOLD, Back, Card, Gems, Noble
from splendor_nb.engine.records import FORFEIT, Fault, Player, Result
from splendor_nb.engine.rules import HAND_LIMIT
from splendor_nb.engine.state import Observation

LOG_LINES = 200

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view is made from.

    Attributes
    ----------
    course, step
        The game, and how many of its steps have been played.
    seats
        Who sits where.
    viewer
        The seat whose knowledge is shown; `None` for what everyone may know.
    open_reserve
        Whether the viewer's own unseen reserves lie face up.
    deciding
        Whether a person at the page has the decision now.
    alone
        Whether there is just one person, who needs no name to be spoken to.
    thinking
        The name of the agent that has the decision, if one has.
    error
        A sentence to be shown as an error.
    result, faults
        How the game ended, and what agents did wrong.
    advice
        What a search advises the person to decide, as the page gets it.
    replay
        The place in a replay, as the page gets it.
    version
        Goes back and forth with messages.
    """

    course: Course
    step: int
    seats: Sequence[Player]
    words: Words
    viewer: int | None = None
    open_reserve: bool = True
    deciding: bool = False
    alone: bool = True
    thinking: str = ""
    error: str = ""
    result: Result | None = None
    faults: Sequence[Fault] = ()
    advice: Json | None = None
    replay: Json | None = None
    version: int = 0

    @property
    def names(self) -> list[str]:
        """The names of the seats, as parts of sentences."""
        return [name_in_sentence(seat.name) for seat in self.seats]

    def observation(self) -> Observation:
        """Return what the viewer may know; for nobody in particular, seat 0's, kept face down."""
        return self.course.state_at(self.step).observation(self.viewer or 0)

    def face_up(self, seat: int) -> bool:
        """Return whether the unseen reserves of a seat may be shown."""
        return self.open_reserve and seat == self.viewer


def page_view(scene: Scene) -> Json:
    """Return the view as the page gets it."""
    return _Painter(scene).paint()


class _Painter:
    """Makes one view; what all its parts need is at hand once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.words = scene.words
        self.names = scene.names
        self.view = scene.observation()
        self.turn = scene.course.turn_at(scene.step)
        self.new_cards = scene.course.new_cards(scene.step)
        self.legal = self.view.legal_actions() if scene.deciding else []
        self.gaps = self._noble_gaps()

    def paint(self) -> Json:
        view, scene = self.view, self.scene
        return {
            "version": scene.version,
            "viewer": scene.viewer,
            "interactive": scene.deciding,
            "thinking": scene.thinking,
            "phase": view.phase if scene.result is None else "over",
            "round": view.turn // view.players + (not view.is_terminal()),
            "target": view.rules.target,
            "last_round": self._is_last_round(),
            "status": self._status(),
            "error": scene.error,
            "bank": dict(view.bank),
            "picks": self._picks(),
            "market": [[self._slot(card) for card in row] for row in view.market],
            "decks": [self._deck(level) for level in (1, 2, 3)],
            "nobles": [self._noble(noble) for noble in view.nobles],
            "seats": [self._seat(seat) for seat in range(view.players)],
            "prompt": self._prompt(),
            "last": self._last(),
            "log": self._log(),
            "result": self._result(),
            "advice": scene.advice,
            "replay": scene.replay,
        }

    # -- where the game stands ---------------------------------------------------------------------

    def _is_last_round(self) -> bool:
        most = max(seat.points for seat in self.view.seats)
        return most >= self.view.rules.target and self.scene.result is None

    def _status(self) -> str:
        scene, view, words = self.scene, self.view, self.words
        if scene.replay is not None:
            return words("status.replay", step=scene.step, steps=len(scene.course.steps))
        if scene.result is not None:
            return self._headline(scene.result)
        name = self.names[view.current_player or 0]
        if not scene.deciding:
            return words("status.agent", name=name)
        ask = words(f"ask.{view.phase}", more=self._tokens_over())
        return words("status.you" if scene.alone else "status.person", name=name, ask=ask)

    def _tokens_over(self) -> int:
        seat = self.view.seats[self.view.current_player or 0]
        return sum(seat.tokens.values()) - HAND_LIMIT

    # -- controls ----------------------------------------------------------------------------------

    def _control(self, action: str, label: str, **more: str) -> Json:
        why = self.view.why_illegal(action) or ""
        return {"action": action, "label": label, "why": why, **more}

    def _picks(self) -> Json:
        if not self._is_choosing_turn():
            return {}
        return gem_picks(self.view, self.legal, self.words)

    # -- cards, decks and nobles -------------------------------------------------------------------

    def _slot(self, card: Card | Back | None) -> Json | None:
        if isinstance(card, Card):
            controls = self._market_controls(card) if self._is_choosing_turn() else []
            return self._card(card, controls)
        return None if card is None else self._back(card.level, peek=False)

    def _is_choosing_turn(self) -> bool:
        return self.scene.deciding and self.view.phase == "main"

    def _card(self, card: Card, controls: list[Json], *, mine: bool = True) -> Json:
        """Return a card face up; unless it is out of the viewer's reach, with what it lacks."""
        afford, note, missing = self._affordability(card) if mine else ("", "", {})
        return {
            "name": card.name,
            "level": card.level,
            "bonus": card.bonus,
            "points": card.points,
            "cost": _present(card.cost),
            "label": f"{self._card_label(card)} {note[:1].upper()}{note[1:]}".rstrip(),
            "afford": afford,
            "gold": sum(missing.values()) if afford == "gold" else 0,
            "missing": missing if afford == "no" else {},
            "note": note,
            "new": card.name in self.new_cards,
            "last": any(step.action.card == card.name for step in self.turn),
            "controls": controls,
        }

    def _card_label(self, card: Card) -> str:
        words = self.words
        return words(
            "card",
            level=card.level,
            color=words.color(card.bonus),
            card=card.name,
            points=words.count("point", card.points),
            cost=words.gems(card.cost),
        )

    def _affordability(self, card: Card) -> tuple[str, str, Json]:
        """Return whether the viewer can pay the card, the same in words, and what is missing."""
        viewer = self.scene.viewer
        if viewer is None:
            return "", "", {}
        missing = self.view.missing(card.name, viewer)
        total = sum(missing.values())
        if total == 0:
            return "yes", self.words("afford.yes"), {}
        if total <= self.view.seats[viewer].tokens[GOLD]:
            return "gold", self.words("afford.gold", gold=total), _present(missing)
        return "no", self.words("afford.no", gems=self.words.gems(missing)), _present(missing)

    def _market_controls(self, card: Card) -> list[Json]:
        return [self._buy(card), self._control(f"reserve {card.name}", self._reserve_label())]

    def _reserve_label(self) -> str:
        return self.words("reserve.gold" if self.view.bank[GOLD] else "reserve.no_gold")

    def _buy(self, card: Card) -> Json:
        affordable = self._affordability(card)[0] != "no"
        player = self.view.player
        price = self._payment(card) if affordable else self.view.price(card.name, player)
        return self._control(f"buy {card.name}", self.words("buy", price=self.words.gems(price)))

    def _back(self, level: int, *, peek: bool) -> Json:
        label = self.words("back", level=level)
        return {"back": True, "level": level, "label": label, "peek": peek}

    def _deck(self, level: int) -> Json:
        size = self.view.deck_sizes[level - 1]
        controls = []
        if self._is_choosing_turn():
            controls = [self._control(f"reserve L{level}", self._unseen_label(level))]
        label = self.words("deck", level=level, cards=self.words.count("card", size))
        return {"level": level, "size": size, "label": label, "controls": controls}

    def _unseen_label(self, level: int) -> str:
        key = "reserve.unseen_gold" if self.view.bank[GOLD] else "reserve.unseen_no_gold"
        return self.words(key, level=level)

    def _noble(self, noble: Noble) -> Json:
        gaps = [seat_gaps[noble.name] for seat_gaps in self.gaps]
        controls = []
        if self.scene.deciding and self.view.phase == "noble":
            label = self.words("noble.choose", noble=noble.title or noble.name)
            controls = [self._control(f"noble {noble.name}", label)]
        return {
            **self._visitor(noble),
            "title": noble.title,
            "cost": _present(noble.cost),
            "needs": [self._need(gap) for gap in gaps],
            "controls": controls,
        }

    def _need(self, gap: NobleGap) -> Json:
        return {
            "seat": gap.seat,
            "missing": _present(gap.missing),
            "total": gap.total_missing,
            "text": self._need_in_words(gap),
        }

    def _need_in_words(self, gap: NobleGap) -> str:
        """Return how far a seat is from a noble, and the open cards that would bring it there."""
        words, name = self.words, self.names[gap.seat]
        if not gap.total_missing:
            return words("noble.met", name=name)
        missing = words.count("bonus", gap.total_missing)
        if gap.cards is None:
            return words("noble.far", name=name, missing=missing)
        return words(
            "noble.open",
            name=name,
            missing=missing,
            cards=words.join(gap.cards),
            gems=words.gems(gap.price or {}),
            takes=words.count("take", gap.takes or 0),
        )

    def _noble_gaps(self) -> list[dict[str, NobleGap]]:
        """Return how far each seat is from each noble, by the noble's name.

        Where the viewer's own unseen reserves lie face down, a seat is seen from another one.
        """
        scene, view = self.scene, self.view
        found = []
        for seat in range(view.players):
            seen = view
            if seat == view.player and not scene.face_up(seat):
                seen = scene.course.state_at(scene.step).observation((seat + 1) % view.players)
            found.append({gap.noble.name: gap for gap in gaps_of(seen, seat)})
        return found

    def _visitor(self, noble: Noble) -> Json:
        label = self.words(
            "noble",
            noble=noble.title or noble.name,
            points=self.words.count("point", noble.points),
            cost=self.words.gems(noble.cost),
        )
        return {"name": noble.name, "points": noble.points, "label": label}

    # -- seats -------------------------------------------------------------------------------------

    def _seat(self, number: int) -> Json:
        seat, player = self.view.seats[number], self.scene.seats[number]
        total = sum(seat.tokens.values())
        return {
            "seat": number,
            "name": player.name,
            "you": number == self.scene.viewer,
            "current": number == self.view.current_player and self.scene.result is None,
            "first": number == self.view.first_player,
            "points": seat.points,
            "tokens": dict(seat.tokens),
            "total": total,
            "limit": HAND_LIMIT,
            "bonuses": dict(seat.bonuses),
            "cards": len(seat.bought),
            "bought": [self._bought(card) for card in seat.bought],
            "reserved": self._reserved(number),
            "nobles": [self._visitor(noble) for noble in seat.nobles],
            "label": self.words(
                "seat",
                name=self.names[number],
                points=self.words.count("point", seat.points),
                total=total,
                limit=HAND_LIMIT,
                cards=self.words.count("card", len(seat.bought)),
            ),
            "last": bool(self.turn) and self.turn[-1].seat == number,
        }

    def _bought(self, card: Card) -> Json:
        label = self._card_label(card)
        return {"name": card.name, "bonus": card.bonus, "points": card.points, "label": label}

    def _reserved(self, number: int) -> list[Json]:
        seat = self.view.seats[number]
        can_buy = self._is_choosing_turn() and number == self.view.player
        shown = []
        for card, hidden in zip(seat.reserved, seat.hidden, strict=True):
            face_down = hidden and not self.scene.face_up(number) and card != self.view.paying
            if isinstance(card, Back) or face_down:
                shown.append(self._back(card.level, peek=self._may_peek(number)))
            else:
                controls = [self._buy(card)] if can_buy else []
                shown.append(self._card(card, controls, mine=number == self.scene.viewer))
        return shown

    def _may_peek(self, number: int) -> bool:
        return self.scene.deciding and number == self.view.player and not self.scene.open_reserve

    # -- what is asked -----------------------------------------------------------------------------

    def _prompt(self) -> Json | None:
        if not self.scene.deciding:
            return None
        if self.view.phase == "main":
            return self._pass_prompt() if self.legal == ["pass"] else None
        prompt = {
            "return": self._return_prompt,
            "noble": self._noble_prompt,
            "pay": self._pay_prompt,
        }
        return prompt[self.view.phase]()

    def _pass_prompt(self) -> Json:
        controls = [self._control("pass", self.words("pass.label"))]
        return {"kind": "pass", "text": self.words("pass"), "controls": controls}

    def _return_prompt(self) -> Json:
        more = self._tokens_over()
        held = more + HAND_LIMIT
        controls = [
            self._control(
                f"return {gem}", self.words("return.label", gem=self.words.color(gem)), gem=gem
            )
            for gem in GEMS
        ]
        return {
            "kind": "return",
            "text": self.words("return", held=held, more=more),
            "held": held,
            "limit": HAND_LIMIT,
            "controls": controls,
        }

    def _noble_prompt(self) -> Json:
        titles = {noble.name: noble.title or noble.name for noble in self.view.nobles}
        controls = [
            self._control(str(action), self.words("noble.choose", noble=titles[action.noble or ""]))
            for action in self.legal
        ]
        return {"kind": "noble", "text": self.words("noble.prompt"), "controls": controls}

    def _pay_prompt(self) -> Json:
        card = self._paying()
        gold = [
            self._gold_control(color)
            for color in COLORS
            if self.view.price(card.name, self.view.player)[color]
        ]
        settle = self._control(
            "pay", self.words("pay.label", price=self.words.gems(self._payment(card)))
        )
        text = self.words("pay", card=card.name)
        return {"kind": "pay", "text": text, "controls": [*gold, settle]}

    def _paying(self) -> Card:
        if self.view.paying is None:
            raise ValueError("No card is being paid for.")
        return self.view.paying

    def _gold_control(self, color: str) -> Json:
        label = self.words("pay.gold", color=self.words.color(color))
        return self._control(f"gold {color}", label, gem=color)

    def _payment(self, card: Card) -> dict[str, int]:
        """Return what would be paid if the purchase were settled now."""
        player, chosen = self.view.player, self.view.paid_in_gold
        price, missing = self.view.price(card.name, player), self.view.missing(card.name, player)
        paid = {gem: price[gem] - missing[gem] - chosen[gem] for gem in price}
        return {**paid, GOLD: sum(missing.values()) + sum(chosen.values())}

    # -- what has happened -------------------------------------------------------------------------

    def _last(self) -> Json | None:
        if not self.turn:
            return None
        return {
            "seat": self.turn[-1].seat,
            "text": self._turn_in_words(self.turn),
            "gems": "".join(
                step.action.gems or "" for step in self.turn if step.action.kind == "take"
            ),
            "cards": [step.action.card for step in self.turn if step.action.card],
        }

    def _turn_in_words(self, steps: Sequence[Step]) -> str:
        return " ".join(describe(step, self.names, self.words) for step in steps)

    def _log(self) -> list[Json]:
        first = max(0, self.scene.step - LOG_LINES)
        steps = self.scene.course.steps[first : self.scene.step]
        return [
            {
                "id": first + number,
                "turn": step.turn + 1,
                "seat": step.seat,
                "text": describe(step, self.names, self.words),
            }
            for number, step in enumerate(steps)
        ]

    # -- the end -----------------------------------------------------------------------------------

    def _result(self) -> Json | None:
        result = self.scene.result
        if result is None:
            return None
        return {
            "title": self._headline(result),
            "text": self._reason(result),
            "rows": self._ranking(result),
        }

    def _headline(self, result: Result) -> str:
        names = self.words.join([self.names[seat] for seat in result.winners])
        return self.words("result.win" if len(result.winners) == 1 else "result.share", names=names)

    def _reason(self, result: Result) -> str:
        words, rules = self.words, self.view.rules
        if result.end_reason == FORFEIT:
            fault = self.scene.faults[-1]
            text = unquoted(fault.text) if fault.kind == "exception" else ""
            name = self.names[fault.seat]
            return words("result.forfeit", name=name, kind=fault.kind, text=text).rstrip()
        reason = words(f"result.{result.end_reason}", target=rules.target, limit=rules.turn_limit)
        tied = [seat for seat, points in enumerate(result.points) if points == max(result.points)]
        if len(tied) == 1:
            return reason
        tie_break = rules.tie_break == "fewest_cards"
        key = "result.tie_shared" if len(result.winners) == len(tied) else "result.tie_cards"
        return f"{reason} {words(key if tie_break else 'result.tie_points')}"

    def _ranking(self, result: Result) -> list[Json]:
        order = sorted(range(self.view.players), key=lambda seat: self._standing(seat, result))
        standings = [self._standing(seat, result) for seat in order]
        return [
            {
                "place": standings.index(self._standing(seat, result)) + 1,
                "seat": seat,
                "name": self.scene.seats[seat].name,
                "points": result.points[seat],
                "cards": len(self.view.seats[seat].bought),
                "note": self.words("result.winner") if seat in result.winners else "",
            }
            for seat in order
        ]

    def _standing(self, seat: int, result: Result) -> tuple[bool, int]:
        """Return what places are given by: the lower, the better [R16]."""
        out = result.end_reason == FORFEIT and self.scene.faults[-1].seat == seat
        return out, -self.view.rank(seat)


def _present(gems: Gems) -> dict[str, int]:
    return {gem: number for gem, number in gems.items() if number}
