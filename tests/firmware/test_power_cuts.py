"""Power cuts, kills, full and read-only disks, clocks that jump: what was shown is there again, or it was said so."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from engine import intents as want
from engine.cards import PACK, Card, Suit
from engine.history import History, fold_rows
from engine.rules import rules_for
from engine.show import total
from engine.state import Stage
from firmware import journal_file
from firmware.board import Board
from firmware.config import Config
from firmware.journal import Act, Journal, JournalError, open_journal
from firmware.service import Service
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

NOW = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
SUIT_KEYS = {Suit.SPADES: "A", Suit.HEARTS: "B", Suit.CLUBS: "C", Suit.DIAMONDS: "D"}
SECTOR = 512
PATIENCE_S = 30.0


def now() -> datetime:
    return NOW


# Kills.


@dataclass(frozen=True)
class Entry:
    """Some keys that make one act, the act, and the scores after it."""

    keys: str
    act: Act
    scores: tuple[int, ...]


def keys_of(card: Card) -> str:
    assert card.suit is not None
    return f"{card.rank}{SUIT_KEYS[card.suit]}"


def played(table: Any, acts: int, chance: Random) -> list[Entry]:
    """So many acts of games played one after the other, noted from a board in this process."""
    entries: list[Entry] = []

    def press(keys: str) -> None:
        before = table.journal.next_number
        table.press(keys)
        assert table.journal.next_number == before + 1, (keys, table.words)
        entries.append(Entry(keys, table.acts()[-1][1], table.scores))

    press("#")
    press("2#")
    while len(entries) < acts:
        if table.state.stage is Stage.END:
            press("#")
        cards = chance.sample(PACK, 13)
        hands, crib, starter = [cards[:4], cards[4:8]], cards[8:12], cards[12]
        press(keys_of(starter))
        left = [list(hand) for hand in hands]
        while table.state.stage is Stage.PLAY:
            at = table.state.deal
            fits = [one for one in left[at.turn] if at.count + one.value <= 31]
            if fits:
                left[at.turn].remove(fits[0])
            press(keys_of(fits[0]) if fits else "#")
        while table.state.stage is Stage.SHOW:
            press(f"{total(hands[table.state.deal.shower], starter)}#")
        if table.state.stage is Stage.CRIB:
            for one in crib:
                press(keys_of(one))
            press(f"{total(crib, starter, crib=True)}#")
    return entries


@contextmanager
def service(folder: Path, program: str = "") -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """A real ``muggins run`` in a process of its own, and its page."""
    start = ["-c", program] if program else ["-m", "firmware"]
    line = [sys.executable, *start, *words(folder)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            with closing(page_at(process.stdout.readline())) as page:
                yield process, page
        finally:
            process.kill()


FORKER = """
import json, os, signal, sys
import firmware.run_command, firmware.service, firmware.web.server
from firmware.cli import main
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        sys.argv = ["muggins", *json.loads(line)]
        print(os.getpid(), flush=True)
        main()
    sys.stdin.readline()  # it is waited for only when asked: until then its number is nobody else's
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""
"""Starts the service again and again, each time in a process of its own, without reading the program anew."""


class Starts(Protocol):
    """Starts a service on a folder; gives its process's number and its page, and ends when it has ended."""

    def __call__(self, folder: Path) -> AbstractContextManager[tuple[int, Page]]:
        """Start one."""
        ...


