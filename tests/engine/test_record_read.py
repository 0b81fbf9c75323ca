"""Reading a record: what is understood, and what every refusal says."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import events as did
from engine.cards import parse_card
from engine.errors import CribbageError
from engine.record_read import Step, steps
from engine.record_words import LONGEST_LINE, RecordError, split
from engine.record_write import write
from engine.replay import replay
from engine.state import State

HEAD = "crib 1\ngame six-card\nrules modern\nplayers Ann Bob\n"
STARTED = HEAD + "deal Bob\nstarter 2H\n"


def read(record: str | bytes) -> list[Step]:
    return list(steps(record))


def state(record: str | bytes) -> State:
    return read(record)[-1].after


def refused(record: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read(record)
    return caught.value


def fault(record: str) -> RecordError | None:
    try:
        assert list(replay(record))[-1]["event"] == "end"
    except RecordError as error:
        return error
    return None


def test_comments_blanks_and_line_ends_mean_nothing() -> None:
    """Comments at a line's start or after a blank, empty lines, tabs, CRLF and a byte order mark change nothing."""
    plain = STARTED + "play Ann 4S\n"
    fancy = "\ufeff# a dispute\n\ncrib 1 # version\r\ngame\tsix-card\n  rules modern#\n".replace("modern#", "modern #")
    fancy += "players Ann Bob\ndeal Bob\n#\nstarter 2H\n\n   play  Ann   4S   # the lead"
    assert state(fancy) == state(plain)
    assert state(fancy.encode()) == state(plain)


def test_words_codes_and_names_are_case_blind() -> None:
    """Words, codes and names may be typed in any case; names are printed as the head gives them."""
    loud = "CRIB 1\nGame SIX-CARD\nRULES Modern\nPLAYERS Ann Bob\nDEAL bob\nSTARTER 2h\nPLAY ANN 10s\n"
    assert state(loud) == state(STARTED + "play Ann TS\n")
    assert next(replay(loud))["player"] == "Ann"


def test_quoted_names_hold_blanks_and_hashes() -> None:
    """A name in quotation marks may hold blanks and a #; a # inside a word is part of it."""
    record = 'crib 1\ngame six-card\nrules modern\nplayers "Ann # Lee" B#b\ndeal b#B\nstarter 2H\nplay "ann # lee" 4S\n'
    assert state(record).names == ("Ann # Lee", "B#b")
    assert state(record).deal is not None


def test_a_card_in_the_play_may_lack_its_suit() -> None:
    """In the play a rank alone is a card and pegs as one; the hand shown after it must hold that rank."""
    ranks = zip(["Ann", "Bob"] * 4, ["4S", "2", "3", "A", "5", "2", "4", "3"], strict=True)
    record = STARTED.replace("2H", "QS") + "".join(f"play {name} {rank}\n" for name, rank in ranks)
    assert state(record).scores == (15, 10)
    assert state(record + "show Ann 4C 3D 4S 5C\n").scores == (25, 10)
    assert "not all known" in str(refused(record + "show Ann\n"))
    assert "Ann played 5" in str(refused(record + "show Ann 4C 3D 4S 6C\n"))
    assert "Ann played 4S" in str(refused(record + "show Ann 4C 3D 4D 5C\n"))


def test_a_bare_rank_takes_what_the_suited_cards_leave() -> None:
    """A rank laid without its suit may be any card of that rank in the hand but those laid with theirs."""
    record = STARTED + "hand Ann 2\nhand Bob 1\nplay Ann 5\nplay Bob 9D\nplay Ann 5S\n"
    record = record.replace("starter 2H\nhand Ann 2\nhand Bob 1\n", "hand Ann 2\nhand Bob 1\nstarter 2H\n")
    assert state(record + "show Ann 5S 5H\n").deal is not None


def test_the_head_sets_the_table() -> None:
    """The last hole, muggins, levels for all and for one side, and the holes pegged are taken from the head."""
    record = (
        "crib 1\nreferee call\ndate 2026-11-30\nreferee Bob teach\nto 61\nmuggins off\n" + HEAD[7:] + "start 3 60\n"
    )
    table = state(record)
    assert (table.rules.target, table.muggins, table.levels, table.scores) == (61, False, ("call", "teach"), (3, 60))
    awards = [line for line in replay(record) if line["event"] == "award"]
    assert [(line["line"], line["player"], line["why"]) for line in awards] == [
        (10, "Ann", [{"kind": "start", "points": 3}]),
        (10, "Bob", [{"kind": "start", "points": 60}]),
    ]


