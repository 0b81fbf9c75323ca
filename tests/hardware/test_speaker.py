"""The real voice driver on a program that stands in for espeak-ng: words in, processes out, faults with their cures."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hardware.speaker
from hardware.errors import PartError, PartFailed, PartMissing
from hardware.simulated.speaker import Fault, SimulatedSpeaker
from hardware.simulated.voice_program import VoiceProgram
from hardware.speaker import EspeakSpeaker

PATIENCE_S = 30.0


@pytest.fixture
def program(tmp_path: Path) -> VoiceProgram:
    """A program with nothing wrong."""
    return VoiceProgram(tmp_path)


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at 0."""
    return Clock()


@pytest.fixture
def speaker(program: VoiceProgram, clock: Clock, tmp_path: Path) -> Iterator[EspeakSpeaker]:
    """The driver on that program."""
    one = EspeakSpeaker(str(program.path), clock=clock, devices=tmp_path / "snd")
    yield one
    one.close()


def end(speaker: EspeakSpeaker) -> bool:
    """Wait for the process to end by itself, then ask whether it was heard."""
    process = speaker._process
    assert process is not None
    process.wait(PATIENCE_S)
    return speaker.poll()


def heard(speaker: EspeakSpeaker) -> bool:
    """Say something, and ask whether it was heard."""
    speaker.say("one", 170, "en-us")
    return end(speaker)


def sounding(speaker: EspeakSpeaker, program: VoiceProgram, text: str) -> int:
    """Say it by a program that does not come to an end; its process number once it has read its words."""
    program.fail(Fault.HANGS)
    before = len(program.said)
    speaker.say(text, 170, "en-us")
    process = speaker._process
    assert process is not None
    while len(program.said) == before:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
    return process._process.pid  # type: ignore[attr-defined,no-any-return]


def gone(pid: int) -> bool:
    """Whether there is no such process any more, not even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_rate_and_voice_are_words_of_the_command_and_the_text_is_none(
    speaker: EspeakSpeaker, program: VoiceProgram
) -> None:
    """What is said goes in by standard input: text that looks like an option or a file is only said."""
    for text in ("five of hearts", "--help", "-v", "-f /etc/passwd", "box; rm -rf x `id` $HOME", "Zoë's box"):
        speaker.say(text, 145, "en-gb")
        assert end(speaker)
    assert program.said == ["five of hearts", "--help", "-v", "-f /etc/passwd", "box; rm -rf x `id` $HOME", "Zoë's box"]
    assert set(program.calls) == {"-b 1 -z -s 145 -v en-gb --stdin"}


@pytest.mark.parametrize(("asked", "given"), [(0, 120), (120, 120), (350, 350), (10**6, 350)])
def test_a_rate_is_held_to_what_can_be_understood(
    speaker: EspeakSpeaker, program: VoiceProgram, asked: int, given: int
) -> None:
    """However fast it is asked for, it speaks 120 to 350 words a minute."""
    speaker.say("one", asked, "en-us")
    assert end(speaker)
    assert f"-s {given} " in program.calls[-1]


def test_a_new_utterance_cuts_the_one_before_and_leaves_no_zombie(
    speaker: EspeakSpeaker, program: VoiceProgram
) -> None:
    """The first process is killed and reaped before the second begins."""
    first = sounding(speaker, program, "first")
    second = sounding(speaker, program, "second")
    assert gone(first)
    assert not gone(second)
    assert program.said == ["first", "second"]


def test_hush_ends_the_voice_at_once_and_is_no_fault(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """Hushed, nothing sounds, nothing is left behind and nobody is told of anything; harmless twice."""
    pid = sounding(speaker, program, "first")
    speaker.hush()
    assert gone(pid)
    assert speaker.poll() is False
    speaker.hush()


def test_close_ends_it_for_good(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """A closed speaker has no process and begins none; closing twice is harmless."""
    pid = sounding(speaker, program, "first")
    speaker.close()
    speaker.close()
    assert gone(pid)
    with pytest.raises(PartFailed, match="open it again"):
        speaker.say("second", 170, "en-us")


def test_a_voice_that_has_ended_is_reaped_and_heard_once(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """poll says once that an utterance ended well; its process is gone."""
    assert speaker.poll() is False
    speaker.say("one", 170, "en-us")
    assert end(speaker) is True
    assert gone(program.pid)
    assert speaker.poll() is False


FAULTS = [
    (Fault.NO_CARD, PartFailed, "no sound card. Plug in a USB sound card or speaker"),
    (Fault.BUSY, PartFailed, "another program uses the sound card. Close that program"),
    (Fault.NO_PROGRAM, PartMissing, "no espeak-ng. Install it: sudo apt install espeak-ng"),
]


@pytest.mark.parametrize(("fault", "kind", "cure"), FAULTS)
def test_a_voice_that_nobody_hears_says_why_and_what_to_do(
    speaker: EspeakSpeaker, program: VoiceProgram, fault: Fault, kind: type[PartError], cure: str
) -> None:
    """espeak-ng ends well where it finds no card: what it writes of it counts, and each cause has its cure."""
    program.fail(fault)
    with pytest.raises(kind, match=cure):
        heard(speaker)
    with pytest.raises(kind, match=cure):
        speaker.try_out()
    program.mend()
    speaker.try_out()
    assert "-a 0 " in program.calls[-1]


@pytest.mark.parametrize("model", ["Raspberry Pi 4 Model B Rev 1.4\0", "Some Laptop\0", None])
def test_only_on_a_pi_is_its_own_sound_advised(program: VoiceProgram, tmp_path: Path, model: str | None) -> None:
    """Without a sound card config.txt is named on a Raspberry Pi, and nowhere else."""
    if model is not None:
        (tmp_path / "model").write_text(model)
    speaker = EspeakSpeaker(str(program.path), devices=tmp_path / "snd", model=tmp_path / "model")
    program.fail(Fault.NO_CARD)
    with pytest.raises(PartFailed) as told:
        speaker.try_out()
    assert ("config.txt" in str(told.value)) == ("Raspberry" in (model or ""))


def test_a_user_who_may_not_use_the_card_is_told_the_group(
    speaker: EspeakSpeaker, program: VoiceProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that is there and may not be opened looks absent to espeak-ng; the cure is the group audio."""
    (tmp_path / "snd").mkdir()
    (tmp_path / "snd" / "controlC0").touch()
    monkeypatch.setattr(hardware.speaker.os, "access", lambda path, mode: False)
    program.fail(Fault.NO_CARD)
    with pytest.raises(PartFailed, match="-aG audio"):
        speaker.try_out()


