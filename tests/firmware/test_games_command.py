"""The command `muggins games`: what was played here, and records that replay to the same scores."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cards import PACK
from engine.record_read import steps
from engine.record_write import write
from engine.replay import replay
from engine.show import show
from firmware.archive import checked
from firmware.cli import cli
from firmware.journal import Journal, JournalError
from firmware.journal_file import FILE_VERSION, NAME
from firmware.settings import ENTRY_LEVELS

FOSTER = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"


def run(*words: str) -> Result:
    """The command with these words; anything but a proper exit fails the test."""
    result = CliRunner().invoke(cli, ["games", *words], prog_name="muggins")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answer(*words: str) -> dict[str, Any]:
    """The one object answered, on one line, with nothing on standard error."""
    result = run(*words, "--json")
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def ends(record: str) -> dict[str, Any]:
    """How a record leaves the game."""
    *_, end = replay(record)
    return dict(end)


def test_empty_folder(tmp_path: Path) -> None:
    """Where nothing was played that is said, and nothing is made."""
    assert answer("--state", str(tmp_path / "none")) == {"games": []}
    assert "No game is kept" in run("--state", str(tmp_path / "none")).stdout
    assert not (tmp_path / "none").exists()


def test_games_are_listed_and_exported(table: Any) -> None:
    """Each game is listed with its players, scores and end; its record replays to those scores."""
    table.press(FOSTER).press("B 8# # #").press("2#")
    folder = str(table.folder)
    first, second = answer("--state", folder)["games"]
    assert (first["players"], first["scores"], first["stopped"]) == (["Ann", "Bob"], [25, 33], True)
    assert (second["scores"], second["winner"], second["stopped"]) == ([0, 0], None, False)
    found = answer("1", "--state", folder)
    assert found["record"] == run("1", "--state", folder).stdout
    assert ends(found["record"])["scores"] == {"Ann": 25, "Bob": 33}
    listed = run("--state", folder).stdout
    assert "Ann v Bob" in listed
    assert "25-33  stopped" in listed
    assert listed.splitlines()[1].endswith("under way")


def test_no_record_is_given_while_a_count_may_be_called(new_table: Callable[..., Any]) -> None:
    """Under call no form of a game is told from the first count of a show to the last one's end, right or wrong."""
    said = []
    for card in ("JD", "6D"):  # worth nothing and eight more
        table = new_table(level="call", entry="shows").press("# 2#").cards("9S").press("#")
        folder = str(table.folder)
        found = []
        for keys in (
            "",
            f"4A 8D {table.keys_for(card)} 2C",
            "2#",
            "#",
            "7A 7B 11B 12B",
            "2#",
            "#",
            "1A 13A 13B 12C 0#",
        ):
            table.press(keys)
            for form in ((), ("--report",), ("--csv",), ("--json",)):
                result = run("1", *form, "--state", folder)
                assert result.exit_code == 1
                assert "before that count is accepted" in result.output
                found.append(result.output)
            assert run("--state", folder).exit_code == 0
        said.append(found)
        table.press("#")
        assert table.phase == "deal"
        assert f"show Ann 4S 8D {card} 2C peg 2" in run("1", "--state", folder).stdout
    assert said[0] == said[1]


def test_no_record_is_given_while_a_card_may_be_called(new_table: Callable[..., Any]) -> None:
    """Under call in the play a claim keeps the record back as well, where the book lets it be called later at all."""
    for claim in ("2#", "1#", "5#"):  # the truth is two
        table = new_table(level="call", book="acc").press("# 2#").cards("9S 7C 8D").press(claim)
        assert run("1", "--state", str(table.folder)).exit_code == 1
        table = new_table(level="call", book="modern").press("# 2#").cards("9S 7C 8D").press(claim)
        assert f"play Bob 8D peg {claim[0]}" in run("1", "--state", str(table.folder)).stdout


