"""What a replay tells line by line: awards, miscounts, calls, false gos and the end, by level and by book."""

from __future__ import annotations

from typing import Any

import pytest

from engine import intents as want
from engine.book_data import book_from_dict
from engine.decide import decide
from engine.record_read import steps
from engine.record_words import RecordError
from engine.record_write import write
from engine.replay import Line, in_words, replay
from engine.rules import BOOKS, rules_for

ANN = "show Ann 4S 3D 4C 5C"
"""Worth ten with the queen of spades turned up."""
BOB = "show Bob 2D AH 2H 3C"
"""Worth fourteen with it."""
CRIB = "crib Bob JD JS TD AS"
"""Worth nine with it."""


def record(*body: str, book: str = "modern", game: str = "six-card", head: str = "", players: str = "Ann Bob") -> str:
    lines = ["crib 1", f"game {game}", f"rules {book}", f"players {players}", *filter(None, head.split("; ")), *body]
    return "\n".join(lines) + "\n"


def told(text: str) -> list[Line]:
    return list(replay(text))


def moves(text: str) -> list[tuple[Any, ...]]:
    """Each line but the end, shortened: player, points and kinds; or the event with its figures."""
    short: list[tuple[Any, ...]] = []
    for line in told(text)[:-1]:
        if line["event"] == "award":
            short.append((line["player"], line["points"], *(why["kind"] for why in line["why"])))
        elif line["event"] == "miscount":
            short.append((line["verdict"], line["claimed"], line["true"]))
        else:
            short.append(("false-go", line["player"], line["points"], line["to"]))
    return short


def scores(text: str) -> list[int]:
    return list(told(text)[-1]["scores"].values())


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        told(text)
    return caught.value


SHOW = ("deal Bob", "starter QS")


def test_a_miscount_has_its_keys_in_order() -> None:
    """A miscount tells line, player, claim, truth and verdict, in that order."""
    miscount = told(record(*SHOW, ANN + " peg 8"))[1]
    assert list(miscount.items()) == [
        ("line", 7),
        ("event", "miscount"),
        ("player", "Ann"),
        ("claimed", 8),
        ("true", 10),
        ("verdict", "under"),
    ]


def test_count_is_told_in_the_play_only() -> None:
    """An award has the running count for cards and gos, and no such key for heels and shows."""
    body = ("deal Bob", "starter JH", "play Ann TS", "play Bob KD", "play Ann 9D", "go Bob", "go Ann")
    assert [line.get("count") for line in told(record(*body))[:-1]] == [None, 10, 20, 29, 29]
    assert "count" not in told(record(*SHOW, ANN))[0]


def test_go_stands_on_the_line_that_closes_the_count() -> None:
    """The point for go is an award of its own, told on the line of the go or card that closes the count."""
    body = ("deal Bob", "starter 2H", "play Ann TS", "play Bob KD", "play Ann 9D", "go Bob", "go Ann")
    last = told(record(*body))[-2]
    assert (last["line"], last["player"], last["why"]) == (11, "Ann", [{"kind": "go", "points": 1}])


def test_last_is_in_the_award_of_the_last_card() -> None:
    """The point for last stands among the reasons of the last card."""
    body = ("deal Bob", "hand Ann 1", "hand Bob 1", "starter 2H", "play Ann 5S", "play Bob TD")
    assert moves(record(*body))[-1] == ("Bob", 3, "fifteen", "last")


def test_flag_reports_an_over_count_and_puts_it_back() -> None:
    """Under flag an over-count is pegged, told, and put back at once."""
    assert moves(record(*SHOW, ANN + " peg 12")) == [
        ("Ann", 12, "claimed"),
        ("over", 12, 10),
        ("Ann", -2, "over-claim"),
    ]


def test_flag_leaves_an_under_count_to_the_opponent() -> None:
    """Under flag with muggins on an under-count stands, and a call takes what was missed until the next count."""
    under = record(*SHOW, ANN + " peg 8")
    assert moves(under) == [("Ann", 8, "claimed"), ("under", 8, 10)]
    assert moves(under + "muggins Bob 2\n")[-1] == ("Bob", 2, "muggins")
    assert refused(under + BOB + "\nmuggins Bob 2\n").exit_code == 1


