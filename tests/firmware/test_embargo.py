"""The embargo: between a claim and its acceptance nothing that leaves the board depends on whether the claim is right.

Two tables are keyed alike, but for cards that nobody is told of any more: a ten for a king, a heart for a spade. What
a count is worth differs; the count, the pegs and the last card do not. From the first digit of the claim to its
acceptance every picture, frame, line, spoken word, page message, label and redraw time of the two is compared.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from engine.cards import PACK, Card, parse_card
from engine.state import Miscount, Revealed
from firmware.board import Board
from firmware.entry import split_keys
from firmware.explain import Reasons
from firmware.lights import frame
from firmware.outputs import Outputs
from firmware.settings import Choices, Settings
from firmware.snapshot import log_lines, snapshot
from firmware.talk import Saying, Talk
from firmware.view import Preferences
from hardware.lanes import three_lanes, two_lanes

SUIT_KEYS = dict(zip("SHCD", "ABCD", strict=True))
RANK_KEYS = {1: "1", 10: "10", 11: "11", 12: "12", 13: "13"}
STARTER = "5S"
PLAYED = "4S 2S 3S AS 6S 2D 8S 3D"
"""Two hands that are out of the way where only the crib differs."""


class Memory:
    """A journal that keeps nothing: what was appended is looked at once."""

    saved, notes, unsaved, trouble, removed = True, (), 0, "", False

    def __init__(self) -> None:
        self.next_number = 1
        self._settings: dict[str, Any] = {}

    def load(self) -> list[Any]:
        return []

    def load_earlier(self, entry: int) -> list[Any]:
        return []

    def setting(self, name: str) -> Any:
        return self._settings.get(name)

    def set_setting(self, name: str, value: Any) -> None:
        self._settings[name] = value

    def append(self, number: int, what: object) -> None:
        self.next_number = number + 1


@dataclass
class Table:
    """A board whose every utterance is written down."""

    choice: Settings
    sides: int = 2
    said: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.layout = three_lanes() if self.sides == 3 else two_lanes()
        heard = Preferences(speech=True)
        self.board = Board(Memory(), self.choice, choices=Choices(sides=self.sides), preferences=heard)  # type: ignore[arg-type]
        self.outputs = Outputs(self, self.layout, "en-GB", lambda name: self.said.append(("changed", name)))
        self.board.watch(lambda: self.said.append("state"))
        self.reasons = Reasons()
        self.talk = Talk("en-GB", lambda saying: self.said.append(saying))
        self.talk.follow(self.board.view())
        self.now = 0.0

    def strip(self, colours: Sequence[Any]) -> None:
        self.said.append(("strip", tuple(colours)))

    def screen(self, picture: Any) -> None:
        self.said.append(("glass", picture.tobytes()))

    def tap(self, key: str) -> Table:
        """One key, everything that follows from it, and the time it takes to come to rest."""
        self.now = float(int(self.now) + 10)
        self.board.press(key, self.now)
        self.talk.follow(self.board.view(), key)
        self._look()
        dues = []
        while (due := self.board.tick(self.now)) is not None:
            dues.append(due - self.now)
            if self.board.settled(self.now) and due > self.now + 0.1:
                break  # nothing but a winner's blink is still to come
            self.now = due
            if len(dues) % 8 == 0:
                self.strip(frame(self.board.view(), self.layout, self.now))
        self.said.append(dues)
        self.outputs.show(self.board.view(), self.now)
        return self

    def _look(self) -> None:
        view = self.board.view()
        self.outputs.show(view, self.now)
        shown = self.outputs.shown
        assert shown is not None
        log = [] if view.public is None else log_lines(view.public, self.reasons.of(self.board.history))
        page = snapshot(view, shown, [], log, shared_lane=False, language="en-GB", spoken=self.talk.said)
        self.said += [
            shown,
            json.dumps(page),
            view.undoable,
            view.undo_asks_all,
            view.why,
            view.reason,
            view.reckoned,
            view.report,
        ]
        self.said += [view.overlay, view.notice, view.moved]

    def press(self, keys: str) -> Table:
        """Keys that nobody listens to: what comes before the claim."""
        for key in split_keys(keys):
            self.now += 10
            self.board.press(key, self.now)
            heard = len(self.said)
            self.talk.follow(self.board.view(), key)
            if key.isdigit():
                del self.said[
                    heard:
                ]  # a digit says itself, as the glass shows it; the card that it makes is listened to
        self._look()
        return self

    def heard(self) -> list[object]:
        """What was said since the last time."""
        said, self.said = self.said, []
        return said

    @property
    def told(self) -> int:
        """How many truths were told."""
        state = self.board.state
        return 0 if state is None else sum(isinstance(one, Miscount | Revealed) for one in state.ledger)

    @property
    def windows(self) -> int:
        return 0 if self.board.state is None else len(self.board.state.claims)


def keys_of(card: Card) -> str:
    """The keys that say a card."""
    return RANK_KEYS.get(card.rank, str(card.rank)) + SUIT_KEYS[str(card)[-1]]


def play_keys(cards: Sequence[Card], hand: int, seats: int, stops: bool) -> Iterator[str]:
    """The keys of a whole play in which everybody lays the next card that fits, the hands in order; goes where none."""
    hands = [list(cards[seat * hand : seat * hand + hand]) for seat in range(seats)]
    count, turn, gone, last = 0, 0, set[int](), 0
    while any(hands):
        holding = {seat for seat in range(seats) if hands[seat]}
        if turn not in holding or turn in gone:
            turn = (turn + 1) % seats
            continue
        fits = next((card for card in hands[turn] if count + card.value <= 31), None)
        if fits is None:
            gone.add(turn)
            yield "#"
        else:
            hands[turn].remove(fits)
            count += fits.value
            last = turn
            yield keys_of(fits)
        holding = {seat for seat in range(seats) if hands[seat]}
        if count == 31 or holding <= gone:
            if stops:
                return
            count, gone, turn = 0, set(), last
        turn = (turn + 1) % seats


def twins(cards: Sequence[Card], seats: set[int], hand: int, draw: st.DataObject, seen: str = "") -> list[Card]:
    """The same cards but for those seats' hands: other suits, and other tens for tens; no card stands twice."""
    taken = {card for place, card in enumerate(cards) if place // hand not in seats}
    taken |= {parse_card(code) for code in f"{STARTER} {seen}".split()}
    found = []
    for place, card in enumerate(cards):
        if place // hand in seats:
            ranks = "TJQK" if card.value == 10 else str(card)[:-1]
            free = [one for rank in ranks for suit in "CDHS" if (one := parse_card(rank + suit)) not in taken]
            card = draw.draw(st.sampled_from(free))
            taken.add(card)
        found.append(card)
    return found


def hands(count: int) -> st.SearchStrategy[list[Card]]:
    """So many cards of which at most two are of a rank below ten, so that a twin can always be found."""
    low = [parse_card(rank + suit) for rank in "234678" for suit in "CH"]
    high = [parse_card(rank + suit) for rank in "TJQK" for suit in "CDH"]
    return st.lists(st.sampled_from([*low, *high]), min_size=count, max_size=count, unique=True)


PROBES = ["#", "*", "A", "B", "C", "D", "@1", "@2", "hold(@1)", "hold(@2)", "0#", "1#", "2#", "4#", "7#", "12#", "29#"]
PROBES += ["3*", "A 2#", "A A 3#", "A B", "* #", "D D", "D #", "B 3#", "A 2# #"]
"""Keys that say the same at both tables: no cards among them."""


def compare(tables: Sequence[Table], keys: Sequence[str]) -> None:
    """The same keys at both tables, until a truth has been told or the game is over: nothing differs."""
    start = max(table.now for table in tables)
    for table in tables:
        table.now = start
        table.tap("0").tap("*").heard()
    told = [table.told for table in tables]
    before = len(tables[0].board.history.entries())
    for key in split_keys(" ".join(keys)):
        for table in tables:
            table.tap(key)
        now = [table.told for table in tables]
        if now != told:  # a reveal: told at both tables, since it is the same act
            assert now[0] - told[0] > 0 or now[1] - told[1] > 0
            break
        state = tables[0].board.state
        if state is not None and state.winner is not None and not state.claims:
            break
        if len(tables[0].board.history.entries()) < before:
            break  # the claim and the card before it were taken back, by all: older cards lie open again, and differ
        one, other = (table.heard() for table in tables)
        assert one == other, key
        assert tables[0].windows == tables[1].windows


BOOKS = ["acc", "foster", "modern", "onhand"]


def agreed(book: str, muggins: bool, entry: str = "full") -> Settings:
    return Settings(book=book, muggins=muggins, level="call", entry=entry, names=("Ann", "Bob"))  # type: ignore[arg-type]


def few() -> settings:
    """A fraction of the usual number of cases: each is a whole deal, drawn twice."""
    return settings(max_examples=max(4, settings.default.max_examples // 12), phases=(Phase.explicit, Phase.generate))  # type: ignore[union-attr]


probes = st.lists(st.sampled_from(PROBES), max_size=10)
claims = st.integers(0, 29)
ahead = st.sampled_from(["", "B 1# 99A B 1# 15A", "B 1# 99B B 1# 10B", "B 1# 99A B 1# 20A"])


@pytest.mark.parametrize("book", BOOKS)
@few()
@given(st.data(), st.booleans(), hands(8), st.sampled_from([{0}, {1}, {0, 1}]), claims, claims, probes, probes, ahead)
def test_shows_after_a_play_told_to_the_board(
    book: str,
    data: st.DataObject,
    muggins: bool,
    cards: list[Card],
    seats: set[int],
    first: int,
    second: int,
    between: list[str],
    after: list[str],
    pegged: str,
) -> None:
    """Hands that the play told: neither the pone's count nor the dealer's gives anything away."""
    tables = [Table(agreed(book, muggins)) for _ in range(2)]
    for table, held in zip(tables, (cards, twins(cards, seats, 4, data)), strict=True):
        table.press(f"# 2# {keys_of(parse_card(STARTER))} {pegged}").press(" ".join(play_keys(held, 4, 2, False)))
        table.press("#")
    compare(tables, [f"{first}#", *between, "*", "*", f"{second}#", *after])


@pytest.mark.parametrize("book", BOOKS)
@few()
@given(st.data(), st.booleans(), hands(8), st.sampled_from([{0}, {1}, {0, 1}]), claims, claims, probes, probes, ahead)
def test_shows_keyed_at_the_show(
    book: str,
    data: st.DataObject,
    muggins: bool,
    cards: list[Card],
    seats: set[int],
    first: int,
    second: int,
    between: list[str],
    after: list[str],
    pegged: str,
) -> None:
    """Entry level ``shows``: hands keyed just before their count give nothing away once the count is typed."""
    tables = [Table(agreed(book, muggins, "shows")) for _ in range(2)]
    held = (cards, twins(cards, seats, 4, data))
    for table, mine in zip(tables, held, strict=True):
        table.press(f"# 2# {keys_of(parse_card(STARTER))} {pegged} #").press(" ".join(map(keys_of, mine[:4])))
    compare(tables, [f"{first}#", *between, "*", "*"])
    if all(table.told == 0 and table.board.view().phase == "show" and not table.windows for table in tables):
        return
    for table, mine in zip(tables, held, strict=True):
        table.press(" ".join(map(keys_of, mine[4:])))
    if tables[0].told == tables[1].told == 0:
        compare(tables, [f"{second}#", *after])


@pytest.mark.parametrize("book", BOOKS)
@few()
@given(st.data(), st.booleans(), hands(8), claims, st.integers(3, 29), probes)
def test_crib(
    book: str, data: st.DataObject, muggins: bool, cards: list[Card], hand: int, crib: int, after: list[str]
) -> None:
    """A crib keyed and counted gives nothing away until it is accepted."""
    tables = [Table(agreed(book, muggins)) for _ in range(2)]
    played = [parse_card(code) for code in PLAYED.split()]
    for table, mine in zip(tables, (cards, twins(cards, {1}, 4, data, PLAYED)), strict=True):
        table.press(f"# 2# {keys_of(parse_card(STARTER))}").press(" ".join(play_keys(played, 4, 2, False))).press("#")
        table.press(f"# {hand}# 5#").press(" ".join(map(keys_of, mine[4:])))
        assert table.board.view().phase == "crib"
    compare(tables, [f"{crib}#", *after])


@pytest.mark.parametrize("book", BOOKS)
@few()
@given(st.data(), st.booleans(), hands(8), st.integers(1, 4), st.integers(0, 12), probes, ahead)
def test_cards_in_the_play(
    book: str,
    data: st.DataObject,
    muggins: bool,
    cards: list[Card],
    last: int,
    claim: int,
    after: list[str],
    pegged: str,
) -> None:
    """In the play, with the last card and the count the same, the claim for it gives nothing away."""
    tables = [Table(agreed(book, muggins)) for _ in range(2)]
    other = twins(cards, {0, 1}, 4, data)
    keys = [list(play_keys(held, 4, 2, False)) for held in (cards, other)]
    assert len(keys[0]) == len(keys[1])
    shown = [place for place, (one, two) in enumerate(zip(*keys, strict=True)) if "#" not in (one, two) and place]
    place = shown[min(last, len(shown) - 1)]
    laid = {card_at(said) for mine in keys for said in mine[:place] if said != "#"} | {parse_card(STARTER)}
    value = card_at(keys[0][place]).value
    same = next((one for one in PACK if one.value == value and one not in laid), None)
    assume(same is not None)
    assert same is not None
    for table, mine in zip(tables, keys, strict=True):
        table.press(f"# 2# {keys_of(parse_card(STARTER))} {pegged}").press(" ".join(mine[:place]))
        table.press(keys_of(same))
        assert table.board.view().notice is None
    compare(tables, [f"{claim}#", *after])


def card_at(keys: str) -> Card:
    """The card that some keys say."""
    ranks = {said: rank for rank, said in RANK_KEYS.items()}
    rank = ranks.get(keys[:-1], int(keys[:-1]))
    return next(
        card
        for suit, key in SUIT_KEYS.items()
        for card in (parse_card("A23456789TJQK"[rank - 1] + suit),)
        if key == keys[-1]
    )


def test_the_twins_are_worth_something_else() -> None:
    """What is compared does differ in the truth: the same keys but for the cards, and another verdict."""
    tables = [Table(agreed("acc", True)) for _ in range(2)]
    for table, ten in zip(tables, "TQ", strict=True):
        held = [parse_card(code) for code in (f"{ten}C", "JH", "2C", "3C", "QD", "KD", "7H", "8H")]
        table.press(f"# 2# {keys_of(parse_card(STARTER))}").press(" ".join(play_keys(held, 4, 2, False))).press("#")
    compare(tables, ["8#", "A", "2#", "*"])
    assert tables[0].board.state != tables[1].board.state


def test_what_is_said_is_compared() -> None:
    """The lines compared hold what the speaker is given, key by key."""
    table = Table(agreed("acc", True)).press("# 2# 5A")
    table.heard()
    said = [one for one in table.tap("4").tap("A").heard() if isinstance(one, Saying)]
    assert [one.text.partition(".")[0] for one in said] == ["four", "four of spades"]


def test_nothing_is_logged() -> None:
    """The board writes no log line at all while a claim is open."""
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign,assignment]
    logging.getLogger().addHandler(handler)
    try:
        Table(agreed("acc", True)).press("# 2# 5A 4A 2A 3A 1A 6A 2D 8A 3D # 9# A 2# * 5#")
    finally:
        logging.getLogger().removeHandler(handler)
    assert records == []


GAMES = [
    ("five-card", "victorian", 3, 2, 61),
    ("five-card", "foster", 3, 2, 61),
    ("seven-card", "foster", 5, 2, 121),
    ("seven-card", "modern", 5, 2, 181),
    ("three-handed", "foster", 4, 3, 121),
    ("three-handed", "victorian", 4, 3, 61),
    ("four-handed", "foster", 4, 4, 121),
    ("four-handed", "modern", 4, 4, 121),
]


@pytest.mark.parametrize(("game", "book", "size", "seats", "target"), GAMES)
@few()
@given(st.data(), st.booleans(), claims, claims, probes, probes)
def test_shows_of_every_game(
    game: str,
    book: str,
    size: int,
    seats: int,
    target: int,
    data: st.DataObject,
    muggins: bool,
    first: int,
    second: int,
    between: list[str],
    after: list[str],
) -> None:
    """In every game, with cards that the play did not tell keyed before the count, a count gives nothing away."""
    cards = data.draw(hands(size * seats))
    names = ("Ann", "Bob", "Cal", "Dan")[:seats]
    choice = Settings(game=game, book=book, muggins=muggins, target=target, level="call", names=names)
    tables = [Table(choice, sides=3 if seats == 3 else 2) for _ in range(2)]
    for table, held in zip(tables, (cards, twins(cards, {0}, size, data)), strict=True):
        keys = list(play_keys(held, size, seats, game == "five-card"))
        table.press(f"# {seats}# {keys_of(parse_card(STARTER))}").press(" ".join(keys)).press("#")
        assert table.board.view().phase == "show"
        table.press(" ".join(said for said in map(keys_of, held[:size]) if said not in keys))
        assert table.board.view().public.cards_known
    compare(tables, [f"{first}#", *between, "*", "*", f"{second}#", *after])


def of_game(game: str, book: str, seats: int, target: int, muggins: bool) -> list[Table]:
    """Two tables of that game, under ``call``."""
    names = ("Ann", "Bob", "Cal", "Dan")[:seats]
    choice = Settings(game=game, book=book, muggins=muggins, target=target, level="call", names=names)
    return [Table(choice, sides=3 if seats == 3 else 2) for _ in range(2)]


@pytest.mark.parametrize(("game", "book", "size", "seats", "target"), GAMES)
@few()
@given(st.data(), st.booleans(), st.integers(1, 6), st.integers(0, 12), probes)
def test_cards_in_the_play_of_every_game(
    game: str,
    book: str,
    size: int,
    seats: int,
    target: int,
    data: st.DataObject,
    muggins: bool,
    last: int,
    claim: int,
    after: list[str],
) -> None:
    """By every book and in every game a card's claim gives nothing away, whether or not the book has it called."""
    cards = data.draw(hands(size * seats))
    other = twins(cards, set(range(seats)), size, data)
    keys = [list(play_keys(held, size, seats, game == "five-card")) for held in (cards, other)]
    shown = [place for place, both in enumerate(zip(*keys, strict=True)) if "#" not in both and place]
    place = shown[min(last, len(shown) - 1)]
    laid = {card_at(said) for mine in keys for said in mine[:place] if said != "#"} | {parse_card(STARTER)}
    value = card_at(keys[0][place]).value
    same = next((one for one in PACK if one.value == value and one not in laid), None)
    assume(same is not None)
    assert same is not None
    tables = of_game(game, book, seats, target, muggins)
    for table, mine in zip(tables, keys, strict=True):
        table.press(f"# {seats}# {keys_of(parse_card(STARTER))}").press(" ".join(mine[:place])).press(keys_of(same))
        assert table.board.view().notice is None
    compare(tables, [f"{claim}#", *after])


@pytest.mark.parametrize(("game", "book", "size", "seats", "target"), GAMES)
@few()
@given(st.data(), st.booleans(), claims, st.integers(3, 29), probes)
def test_crib_of_every_game(
    game: str,
    book: str,
    size: int,
    seats: int,
    target: int,
    data: st.DataObject,
    muggins: bool,
    hand: int,
    crib: int,
    after: list[str],
) -> None:
    """By every book and in every game a crib keyed and counted gives nothing away until it is accepted."""
    held = data.draw(hands(size * seats + 4))
    tables = of_game(game, book, seats, target, muggins)
    seen = " ".join(map(str, held[: size * seats]))
    for table, mine in zip(tables, (held[-4:], twins(held[-4:], {0}, 4, data, seen)), strict=True):
        keys = list(play_keys(held[: size * seats], size, seats, game == "five-card"))
        table.press(f"# {seats}# {keys_of(parse_card(STARTER))}").press(" ".join(keys)).press("#")
        for seat in [*range(seats)]:
            its = held[seat * size : seat * size + size]
            table.press(" ".join(said for said in map(keys_of, its) if said not in keys)).press(f"{min(hand, 9)}#")
        assert table.board.view().phase == "crib"
        table.press(" ".join(map(keys_of, mine)))
    compare(tables, [f"{crib}#", *after])


@pytest.mark.parametrize("skipped", [True, False])
@few()
@given(st.data(), hands(4), st.sampled_from(["A", "A A"]), st.integers(0, 12), st.integers(1, 9))
def test_cards_keyed_for_a_dispute(
    skipped: bool, data: st.DataObject, cards: list[Card], call: str, claim: int, points: int
) -> None:
    """At ``points`` the cards keyed for a dispute are not drawn, and tell nothing before the last of them."""
    tables = [Table(agreed("acc", True, "points")) for _ in range(2)]
    held = (cards, twins(cards, {0}, 4, data))
    for table in tables:
        table.press(f"# 2# {'#' if skipped else keys_of(parse_card(STARTER))} # {claim}# {call} {points}# *")
        if skipped:
            table.press(keys_of(parse_card(STARTER)))
        table.heard()
    for place in range(3):
        for table, mine in zip(tables, held, strict=True):
            table.press(keys_of(mine[place])).tap("D").tap("*").tap("*").tap("0").tap("*")
        one, other = (table.heard() for table in tables)
        assert one == other
    assert tables[0].told == 0


def claiming_the_game(ann: str) -> list[object]:
    """All that is said of eight claimed with eight to go, by that hand."""
    table = Table(agreed("acc", True))
    held = [parse_card(code) for code in (*ann.split(), "2C", "3C", "4H", "2H")]
    table.press("# 2# B 1# 99A B 1# 13A 6A").press(" ".join(play_keys(held, 4, 2, False))).press("#")
    assert table.board.state is not None
    table.press(f"B 1# {113 - table.board.state.scores[0]}A" if table.board.state.scores[0] < 113 else "0 *")
    table.heard()
    for key in ("8", "#", "D", "*", "C", "*", "*", "#", "*", "1", "#", "A", "A", "B", "A", "2", "#"):
        table.tap(key)
    assert table.board.state.winner == 0
    assert table.told == 0
    return table.heard()


def test_a_false_claim_of_the_game_looks_like_a_true_one() -> None:
    """The last hole claimed by a hand that has the points and by one that has not: the same stop, the same question."""
    true, false = claiming_the_game("TC TD KH 5C"), claiming_the_game("TC JD KH 5C")
    assert true == false
