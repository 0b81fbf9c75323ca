"""What is said aloud, and when: the key, the news, what is asked; nothing twice that stands, nothing that is sealed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from firmware.entry import split_keys
from firmware.hands import KEYPAD, Presser
from firmware.speech import utterance
from firmware.talk import Saying, Talk
from firmware.view import RATES, Noticed, Preferences

DEAL = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"


def said(table: Any, keys: str) -> list[str | None]:
    """What is said of each of these keys."""
    told = []
    for key in split_keys(keys):
        before = table.view
        table.press(key)
        told.append(utterance(before, table.view, key))
    return told


def last(table: Any, keys: str) -> str | None:
    """What is said of the last of these keys."""
    return said(table, keys)[-1]


def test_each_key_is_echoed_by_its_name(table: Any) -> None:
    """Digits, hash, star and the suit keys are named at once; a number erased is said to be."""
    table.press("# 2# 12A")
    assert said(table, "1 2") == ["one.", "two."]
    assert said(table, "*") == ["erased."]
    heard = said(table, "# * A B")
    assert [(one or "").partition(".")[0] for one in heard] == ["hash", "star", "spades", "hearts"]


def test_a_card_is_named_when_its_suit_key_completes_it(table: Any) -> None:
    """The card first, then the award in the words of the table, the new score, and who is to act."""
    assert last(table, "# 2# 12A 7C 8 D") == ("eight of diamonds. Bob: fifteen for two. Bob 2. Count 15. Ann plays.")


def test_a_number_and_a_seat_is_no_card(new_table: Callable[..., Any]) -> None:
    """Where a number and a suit key peg points for a seat, the key is named and no card."""
    assert (last(new_table(entry="points"), "# 2# # 2A") or "").startswith("spades. Ann")
    assert (last(new_table(), "# 2# 12A B1#2B") or "").startswith("hearts. Bob")
    assert (last(new_table(), "# 2# 12A 99A") or "").startswith("spades. ")


def test_a_refusal_comes_before_what_is_asked_and_again_each_time(table: Any) -> None:
    """A refused key says why, and what is wanted; pressed again it says so again."""
    table.press("# 2# 12A 7C")
    refused = "hash. no go at 7: every card fits at 21 or less. Play a card. Count 7. Bob plays."
    assert said(table, "# #") == [refused, refused]


def test_what_stands_unchanged_is_not_said_again(table: Any) -> None:
    """A digit says itself alone; a score that has not moved, the levels and the last card stay unsaid."""
    table.press("# 2# 12A 7C 8D")
    assert said(table, "9") == ["nine."]
    heard = last(table, "A") or ""
    assert "Bob 2" not in heard
    assert "Referee" not in heard
    assert "Last card" not in heard


def test_back_from_an_overlay_what_is_asked_is_said(table: Any) -> None:
    """Leaving a screen that lay over the game tells where the game stands."""
    table.press("# 2# 12A 7C")
    assert said(table, "D *") == [
        "diamonds. Ann 0, 121 to go. Bob 0, 121 to go. Bob's crib. Starter queen of spades. Count 7. Bob's turn.",
        "star. Count 7. Bob plays.",
    ]


def test_pages_of_a_text_said_whole_are_not_repeated(table: Any) -> None:
    """Turning the pages of a long notice says the key alone: it was read out whole."""
    table.press("# 2# 12A")
    before = table.view
    table.board.tell(Noticed.FAULT, "the screen is gone: look at its four wires, then at the settings of its bus")
    assert utterance(before, table.view) == (
        "the screen is gone: look at its four wires, then at the settings of its bus. Count 0. Ann plays."
    )
    assert table.lines[-1] == "# more"
    assert said(table, "#") == ["hash."]


def test_a_line_of_the_set_up_is_said_as_its_number_is_typed(table: Any) -> None:
    """In the set-up a digit says the choice it names and what it would become, and the agreement when it is taken."""
    assert said(table, "3") == ["three. 3, game hole: now 121. Hash makes it 61."]
    assert "to 61" in (last(table, "* 3 #") or "")


def test_a_seats_button_is_echoed_by_its_players_name(table: Any) -> None:
    """A button is its player."""
    table.press("# 2# 12A 7C")
    assert (last(table, "@2") or "").startswith("Bob. no go at 7")
    assert (last(table, "hold(@1)") or "").startswith("Ann holds. ")


def test_a_card_keyed_for_a_dispute_is_not_named(new_table: Callable[..., Any]) -> None:
    """While a hand is sealed the card keyed is only a card, whichever it is."""
    heard = []
    for card in ("9C", "13D"):
        table = new_table(entry="points", level="call", book="acc").press("# 2# 12A # 8# A 2# *")
        assert table.view.public.sealed
        table.press(card[:-1])
        heard.append(said(table, card[-1]))
    assert heard[0] == heard[1]
    assert (heard[0][0] or "").startswith("a card.")


def test_the_report_of_an_act_that_ends_the_game_comes_before_the_winner(table: Any) -> None:
    """The award that reaches the last hole is told, then who wins."""
    heard = last(table, "# 2# B1#99A B1#21A 12A 4A 2D 3D") or ""
    assert heard.startswith("three of diamonds. Ann: nine, a run of three for")
    assert heard.index("a run of three") < heard.index("Ann wins, 121 to 0")


class Ear:
    """Hears what is offered to the speaker."""

    def __init__(self, table: Any, language: Any = "en-US") -> None:
        self.table = table
        self.heard: list[Saying | None] = []
        self.talk = Talk(language, self.heard.append)
        self.talk.follow(table.view)

    def press(self, keys: str) -> Ear:
        for key in split_keys(keys):
            self.table.press(key)
            self.talk.follow(self.table.view, key)
        return self


def test_nothing_is_offered_until_speech_is_switched_on_in_the_menu(table: Any) -> None:
    """The menu's seventh line switches speech on and off: silence at once."""
    ear = Ear(table).press("# 2# 12A D D")
    assert ear.heard == []
    ear.press("7#")
    assert ear.heard == [Saying("hash. 7 speech on. 8 words/min 170. 9 page by phone.", 170, "en-us")]
    ear.press("7#")
    assert ear.heard[-1] is None
    count = len(ear.heard)
    ear.press("*")
    assert len(ear.heard) == count