def test_a_leap_day_is_a_date() -> None:
    """The last day of a leap year's February is a date."""
    assert read(HEAD + "date 2028-02-29\n")


def test_partners_start_by_side() -> None:
    """With partners the holes already pegged are given by side, and scores are printed by side."""
    record = "crib 1\ngame four-handed\nrules foster\nplayers Ann Bob Cal Dee\nstart 10 20\n"
    assert list(replay(record))[-1]["scores"] == {"Ann & Cal": 10, "Bob & Dee": 20}


def test_a_level_changed_in_the_body() -> None:
    """``referee`` in the body changes the level from there on, for one side or for all."""
    assert state(HEAD + "deal Bob\nreferee Ann off\n").levels == ("off", "flag")
    assert state(HEAD + "deal Bob\nreferee call\n").levels == ("call", "call")


BAD_HEADS = [
    ("", 1, 1, "crib 1"),
    ("game six-card\n", 1, 1, "crib 1"),
    ("crib 2\n", 1, 6, "crib 2"),
    ("crib\n", 1, 5, "version"),
    ("crib 1\ngame six-card\nrules modern\ndeal Ann\n", 4, 1, "players"),
    ("crib 1\ngame six-card\n", 2, 1, "no rules and no players"),
    ("crib 1\ngame six-cards\n", 2, 6, "did you mean six-card?"),
    ("crib 1\ngame six-card\nrules modren\n", 3, 7, "did you mean modern?"),
    ("crib 1\ngame six-card\nrules modern\nplayers Ann ANN\n", 4, 13, "twice"),
    ("crib 1\ngame six-card\nrules modern\nplayers Ann Bob Cal\n", 4, 17, "six-card is for 2 players"),
    ("crib 1\ngame six-card\nrules modern\nplayers Ann\n", 4, 9, "six-card is for 2 players"),
    ('crib 1\ngame six-card\nrules modern\nplayers Ann "Bo b\n', 4, 13, "closing quotation mark"),
    ('crib 1\ngame six-card\nrules modern\nplayers Ann "Bo"b\n', 4, 17, "expected a blank"),
    (HEAD + "game six-card\n", 5, 1, "line 2"),
    (HEAD + "gane six-card\n", 5, 1, "did you mean game?"),
    (HEAD + "to 0\n", 5, 4, "last hole"),
    (HEAD + "to many\n", 5, 4, "last hole"),
    (HEAD + "muggins maybe\n", 5, 9, "on, off"),
    (HEAD + "date 2026-13-01\n", 5, 6, "2026-11-30"),
    (HEAD + "date 20261130\n", 5, 6, "2026-11-30"),
    (HEAD + "date 2026-02-29\n", 5, 6, "2026-11-30"),
    (HEAD + "start 1\n", 5, 7, "one a player"),
    (HEAD + "start 1 121\n", 5, 9, "0 to 120"),
    (HEAD + "referee Ann tech\n", 5, 13, "did you mean teach?"),
    (HEAD + "referee Anne teach\ndeal Bob\n", 5, 9, "did you mean Ann?"),
]


@pytest.mark.parametrize(("record", "line", "column", "words"), BAD_HEADS)
def test_a_head_that_cannot_be_read(record: str, line: int, column: int, words: str) -> None:
    """A fault in the head is malformed, at its line and column, and says what was expected."""
    error = refused(record)
    assert (error.line, error.column, error.exit_code) == (line, column, 2)
    assert words in str(error)


def test_a_book_without_that_game_is_refused_by_name() -> None:
    """A rule book and a game that do not go together are forbidden, naming both."""
    error = refused("crib 1\ngame seven-card\nrules acc\nplayers Ann Bob\n")
    assert (error.line, error.exit_code) == (3, 1)
    assert "acc has no seven-card game" in str(error)


