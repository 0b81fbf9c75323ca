"""The template: a true scale, every hole once, the marks of a cribbage board, sheets that fit together."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result

from firmware.config import Config, parse_config
from firmware.template_command import template

SVG = "{http://www.w3.org/2000/svg}"
MM = 25.4 / 72
"""Millimetres a point."""
Spot = tuple[float, float]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file of this machine is in force, and what is written without a name lies in the test's own folder."""
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    monkeypatch.setenv("MUGGINS_CONFIG", str(empty))
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(template, list(words))


class Drawing:
    """An SVG file that the command wrote: its measures in millimetres, its holes, marks and words."""

    def __init__(self, path: str | Path) -> None:
        self.root = Xml.parse(path).getroot()
        width, height = self.root.get("width", ""), self.root.get("height", "")
        assert width.endswith("mm")
        assert height.endswith("mm")
        self.size = float(width[:-2]), float(height[:-2])
        self.words = [element.text for element in self.root.iter(f"{SVG}text")]

    def circles(self, start: str) -> dict[str, Spot]:
        """The middles of the circles whose names begin so."""
        return {
            str(c.get("id")): (float(c.get("cx", "")), float(c.get("cy", "")))
            for c in self.root.iter(f"{SVG}circle")
            if str(c.get("id")).startswith(start)
        }

    def lines(self, start: str) -> dict[str, tuple[float, float, float, float]]:
        """The ends of the lines whose names begin so."""
        found = {}
        for line in self.root.iter(f"{SVG}line"):
            if str(line.get("id")).startswith(start):
                x1, y1, x2, y2 = (float(line.get(end, "")) for end in ("x1", "y1", "x2", "y2"))
                found[str(line.get("id"))] = (x1, y1, x2, y2)
        return found


def draw(*words: str) -> list[Drawing]:
    """The sheets that the command writes."""
    done = run(*words, "--out", "t.svg", "--json")
    assert done.exit_code == 0, done.output
    return [Drawing(file) for file in json.loads(done.stdout)["files"]]


def whole(*words: str) -> Drawing:
    """The board on one large sheet."""
    (sheet,) = draw(*words, "--paper", "none")
    return sheet


def names(lanes: int = 2, holes: int = 121) -> list[str]:
    return sorted(f"lane-{lane}-hole-{hole}" for lane in range(1, lanes + 1) for hole in range(1, holes + 1))


@pytest.mark.parametrize(("pitch", "mm"), [("16.67", 16.67), ("144/m", 6.944), ("60/m", 16.667)])
def test_holes_are_a_pitch_apart(pitch: str, mm: float) -> None:
    """On the sheet, whose unit is the millimetre, every two holes that follow each other are the pitch apart."""
    sheet = whole("--pitch", pitch)
    box = [float(one) for one in str(sheet.root.get("viewBox")).split()]
    assert box == [0, 0, *sheet.size]
    holes = sheet.circles("lane-1")
    for hole in range(1, 121):
        (x1, y1), (x2, y2) = holes[f"lane-1-hole-{hole}"], holes[f"lane-1-hole-{hole + 1}"]
        assert x2 - x1 == pytest.approx(mm, abs=0.0015)
        assert y1 == y2
    # Rounding must not add up along a board.
    assert holes["lane-1-hole-121"][0] - holes["lane-1-hole-1"][0] == pytest.approx(120 * mm, abs=0.06)


def test_every_hole_is_there_once_and_inside() -> None:
    """Each lane's 121 holes are drawn once each, all of them on the sheet."""
    sheet = whole("--row", "30")
    ids = Counter(c.get("id") for c in sheet.root.iter(f"{SVG}circle") if str(c.get("id")).startswith("lane"))
    assert ids == Counter(names())
    width, height = sheet.size
    assert all(3 < x < width - 3 and 3 < y < height - 3 for x, y in sheet.circles("lane").values())


def test_the_ruler_is_fifty_millimetres() -> None:
    """The control ruler of every sheet is 50 mm long and says so."""
    for sheet in draw("--row", "30"):
        ((x1, y1, x2, y2),) = sheet.lines("ruler").values()
        assert (x2 - x1, y1) == (50, y2)
        assert any(words and words.startswith("50 mm.") for words in sheet.words)