def test_the_menu_steps_through_the_rates_and_round_again(table: Any) -> None:
    """Line eight takes the next faster rate, from the fastest the slowest; it is in words a minute from then on."""
    ear = Ear(table).press("# 2# 12A D D 7#")
    rates = []
    for _ in RATES:
        ear.press("8#")
        assert ear.heard[-1] is not None
        rates.append(ear.heard[-1].rate)
    assert sorted(rates) == sorted(RATES)
    assert (min(rates), max(rates)) == (120, 350)
    assert rates == [*(rate for rate in RATES if rate > 170), *(rate for rate in RATES if rate <= 170)]


def test_rate_and_switch_are_remembered(table: Any) -> None:
    """A board that was told to speak speaks when it is started again."""
    table.press("# 2# D D 7# 8#").reopen()
    assert (table.view.preferences.speech, table.view.preferences.rate) == (True, 200)


def test_speech_follows_the_language(new_table: Callable[..., Any]) -> None:
    """A British board says box, in a British voice."""
    for language, voice, word in (("en-GB", "en-gb", "Bob's box"), ("en-US", "en-us", "Bob's crib")):
        table = new_table()
        table.board._preferences = Preferences(speech=True)
        table.board._view = None
        ear = Ear(table, language).press("# 2# 12A D")
        assert ear.heard[-1] is not None
        assert ear.heard[-1].voice == voice
        assert word in ear.heard[-1].text


def test_a_page_without_a_speaker_is_told_the_same_words(table: Any) -> None:
    """With speech off, what was said last is kept for the page all the same."""
    ear = Ear(table).press("# 2# 12A 7C 8D")
    assert ear.talk.said == "eight of diamonds. Bob: fifteen for two. Bob 2. Count 15. Ann plays."
    assert ear.heard == []


def test_an_utterance_is_a_function_of_its_moments(table: Any) -> None:
    """The same two moments and key say the same, whatever the time."""
    before = table.press("# 2# 12A 7").view
    after = table.press("C").view
    later = replace(after, pressed_at=after.pressed_at + 99)
    assert utterance(before, after, "C") == utterance(before, later, "C")


def test_each_hands_card_is_named_by_what_that_hand_typed(table: Any) -> None:
    """Two hands type at once: the card that one completes is its own, whatever the other has typed since."""
    table.press("# 2# 12A")
    phone = Presser("phone", None)
    told = []
    for key, by in (("7", phone), ("1", KEYPAD), ("C", phone)):
        before = table.view
        table.board.press(key, 50.0, by, before.moment)
        told.append(utterance(before, table.view, key))
    assert told[:2] == ["seven.", "one."]
    assert (told[2] or "").startswith("seven of clubs. ")