def test_flag_without_muggins_mends_or_loses_by_the_book() -> None:
    """With muggins off a flagged under-count is mended by the modern book and lost by the others."""
    assert moves(record(*SHOW, ANN + " peg 8", head="muggins off"))[0][1] == 10
    assert scores(record(*SHOW, ANN + " peg 8", book="onhand")) == [8, 0]


def test_teach_pegs_the_truth_and_tells_the_miscount() -> None:
    """Under teach the true count is pegged whatever was claimed."""
    for claim in (8, 12):
        assert moves(record(*SHOW, f"{ANN} peg {claim}", head="referee teach"))[0][:2] == ("Ann", 10)


def test_off_pegs_claims_alone() -> None:
    """At off only what is claimed is pegged: no heels, no card, no go and no last by the board."""
    body = ("deal Bob", "hand Ann 1", "hand Bob 1", "starter JH", "play Ann 5S", "play Bob TD", "show Ann peg 7")
    assert moves(record(*body, head="referee off")) == [("Ann", 0), ("Bob", 0), ("Ann", 7, "claimed")]
    claimed = [line.replace("TD", "TD peg 3").replace("JH", "JH peg 2") for line in body]
    assert scores(record(*claimed, head="referee off")) == [7, 5]


def test_call_tells_nothing_until_called() -> None:
    """Under call a claim is pegged as claimed, a claim of nothing too, and nothing is told until it is called."""
    right = moves(record(*SHOW, ANN + " peg 12", head="referee call", book="acc"))
    assert right == [("Ann", 12, "claimed")]
    assert moves(record(*SHOW, ANN + " peg 0", head="referee call")) == [("Ann", 0, "claimed")]
    called = record(*SHOW, ANN + " peg 12", "muggins Bob 5 many", head="referee call", book="acc")
    assert moves(called)[1:] == [("over", 12, 10), ("Ann", -2, "over-claim"), ("Bob", 2, "muggins")]


def test_without_a_peg_the_truth_is_pegged_under_call() -> None:
    """Under call a line without ``peg`` is no claim: the true points are pegged and there is nothing to call."""
    text = record(*SHOW, ANN, head="referee call")
    assert scores(text) == [10, 0]
    assert refused(text + "muggins Bob 2\n").exit_code == 1


def test_an_over_count_cannot_be_called_by_the_modern_book() -> None:
    """Under call with the modern book a call of too many is refused, naming the book."""
    error = refused(record(*SHOW, ANN + " peg 12", "muggins Bob 2 many", head="referee call"))
    assert "by the book modern" in str(error)


def test_the_last_counts_stay_open_until_the_next_starter() -> None:
    """The crib's count may still be called after the next deal has begun, and not after its starter."""
    body = (*SHOW, ANN, BOB, CRIB + " peg 7", "deal Ann")
    text = record(*body, head="referee call")
    assert scores(text + "muggins Ann 2\n") == [12, 21]
    assert refused(text + "starter 5H\nmuggins Ann 2\n").line == 13


def test_the_next_deals_first_count_closes_when_no_starter_was_told() -> None:
    """A deal kept by numbers without a starter closes the last counts with its own first count."""
    text = record("deal Bob", "show Ann peg 8", "show Bob peg 4", "crib Bob peg 4", "deal Ann", head="referee call")
    assert scores(text + "muggins Ann 2 on Bob crib agreed\n") == [10, 8]
    late = "show Bob peg 3\nmuggins Ann 2 on Bob crib agreed\n"
    assert refused(text + late).exit_code == 1
    by_acc = text.replace("rules modern", "rules acc").replace("referee", "muggins on\nreferee")
    assert "nothing open" in str(refused(by_acc + late))


def test_cards_settle_a_call_on_a_bare_claim() -> None:
    """A call on a claim made without cards is judged when the starter and the cards are keyed, also heels-free."""
    text = record("deal Bob", "show Ann peg 8", "muggins Bob 2", head="referee call")
    assert scores(text + "starter QS\ncards Ann 4S 3D 4C 5C\n") == [8, 2]
    assert scores(text + "starter JS\ncards Ann 4S 3D 4C 5C\n") == [8, 2]
    assert "starter" in str(refused(text + "cards Ann 4S 3D 4C 5C\n"))
    assert "key them first" in str(refused(text + "show Bob peg 4\n"))


