"""A power cut at any moment: what stood on the glass and the lanes stands there again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DEAL = "# 5A 4B 12A 4A 2D 3D 1B 5C 2B 4C 3C 8# A 14# 11D 11A 10D 1A 9# 11C 7C 8D"
KEYS = DEAL.replace(" ", "")


def test_killed_at_any_key_of_a_deal_the_same_screen_comes_back(table: Any) -> None:
    """Begun again on the same folder after any key of a deal: the same screen, spoken line, scores and undo label."""
    for place, key in enumerate(KEYS, 1):
        table.press(key)
        if table.view.typed:
            continue  # what was only typed was not accepted
        before = (table.screen, table.board.state, table.view.undoable, table.view.why)
        table.reopen()
        assert (table.screen, table.board.state, table.view.undoable, table.view.why) == before, KEYS[:place]


@pytest.mark.parametrize("keys", ["", "3#4#6#", KEYS, KEYS + "B3#7C7D", KEYS + "*#*#", "#2#B1#99BB1#22B", "#2#B8###"])
def test_killed_at_any_stage_the_same_screen_comes_back(table: Any, keys: str) -> None:
    """In the set-up, after a correction, an undo, the end of a game or a rematch the same screen comes back."""
    table.press(keys)
    before = (table.screen, table.board.state, table.view.undoable)
    assert (table.reopen().screen, table.board.state, table.view.undoable) == before


def test_lanes_and_glass_of_a_new_cabinet_show_the_same_pegs(
    new_cabinet: Callable[..., Any], quick_folder: Path
) -> None:
    """New parts on the old folder: the strip shows both pegs where they stood, at once."""
    folder = quick_folder / "kept"
    first = new_cabinet(folder=folder)
    first.tap_all(list(KEYS))
    first.settle()
    shown = first.shown()
    second = new_cabinet(folder=folder)
    again = second.shown()
    assert again.pegs == shown.pegs == first.board.state.pegs
    assert (again.screen, again.colours) == (shown.screen, shown.colours)


def test_scores_pegs_and_undo_survive_together(table: Any) -> None:
    """After a restart an undo takes back the very act it would have taken back before."""
    table.press(KEYS)
    expected = table.board.history.undo().state
    assert table.reopen().press("* #").board.state == expected


@contextmanager
def service(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A real ``muggins run`` in a process of its own: its address, and the process to be killed."""
    nobody = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "MUGGINS_CONFIG": ""}
    environment = {name: value for name, value in (os.environ | nobody).items() if value}
    line = [sys.executable, "-m", "firmware", "run", "--state", str(folder), "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


def ask(address: str, key: str = "") -> dict[str, Any]:
    """What the page is told, after a key if one is given."""
    if key:
        request = urllib.request.Request(
            address + "key", json.dumps({"key": key}).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=20):
            pass
    with urllib.request.urlopen(address + "state", timeout=20) as answer:
        found = json.load(answer)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("presses", [len(KEYS), len("#5A4B12A4A2D3D1B5C2B4C3C8#")])
def test_service_killed_outright_resumes_to_the_same_screen(quick_folder: Path, presses: int) -> None:
    """A service killed with SIGKILL, right after a key was answered, comes back to the same screen, pegs and log."""
    with service(quick_folder) as (address, process):
        for key in KEYS[:presses]:
            told = ask(address, key)
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    with service(quick_folder) as (address, process):
        again = ask(address)
        # Read or heard already, and told apart on purpose; the screen's whole twin is compared with the rest.
        once = ("notice", "spoken", "moment")
        told, again = ({key: found[key] for key in found if key not in once} for found in (told, again))
        assert again["twin"]
        assert again == told
        assert ask(address, "*")["screen"][0].startswith("Undo:")


def test_second_service_on_the_same_folder_is_refused(quick_folder: Path) -> None:
    """A second service on the same state folder ends with 1, naming the first; the first plays on."""
    with service(quick_folder) as (address, process), service(quick_folder) as (nothing, second):
        assert nothing == ""
        assert second.wait(20) == 1
        assert second.stderr is not None
        assert str(process.pid) in second.stderr.read()
        assert ask(address, "#")["phase"] == "cut"


def test_a_press_on_a_screen_of_an_earlier_start_is_never_taken(new_service: Callable[..., Any]) -> None:
    """The program's moments are told apart between starts: a window left open since then accepts nothing, ever."""
    service = new_service('[table]\nnames = ["Ann", "Bob"]\nentry = "points"\n')
    service.press("# 1# # 5A D*D*")
    seen = service.press("*")["moment"]
    service.stop()
    service.start()
    service.press("D*" * 9 + "*")
    body = json.dumps({"key": "#", "seen": seen, "window": "old"}).encode()
    request = urllib.request.Request(f"{service.address}key", body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    assert refused.value.code == 409
    assert "started anew" in json.load(refused.value)["error"]
    assert [side["score"] for side in service.state()["sides"]] == [5, 0]


def test_the_program_starts_whatever_lies_in_its_state_folder(new_service: Callable[..., Any]) -> None:
    """With pipes under all its names the program starts, says so, and saves what is played."""
    service = new_service('[table]\nnames = ["Ann", "Bob"]\nentry = "points"\n')
    service.stop()
    state = service.folder / "state"
    for name in ("journal.db", "journal.db-wal", "lock", "phones.json", "phones.new"):
        (state / name).unlink(missing_ok=True)
        os.mkfifo(state / name)
    service.start()
    told = service.state()
    assert told["saved"]
    assert "no plain file" in told["notice"]["text"]
    service.press("* # 1# # 5A")
    service.end(signal.SIGKILL)
    service.start()
    assert [side["score"] for side in service.state()["sides"]] == [5, 0]