UNREADABLE = [
    ("paly Ann 4S", 1, "did you mean play?"),
    ("play Ann 11C", 10, "'11C' is no card"),
    ("play Ann 4X", 10, "'4X' is no card"),
    ("play Ann", 9, "expected a card"),
    ("play Anna 4S", 6, "did you mean Ann?"),
    ("play Ann 4S peg", 16, "points claimed"),
    ("play Ann 4S peg -1", 17, "points claimed"),
    ("play Ann 4S peg 1000", 17, "up to 999"),
    ("play Ann 4S 5S", 13, "end of the line"),
    ("play Ann 4S pge 2", 13, "end of the line"),
    ("show Ann 4S 4s 4C 5C", 13, "twice"),
    ("show Ann 4S 3D 4C", 6, "3 cards"),
    ("show Ann 4 3D 4C 5C", 10, "'4' is no card"),
    ("game six-card", 1, "in the head"),
    ("muggins on", 1, "in the head"),
    ("muggins Bob two", 13, "points called"),
    ("muggins Bob 2 on Ann", 21, "hand or crib or card or go"),
    ("penalty Ann 2", 14, "reason"),
    ("peg Ann +2", 9, "points"),
    ("peg Ann 0", 9, "0 points"),
    ("hand Ann 9", 10, "1 to 8"),
    ('"play" Ann 4S', 1, "found 'play'"),
    ("void now", 6, "end of the line"),
]


@pytest.mark.parametrize(("line", "column", "words"), UNREADABLE)
def test_a_line_that_cannot_be_read(line: str, column: int, words: str) -> None:
    """A line that cannot be read is malformed at its column, says what was expected, and names the position."""
    error = refused(STARTED + line + "\n")
    assert (error.line, error.exit_code) == (7, 2)
    assert words in str(error)
    assert "Bob deals, count 0, Ann's turn" in str(error)
    assert error.column == column


FORBIDDEN = [
    ("play Bob 4S", "out of turn for Bob: it is Ann's turn"),
    ("play Ann 2H", "2H is the starter"),
    ("go Ann", "no go at 0"),
    ("starter 3H", "it is 2H"),
    ("deal Bob", "not counted to its end"),
    ("show Ann", "not all known"),
    ("show Bob 4S 3D 4C 5C", "Ann's hand is counted before Bob's"),
    ("crib Bob 4S 3D 4C 5C", "after the hands"),
    ("accept", "no claim is open"),
    ("muggins Bob 2", "nothing open to call"),
    ("muggins Bob 2 many", "by the book modern"),
    ("cards Ann 4S 3D 4C 5C", "no call waits"),
    ("peg Ann -1", "Ann has pegged 0"),
]


@pytest.mark.parametrize(("line", "words"), FORBIDDEN)
def test_a_line_that_the_rules_forbid(line: str, words: str) -> None:
    """A line against the rules is forbidden, says why, and names the position."""
    error = refused(STARTED + line + "\n")
    assert (error.line, error.exit_code) == (7, 1)
    assert words in str(error)
    assert "Bob deals, count 0, Ann's turn" in str(error)


def test_a_line_after_the_end_is_forbidden() -> None:
    """After the winning award, and after ``stop``, no line may follow."""
    won = HEAD + "start 120 0\ndeal Bob\npeg Ann 1\n"
    assert refused(won + "peg Ann 1\n").line == 8
    assert refused(won + "accept\n").exit_code == 1
    assert refused(HEAD + "deal Bob\nstop\nvoid\n").exit_code == 1


def test_the_deal_passes() -> None:
    """The wrong dealer is refused, naming whose deal it is."""
    record = STARTED + "show Ann 4S 3D 4C 5C\nshow Bob 2D AH 2S 3C\ncrib Bob JD JS TD AS\ndeal Bob\n"
    error = refused(record)
    assert (error.line, error.column, error.exit_code) == (10, 6, 1)
    assert "it is Ann's deal" in str(error)


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"crib 1\ngame \xff\n", 2, "UTF-8"),
        ("crib 1\n".encode("utf-16"), 1, "UTF-8"),
        (b"crib 1\nga\0me six-card\n", 2, "NUL"),
        (b"crib 1\n" + b"x" * (LONGEST_LINE + 1), 2, f"{LONGEST_LINE}"),
    ],
)
def test_damage_is_one_clear_error(data: bytes, line: int, words: str) -> None:
    """Bytes that are no text, a NUL and a line past all measure are each one malformed line."""
    error = refused(data)
    assert (error.line, error.exit_code) == (line, 2)
    assert words in str(error)