def test_cards_settle_a_call_on_the_crib_after_the_next_deal() -> None:
    """A bare crib called when the next deal has begun is judged by the starter and cards of its own deal."""
    body = ("deal Bob", "show Ann peg 8", "show Bob peg 4", "crib Bob peg 7", "deal Ann", "muggins Ann 2")
    text = record(*body, "starter QS", "cards Bob JD JS TD AS", "starter JS", head="referee call")
    assert scores(text) == [8 + 2 + 2, 11]


def test_two_for_one_go_under_foster_and_two_a_card_under_acc() -> None:
    """A false go costs two in all by foster, two for each card that fitted by acc, and nothing by the modern book."""
    body = ("deal Bob", "starter 9H", "play Ann TC", "play Bob KD", "play Ann 5S", "go Bob", "play Ann AC", "go Ann")
    rest = ("play Bob AD", "play Ann 9S", "play Bob 2D", "play Bob QS")
    assert moves(record(*body, *rest, book="foster"))[-2:] == [("false-go", "Bob", 2, "Ann"), ("Ann", 2, "penalty")]
    assert moves(record(*body, *rest, book="acc"))[-2:] == [("false-go", "Bob", 4, "Ann"), ("Ann", 4, "penalty")]
    assert moves(record(*body, *rest))[-1] == ("false-go", "Bob", 0, "Ann")


def test_a_false_go_under_call_is_told_and_taken_by_a_call() -> None:
    """Under call the false go is told all the same; its price is taken by a call, with muggins off too."""
    body = ("deal Bob", "starter 9H", "play Ann TC", "play Bob KD", "play Ann 5S", "go Bob", "play Ann AC", "go Ann")
    rest = ("play Bob AD", "play Ann 9S", "play Bob 2D", "play Bob QS")
    text = record(*body, *rest, book="acc", head="referee call")
    assert moves(text)[-1] == ("false-go", "Bob", 4, "Ann")
    assert moves(text + "muggins Ann 4 on Bob go\n")[-1] == ("Ann", 4, "penalty")


def test_a_false_go_at_five_card_is_proved_by_the_show() -> None:
    """Where the play stops early, a false go is proved once the hands are told."""
    body = ("deal Bob", "starter KS", "play Ann 9C", "play Bob TD", "play Ann 3S", "go Bob", "go Ann")
    text = record(*body, "show Ann 9C 3S QH", "show Bob TD 2H AC", game="five-card", book="foster", head="start 0 0")
    assert moves(text)[-2:] == [("false-go", "Bob", 2, "Ann"), ("Ann", 2, "penalty")]


CALLED = ("deal Bob", "starter KS", "play Ann 7C peg 0", "play Bob 8D peg 0")


def test_an_omission_in_the_play_is_called_after_the_callers_own_card() -> None:
    """By foster the caller first plays his own card or says go, and the window closes when the claimant next plays."""
    text = record(*CALLED, book="foster", head="referee call")
    assert refused(text + "muggins Ann 2\n").exit_code == 1
    assert scores(text + "play Ann QD peg 0\nmuggins Ann 2\n") == [2, 0]
    assert refused(text + "play Ann QD peg 0\nplay Bob 2D peg 0\nmuggins Ann 2\n").exit_code == 1


def test_an_omission_in_the_play_is_called_before_the_callers_next_card_by_acc() -> None:
    """By acc the window in the play closes when the caller plays the next card."""
    text = record(*CALLED, book="acc", head="muggins on; referee call")
    assert scores(text + "muggins Ann 2\n") == [2, 0]
    assert refused(text + "play Ann QD peg 0\nmuggins Ann 2\n").exit_code == 1