@contextmanager
def forker() -> Iterator[Starts]:
    """Services that are forked off one process that has read the program."""
    with subprocess.Popen(
        [sys.executable, "-c", FORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        asked, said = parent.stdin, parent.stdout

        @contextmanager
        def fork(folder: Path) -> Iterator[tuple[int, Page]]:
            asked.write(json.dumps(words(folder)) + "\n")
            asked.flush()
            pid = int(said.readline())
            try:
                with closing(page_at(said.readline())) as page:
                    yield pid, page
            finally:
                asked.write("end\n")
                asked.flush()
                assert said.readline() == "ended\n"

        yield fork
        asked.close()


@contextmanager
def started_anew() -> Iterator[Starts]:
    """Services that are started from nothing each time."""

    @contextmanager
    def start(folder: Path) -> Iterator[tuple[int, Page]]:
        with service(folder) as (process, page):
            yield process.pid, page
            process.kill()
            process.wait(PATIENCE_S)

    yield start


def words(folder: Path) -> list[str]:
    """What such a service is started with."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "muggins.toml"
    settings.touch()
    return ["run", "--config", str(settings), "--state", str(folder), "--port", "0"]


def page_at(address: str) -> Page:
    """The page whose address was printed."""
    assert address.startswith("http://"), address
    return Page(int(address.rstrip("/\n").rpartition(":")[2]))


class Page:
    """The page, over one connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def press(self, keys: str) -> None:
        """Press keys, each answered before the next."""
        for key in keys:
            self._ask("POST", "/key", json.dumps({"key": key}))

    def state(self) -> dict[str, Any]:
        """What is shown."""
        found: dict[str, Any] = json.loads(self._ask("GET", "/state"))
        return found

    def scores(self) -> tuple[int, ...]:
        """The scores shown."""
        return tuple(side["score"] for side in self.state()["sides"])

    def journal(self) -> dict[str, str] | None:
        """What is said of the journal among the parts."""
        return next((part for part in self.state()["parts"] if part["name"] == "journal"), None)

    def _ask(self, how: str, path: str, body: str | None = None) -> bytes:
        self._connection.request(how, path, body, {"Content-Type": "application/json"} if body else {})
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return text


def killed_again_and_again(start: Starts, folder: Path, entries: list[Entry], kills: int, chance: Random) -> int:
    """Play on, kill at a random moment, look, and again; returns how many acts there are in the end.

    That moment is counted from before the first act, or from the first, second or third one answered: a busy machine
    would else be killed before it has done anything.
    """
    done = 0
    for number in range(kills):
        with start(folder) as (pid, page):
            assert page.scores() == (entries[done - 1].scores if done else (0, 0))
            killer = threading.Timer(chance.uniform(0.0, 0.12), os.kill, [pid, signal.SIGKILL])
            answered = done
            with suppress(OSError, http.client.HTTPException):
                for entry in entries[done:]:
                    if answered - done == number % 4:
                        killer.start()
                    page.press(entry.keys)
                    answered += 1
                    if chance.random() < 0.3:
                        assert page.scores() == entry.scores  # what is shown is what is to be found again
            killer.join()
        with closing(Journal.look(folder, now=now)) as journal:
            acts = [row.act for row in journal.acts_from(1)]
        assert answered <= len(acts) <= answered + 1
        assert acts == [entry.act for entry in entries[: len(acts)]]
        done = len(acts)
    assert not list(folder.glob("journal-*"))
    return done


def kill_two_tables(
    new_table: Callable[..., Any], folder: Path, kills: int, starter: Callable[[], AbstractContextManager[Starts]]
) -> None:
    """Two tables at once, each killed half as often."""

    def table(seed: int, script: list[Entry]) -> int:
        with starter() as start:
            return killed_again_and_again(start, folder / f"killed-{seed}", script, kills // 2, Random(seed))

    names = Config().settings().names
    scripts = [played(new_table(names=names), 20 * kills // 2 + 40, Random(seed)) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(table, (1, 2), scripts))
    assert min(ends) > kills // 2  # they did not all come before the first key


def test_service_killed_at_random_moments_has_every_event_that_was_shown(
    new_table: Callable[..., Any], quick_folder: Path
) -> None:
    """Twenty times SIGKILL in the middle of played games: each act that was answered is in the journal, one more at
    most, nothing else, and the next start shows the scores of just these."""
    kill_two_tables(new_table, quick_folder, 20, forker)


@pytest.mark.slow
def test_service_killed_two_hundred_times_has_every_event_that_was_shown(
    new_table: Callable[..., Any], quick_folder: Path
) -> None:
    """The same two hundred times, across games and rematches; in twenty of them the program is started from nothing."""
    kill_two_tables(new_table, quick_folder / "forked", 180, forker)
    kill_two_tables(new_table, quick_folder / "anew", 20, started_anew)


# The file after a power cut.


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many files in a row, without waiting for the disk."""
    real = journal_file.connect

    def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
        db = real(path, mode=mode)
        db.execute("PRAGMA synchronous=OFF")
        return db

    monkeypatch.setattr(journal_file, "connect", connect)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def acts(matches: int = 3, length: int = 30) -> list[tuple[int, Act]]:
    """Some matches of points pegged by hand."""
    rows: list[tuple[int, Act]] = []
    for _ in range(matches):
        history = History()
        for turn in range(length):
            game = want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), start=(50, 50))
            intent = want.StopGame() if turn == length - 1 else want.PegByHand(turn % 2, 1 if turn // 2 % 2 else -1)
            events = history.decide(intent if turn else game)
            history = history.record(len(rows) + 1, events)
            rows.append((len(rows) + 1, events))
    return rows


@dataclass(frozen=True)
class Files:
    """A journal and the log beside it as a power cut leaves them; ``logged[n]``: bytes of the log after ``n`` acts."""

    main: bytes
    log: bytes
    logged: list[int]
    rows: list[tuple[int, Act]]


def files(folder: Path, rows: list[tuple[int, Act]], before: int) -> Files:
    """The first ``before`` acts in the file itself, the others in the log beside it."""
    with closing(Journal.open(folder, now=now)) as journal:
        for number, act in rows[:before]:
            journal.append(number, act)
    with closing(Journal.open(folder, now=now)) as journal:
        logged = [0] * (before + 1)
        for number, act in rows[before:]:
            journal.append(number, act)
            logged.append((folder / "journal.db-wal").stat().st_size)
        log = folder / "journal.db-wal"
        return Files((folder / "journal.db").read_bytes(), log.read_bytes() if log.exists() else b"", logged, rows)


def recovered(folder: Path, main: bytes, log: bytes) -> tuple[list[tuple[int, Act]], tuple[str, ...]]:
    """What a service finds that starts on such files and checks them to the end, as it does; and what it says."""
    folder.mkdir()
    (folder / "journal.db").write_bytes(main)
    if log:
        (folder / "journal.db-wal").write_bytes(log)
    with closing(open_journal(folder, now=now)) as journal:
        board = Board(journal, Config().settings())
        why = journal.verify(threading.Event())
        if why:
            assert journal.mend(why)
        assert journal.saved
        notes = journal.notes
        journal.append(journal.next_number, History().decide(OPENING))  # and it can be played on
        assert board.state is None or board.state.scores
    with closing(Journal.open(folder, now=now)) as journal:
        assert journal.notes == ()
        return [(row.number, row.act) for row in journal.acts_from(1)][:-1], notes


OPENING = want.OpenGame(rules_for(), ("Cy", "Dee"), True, ("flag", "flag"), first_dealer=0)


def torn(data: bytes, place: int, with_what: int) -> bytes:
    """The data with one sector that never arrived, or arrived as something else."""
    return data[:place] + bytes([with_what]) * len(data[place : place + SECTOR]) + data[place + SECTOR :]


@pytest.mark.usefixtures("unsynced")
def test_log_cut_anywhere_has_every_act_before_the_cut(quick_folder: Path) -> None:
    """The write-ahead log cut at every 512 bytes of its last pages: exactly the acts written whole before are there."""
    found = files(quick_folder / "live", acts(), 50)
    for place in range(len(found.log) - 80 * SECTOR, len(found.log) + 1, SECTOR):
        kept, _ = recovered(quick_folder / f"cut-{place}", found.main, found.log[:place])
        expected = max(count for count, size in enumerate(found.logged) if size <= place)
        assert kept == found.rows[:expected], place


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("with_what", [0x00, 0xA5])
def test_log_torn_anywhere_has_every_act_before_the_tear(quick_folder: Path, with_what: int) -> None:
    """One sector of the log's last pages lost or overwritten: every act written whole before it is there, in order."""
    found = files(quick_folder / "live", acts(), 50)
    last = len(found.log) // SECTOR * SECTOR
    for place in range(last - 80 * SECTOR, last, SECTOR):
        log = torn(found.log, place, with_what)
        kept, _ = recovered(quick_folder / f"torn-{place}", found.main, log)
        expected = max(count for count, size in enumerate(found.logged) if size <= place)
        assert kept[:expected] == found.rows[:expected], place
        assert kept == found.rows[: len(kept)]
        assert log == found.log or len(kept) < len(found.rows)


@pytest.mark.usefixtures("unsynced")
@pytest.mark.parametrize("with_what", [None, 0x00, 0xA5])
def test_file_cut_or_torn_anywhere_in_its_last_pages_keeps_what_can_be_read(
    quick_folder: Path, with_what: int | None
) -> None:
    """The file itself cut (None) or torn at every 512 bytes of its last four pages, opened as a service opens it and
    checked to the end: acts are kept in order and whole, all matches before the damaged page among them; what is lost
    is counted, and the damaged file is kept."""
    rows = acts(8, 40)
    found = files(quick_folder / "live", rows, len(rows))
    pages = len(found.main) // 4096
    assert pages > 8
    for place in range((pages - 4) * 4096, len(found.main), SECTOR):
        main = found.main[:place] if with_what is None else torn(found.main, place, with_what)
        folder = quick_folder / f"at-{place}"
        kept, notes = recovered(folder, main, b"")
        assert kept == [row for row in rows if row in kept]
        assert kept[:120] == rows[:120]  # three matches: they lie in earlier pages
        for (one, _), (other, act) in zip([(0, ()), *kept], kept, strict=False):
            assert other == one + 1 or rows[other - 1][0] % 40 == 1, act
        if kept != rows:
            assert f"{len(kept)} of " in notes[-1]
            assert list(folder.glob("journal-damaged-*.db"))


def test_damage_in_an_old_match_is_found_beside_the_game_and_mended(quick_folder: Path) -> None:
    """A row of an earlier match gone bad keeps nobody waiting: the present match is on the glass at once; the whole
    check then sets the file aside, carries over what can be read, says so, and play goes on."""
    rows = acts(5, 40)[:-10]
    found = files(quick_folder / "live", rows, len(rows))
    folder = quick_folder / "bad"
    folder.mkdir()
    place = found.main.index(b"PointsPegged", 3 * 4096)
    (folder / "journal.db").write_bytes(found.main[:place] + b"PointsBogged" + found.main[place + 12 :])

    async def play() -> None:
        journal = open_journal(folder, now=now)
        assert journal.notes == ()
        spec = PartsSpec(strip="none", screen="none", keypad="none", buttons="none", buzzer="none")
        log: list[str] = []
        service = Service(Config(), open_devices(spec), journal, log=log.append)
        before = service.board.state
        assert before is not None
        assert before.scores == fold_rows(rows[160:]).state.scores  # type: ignore[union-attr]
        task = asyncio.create_task(service.run(None, lambda: None))
        async with asyncio.timeout(PATIENCE_S):
            while not log:
                await asyncio.sleep(0.01)
            assert "damaged" in log[0]
            assert service.board.view().notice is not None
            assert service.board.view().saved
            assert service.board.state == before
            service.press("5")
            service.press("*")
            number = journal.next_number
            assert number == 191
            for key in "*#":
                service.press(key)
            assert journal.next_number == number + 1
            service.stop()
            await task

    asyncio.run(play())
    assert list(folder.glob("journal-damaged-*.db"))
    with closing(Journal.open(folder, now=now)) as journal:
        assert journal.notes == ()
        kept = [row.number for row in journal.acts_from(1)]
        assert kept[-31:] == list(range(161, 192))
        assert 1 in kept


@pytest.mark.parametrize(("was", "read"), [(b'"names":["Ann"', b'"names":["Eve"'), (b'"points":1', b'"points":2')])
def test_damage_in_the_present_match_is_met_at_the_opening(quick_folder: Path, was: bytes, read: bytes) -> None:
    """A bad row of the match under way, or its opening, is found before anything is shown, even if it makes sense."""
    rows = acts(5, 40)[:-10]
    found = files(quick_folder / "live", rows, len(rows))
    folder = quick_folder / "bad"
    folder.mkdir()
    place = found.main.rindex(was)
    (folder / "journal.db").write_bytes(found.main[:place] + read + found.main[place + len(read) :])
    with closing(open_journal(folder, now=now)) as journal:
        assert "damaged" in journal.notes[0]
        assert journal.saved


def test_opening_reads_no_row_of_earlier_matches(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the history, opening takes up the rows of the present match, or the newest hundred, one by one."""
    rows = acts(20, 40)[:-10]
    files(quick_folder / "live", rows, len(rows))
    read: list[int] = []
    real = journal_file.Outline.add

    def add(outline: Any, line: Any) -> None:
        read.append(line.seq)
        real(outline, line)

    monkeypatch.setattr(journal_file.Outline, "add", add)
    with closing(open_journal(quick_folder / "live", now=now)) as journal:
        assert len(read) == journal_file.TAIL + 1
        assert journal.next_number == 791
        assert len(journal.load()) == 30
        assert len(journal.games()) == 20
        assert journal.verify(threading.Event()) == ""
    with closing(Journal.open(quick_folder / "live", now=now)) as whole:
        assert whole.next_number == 791


# Disks that take nothing.


@contextmanager
def nobody() -> Iterator[None]:
    """As a user to whom the folder's rights apply: root may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_read_only_folder_is_said_first_and_played_in(
    quick_folder: Path, new_table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that may only be read the match goes on: NOT SAVED is on the glass first, the number of acts that
    would be lost is told, and all of it is saved once the folder may be written."""
    quick_folder.chmod(0o755)
    folder = quick_folder / "state"
    new_table(folder).press("# 2# 11A").close()
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555)
    with nobody():
        again = new_table(folder)
        assert again.words.startswith("The journal cannot")
        assert "NOT SAVED" in again.view.notice.text
        again.press("7*")
        assert again.scores == (0, 2)
        again.press("7C 8D")
        assert again.scores == (0, 4)
        assert again.lines[0].startswith("!")
        assert again.journal.unsaved == 2
        told = [again.press(keys).words for keys in ["*#", "*#", "7C", "8D"] * 2]
        assert again.journal.unsaved == 10
        assert told[-1].startswith("NOT SAVED: 10 acts would be lost.")
        assert not any(words.startswith("NOT SAVED") for words in told[:-1])
    for path in (folder, *folder.iterdir()):
        path.chmod(0o755)
    again.board.retry_saving()
    assert again.view.saved
    assert again.journal.unsaved == 0
    state = again.state
    assert again.reopen().state == state


LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from firmware import service
service.RETRY_S = 0.1
from firmware.cli import main
main()
"""


def test_disk_that_fills_up_is_told_with_what_would_be_lost_and_made_good(quick_folder: Path) -> None:
    """A running service whose files may not grow: NOT SAVED, the act is keyed again and the game plays on; page and log
    say what would be lost; with room again everything is on the disk."""
    with service(quick_folder, LIMITED) as (process, page):
        page.press("#2#11A")
        size = (quick_folder / "journal.db-wal").stat().st_size
        unlimited = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        page.press("7C")
        assert page.state()["notice"]["text"].startswith("NOT SAVED, key it again")
        assert page.state()["count"] == 0
        page.press("7C8D9B")
        assert page.state()["count"] == 24
        assert page.state()["saved"] is False
        told = page.journal()
        assert told is not None
        assert told["say"].startswith("NOT SAVED: 3 acts would be lost")
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)
        deadline = time.monotonic() + PATIENCE_S
        while not page.state()["saved"] and time.monotonic() < deadline:
            time.sleep(0.02)
        assert page.state()["saved"]
        assert page.journal() is None
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate(timeout=PATIENCE_S)
        assert [line.partition(".")[0] for line in said.splitlines()] == ["journal: NOT SAVED", "journal: saved again"]
    with service(quick_folder) as (_, page):
        assert page.state()["count"] == 24


def test_what_could_not_be_saved_to_the_end_is_told(quick_folder: Path) -> None:
    """A service that ends with acts unsaved says how many are lost."""
    with service(quick_folder, LIMITED) as (process, page):
        page.press("#2#11A")
        size = (quick_folder / "journal.db-wal").stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
        page.press("7C7C8D")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert "journal: NOT SAVED: 2 acts lost." in said.splitlines()[-1]


def test_second_service_on_the_same_folder_names_the_first_and_leaves_it_alone(quick_folder: Path) -> None:
    """A second copy ends with 1 and the first one's number; killed outright, the first leaves the folder free."""
    with service(quick_folder) as (first, page):
        page.press("#")
        line = [sys.executable, "-m", "firmware", "run", "--state", str(quick_folder), "--port", "0"]
        second = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE_S)
        assert second.returncode == 1
        assert f"process {first.pid}" in second.stderr
        page.press("2#")
        first.send_signal(signal.SIGKILL)
        first.wait(PATIENCE_S)
        with service(quick_folder) as (_, again):
            assert again.state()["phase"] == "starter"


# Clocks that jump.

JUMPS = (
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(2026, 3, 1, 20, 15, tzinfo=UTC),
    datetime(2000, 1, 1, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
)
DEAL = "# 2# 11A 4A 2D 3D 1B 5C 2B 4C 3C 8# 10# 11D 12D 10D 1A 9# 12B 7C * #"


def test_clock_jumps_change_nothing_but_time_stamps(quick_folder: Path, new_table: Callable[..., Any]) -> None:
    """With a wall clock that jumps years back and forth at every act the acts, the state, the screens and what is
    found at the next start are the same; only the time stamps are others."""
    steady = new_table(quick_folder / "steady")
    screens = [steady.press(keys).lines for keys in DEAL.split()]
    ticks = iter(JUMPS * 1000)
    with closing(open_journal(quick_folder / "jumping", now=lambda: next(ticks))) as journal:
        board = Board(journal, steady.board.view().settings)
        jumping = new_table(quick_folder / "shell")
        jumping.journal.close()
        jumping.journal, jumping.board = journal, board
        assert [jumping.press(keys).lines for keys in DEAL.split()] == screens
        assert journal.load() == steady.journal.load()
        stamps = [row.at for row in journal._file.acts_from(1)]  # type: ignore[union-attr]
        assert stamps != sorted(stamps)
    with closing(open_journal(quick_folder / "jumping", now=lambda: JUMPS[0])) as journal:
        assert journal.notes == ()
        assert journal.load() == steady.journal.load()
        assert Board(journal, steady.board.view().settings).state == steady.state
        assert [game.number for game in journal.games()] == [1]


@pytest.mark.parametrize("wrong", [JUMPS[0], JUMPS[2]])
def test_clock_that_was_never_set_loses_no_act_played_beside_an_unreadable_file(
    quick_folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: datetime
) -> None:
    """Where the journal cannot even be read and the clock stands at its beginning, what is played meanwhile follows all
    that the file holds, once it can be written."""
    folder = quick_folder / "state"
    rows = acts(1, 40)
    files(folder, rows, len(rows))
    with monkeypatch.context() as dead:

        def refuse(folder: Path, now: object, *, whole: bool) -> object:
            raise JournalError("The journal cannot be opened: the disk does not answer.")

        dead.setattr("firmware.journal_store.open_file", refuse)
        journal = open_journal(folder, now=lambda: wrong)
        history = History()
        for intent in (OPENING, want.Deal()):
            number, events = journal.next_number, history.decide(intent)
            journal.append(number, events)
            history = history.record(number, events)
        assert journal.unsaved == 2
    assert journal.retry()
    assert fold_rows(journal.load()).state == history.state
    journal.close()
    with closing(Journal.open(folder, now=now)) as whole:
        assert len(whole.acts_from(1)) == 42
        assert fold_rows(whole.load()).state == history.state
