"""The journal on a real disk: what was accepted is read back, whatever was undone, across matches and restarts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import intents as want
from engine.cards import PACK, parse_card
from engine.errors import CribbageError
from engine.events import CardPlayed, GameOpened, kind_of
from engine.history import Corrected, Undone, fold_rows
from engine.rules import rules_for
from engine.state import Stage
from firmware.journal import Journal, JournalError

NOW = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)


def opening(first: str = "Ann", *, rematch: bool = False, target: int = 121) -> want.OpenGame:
    """A game of two, the second seat to deal."""
    rules = rules_for(target=target)
    return want.OpenGame(rules, (first, "Bob"), True, ("flag", "flag"), rematch=rematch, first_dealer=1)


class Table:
    """A service's way with a journal: decide, append, apply; after a restart only the present match is folded."""

    def __init__(self, folder: Path, *, synced: bool = True) -> None:
        self.folder = folder
        self.synced = synced
        self.start()

    def start(self) -> None:
        """The service starts."""
        self.journal = Journal.open(self.folder, now=lambda: NOW)
        self.history = fold_rows(self.journal.load())
        if not self.synced:
            self.journal._db.execute("PRAGMA synchronous=OFF")

    def restart(self) -> None:
        """The service stops and starts."""
        self.journal.close()
        self.start()

    def do(self, *intents: want.Intent) -> int:
        """One entry; gives its number."""
        number, events = self.journal.next_number, self.history.decide(*intents)
        self.journal.append(number, events)
        self.history = self.history.record(number, events)
        return number

    def correct(self, was: str, card: str) -> None:
        """A card read as another one."""
        number = self.journal.next_number
        history = self.history.correct(number, parse_card(was), parse_card(card))
        self.journal.append(number, Corrected(parse_card(was), parse_card(card)))
        self.history = history

    def undo(self) -> None:
        """The newest act is taken back, in the match before if this one is at its bottom."""
        history = self.history
        if history.before is None:
            history = fold_rows(self.journal.load_earlier(self.journal.next_number))
        before = history.undo()
        self.journal.append(self.journal.next_number, Undone(history.act))
        self.history = before if before.entry else fold_rows(self.journal.load())

    def keys(self, words: str) -> None:
        """Deal, starter and cards of the play."""
        starter, *cards = words.split()
        self.do(want.Deal())
        self.do(want.TurnStarter(parse_card(starter)))
        for card in cards:
            self.do(want.PlayCard(parse_card(card)))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A new journal."""
    return Table(tmp_path / "state")


@pytest.fixture
def sqlite(table: Table) -> Callable[[str], list[tuple[object, ...]]]:
    """What another program finds in the file."""

    def ask(query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(table.folder / "journal.db")) as db:
            return db.execute(query).fetchall()

    return ask


def test_a_new_journal_is_empty(table: Table) -> None:
    """A new folder gives a journal with no game, nothing to tell, and the number one for the first act."""
    assert table.journal.load() == []
    assert table.journal.notes == ()
    assert table.journal.next_number == 1
    assert table.journal.saved


def test_one_row_an_event_with_entry_kind_and_version(table: Table, sqlite: Callable[[str], list[object]]) -> None:
    """In the file every event is a row of its own: game, entry, kind, version and the wall-clock time."""
    table.do(opening())
    table.do(want.Deal(), want.TurnStarter(parse_card("4S")))
    table.undo()
    rows = sqlite("SELECT seq, game, entry, kind, version, at FROM journal ORDER BY seq")
    at = "2026-03-01T20:15:00+00:00"
    assert rows == [
        (1, 1, 1, "GameOpened", 1, at),
        (2, 1, 2, "DealBegun", 1, at),
        (3, 1, 2, "StarterTurned", 1, at),
        (4, 1, 3, "Undone", 1, at),
    ]


def test_the_file_is_a_write_ahead_log_synced_in_full(table: Table, sqlite: Callable[[str], list[object]]) -> None:
    """The journal is in WAL mode, and its own connection syncs every commit."""
    assert sqlite("PRAGMA journal_mode") == [("wal",)]
    assert table.journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("change", ["DELETE FROM journal", "UPDATE journal SET data = '{}'"])
def test_rows_are_only_ever_added(table: Table, sqlite: Callable[[str], list[object]], change: str) -> None:
    """The file itself refuses to have a row changed or deleted."""
    table.do(opening())
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        sqlite(change)


def test_a_number_is_given_once(table: Table) -> None:
    """A number that an act has, undone or not, is refused for another act."""
    number = table.do(opening())
    table.undo()
    with pytest.raises(ValueError, match=f"act {number} is in the journal already"):
        table.journal.append(number, (CardPlayed(0, parse_card("4S"), None),))


def test_load_begins_at_the_present_match(table: Table) -> None:
    """A match that is over is not read again: the acts begin with the opening of the one that stands."""
    table.do(opening("Ann"))
    table.do(want.StopGame())
    number = table.do(opening("Cy"))
    assert [one for one, _ in table.journal.load()] == [number]


def test_a_rematch_belongs_to_the_match_before(table: Table) -> None:
    """A rematch carries the tally on, so the match is read from its first game."""
    first = table.do(opening())
    table.do(want.ClaimGame(0, "x"))
    table.do(opening(rematch=True))
    assert table.journal.load()[0][0] == first
    table.restart()
    assert table.history.state is not None
    assert table.history.state.games_won == (2, 0)  # a skunk


def test_undo_goes_on_in_the_match_before(table: Table) -> None:
    """After a restart in a second match, undo passes its opening and takes back the end of the first match."""
    table.do(opening("Ann"))
    table.keys("KS 5H TD")
    before = table.history.state
    table.do(want.StopGame())
    table.do(opening("Cy"))
    table.restart()
    table.undo()
    table.undo()
    assert table.history.state == before
    table.do(want.PlayCard(parse_card("TC")))
    table.restart()
    assert table.history.state is not None
    assert table.history.state.names == ("Ann", "Bob")
    assert [entry.number for entry in table.history.entries()] == [1, 2, 3, 4, 5, 10]


def test_load_earlier_is_what_stood_then(table: Table) -> None:
    """What stood before an act is given, also when it was undone since; before the first act, nothing."""
    table.do(opening("Ann"))
    table.do(want.StopGame())
    then = table.history.entries()
    second = table.do(opening("Cy"))
    for _ in range(3):
        table.undo()
    assert table.journal.load() == []
    assert fold_rows(table.journal.load_earlier(second)).entries() == then
    assert table.journal.load_earlier(1) == []


def test_a_correction_is_read_back(table: Table) -> None:
    """A correction and its undo are acts of their own in the file."""
    table.do(opening())
    table.keys("KS 5H TD")
    table.correct("5H", "4H")
    corrected = table.history.state
    table.restart()
    assert table.history.state == corrected
    table.undo()
    assert table.history.state != corrected
    undone = table.history.state
    table.restart()
    assert table.history.state == undone


def random_act(table: Table, rng: Random) -> None:
    """Some legal act: play, an undo, a correction, a new game or match."""
    while True:
        state = table.history.state
        roll = rng.random()
        try:
            if roll < 0.2:
                table.undo()
            elif state is None or state.stage is Stage.END:
                table.do(opening(rng.choice("XYZ"), rematch=rng.random() < 0.5, target=15))
            elif roll < 0.25:
                played = [event.card for event in table.history.events() if isinstance(event, CardPlayed)]
                table.correct(str(rng.choice(played or PACK)), str(rng.choice(PACK)))
            else:
                table.do(_intent(state.stage, rng))
        except CribbageError:
            continue
        return


def _intent(stage: Stage, rng: Random) -> want.Intent:
    if rng.random() < 0.1:
        return rng.choice((want.PegByHand(0, 4), want.GivePenalty(1, 2, "x"), want.VoidDeal(), want.StopGame()))
    card, cards, claim = rng.choice(PACK), tuple(rng.sample(PACK, 4)), rng.randrange(9)
    usual: dict[Stage, want.Intent] = {
        Stage.DEAL: want.Deal(),
        Stage.STARTER: want.TurnStarter(card),
        Stage.PLAY: rng.choice((want.PlayCard(card), want.PlayCard(card), want.SayGo())),
        Stage.SHOW: want.ShowHand(claim=claim),
        Stage.CRIB: want.ShowCrib(cards, claim=claim),
    }
    return usual.get(stage, want.CutForDeal(card))


@settings(max_examples=6)
@given(st.integers(0, 10**9))
def test_the_fold_of_the_journal_is_the_live_state(seed: int) -> None:
    """After every act, undo and correction, with restarts between, the fold of what is read equals the live state.

    In the end undo takes back everything that ever stood, across all matches, to the bottom.
    """
    rng = Random(seed)
    with TemporaryDirectory() as folder:
        table = Table(Path(folder), synced=False)
        for _ in range(35):
            random_act(table, rng)
            assert fold_rows(table.journal.load()).state == table.history.state
            if rng.random() < 0.1:
                table.restart()
        whole = fold_rows((row.number, row.act) for row in table.journal.acts_from(1))
        while whole.before is not None:
            table.undo()
            whole = whole.before
            assert fold_rows(table.journal.load()).state == whole.state
        table.restart()
        assert table.history.state is None
        with pytest.raises(CribbageError, match="nothing is left to undo"):
            table.undo()
        table.journal.close()


def test_games_are_listed_with_their_scores(table: Table) -> None:
    """Every game that stands is listed with its number, time, people, book and scores; an undone opening is not."""
    table.do(opening("Ann"))
    table.keys("JS 5H")
    table.do(want.StopGame())
    table.do(opening("Cy"))
    table.undo()
    table.do(opening("Dee"))
    table.do(want.PegByHand(0, 3))
    games = table.journal.games()
    assert [(one.number, one.names[0], one.scores, one.stopped) for one in games] == [
        (1, "Ann", (0, 2), True),
        (3, "Dee", (3, 0), False),
    ]
    assert {(one.opened_at, one.game, one.book, one.winner) for one in games} == {
        ("2026-03-01T20:15:00+00:00", "six-card", "modern", None)
    }
    table.do(want.ClaimGame(1, "x"))
    assert table.journal.games()[-1].winner == 1


def test_events_of_a_game_are_those_that_stand(table: Table) -> None:
    """For export a game gives its standing events, corrections applied, of a rematch only its own."""
    table.do(opening("Ann"))
    table.keys("KS 5H TD")
    table.undo()
    table.correct("5H", "4H")
    table.do(want.StopGame())
    table.do(opening("Ann", rematch=True))
    first, second = table.journal.events_of(1), table.journal.events_of(2)
    kinds = "GameOpened DealBegun StarterTurned CardPlayed GameStopped"
    assert [kind_of(event) for event in first] == kinds.split()
    assert first[3] == CardPlayed(0, parse_card("4H"), None)
    assert [type(event) for event in second] == [GameOpened]
    assert table.journal.events_of(3) == []


def test_settings_are_kept(table: Table) -> None:
    """A setting is a JSON value under a name, replaced by a later one; one that was never set is None."""
    table.journal.set_setting("names", ["Ann", "Zoë"])
    table.journal.set_setting("theme", "big")
    table.journal.set_setting("theme", "normal")
    table.restart()
    assert table.journal.setting("names") == ["Ann", "Zoë"]
    assert table.journal.setting("theme") == "normal"
    assert table.journal.setting("other") is None


def test_a_command_looks_while_the_service_writes(table: Table) -> None:
    """A journal opened to look at sees what is committed, and can write nothing."""
    number = table.do(opening())
    looker = Journal.look(table.folder, now=lambda: NOW)
    assert [one for one, _ in looker.load()] == [number]
    with pytest.raises(JournalError, match="it can only be read"):
        looker.set_setting("theme", "big")
    looker.close()


def test_looking_where_no_journal_is_says_so(tmp_path: Path) -> None:
    """A folder without a journal is told, and none is made."""
    with pytest.raises(JournalError, match="no journal in"):
        Journal.look(tmp_path, now=lambda: NOW)
    assert list(tmp_path.iterdir()) == []