def test_all_that_a_program_has_started_ends_with_it(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """A script in the place of espeak-ng that starts others: hushed, those are gone as well."""
    os.mkfifo(program.folder / "held")
    reader = os.open(program.folder / "held", os.O_RDONLY | os.O_NONBLOCK)
    program.path.write_text(f"#!/bin/sh\ncd {program.folder}\n(exec >held; touch begun; exec sleep 20) &\nwait\n")
    speaker.say("one", 170, "en-us")
    while not (program.folder / "begun").exists():
        assert speaker.poll() is False
    speaker.hush()
    assert select.select([reader], [], [], 10)[0]  # nobody holds the other end any more
    os.close(reader)


def test_what_the_program_says_is_cut_to_one_printable_line(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """A fault in the program's own words is shown in a few of them, without what moves a terminal's cursor."""
    (program.folder / "errors").write_bytes(b"error: Odd\x1b[2J\0 " + b"x" * 3000 + b"\n")
    speaker.say("one", 170, "en-us")
    with pytest.raises(PartFailed, match=r"Odd \[2J x+\.\.\.\. Try it: espeak-ng hello") as fault:
        end(speaker)
    assert str(fault.value).isprintable()
    assert len(str(fault.value)) < 300


@pytest.mark.parametrize(("written", "cure"), [("error: Odd\n", "Odd. Try it: espeak-ng hello"), ("x" * 200_000, "")])
def test_only_its_own_errors_count(speaker: EspeakSpeaker, program: VoiceProgram, written: str, cure: str) -> None:
    """Whatever the sound library writes, and however much, is no fault; a line of espeak-ng's own is."""
    (program.folder / "errors").write_text(written)
    speaker.say("one", 170, "en-us")
    if not cure:
        assert end(speaker)
        return
    with pytest.raises(PartFailed, match=cure):
        end(speaker)


def test_a_voice_that_hangs_is_ended(speaker: EspeakSpeaker, program: VoiceProgram, clock: Clock) -> None:
    """Many times as long as its words take at their rate, it is given up: killed, reaped, told."""
    pid = sounding(speaker, program, "one two three")
    assert speaker.poll() is False
    clock.now = 60.0
    with pytest.raises(PartFailed, match="hangs"):
        speaker.poll()
    assert gone(pid)


def test_a_program_that_dies_by_itself_is_told(speaker: EspeakSpeaker, program: VoiceProgram) -> None:
    """A voice that crashes is a fault, a voice that was cut is none."""
    pid = sounding(speaker, program, "one")
    os.kill(pid, signal.SIGSEGV)
    with pytest.raises(PartFailed, match="ended with -11"):
        end(speaker)


def test_what_cannot_be_run_is_told(tmp_path: Path) -> None:
    """A program without the right to run names the cure."""
    (tmp_path / "espeak-ng").write_text("")
    with pytest.raises(PartFailed, match="--reinstall espeak-ng"):
        EspeakSpeaker(str(tmp_path / "espeak-ng")).say("one", 170, "en-us")


@pytest.mark.parametrize(("fault", "kind", "cure"), FAULTS)
def test_the_simulated_card_fails_as_the_real_one_does(fault: Fault, kind: type[PartError], cure: str) -> None:
    """The simulated speaker's faults are told in the same words."""
    speaker = SimulatedSpeaker(lambda: 0.0)
    speaker.card.fault = fault
    with pytest.raises(kind, match=cure):
        heard(speaker)


def test_without_a_program_the_simulated_card_keeps_the_words(monkeypatch: Any) -> None:
    """Where nothing can be rendered the words are heard all the same, in silence."""
    monkeypatch.setenv("PATH", "")
    speaker = SimulatedSpeaker(lambda: 0.0)
    speaker.say("five of hearts", 170, "en-us")
    assert [(one.text, len(one.samples)) for one in speaker.card.heard] == [("five of hearts", 0)]
    assert speaker.poll() is True
    with pytest.raises(LookupError, match="espeak-ng"):
        speaker.card.record(Path("nowhere.wav"))