def test_a_board_is_marked_like_a_cribbage_board() -> None:
    """Start, game hole and both skunk lines are named, and every fifth hole is numbered once."""
    words = whole().words
    for wanted in ("START", "GAME HOLE 121", "skunk line: 91 is safe", "double skunk line: 61 is safe"):
        assert words.count(wanted) == 1
    assert [word for word in words if word and word.isdigit()] == [str(hole) for hole in range(5, 121, 5)]


def test_the_skunk_lines_are_the_books(tmp_path: Path) -> None:
    """Under `onhand` the lurch of a game to 121 is at 61, and there is no second line."""
    file = tmp_path / "onhand.toml"
    file.write_text('[table]\nrules = "onhand"\n')
    words = whole("--config", str(file)).words
    assert [word for word in words if word and "skunk" in word] == ["skunk line: 61 is safe"]


def test_streets_and_skunk_lines_lie_between_their_holes() -> None:
    """A street's line is half way from its fifth hole to the next; the skunk line half way from hole 90 to 91."""
    sheet = whole()
    holes = sheet.circles("lane")
    streets = sheet.lines("street-2")
    assert sorted(streets) == sorted(f"street-2-{hole}" for hole in range(5, 121, 5))
    for fifth, line in ((5, streets["street-2-5"]), (90, sheet.lines("skunk-2")["skunk-2-91"])):
        between = (holes[f"lane-2-hole-{fifth}"][0] + holes[f"lane-2-hole-{fifth + 1}"][0]) / 2
        assert line[0] == line[2] == pytest.approx(between, abs=0.002)


def test_sacrificed_lights_have_room_before_hole_1(tmp_path: Path) -> None:
    """With two skipped lights two places are marked before hole 1, a pitch apart, on the sheet."""
    file = tmp_path / "skip.toml"
    file.write_text("[strip]\nskip_first = 2\n")
    sheet = whole("--config", str(file), "--pitch", "10")
    first = sheet.circles("lane-1-hole-1")["lane-1-hole-1"][0]
    assert {name: x - first for name, (x, _) in sheet.circles("dark").items()} == {"dark-1": -10, "dark-2": -20}
    assert first > 25


@pytest.mark.parametrize("words", [("--row", "30"), ("--row", "30", "--paper", "letter"), ("--row", "15"), ()])
def test_sheets_joined_by_their_marks_are_the_board(words: tuple[str, ...]) -> None:
    """Every hole is on exactly one sheet, and sheets laid mark upon mark put each hole where one large sheet has it."""
    plain = tuple(word for word in words if word not in ("--paper", "letter"))
    large = whole(*plain).circles("lane")
    sheets = draw(*words)
    assert len(sheets) > 1
    seen: Counter[str] = Counter()
    places: dict[int, Spot] = {}
    for number, sheet in enumerate(sheets):
        marks = sheet.circles("mark")
        assert marks
        shifts = set()
        for name, (x, y) in marks.items():
            _, board_x, board_y = name.split("-")
            shifts.add((round(x - float(board_x), 2), round(y - float(board_y), 2)))
        assert len(shifts) == 1, "all marks of a sheet agree"
        places[number] = shifts.pop()
        for name, (x, y) in sheet.circles("lane").items():
            seen[name] += 1
            assert x - places[number][0] == pytest.approx(large[name][0], abs=0.01)
            assert y - places[number][1] == pytest.approx(large[name][1], abs=0.01)
    assert seen == Counter(names())


def test_neighbouring_sheets_share_their_marks() -> None:
    """Two sheets that lie beside each other have at least two marks in common."""
    sheets = draw()
    assert all(len(a.circles("mark").keys() & b.circles("mark").keys()) >= 2 for a, b in pairwise(sheets))


def test_sheets_are_the_papers_size_and_hold_whole_holes() -> None:
    """Each sheet is A4, and no hole comes nearer to its edge than a printer prints."""
    for sheet in draw("--row", "30"):
        assert sorted(sheet.size) == [210, 297]
        assert all(8 < x < sheet.size[0] - 8 and 8 < y < sheet.size[1] - 8 for x, y in sheet.circles("lane").values())