def test_game_that_is_not_there_ends_with_1(table: Any) -> None:
    """A number that no game has: exit 1, naming those there are."""
    table.press("# 2#")
    result = run("7", "--state", str(table.folder), "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "no game 7" in json.loads(result.stdout)["error"]
    assert run("7", "--state", str(table.folder)).exit_code == 1


@pytest.mark.parametrize("word", ["x", "1x", "²", "999999999999"])
def test_word_that_is_no_number_ends_with_2(tmp_path: Path, word: str) -> None:
    """What is no game's number: exit 2."""
    assert run(word, "--state", str(tmp_path)).exit_code == 2


def test_running_board_is_not_disturbed(table: Any) -> None:
    """The command reads beside a board that plays on: nothing in its folder is changed."""
    table.press("# 2#").cards("QS")
    before = {path.name: path.read_bytes() for path in table.folder.iterdir() if not path.name.endswith("-shm")}
    answer("--state", str(table.folder))
    assert {path.name: path.read_bytes() for path in table.folder.iterdir() if not path.name.endswith("-shm")} == before
    assert table.cards("7C").state.deal.count == 7


@pytest.mark.parametrize("fault", ["bad page", "cut short", "no journal", "empty"])
def test_damaged_journal_is_answered_in_words_and_left_as_it_is(table: Any, fault: str) -> None:
    """A damaged journal brings no traceback and is not touched; what can still be read of it is listed."""
    table.press(FOSTER)
    table.close()
    path = table.folder / NAME
    data = path.read_bytes()
    damaged = {
        "bad page": data[:5000] + b"\xff" * 3000 + data[8000:],
        "cut short": data[: len(data) // 2],
        "no journal": b"this is no journal" * 100,
        "empty": b"",
    }[fault]
    path.write_bytes(damaged)
    result = run("--state", str(table.folder), "--json")
    assert (result.exit_code, result.stderr, result.stdout.count("\n")) == (1, "", 1)
    said = json.loads(result.stdout)
    assert said.keys() == {"games", "error"}
    assert "damaged" in said["error"]
    assert "when the board is started" in said["error"]
    words = run("--state", str(table.folder))
    assert words.exit_code == 1
    assert "No game" not in words.stdout
    assert words.stdout.count("Ann v Bob") == len(said["games"])
    assert "damaged" in words.stderr
    one = run("1", "--state", str(table.folder))
    assert one.exit_code == 1
    assert "damaged" in one.stderr
    assert one.stdout.startswith("crib 1\n") == bool(said["games"])
    assert path.read_bytes() == damaged


def test_a_newer_journal_is_said_to_be_one(table: Any) -> None:
    """A journal of a newer program: exit 1, saying what to install; it is left as it is."""
    table.press(FOSTER)
    table.close()
    path = table.folder / NAME
    data = bytearray(path.read_bytes())
    data[60:64] = (FILE_VERSION + 1).to_bytes(4, "big")
    path.write_bytes(data)
    result = run("--state", str(table.folder))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "install that one" in result.stderr
    assert path.read_bytes() == data


def test_game_that_cannot_be_folded_ends_with_1_in_words(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of a program that counted otherwise is answered in one line, exit 1, not with a traceback."""

    def unfolded(journal: Journal, game: int) -> list[Any]:
        raise JournalError(f"Game {game} cannot be folded by this program.")

    table.press("# 2#")
    monkeypatch.setattr(Journal, "match_of", unfolded)
    result = run("1", "--state", str(table.folder), "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert json.loads(result.stdout) == {"error": "Game 1 cannot be folded by this program."}


def _cards(codes: Any) -> str:
    keys = {"S": "A", "H": "B", "C": "C", "D": "D"}
    return " ".join(f"{one.rank}{keys[str(one)[-1]]}" for one in codes)


def play_a_deal(table: Any, rng: Any) -> None:
    """One deal of shuffled cards with claims right and wrong, takings, leavings and changes of mind."""
    pack = rng.sample(PACK, 13)
    starter, crib, hands = pack[0], pack[1:5], {0: pack[5:9], 1: pack[9:13]}
    entry = table.view.settings.entry
    if table.phase == "cut":
        table.press(rng.choice(["1#", "2#"]))
    elif table.phase == "deal" and table.view.public.claims:
        table.press(rng.choice("#A"))
    skipped = entry == "points" and rng.random() < 0.7
    table.press("#" if skipped else _cards([starter]))
    while table.phase == "play":
        public = table.view.public
        if entry != "full":
            for _ in range(rng.randrange(4)):
                table.press(f"{rng.randrange(1, 9)}{rng.choice('AB')}")
            table.press("#" if table.phase == "play" else "")
            break
        fits = [one for one in hands[public.turn] if one.value + public.count <= 31]
        laid = {play.card for play in public.played}
        fits = [one for one in fits if one not in laid]
        table.press(_cards([rng.choice(fits)]) if fits else "#")
        if table.refused:
            raise AssertionError(table.refused)
        if rng.random() < 0.1:
            table.press("* #")
        elif public.level(public.turn) == "off" and rng.random() < 0.5:
            table.press(f"{rng.randrange(1, 5)}#")
    for crib_next in (False, False, True):
        if table.phase not in ("show", "crib"):
            return
        if table.view.public.claimable:
            table.press(rng.choice(["#", "1#"]))
        seat = table.view.public.turn
        counted = crib if crib_next else hands[seat]
        if not table.view.public.cards_known and (entry != "points" or (not skipped and rng.random() < 0.3)):
            table.press(_cards(counted))
        worth = show(tuple(counted), starter, crib=crib_next).total
        table.press(f"{max(0, worth + rng.choice([0, 0, 0, -2, -1, 1, 2]))}#")
        if table.view.public.claims and table.phase != "end":
            table.press(rng.choice("#A"))
        if rng.random() < 0.15:
            table.press("* #").press(f"{worth}#")


@pytest.mark.parametrize("entry", ENTRY_LEVELS)
@pytest.mark.parametrize("level", ["teach", "flag", "off"])
@pytest.mark.parametrize("muggins", [True, False])
def test_record_of_any_game_replays_to_the_same_scores(
    new_table: Callable[..., Any], entry: str, level: str, muggins: bool
) -> None:
    """Whatever was played at the board, at any entry and referee level, its record replays to the same scores."""
    for seed in range(3):
        rng = random.Random(seed)
        table = new_table(entry=entry, level=level, muggins=muggins, target=61).press("#")
        for _ in range(6):
            if table.phase in ("cut", "deal"):
                play_a_deal(table, rng)
        assert sum(table.scores) > 0
        record = answer("1", "--state", str(table.folder))["record"]
        assert write([step.event for step in steps(checked(record.encode()))], "2000-01-01") == record
        assert tuple(ends(record)["scores"].values()) == table.scores
        winner = table.state.winner
        assert ends(record)["winner"] == (None if winner is None else table.state.names[winner])