def test_an_omission_on_the_last_card_is_called_without_waiting() -> None:
    """By foster a caller without cards need not wait: the omission of the last card may be called at once."""
    body = ("deal Bob", "hand Ann 1", "hand Bob 1", "starter 2H", "play Ann 5S", "play Bob TD peg 0", "muggins Ann 2")
    assert scores(record(*body, book="foster", head="referee call")) == [2, 1]


def test_a_caller_who_cannot_play_need_not_wait() -> None:
    """By foster a caller without cards, or who has said go, calls an omission in the play at once."""
    empty = ("deal Bob", "hand Ann 1", "hand Bob 2", "starter 2H", "play Ann 5S", "play Bob TD peg 0", "muggins Ann 2")
    assert scores(record(*empty, book="foster", head="referee call")) == [2, 0]
    gone = ("play Ann TS", "play Bob JD", "play Ann 4C", "go Bob", "play Ann 4D peg 0", "muggins Bob 2")
    assert scores(record("deal Bob", "starter 2H", *gone, book="foster", head="referee call")) == [0, 2]


WON = (*SHOW, ANN + " peg 12")
"""Twelve claimed and ten there."""


def test_a_winning_claim_ends_the_game_unless_it_is_called() -> None:
    """A claim that reaches the last hole ends the game; an acceptance may follow, and nothing else."""
    text = record(*WON, book="acc", head="referee call; start 109 50")
    assert told(text)[-1]["winner"] == "Ann"
    assert told(text + "accept\n")[-1]["skunks"] == {"Bob": 2}
    assert refused(text + BOB + "\n").exit_code == 1
    assert refused(text + "accept\nmuggins Bob 2 many\n").exit_code == 1


def test_a_false_winning_claim_by_acc() -> None:
    """By acc a game hole claimed without the points goes back, pays the surplus, and then goes back fifteen."""
    text = record(*WON, "muggins Bob 2 many", book="acc", head="referee call; start 109 50")
    assert moves(text)[3:] == [
        ("over", 12, 10),
        ("Ann", -2, "over-claim"),
        ("Bob", 2, "muggins"),
        ("Ann", -15, "penalty"),
    ]
    end = told(text)[-1]
    assert (end["winner"], end["scores"], end["skunks"]) == (None, {"Ann": 104, "Bob": 52}, {})
    assert told(text + BOB + "\n")[-1]["scores"]["Bob"] == 52 + 14


def test_a_false_winning_claim_by_foster() -> None:
    """By foster a false winning claim goes back and to the adversary, who may win by it."""
    text = record(*WON, "muggins Bob 2 many", book="foster", head="referee call; start 109 119")
    end = told(text)[-1]
    assert (end["winner"], end["scores"]) == ("Bob", {"Ann": 119, "Bob": 121})


def test_a_true_winning_claim_called_still_wins() -> None:
    """A winning claim that is true, cut to the holes to go, stands when called, and the game is over."""
    text = record(*SHOW, ANN + " peg 10", "muggins Bob 1 many", book="acc", head="referee call; start 115 100")
    assert told(text)[-1]["winner"] == "Ann"
    assert moves(text)[2:] == [("Ann", 6, "claimed")]
    assert refused(text + "accept\n").exit_code == 1


def test_a_false_winning_claim_keeps_the_points_of_the_board() -> None:
    """A false winning claim in the play goes back, but go or last, which the board pegs, is pegged after all."""
    last = ("deal Bob", "hand Ann 1", "hand Bob 1", "starter 2H", "play Ann 5S peg 0", "play Bob 9D peg 2")
    text = record(*last, "muggins Ann 2 many", book="foster", head="referee call; start 50 119")
    assert moves(text)[-3:] == [("Bob", -2, "over-claim"), ("Bob", 1, "last"), ("Ann", 2, "muggins")]
    go = ("hand Ann 3", "starter 2H", "play Ann TC", "play Bob KD", "play Ann 5S", "go Bob", "play Ann 2C peg 2")
    text = record("deal Bob", *go, "muggins Bob 2 many", book="foster", head="referee call; start 119 50")
    assert moves(text)[-3:] == [("Ann", -2, "over-claim"), ("Ann", 1, "go"), ("Bob", 2, "muggins")]