@pytest.mark.parametrize(("words", "sheets"), [(("--row", "30", "--pitch", "144/m"), 1), (("--row", "30"), 2)])
def test_the_guides_boards_fit_the_sheets_it_names(words: tuple[str, ...], sheets: int) -> None:
    """A folded board of a dense strip is one sheet of A4, of the usual strip two."""
    assert len(draw(*words)) == sheets


def test_the_printed_layout_gives_the_folded_board(tmp_path: Path) -> None:
    """The table printed with a folded board, put into a configuration, draws the same holes without being folded."""
    done = run("--row", "30", "--out", "t.svg", "--paper", "none", "--json")
    answer = json.loads(done.stdout)
    file = tmp_path / "own.toml"
    file.write_text(answer["toml"])
    assert parse_config(answer["toml"].encode()).layout.lanes != Config().layout.lanes
    assert answer["toml"].strip() in run("--row", "30", "--out", "t.svg", "--paper", "none").stdout
    assert answer["pieces"] == [30, 30, 30, 30, 30, 30, 31, 31]
    folded = Drawing("t.svg")
    again = whole("--config", str(file))
    assert again.circles("lane") == folded.circles("lane")
    assert again.lines("joint") == folded.lines("joint")


def test_an_unfolded_board_prints_no_layout() -> None:
    """Where no light becomes another hole there is nothing to configure; a long board names the cure."""
    done = run("--out", "t.pdf")
    assert "[layout]" not in done.stdout
    assert "--row 30" in done.stdout


def test_a_pdf_is_sound_and_has_the_same_holes() -> None:
    """The PDF's table finds every object, its page has the SVG's size, and its red circles are the SVG's holes."""
    assert run("--row", "30", "--out", "t.pdf", "--paper", "none").exit_code == 0
    data = Path("t.pdf").read_bytes()
    assert data.startswith(b"%PDF-1.4\n")
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])  # type: ignore[index]
    table = data[start:].split(b"\n")
    count = int(table[1].split()[1])
    for number, entry in enumerate(table[3 : 2 + count], 1):
        assert data[int(entry[:10]) :].startswith(b"%d 0 obj\n" % number)
    for length, stream in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL):
        assert int(length) == len(stream)
    svg = whole("--row", "30")
    (box,) = re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", data)
    assert [float(one) * MM for one in box] == pytest.approx(svg.size, abs=0.001)
    found = []
    for curve in re.findall(rb"1 0 0 RG (\S+ \S+ m(?: \S+ \S+ \S+ \S+ \S+ \S+ c){4}) h", data):
        x, y = map(float, curve.split()[:2])
        ends = [tuple(map(float, end.split()[4:6])) for end in curve.split(b" m ")[1].split(b" c")[:-1]]
        found.append(((x + ends[1][0]) / 2 * MM, (float(box[1]) - y) * MM))
    holes = list(svg.circles("lane").values())
    nearest = [min(holes, key=lambda hole, at=at: abs(hole[0] - at[0]) + abs(hole[1] - at[1])) for at in found]
    assert sorted(nearest) == sorted(holes)
    assert all(one == pytest.approx(other, abs=0.002) for one, other in zip(found, nearest, strict=True))


def test_a_pdf_has_a_page_a_sheet_and_is_not_to_be_scaled() -> None:
    """The PDF has as many A4 pages as there are SVG sheets, and asks the printer not to scale them."""
    answer = json.loads(run("--row", "30", "--json").stdout)
    data = Path("muggins-board.pdf").read_bytes()
    assert answer["files"] == ["muggins-board.pdf"]
    assert data.count(b"/Type /Page ") == answer["sheets"] == len(draw("--row", "30"))
    assert data.count(b"/MediaBox [0 0 841.89 595.276]") == answer["sheets"]
    assert b"/PrintScaling /None" in data


