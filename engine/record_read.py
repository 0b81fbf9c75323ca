"""Reading a game record (.crib): text into intents, a line a thing, each decided by the engine like a key press."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from engine import intents as want
from engine.apply import apply
from engine.decide import decide
from engine.errors import CribbageError, Malformed
from engine.events import Event, GameOpened
from engine.intents import LEVELS, Level
from engine.letters import fold, unseen
from engine.record_words import RecordError, Word, Words, decode, known, lines_of, split
from engine.rules import BOOKS, GAMES, Counted, RuleBook, Rules, rules_for
from engine.state import State
from engine.verify import position

VERSION: Final = 1

HEAD: Final = ("game", "rules", "to", "players", "muggins", "referee", "date", "start")
NEEDED: Final = ("game", "rules", "players")
BODY: Final = (
    *("deal", "starter", "play", "go", "hand", "show", "crib", "accept", "muggins", "cards"),
    *("penalty", "claim-game", "peg", "referee", "void", "stop"),
)

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


@dataclass(frozen=True, slots=True)
class Step:
    """One line's event, and the table before and after it."""

    line: int
    event: Event
    before: State | None
    after: State


def steps(record: str | bytes, books: Mapping[str, RuleBook] = BOOKS) -> Iterator[Step]:
    """The events of a record, each decided and applied in turn. Raises RecordError at the first line that cannot be.

    ``books`` are the rule books known by name: those of the sources, and the table's own where it has one.
    """
    text = decode(record) if isinstance(record, bytes) else record
    head = _Head(books)
    state: State | None = None
    number = 0
    for number, line in lines_of(text):
        words = split(number, line, position(state))
        if not words:
            continue
        reader = Words(number, words, position(state))
        if state is None:
            if head.read(reader):
                continue
            state = head.open(number)
            yield Step(head.opened_at, head.event(), None, state)
            reader.position = position(state)
        before = state
        intent = _intent(reader, state.names)
        try:
            events = decide(state, intent)
        except CribbageError as error:
            code = 2 if isinstance(error, Malformed) else 1
            raise reader.error(error.brief, reader.blame(error.brief), exit_code=code) from error
        for event in events:
            before, state = state, apply(state, event)
            yield Step(number, event, before, state)
    if state is None:
        last = number if text.endswith("\n") is False else max(1, number - 1)
        state = head.open(last)
        yield Step(head.opened_at, head.event(), None, state)


