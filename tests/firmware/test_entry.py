"""What is being typed: keys become numbers, cards and commands."""

from __future__ import annotations

import pytest

from engine.errors import Malformed
from firmware.entry import Command, Enter, Number, Star, Suited, feed, known_key, split_keys

RANKS = {
    "1": "A",
    "2": "2",
    "9": "9",
    "10": "T",
    "0": "T",
    "11": "J",
    "12": "Q",
    "13": "K",
}


@pytest.mark.parametrize(("digits", "rank"), RANKS.items())
@pytest.mark.parametrize(("key", "suit"), [(0, "S"), (1, "H"), (2, "C"), (3, "D")])
def test_number_and_suit_key_is_a_card(digits: str, rank: str, key: int, suit: str) -> None:
    """A number and a suit key say a card: 1 the ace, 11 to 13 the court cards, 0 or 10 the ten."""
    assert str(Suited(digits, key).card()) == rank + suit


@pytest.mark.parametrize("digits", ["14", "99", "00"])
def test_numbers_past_the_king_are_no_card(digits: str) -> None:
    """A number that no card has is refused, saying which numbers the court cards are."""
    with pytest.raises(Malformed, match="11 jack, 12 queen, 13 king"):
        Suited(digits, 0).card()


def test_third_digit_is_refused_and_what_was_typed_stays() -> None:
    """A third digit is refused; the refusal quotes it and says how to erase."""
    with pytest.raises(Malformed, match=r"123: two digits at most\. \* erases"):
        feed("12", "3")


def test_star_erases_what_is_typed_before_it_offers_anything() -> None:
    """``*`` erases a number being typed; with nothing typed it is a key of its own."""
    assert feed("12", "*") == ("", None)
    assert feed("", "*") == ("", Star())


def test_number_and_hash_is_a_number_and_hash_alone_is_enter() -> None:
    """``0#`` claims nothing, which is not the same as ``#`` alone."""
    assert feed("0", "#") == ("", Number(0))
    assert feed("", "#") == ("", Enter())


@pytest.mark.parametrize(("key", "place"), [("A", 0), ("B", 1), ("C", 2), ("D", 3)])
def test_suit_key_alone_is_a_command(key: str, place: int) -> None:
    """A suit key with no number is a command."""
    assert feed("", key) == ("", Command(place))


def test_seat_button_is_hash_from_that_seat_and_held_it_is_muggins_from_that_seat() -> None:
    """Tap is ``#`` from that seat, with a number typed too; hold is ``A`` from that seat."""
    assert feed("", "@2") == ("", Enter(1))
    assert feed("8", "@1") == ("", Number(8, 0))
    assert feed("", "hold(@2)") == ("", Command(0, 1))


def test_spade_and_heart_letters_are_the_suit_keys() -> None:
    """S and H stand for the spade and heart keys; C and D are what they are on the keypad, whatever the case."""
    assert [known_key(key) for key in "sShHcd"] == ["A", "A", "B", "B", "C", "D"]


def test_blanks_between_keys_do_not_matter() -> None:
    """A line of keys reads the same with and without blanks."""
    spaced = split_keys(" # 2 # 12 A hold( @2 ) @1\n")
    assert spaced == split_keys("#2#12Ahold(@2)@1") == ["#", "2", "#", "1", "2", "A", "hold(@2)", "@1"]


@pytest.mark.parametrize("junk", ["x", "#2!", "@5", "hold(@0)", "hold(2)", "１", "E", "12Ä"])
def test_what_is_no_key_is_named(junk: str) -> None:
    """A line with something that is no key is refused, quoting it."""
    with pytest.raises(Malformed, match="is no key"):
        split_keys(junk)