def test_brackets_and_backslashes_of_a_name_do_not_end_a_pdfs_words(tmp_path: Path) -> None:
    """Words with brackets are escaped in the PDF, as the overlay's own are."""
    run("keypad", "--out", "t.pdf")
    data = Path("t.pdf").read_bytes()
    assert rb"card \(1 ace, 11 jack, 12 queen, 13 king, 0 ten\)" in data


def test_the_overlay_has_each_key_at_true_scale() -> None:
    """Sixteen keys, their middles the key pitch apart, labelled by the keypad's own names and by what they do."""
    (sheet,) = draw("keypad", "--pitch", "19")
    keys = {}
    for path in sheet.root.iter(f"{SVG}path"):
        if str(path.get("id")).startswith("key-"):
            numbers = [float(one) for one in re.findall(r"-?[\d.]+", str(path.get("d")))]
            xs, ys = numbers[0::2], numbers[1::2]
            keys[path.get("id")] = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    assert len(keys) == 16
    x, y = keys["key-1-1"]
    for row in range(4):
        for column in range(4):
            assert keys[f"key-{row + 1}-{column + 1}"] == pytest.approx((x + 19 * column, y + 19 * row), abs=0.002)
    assert [word for word in "123A456B789C*0#D" if sheet.words.count(word) != 1] == []
    assert {"muggins", "adjust", "why?", "scores", "undo", "yes, go"} <= set(sheet.words)


def test_the_overlay_follows_the_configured_keys(tmp_path: Path) -> None:
    """A keypad whose rows are printed otherwise gets them in its own order."""
    file = tmp_path / "keys.toml"
    file.write_text('[wiring]\nkeys = ["D#0*", "C987", "B654", "A321"]\n')
    (sheet,) = draw("keypad", "--config", str(file))
    assert [word for word in sheet.words if word and len(word) == 1] == list("D#0*C987B654A321")


def test_the_wiring_is_the_configured_one(tmp_path: Path) -> None:
    """The picture and the answer show a pin where the configuration has it, by both its numbers."""
    file = tmp_path / "pins.toml"
    file.write_text("[wiring]\nbuzzer = 12\n")
    (sheet,) = draw("wiring", "--config", str(file))
    assert "GPIO12  buzzer: +" in sheet.words
    done = run("wiring", "--config", str(file))
    assert "pin 32  GPIO12  buzzer: +" in done.stdout.splitlines()


REFUSED = [
    (("--out", "t.png"), 2, ".pdf"),
    (("--pitch", "wide"), 2, "60/m"),
    (("--pitch", "0/m"), 2, "60/m"),
    (("--pitch", "nan"), 2, "4 to 100"),
    (("--pitch", "1000"), 2, "4 to 100"),
    (("--row", "3"), 2, "--row"),
    (("--pitch", "5", "--hole", "5"), 1, "run together"),
    (("keypad", "--row", "30"), 2, "keypad"),
    (("keypad", "--pitch", "80"), 1, "--paper none"),
    (("wiring", "--pitch", "10"), 2, "--paper"),
    (("--out", "nowhere/t.pdf"), 1, "cannot be written"),
    (("--config", "nowhere.toml"), 1, "no such file"),
]


@pytest.mark.parametrize(("words", "code", "cure"), REFUSED, ids=[" ".join(words) for words, _, _ in REFUSED])
def test_what_cannot_be_drawn_is_refused(words: tuple[str, ...], code: int, cure: str) -> None:
    """Each refusal ends with its code and says what to give instead, in words or as one JSON object."""
    done = run(*words)
    assert (done.exit_code, done.stdout) == (code, "")
    assert cure in done.stderr
    done = run(*words, "--json")
    assert (done.exit_code, done.stderr) == (code, "")
    assert cure in json.loads(done.stdout)["error"]


def test_a_layout_of_ones_own_is_not_folded_again(tmp_path: Path) -> None:
    """--row refuses a layout that the configuration describes hole by hole."""
    file = tmp_path / "own.toml"
    file.write_text(json.loads(run("--row", "30", "--json").stdout)["toml"])
    done = run("--row", "20", "--config", str(file))
    assert done.exit_code == 1
    assert "leave --row out" in done.stderr