def test_once_the_game_is_won_otherwise_no_claim_is_open() -> None:
    """A game won by anything but the claim, or stopped, leaves no older claim to be called."""
    text = record("deal Bob", "show Ann peg 8", head="referee call; start 0 120")
    assert refused(text + "penalty Bob 2 touched\nmuggins Bob 2 agreed\n").line == 10
    assert refused(text + "stop\nmuggins Bob 2 agreed\n").line == 10


def test_a_winning_claim_without_cards_waits_for_them() -> None:
    """A called winning claim made without cards is open until the cards are keyed; then it wins or goes back."""
    text = record("deal Bob", "show Ann peg 12", "muggins Bob 2 many", book="acc", head="referee call; start 109 50")
    assert told(text)[-1]["winner"] is None
    assert told(text + "starter QS\ncards Ann 4S 3D 4C 5C\n")[-1]["scores"] == {"Ann": 104, "Bob": 52}
    true = text + "starter 5D\ncards Ann 5S 5C 5H JD\n"
    assert told(true)[-1]["winner"] == "Ann"
    assert moves(true) == moves(text)
    assert told(text + "accept\n")[-1]["winner"] == "Ann"


def test_under_flag_an_over_count_at_the_game_hole_does_not_win() -> None:
    """Under flag an over-count that would reach the last hole is put back and the game goes on."""
    text = record(*WON, BOB, head="start 110 50")
    assert told(text)[-1]["scores"] == {"Ann": 120, "Bob": 64}


def test_void_gives_back_the_deals_points() -> None:
    """A void deal's points go back as negative awards, penalties stand, and the same dealer deals again."""
    text = record("deal Bob", "starter JS", "penalty Ann 2 misdeal", "void", "deal Bob")
    assert moves(text) == [("Bob", 2, "heels"), ("Ann", 2, "penalty"), ("Bob", -2, "hand-pegged")]


def test_partners_peg_on_one_lane() -> None:
    """With partners an award names the player, and scores, winner and skunks name the sides."""
    text = record("deal Dee", "peg Cal 4", game="four-handed", players="Ann Bob Cal Dee", head="start 118 90")
    award, end = told(text)[-2:]
    assert (award["player"], award["points"]) == ("Cal", 3)
    assert (end["winner"], end["skunks"]) == ("Ann & Cal", {"Bob & Dee": 1})


def test_a_line_in_words() -> None:
    """Each kind of line has its sentence."""
    foul = ("deal Bob", "starter 9H", "play Ann TC", "play Bob KD", "play Ann 5S", "go Bob", "play Ann AC", "go Ann")
    rest = ("play Bob AD", "play Ann 9S", "play Bob 2D", "play Bob QS")
    words = [in_words(line) for line in told(record(*foul, *rest, book="foster"))]
    assert words[3] == "line 11: Ann pegs nothing at 26 (Ann 0, Bob 0)"
    assert words[-3] == "line 16: Bob said go at 25 but held AD 2D: 2 to Ann"
    assert words[-1] == "the record stops here (Ann 3, Bob 1)"
    flagged = [in_words(line) for line in told(record(*WON))]
    assert flagged[1:3] == [
        "line 7: Ann claimed 12, true 10: too many by 2",
        "line 7: Ann goes back 2: over claim -2 (Ann 10, Bob 0)",
    ]
    won = told(record("deal Bob", "peg Ann 1", head="start 120 60"))
    assert in_words(won[-1]) == "Ann wins (Ann 121, Bob 60), Bob double skunked"


@pytest.mark.parametrize(("changes", "written"), [({"muggins": False}, "modern"), ({"false_go": "each-card"}, "club")])
def test_own_book_is_written_as_the_book_it_plays_like(changes: dict[str, Any], written: str) -> None:
    """A table's own book that plays this game as the book it rests on, muggins apart, is written under that name."""
    book = book_from_dict({"name": "club", "based_on": "modern", **changes})
    intent = want.OpenGame(rules_for(book=book), ("Ann", "Bob"), False, ("flag", "flag"))
    record = write(decide(None, intent))
    assert f"rules {written}\n" in record
    assert [step.after.rules.book for step in steps(record, {**BOOKS, "club": book})] == [written]
