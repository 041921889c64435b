"""What an action changes for the seat that does it: the facts behind "why this one?".

Standard library only, and quick: the board asks for it when it gives a hint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from splendor_nb.analysis.noble_gaps import missing_bonuses, open_cards
from splendor_nb.engine.cards import GOLD, Card, Noble, join_words
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import Observation

# How each fact is told; another language has the same keys, see `Change.sentences`.
PHRASES: Mapping[str, str] = {
    "why.points": "{points} more points",
    "why.points_one": "1 more point",
    "why.noble": "{noble} comes for {points} points",
    "why.nearer": "{missing} bonuses left for {noble}",
    "why.nearer_one": "1 bonus left for {noble}",
    "why.nearer_none": "all bonuses for {noble} are there",
    "why.saves": "the open cards cost {gems} gems less",
    "why.saves_one": "the open cards cost 1 gem less",
    "why.affords": "can buy {cards} then",
    "why.loses": "cannot buy {cards} then",
    "why.reach": "{missing} tokens left for {card}",
    "why.reach_one": "1 token left for {card}",
    "why.gold": "1 gold",
    "why.denies": "{card} is out of reach for others who can buy it now",
    "why.nothing": "changes little",
}


@dataclass(frozen=True, slots=True)
class Change:
    """What one action changes, as far as its seat can know.

    Attributes
    ----------
    points
        Points that it brings at once, those of nobles included.
    nobles
        Nobles that visit.
    nearer
        What is missing for each noble that comes nearer, by the noble's name.
    saves
        How many gems less the other open cards cost in all, the own reserve included.
    affords, loses
        Names of open cards that can be bought after it and not before, and the other way round.
    reach
        The card that fewest tokens are missing for then, of those that come nearer but cannot be
        bought, and how many; of equals the one with most points. `None` if none comes nearer.
    gold
        Gold tokens that it brings.
    denies
        The card that it takes away from a seat that could buy it now; empty if there is none.
    """

    points: int = 0
    nobles: tuple[Noble, ...] = ()
    nearer: tuple[tuple[str, int], ...] = ()
    saves: int = 0
    affords: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    reach: tuple[str, int] | None = None
    gold: int = 0
    denies: str = ""

    def sentences(
        self,
        phrases: Mapping[str, str] = PHRASES,
        join: Callable[[Sequence[str]], str] = join_words,
    ) -> list[str]:
        """Return the facts in words, the weightiest first.

        Parameters
        ----------
        phrases
            The words of a language, with the keys of `PHRASES`.
        join
            Makes an enumeration in that language.

        Examples
        --------
        >>> Change(points=2, saves=1, affords=("1W1", "2U5")).sentences()
        ['2 more points', 'the open cards cost 1 gem less', 'can buy 1W1 and 2U5 then']
        """
        bare = self.points - sum(noble.points for noble in self.nobles)
        told = [_counted(phrases, "points", bare, points=bare)] if bare else []
        told += [
            phrases["why.noble"].format(noble=noble.name, points=noble.points)
            for noble in self.nobles
        ]
        told += [
            _counted(phrases, "nearer", left, noble=name, missing=left)
            for name, left in self.nearer
        ]
        told += [_counted(phrases, "saves", self.saves, gems=self.saves)] if self.saves else []
        for key, cards in (("why.affords", self.affords), ("why.loses", self.loses)):
            if cards:
                told.append(phrases[key].format(cards=join(cards)))
        if self.reach:
            card, left = self.reach
            told.append(_counted(phrases, "reach", left, card=card, missing=left))
        if self.denies:
            told.append(phrases["why.denies"].format(card=self.denies))
        if self.gold:
            told.append(phrases["why.gold"])
        return told or [phrases["why.nothing"]]

    def in_words(
        self,
        phrases: Mapping[str, str] = PHRASES,
        join: Callable[[Sequence[str]], str] = join_words,
    ) -> str:
        """Return the facts as one line; the arguments are those of `sentences`.

        Examples
        --------
        >>> Change(points=1).in_words()
        '1 more point'
        """
        return "; ".join(self.sentences(phrases, join))


def change_by(observation: Observation, action: str) -> Change:
    """Return what an action changes for the seat that decides.

    Raises
    ------
    IllegalActionError, NotationError
        Where the action is not allowed now, or unreadable.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> change_by(new_game(players=2, seed=7).observation(0), "take WUG").in_words()
    '2 tokens left for 1W2'
    """
    after, seat = observation.apply(action), observation.player
    mine, then = observation.seats[seat], after.seats[seat]
    card = Action(action).card
    before_cards = _buyable(observation, seat)
    after_cards = _buyable(after, seat)
    bought = {one.name for one in then.bought}
    return Change(
        points=then.points - mine.points,
        nobles=tuple(noble for noble in then.nobles if noble not in mine.nobles),
        nearer=_nearer(observation, after, seat),
        saves=_saved(observation, after, seat),
        affords=tuple(name for name in after_cards if name not in before_cards),
        loses=tuple(
            name for name in before_cards if name not in after_cards and name not in bought
        ),
        reach=_reach(observation, after, seat),
        gold=max(0, then.tokens[GOLD] - mine.tokens[GOLD]),
        denies=card if card and _is_wanted(observation, card) else "",
    )


def _buyable(view: Observation, seat: int) -> list[str]:
    """Return the names of the open cards that the tokens of a seat can pay."""
    return [card.name for card in open_cards(view, seat) if not _lacking(view, card, seat)]


def _reach(before: Observation, after: Observation, seat: int) -> tuple[str, int] | None:
    """Return the card that is nearest of those that come nearer but cannot be bought then."""
    known = {card.name for card in open_cards(before, seat)}
    found = [
        (left, -card.points, card.name)
        for card in open_cards(after, seat)
        if card.name in known
        and 0 < (left := _lacking(after, card, seat)) < _lacking(before, card, seat)
    ]
    left, _, name = min(found, default=(0, 0, ""))
    return (name, left) if name else None


def _lacking(view: Observation, card: Card, seat: int) -> int:
    """Return how many tokens a seat lacks for a card, its gold counted."""
    return max(0, sum(view.missing(card.name, seat).values()) - view.seats[seat].tokens[GOLD])


def _nearer(before: Observation, after: Observation, seat: int) -> tuple[tuple[str, int], ...]:
    """Return the nobles on the table that have come nearer, and what is missing for them then."""
    return tuple(
        (noble.name, left)
        for noble in after.nobles
        if (left := _missing(noble, after, seat)) < _missing(noble, before, seat)
    )


def _missing(noble: Noble, view: Observation, seat: int) -> int:
    return sum(missing_bonuses(noble, view.seats[seat].bonuses).values())


def _saved(before: Observation, after: Observation, seat: int) -> int:
    """Return how much less the cards cost that lie open for the seat before and after."""
    there = {card.name for card in open_cards(after, seat)}
    return sum(
        sum(before.price(card.name, seat).values()) - sum(after.price(card.name, seat).values())
        for card in open_cards(before, seat)
        if card.name in there
    )


def _is_wanted(view: Observation, name: str) -> bool:
    """Return whether a card of the market could be bought by another seat now."""
    others = [seat for seat in range(view.players) if seat != view.player]
    return any(
        isinstance(card, Card) and card.name == name and not _lacking(view, card, seat)
        for row in view.market
        for card in row
        for seat in others
    )


def _counted(phrases: Mapping[str, str], key: str, number: int, **places: object) -> str:
    """Return a fact with a number: in the form for none or for one, where there is such a form."""
    form = {0: "_none", 1: "_one"}.get(number, "")
    return phrases.get(f"why.{key}{form}", phrases[f"why.{key}"]).format(**places)
