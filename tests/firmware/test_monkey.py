"""Random key presses: nothing a hand can do brings an exception, or parts the journal from the state."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.cards import PACK, Card
from engine.public import Public
from engine.show import show
from engine.state import Pegs
from firmware.cabinet import Cabinet
from firmware.entry import SUIT_KEYS, known_key
from firmware.overlay import Asking, UndoOffer
from firmware.screens import screen_of
from firmware.screens.pages import notice_pages
from firmware.settings import ENTRY_LEVELS, TABLE_LEVELS
from firmware.view import View

SEATS = (1, 2, 3, 4)
KEYS = (*"0123456789", *"*#", *SUIT_KEYS, *(f"@{seat}" for seat in SEATS), *(f"hold(@{seat})" for seat in SEATS))
TABLES: dict[str, dict[str, Any]] = {
    "six-card": {"names": ("Ann", "Bob")},
    "three-handed": {"names": ("Ann", "Bob", "Cal"), "sides": 3, "book": "foster"},
    "four-handed": {"names": ("Ann", "Bob", "Cal", "Dot"), "book": "foster"},
}
SUITS = "CDHS"
ON_KEY = {"S": "A", "H": "B", "C": "C", "D": "D"}


class Player:
    """Plays deals from a shuffled pack most of the time, and now and then does anything at all."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self._deck: list[Card] = []
        self._deal = -1
        self._queue: list[str] = []

    def key(self, view: View) -> str:
        """The next key this player presses."""
        if not self._queue:
            self._queue = list(self._keys(view))
        key = self._queue.pop(0)
        # A seat's button says # or, held, A: now and then it is pressed in their place, mostly at a seat that is taken.
        if key in ("#", "A") and self.rng.random() < 0.2:
            seats = 4 if view.public is None or self.rng.random() < 0.1 else len(view.public.names)
            button = f"@{self.rng.randrange(seats) + 1}"
            return button if key == "#" else f"hold({button})"
        return key

    def _keys(self, view: View) -> Iterator[str]:
        rng, public = self.rng, view.public
        chance = rng.random()
        if chance < 0.06:
            yield rng.choice(KEYS)
        elif chance < 0.09:
            yield from "*#"
        elif chance < 0.11:
            yield from ("B", str(rng.choice([1, 1, 2, 3, 3, 4, 5, 6, 7])), "#", *self._answer(view))
        elif chance < 0.12:
            yield from rng.choice(["C#", "D#", "DD#", "DD2#*", "B8##", "DD1#*"])
        elif view.typed or view.overlay is not None:
            yield from rng.choice(["*", "*", "#", *self._card(public)])
        elif view.setting_up or public is None:
            yield from rng.choice(["#", "#", "4#", "5#", "6#", "3#", "7#"])
        else:
            yield from self._sensible(view, public)

    def _answer(self, view: View) -> str:
        overlay = view.overlay
        task = overlay.task if isinstance(overlay, Asking) else self.rng.choice(["number", "card", "yes"])
        return {"card": "".join(self._card(view.public)) + "".join(self._card(view.public)), "yes": "#"}.get(
            task, f"{self.rng.randrange(1, 9)}{self.rng.choice(self._seats(view.public))}"
        )

    @staticmethod
    def _seats(public: Public | None) -> str:
        """The suit keys that stand for the seats of the table."""
        return "".join(SUIT_KEYS)[: 2 if public is None else len(public.names)]

    def _sensible(self, view: View, public: Public) -> Iterator[str]:
        rng = self.rng
        if public.deals != self._deal or not self._deck:
            self._deal, self._deck = public.deals, rng.sample(PACK, 52)
        match public.stage.value:
            case "cut":
                yield from rng.choice([f"{rng.randrange(len(public.names)) + 1}#", "".join(self._card(public))])
            case "deal" | "starter" if view.settings.entry == "points":
                yield rng.choice(["#", "#", "@1"])
            case "play" if view.settings.entry != "full" and public.by_points:
                yield from rng.choice([f"{rng.randrange(1, 32)}{rng.choice(self._seats(public))}"] * 2 + ["#"])
            case "play":
                fits = [card for card in self._hand(public) if public.count + card.value <= 31]
                if fits and rng.random() < 0.97:
                    yield from _said(rng.choice(fits))
                    if public.level(public.turn or 0) == "off":
                        yield from rng.choice(["", "2#"])
                else:
                    yield "#"
            case "show" | "crib" if not public.cards_known and (view.settings.entry != "points" or public.turned):
                yield from self._card(public)
            case "show" | "crib":
                yield from rng.choice(
                    [f"{self._worth(public)}#", f"{self._worth(public)}#", "#", "A", f"{rng.randrange(30)}#"]
                )
            case "end":
                yield from rng.choice(["#", "#", "#", "B"])
            case _:
                yield from self._card(public)

    def _seen(self, public: Public | None) -> set[Card]:
        if public is None:
            return set()
        return {public.starter, *(play.card for play in public.played), *public.turned} - {None}  # type: ignore[return-value]

    def _hand(self, public: Public) -> list[Card]:
        seat = public.turn or 0
        return [card for card in self._deck[6 * seat : 6 * seat + 6] if card not in self._seen(public)]

    def _card(self, public: Public | None) -> str:
        dealt = 12 if public is None else 6 * len(public.names)
        unseen = [card for card in self._deck[dealt:] or PACK if card not in self._seen(public)]
        return _said(self.rng.choice(unseen or PACK))

    def _worth(self, public: Public) -> int:
        seat = public.turn or 0
        cards = public.turned or tuple(play.card for play in public.played if play.seat == seat)
        if len(cards) != 4 or public.starter is None:
            return self.rng.randrange(13)
        return show(cards, public.starter, crib=public.stage.value == "crib").total