WORDS = "crib 1|game six-card|rules modern|rules acc|players Ann Bob|deal Bob|deal Ann|starter 2H|starter JS peg 2"
MORE = "play Ann 4S|play Bob 4D peg 2|go Ann|hand Ann 3|show Ann 4S 3D 4C 5C peg 8|show Ann peg 8|show Bob"
CALLS = (
    "crib Bob void|accept|stop|muggins Bob 2|muggins Bob 2 many on Ann hand agreed|cards Ann 4S 3D 4C 5C|peg Ann 3|void"
)


@given(
    st.lists(st.sampled_from("|".join((WORDS, MORE, CALLS, "referee call|start 118 3")).split("|")), max_size=30),
    st.booleans(),
)
def test_lines_in_any_order_never_break_the_reader(lines: list[str], headed: bool) -> None:
    """Whatever lines follow whatever lines, the answer is a replay or one RecordError at one of them."""
    record = (HEAD if headed else "") + "\n".join(lines)
    error = fault(record)
    if error is not None:
        assert 1 <= error.line <= record.count("\n") + 1
        assert error.exit_code in (1, 2)


@given(st.one_of(st.text(max_size=60), st.text(alphabet='aA4S "#\t\r\x00', max_size=40)))
def test_any_text_is_words_or_one_error(text: str) -> None:
    """Any line is cut into words that stand where their columns say, or is one RecordError."""
    line = text.replace("\n", " ")
    with suppress(RecordError):
        words = split(1, line, "no game")
        for word in words:
            start = word.column if word.quoted else word.column - 1
            assert line[start : start + len(word.text)] == word.text


@given(st.binary(max_size=80))
def test_any_bytes_are_refused_in_one_error(data: bytes) -> None:
    """Bytes that are no record end in one RecordError and nothing else."""
    with pytest.raises(RecordError):
        read(b"crib 1\n" + data)


def test_levels_before_the_first_deal_are_the_heads() -> None:
    """A level changed before the first deal is written in the head, and read back as the level of the opening."""
    opened = read(HEAD)[0].event
    text = write([opened, did.LevelSet("call", None), did.LevelSet("off", 1), did.DealBegun(1)])
    assert text.splitlines()[6:] == ["referee call", "referee Bob off", "deal Bob"]
    assert state(text).levels == ("call", "off")


def test_a_claim_made_after_its_card_stands_with_theparse_card() -> None:
    """A claim keyed after its card, and heels claimed after the starter, are written on the line they belong to."""
    opened = read(HEAD + "referee off\n")[0].event
    heels = [did.DealBegun(1), did.StarterTurned(parse_card("JH"), None), did.CardClaimed(1, 2)]
    played = [
        did.CardPlayed(0, parse_card("5S"), None),
        did.CardPlayed(1, parse_card("TS"), None),
        did.CardClaimed(1, 2),
    ]
    lines = write([opened, *heels, *played]).splitlines()
    assert lines[-3:] == ["starter JH peg 2", "play Ann 5S", "play Bob TS peg 2"]


def test_what_only_the_board_needs_is_not_written() -> None:
    """Cuts, a starter skipped, the end of a play kept by numbers and cards keyed one by one leave no line."""
    opened = read(HEAD)[0].event
    silent = [did.CutMade(0, parse_card("4S")), did.StarterSkipped(), did.PlayEnded(), did.CardTurned(parse_card("5S"))]
    assert write([opened, *silent]) == write([opened])


def test_a_record_begins_with_an_opened_game() -> None:
    """Events that open no game cannot be written."""
    with pytest.raises(TypeError):
        write([did.DealBegun(1)])


def test_every_refusal_is_a_value_error() -> None:
    """A RecordError is a CribbageError and a ValueError, with the message, the line and the column."""
    error = refused("crib 2\n")
    assert isinstance(error, CribbageError)
    assert isinstance(error, ValueError)