@dataclass
class _Head:
    """The head as it is read: what each line said, and the words to blame if it cannot be."""

    books: Mapping[str, RuleBook] = field(default_factory=lambda: BOOKS)
    version: bool = False
    lines: dict[str, Words] = field(default_factory=dict)
    levels: list[tuple[str | None, Level, Words]] = field(default_factory=list)
    muggins: bool | None = None
    target: int | None = None
    names: tuple[str, ...] = ()
    start: tuple[int, ...] | None = None
    last: int = 1
    opening: GameOpened | None = None

    def read(self, line: Words) -> bool:
        """Read one line of the head; False when the line begins the body."""
        if not self.version:
            self._version(line)
        elif line.words[0].quoted or line.first not in (*HEAD, *BODY):
            raise _unknown(line, (*HEAD, *BODY))
        elif line.first in HEAD and (line.first != "muggins" or self._is_setting(line)):
            self._field(line)
        else:
            return False
        self.last = line.number
        return True

    @staticmethod
    def _is_setting(line: Words) -> bool:
        return len(line.words) < 3

    def _version(self, line: Words) -> None:
        if line.words[0].quoted or line.first != "crib":
            found = line.words[0]
            raise line.error(f"found {found.text!r}, expected 'crib {VERSION}': a record begins with it", found)
        version = line.number_of("the version of the format")
        if version != VERSION:
            message = f"found crib {version}, expected crib {VERSION}: this version of the format cannot be read here"
            raise line.error(message, line.words[1])
        line.end()
        self.version = True

    def _field(self, line: Words) -> None:
        key = line.first
        if key in self.lines and key != "referee":
            first = self.lines[key].number
            raise line.error(f"found {key} again, expected it once: it stands in line {first}", line.words[0])
        self.lines[key] = line
        match key:
            case "game":
                line.choice(*GAMES)
            case "rules":
                self._book(line)
            case "to":
                self.target = line.number_of("the last hole")
                if not self.target:
                    raise line.error("found 0, expected a last hole of 1 to 999", line.words[1])
            case "players":
                self._players(line)
            case "muggins":
                self.muggins = line.choice("on", "off") == "on"
            case "referee":
                name = None
                if len(line.words) > 2:
                    name = line.take("a player's name").text
                self.levels.append((name, cast(Level, line.choice(*LEVELS)), line))
            case "date":
                word = line.take("a date, like 2026-11-30")
                if not _is_date(word.text):
                    raise line.error(f"found {word.text!r}, expected a date, like 2026-11-30", word)
            case _:
                holes = [line.number_of("a hole already pegged")]
                while line.more:
                    holes.append(line.number_of("a hole already pegged"))
                self.start = tuple(holes)
        line.end()

    def _book(self, line: Words) -> None:
        word = line.take("a rule book")
        if self._named(word.text) is None:
            own = "a table's own book must be given with the record"
            raise line.error(f"found {word.text!r}: {known(word.text, self.books)}; {own}", word)

    def _named(self, word: str) -> RuleBook | None:
        return next((book for name, book in self.books.items() if fold(name) == fold(word)), None)

    def _players(self, line: Words) -> None:
        names: list[str] = []
        while line.more:
            word = line.take("a name")
            if not word.text.strip() or any(map(unseen, word.text)) or '"' in word.text:
                raise line.error(f"found {word.text!r}, expected a name", word)
            if any(fold(word.text) == fold(name) for name in names):
                raise line.error(f"found {word.text!r} twice, expected no two names alike", word)
            names.append(word.text)
        if not names:
            raise line.error("found the end of the line, expected the players' names")
        self.names = tuple(names)

    @property
    def opened_at(self) -> int:
        """The line that the game's opening is told at: the one with the holes already pegged, if there is one."""
        return self.lines["start"].number if "start" in self.lines else self.last

    def event(self) -> GameOpened:
        """The opening."""
        if self.opening is None:
            raise TypeError("the head has not been read to its end")
        return self.opening

    def open(self, number: int) -> State:
        """The game that the head opens; ``number`` is the line at which something that is missing is missed."""
        if not self.version:
            raise RecordError(
                number, 1, f"found nothing, expected 'crib {VERSION}': a record begins with it", "no game"
            )
        missing = [key for key in NEEDED if key not in self.lines]
        if missing:
            message = f"found no {' and no '.join(missing)} line in the head, expected {', '.join(NEEDED)}"
            raise RecordError(number, 1, message, "no game")
        rules = self._rules()
        self._check_seats(rules)
        levels: list[Level] = ["flag"] * rules.side_count
        for name, level, line in self.levels:
            if name is None:
                levels = [level] * rules.side_count
            else:
                line.at = 1
                levels[rules.sides[line.seat(self.names)]] = level
        muggins = rules.muggins if self.muggins is None else self.muggins
        players = self.lines["players"]
        try:
            (event,) = decide(None, want.OpenGame(rules, self.names, muggins, tuple(levels), self.start))
        except CribbageError as error:
            raise players.error(error.brief, players.words[1]) from error
        self.opening = cast(GameOpened, event)
        return apply(None, event)

    def _rules(self) -> Rules:
        game, book = self.lines["game"], self.lines["rules"]
        try:
            named = self._named(book.words[1].text)
            return rules_for(game.words[1].text.lower(), named or book.words[1].text, self.target)
        except CribbageError as error:
            code = 2 if isinstance(error, Malformed) else 1
            raise book.error(f"found {error.brief}", book.words[1], exit_code=code) from error

    def _check_seats(self, rules: Rules) -> None:
        players = self.lines["players"]
        if len(self.names) != rules.seats:
            message = (
                f"found {len(self.names)} names, expected {rules.seats}: {rules.game} is for {rules.seats} players"
            )
            raise players.error(message, players.words[min(rules.seats + 1, len(self.names))])
        if self.start is None:
            return
        line = self.lines["start"]
        if len(self.start) != rules.side_count:
            each = "a player" if rules.side_count == rules.seats else "a side"
            message = f"found {len(self.start)} starting holes, expected {rules.side_count}: one {each}"
            raise line.error(message, line.words[min(rules.side_count + 1, len(self.start))])
        for word, holes in zip(line.words[1:], self.start, strict=True):
            if holes >= rules.target:
                raise line.error(f"found {holes}, expected a starting hole of 0 to {rules.target - 1}", word)