def _said(card: Card) -> str:
    return f"{card.rank}{ON_KEY[str(card)[-1]]}"


def _read_whole(view: View) -> None:
    """What is refused or told can be read to its last letter."""
    if view.notice is not None:
        pages = notice_pages(view.notice.text)
        assert len(pages) == 1, f"{view.notice.text!r} does not fit the glass"
        assert "".join(pages[0]).replace(" ", "") == view.notice.text.replace(" ", "")


def _monkey(table: Any, seed: int, presses: int) -> dict[str, int]:
    """Press so many keys, checking as it goes; returns how often each stage was met and how much happened."""
    player = Player(seed)
    met: dict[str, int] = {}
    acts = table.journal.next_number
    for number in range(1, presses + 1):
        before, view = table.board.state, table.view
        key = player.key(view)
        name = known_key(key)
        assert name is not None
        table.board.press(name, float(number))
        after = table.view
        met[view.phase] = met.get(view.phase, 0) + 1
        written = table.journal.next_number - acts
        acts = table.journal.next_number
        if not written:
            assert table.board.state is before
        if table.refused:
            assert not written
            _read_whole(after)
        shown = screen_of(after)
        assert shown.spoken.strip()
        undone = bool(written) and isinstance(view.overlay, UndoOffer) and key[0] in "#@"
        met["undone"] = met.get("undone", 0) + undone
        if number % 500 == 0 or number == presses or undone:
            assert table.folded() == table.board.state
    return met


@pytest.mark.parametrize(("entry", "level"), [("full", "flag"), ("shows", "teach"), ("points", "off")])
def test_five_thousand_random_keys(new_table: Callable[..., Any], entry: str, level: str) -> None:
    """Random keys bring no exception; a refusal changes nothing and fits the glass; the journal folds to the state."""
    met = _monkey(new_table(entry=entry, level=level), 5, 1700)
    assert met.keys() >= {"set-up", "cut", "play", "show", "crib", "undone"}


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("level", ["call", "flag", "off"])
def test_random_keys_and_buttons_of_two_to_four_players(new_table: Callable[..., Any], game: str, level: str) -> None:
    """With all four seat buttons, tapped and held, at tables of two, three and four the same holds."""
    met = _monkey(new_table(game=game, level=level, muggins=True, **TABLES[game]), 11, 700)
    assert met.keys() >= {"set-up", "play", "show", "crib"}


def test_journal_opened_anew_gives_the_same_table(new_table: Callable[..., Any]) -> None:
    """After random keys a board begun again on the same folder has the same state, pegs and undo label."""
    table = new_table()
    for seed in range(4):
        _monkey(table, seed, 150)
        state, label = table.board.state, table.view.undoable
        table.reopen()
        assert (table.board.state, table.view.undoable) == (state, label)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_hundred_thousand_random_keys(new_table: Callable[..., Any], seed: int) -> None:
    """The same, four thousand keys at a time, across entry and referee levels."""
    entry, level = ENTRY_LEVELS[seed % 3], TABLE_LEVELS[seed // 3 % len(TABLE_LEVELS)]
    met = _monkey(new_table(entry=entry, level=level), 1000 + seed, 4_000)
    assert met.keys() >= {"set-up", "cut", "play", "show", "crib", "end"}


def _unclear(pegs: Pegs) -> bool:
    return pegs == Pegs(1, 1)


def _wires(cabinet: Cabinet, seed: int, presses: int) -> int:
    player = Player(seed)
    for _ in range(presses):
        cabinet.tap(player.key(cabinet.board.view()))
        cabinet.settle()
        shown = cabinet.shown()  # raises where the glass differs from the drawing
        state = cabinet.board.state
        expected = (Pegs(), Pegs()) if state is None else state.pegs
        for found, pegs in zip(shown.pegs, expected, strict=True):
            assert found == pegs or _unclear(pegs)
    return 0 if cabinet.board.state is None else len(cabinet.board.history.entries())


def test_three_hundred_keys_through_all_wires(new_cabinet: Callable[..., Any]) -> None:
    """Through simulated keypad, strip and panel: after each key the lanes read the pegs and the glass the drawing."""
    assert _wires(new_cabinet(), 7, 300) > 20


@pytest.mark.slow
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_two_thousand_keys_through_all_wires(new_cabinet: Callable[..., Any], level: str) -> None:
    """The same for two thousand keys."""
    assert _wires(new_cabinet(level=level), 70, 700) > 20
