"""Which file is in force, and what is said of one that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.config import (
    Config,
    ConfigError,
    ConfigUnreadable,
    default_config,
    find_config,
    load_config,
    parse_config,
)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """The root of a machine that says it is a Pi."""
    model = tmp_path / "proc" / "device-tree" / "model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\x00")
    return tmp_path


def test_the_first_file_of_the_order_is_used_alone(tmp_path: Path) -> None:
    """The command line's file comes before the variable's, that before the system's, that before the user's; and only
    one is read."""
    named = write(tmp_path / "named.toml", "[strip]\nmax_ma = 501")
    by_variable = write(tmp_path / "variable.toml", "[strip]\nmax_ma = 502")
    system = write(tmp_path / "etc" / "muggins.toml", "[strip]\nmax_ma = 503")
    user = write(tmp_path / "home" / ".config" / "muggins" / "muggins.toml", "[board]\nblink = false")
    environ = {"MUGGINS_CONFIG": str(by_variable), "HOME": str(tmp_path / "home")}
    found = load_config(named, environ=environ, root=tmp_path)
    assert (found.max_ma, found.file) == (501, named)
    assert load_config(environ=environ, root=tmp_path).max_ma == 502
    del environ["MUGGINS_CONFIG"]
    found = load_config(environ=environ, root=tmp_path)
    assert (found.max_ma, found.blink) == (503, True)
    system.unlink()
    found = load_config(environ=environ, root=tmp_path)
    assert (found.blink, found.file) == (False, user)


def test_the_users_folder_may_be_elsewhere(tmp_path: Path) -> None:
    """Where XDG_CONFIG_HOME is set the user's file is sought there, not in the home folder."""
    write(tmp_path / "home" / ".config" / "muggins" / "muggins.toml", "")
    there = write(tmp_path / "xdg" / "muggins" / "muggins.toml", "")
    environ = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    assert find_config(environ=environ, root=tmp_path) == there


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    """No file at all is a board wholly simulated."""
    assert find_config(environ={}, root=tmp_path) is None
    assert load_config(environ={}, root=tmp_path) == Config()


def test_on_a_pi_the_defaults_are_real_parts(pi: Path) -> None:
    """On a Raspberry Pi, and only there, every part is real unless a file says otherwise."""
    spec = default_config(pi).parts_spec()
    assert (spec.strip, spec.screen, spec.keypad, spec.buttons, spec.buzzer) == (
        "spidev",
        "ssd1309",
        "gpio",
        "gpio",
        "gpio",
    )
    file = write(pi / "etc" / "muggins.toml", "[parts]\nscreen = 'none'")
    assert load_config(environ={}, root=pi).parts_spec().screen == "none"
    assert load_config(environ={}, root=pi).file == file
    (pi / "proc" / "device-tree" / "model").write_bytes(b"Another Board\x00")
    assert default_config(pi) == Config()


@pytest.mark.parametrize("way", ["named", "variable", "dangling"])
def test_a_file_that_is_named_must_be_there(tmp_path: Path, way: str) -> None:
    """A file that was named and is not there is an error that names it, never silently the defaults."""
    gone = tmp_path / "etc" / "muggins.toml" if way == "dangling" else tmp_path / "gone.toml"
    if way == "dangling":
        gone.parent.mkdir()
        gone.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigUnreadable, match="there is no such file") as caught:
        load_config(
            gone if way == "named" else None,
            environ={"MUGGINS_CONFIG": str(gone)} if way == "variable" else {},
            root=tmp_path,
        )
    assert caught.value.file == gone
    assert str(gone) in str(caught.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A folder in the place of the file is told as one."""
    with pytest.raises(ConfigUnreadable, match="it is a folder"):
        load_config(tmp_path)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without the right to read it is an error with the cure, never silently the defaults."""
    file = write(tmp_path / "etc" / "muggins.toml", "")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(ConfigUnreadable, match="chmod") as caught:
        load_config(environ={}, root=tmp_path)
    assert caught.value.file == file


def test_a_folder_that_may_not_be_looked_into_is_no_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot even be seen whether the file is there, it counts as there."""

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "lstat", refused)
    assert find_config(environ={}, root=tmp_path) == tmp_path / "etc" / "muggins.toml"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[strip]\nmax_ma 5", "line 2, column 8"),
        ("[strip]\nmax_ma = 5\nmax_ma = 6", "line 3, column 11"),
        ("[strip", "line 1, column 7"),
        ("a = '''\n\n", "line 3, column 1"),
    ],
)
def test_what_is_no_toml_is_one_fault_with_its_place(text: str, place: str) -> None:
    """A file that is no TOML has one fault, and it says line and column."""
    with pytest.raises(ConfigError) as caught:
        parse_config(text.encode())
    (only,) = caught.value.faults
    assert only.path == place
    assert "no TOML" in only.message


def test_what_is_not_utf8_is_one_fault_with_its_line() -> None:
    """A file in another encoding has one fault, which names the byte, its line and the cure."""
    with pytest.raises(ConfigError) as caught:
        parse_config("[table]\nnames = ['Zoë', 'Bob']".encode("latin-1"))
    (only,) = caught.value.faults
    assert only.path == "line 2"
    assert "0xeb" in only.message
    assert "save the file as UTF-8" in only.message


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "x = " + "[" * 100_000, "#" * 1_000_001])
def test_a_file_made_to_break_the_reader_is_told(text: str) -> None:
    """A number too long, brackets too deep or a file too large end in one fault, not in another error."""
    with pytest.raises(ConfigError) as caught:
        parse_config(text.encode())
    assert len(caught.value.faults) == 1


def test_a_fault_says_in_which_file(tmp_path: Path) -> None:
    """The message of a faulty file begins with its name."""
    file = write(tmp_path / "a.toml", "[board]\nblink = 3")
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert str(caught.value).startswith(f"{file}: board.blink: ")
    assert not isinstance(caught.value, ConfigUnreadable)