def _is_date(text: str) -> bool:
    """Whether it is a day of the calendar; by hand, as nothing here may import a clock."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]


def _unknown(line: Words, words: tuple[str, ...]) -> RecordError:
    first = line.words[0]
    return line.error(f"found {first.text!r}: {known(first.text, dict.fromkeys(words))}", first)


def _intent(line: Words, names: tuple[str, ...]) -> want.Intent:
    """What one line of the body asks for."""
    if line.words[0].quoted or line.first not in BODY:
        if line.first in HEAD and not line.words[0].quoted:
            raise line.error(f"found {line.first!r} after the game has begun, expected it in the head", line.words[0])
        raise _unknown(line, BODY)
    if line.first == "muggins" and len(line.words) == 2 and line.words[1].text.lower() in ("on", "off"):
        raise line.error("found 'muggins' set after the game has begun, expected it in the head", line.words[0])
    intent = _read(line, names)
    line.end()
    return intent


def _read(line: Words, names: tuple[str, ...]) -> want.Intent:
    match line.first:
        case "deal":
            return want.Deal(line.seat(names))
        case "starter":
            return want.TurnStarter(line.card(), line.peg())
        case "play":
            seat = line.seat(names)
            return want.PlayCard(line.card(suit_optional=True), line.peg(), seat)
        case "go":
            return want.SayGo(line.seat(names))
        case "hand":
            return want.HoldCards(line.seat(names), line.number_of("how many cards are held"))
        case "show":
            return want.ShowHand(line.seat(names), line.cards(), line.peg())
        case "crib":
            seat = line.seat(names)
            if line.maybe("void"):
                return want.ShowCrib(void=True, seat=seat)
            return want.ShowCrib(line.cards(), line.peg(), seat=seat)
        case "accept":
            return want.Accept(line.seat(names) if line.more else None)
        case "muggins":
            return _call(line, names)
        case "cards":
            seat = line.seat(names)
            cards = line.cards()
            if cards is None:
                raise line.error("found no cards, expected the cards that were claimed for")
            return want.KeyCards(seat, cards)
        case "penalty":
            return want.GivePenalty(line.seat(names), line.number_of("the points"), line.take("the reason").text)
        case "claim-game":
            return want.ClaimGame(line.seat(names), line.take("the reason").text)
        case "peg":
            return want.PegByHand(line.seat(names), line.number_of("the points", signed=True))
        case "referee":
            seat_or_none = line.seat(names) if len(line.words) > 2 else None
            return want.SetLevel(cast(Level, line.choice(*LEVELS)), seat_or_none)
        case "void":
            return want.VoidDeal()
    return want.StopGame()


def _call(line: Words, names: tuple[str, ...]) -> want.CallMuggins:
    caller = line.seat(names)
    points = line.number_of("the points called")
    many = line.maybe("few", "many") == "many"
    on_seat, on_what, on_card = None, None, None
    if line.maybe("on"):
        on_seat = line.seat(names)
        on_what = line.choice("hand", "crib", "card", "go")
        if on_what == "card" and line.more and line.words[line.at].text.lower() != "agreed":
            on_card = line.card(suit_optional=True)
    agreed = line.maybe("agreed") is not None
    return want.CallMuggins(caller, points, many, on_seat, cast("Counted | None", on_what), agreed, on_card)


def head_words(text: str, key: str) -> tuple[int, tuple[Word, ...]]:
    """The line of a readable record's head that begins with that word: its number, and its words after that one.

    (0, none) where there is no such line.
    """
    for number, line in lines_of(text):
        words = split(number, line, "no game")
        if len(words) > 1 and words[0].text.lower() == key:
            return number, words[1:]
        if words and words[0].text.lower() not in (*HEAD, "crib"):
            break
    return 0, ()


def record_date(text: str) -> str | None:
    """The date in a readable record's head; None where it tells none."""
    _, words = head_words(text, "date")
    return words[0].text if words else None
