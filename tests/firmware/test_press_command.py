"""The command `muggins press`: keys pressed on a simulated board, and what it then shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from firmware.cli import cli

FOSTER = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"


def run(*words: str) -> Result:
    """The command with these words; anything but a proper exit fails the test."""
    result = CliRunner().invoke(cli, ["press", *words], prog_name="muggins")
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


def test_fifteen_for_two() -> None:
    """A seven and an eight: count 15, two for Bob, on the glass, the score and the lights."""
    assert answer("# 2# 12A 7C 8D") == {
        "screen": ["Ann 0f  Bob 2f", "15 8D Bob", "+2 15", "Ann plays"],
        "spoken": (
            "Bob: fifteen for two. Count 15. Ann plays. Ann 0. Bob 2. Referee flag. Last card eight of diamonds by Bob."
        ),
        "phase": "play",
        "count": 15,
        "turn": "Ann",
        "scores": {"Ann": 0, "Bob": 2},
        "lanes": {"Ann": {"front": 0, "back": 0}, "Bob": {"front": 2, "back": 0}},
    }


def test_blanks_and_case_and_suit_letters_do_not_matter() -> None:
    """Keys read the same run together, in small letters, and with S and H for spade and heart."""
    assert answer("#2#12s7c8d") == answer("# 2# 12A 7C 8D")


def test_starts_at_the_fixed_agreement() -> None:
    """Without a key the set-up stands there: Ann and Bob, six-card, modern, 121, flag, full."""
    found = answer("")
    assert (found["phase"], found["turn"]) == ("set-up", None)
    assert " ".join(found["screen"]) == "six-card modern 121 muggins on Ann v Bob flag full #ok"


def test_fosters_deal_ends_25_and_33_on_the_lanes() -> None:
    """A whole deal with right claims ends 25 and 33, the pegs on the lanes as far."""
    found = answer(FOSTER)
    assert found["scores"] == {"Ann": 25, "Bob": 33}
    assert found["lanes"] == {"Ann": {"front": 25, "back": 15}, "Bob": {"front": 33, "back": 24}}


def test_seat_buttons_are_tapped_and_held() -> None:
    """``@2`` taps seat 2's button and ``hold(@2)`` holds it: the missed points are Bob's."""
    keys = FOSTER[: FOSTER.index("10#")]
    assert answer(f"{keys} 8 @1 hold(@2)")["scores"] == {"Ann": 23, "Bob": 12}


def test_game_hole_is_read_while_it_blinks() -> None:
    """A won game is answered with the game hole, however many keys come after it."""
    for later in ("", "D", "D*D*"):
        assert answer("# 2# B 1# 99B B 1# 22B" + later)["lanes"]["Bob"] == {"front": 121, "back": 99}


def test_words_show_the_glass_in_a_frame() -> None:
    """Without JSON the screen is framed and the lanes told in words."""
    result = run("# 2# 12A 7C 8D")
    assert result.exit_code == 0
    assert "| 15 8D Bob        |" in result.stdout
    assert "play, count 15, Ann's turn" in result.stdout
    assert "Bob: front peg 2, back peg 0, score 2" in result.stdout


def test_pictures_are_written(tmp_path: Path) -> None:
    """``--png`` writes the glass and the lanes as pictures, into a folder made for them."""
    folder = tmp_path / "new" / "pictures"
    assert run("#", "--png", str(folder)).exit_code == 0
    for name in ("screen.png", "lanes.png"):
        with Image.open(folder / name) as picture:
            assert picture.width > 500


@pytest.mark.parametrize("keys", ["x", "# 2# 12Z", "@7", "hold(@9)", "1 2 ?"])
def test_junk_keys_end_with_2_and_name_what_is_no_key(keys: str) -> None:
    """What is no key is named in one line, exit 2; with JSON as one object and an empty standard error."""
    result = run(keys)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    result = run(keys, "--json")
    assert (result.exit_code, result.stderr) == (2, "")
    assert "is no key" in json.loads(result.stdout)["error"]


@pytest.mark.parametrize(
    ("text", "path"), [("[strip]\nmax_mA = 1\n", "strip"), ("nonsense = [", ""), ("[page]\nport = 'x'\n", "page")]
)
def test_faulty_configuration_ends_with_2(tmp_path: Path, text: str, path: str) -> None:
    """A configuration with a fault is told, exit 2, one object under JSON."""
    file = tmp_path / "muggins.toml"
    file.write_text(text)
    result = run("#", "--config", str(file), "--json")
    assert (result.exit_code, result.stderr) == (2, "")
    assert path in json.loads(result.stdout)["error"]
    assert run("#", "--config", str(file)).exit_code == 2


def test_picture_folder_that_cannot_be_made_ends_with_1(tmp_path: Path) -> None:
    """A folder that cannot be made is told, exit 1."""
    (tmp_path / "file").write_text("")
    result = run("#", "--png", str(tmp_path / "file" / "folder"), "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "error" in json.loads(result.stdout)


def test_nothing_of_the_users_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run keeps its games in a throw-away folder: the state folder in force stays as it is."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    assert answer("# 2#")["phase"] == "starter"
    assert not (tmp_path / "state").exists()
