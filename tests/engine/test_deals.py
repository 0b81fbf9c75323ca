"""Whole deals by the sources and by two other counters, each played as intents and read as a record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import intents as want
from engine.apply import apply
from engine.cards import parse_card, parse_cards
from engine.decide import decide
from engine.intents import Intent
from engine.replay import outcome_values, replay
from engine.rules import rules_for
from engine.state import Award, State

GOLDEN = Path(__file__).parents[1] / "golden" / "deals"
DEALS = [json.loads(line) for line in (GOLDEN / "deals.jsonl").read_text().splitlines()]
SEEDS = json.loads((GOLDEN / "seed_deals.json").read_text())
NAMES = ("Ann", "Bob", "Cal", "Dee")
GAMES = {
    "six2": ("six-card", "modern"),
    "three": ("three-handed", "modern"),
    "four": ("four-handed", "modern"),
    "five": ("five-card", "foster"),
}
KINDS = {"thirty-one": "thirtyone", "pair-royal": "pair_royal", "double-pair-royal": "double_pair_royal"}
PARTS = {"fifteen": "fifteens", "run": "runs", "flush": "flush", "nobs": "nobs"}

Told = list[tuple[str, Intent]]
"""Each thing that happens in a deal: its record line, and the intent."""


def told(deal: dict[str, Any]) -> Told:
    """The lines and intents of a deal, its gos exactly where the deal lists them."""
    dealer, hands = deal["dealer"], deal["hands"]
    lines: Told = [(f"deal {NAMES[dealer]}", want.Deal(dealer))]
    lines += [
        (f"hand {NAMES[seat]} {len(hand)}", want.HoldCards(seat, len(hand)))
        for seat, hand in enumerate(hands)
        if len(hand) != deal["kept"]
    ]
    lines.append((f"starter {deal['starter']}", want.TurnStarter(parse_card(deal["starter"]))))
    for event in deal["events"]:
        name, card = NAMES[event["p"]], event["card"]
        lines.append((f"play {name} {card}", want.PlayCard(parse_card(card), None, event["p"])))
        lines += [(f"go {NAMES[seat]}", want.SayGo(seat)) for seat in event["gos"]]
    for show in deal["shows"]:
        seat, name = show["p"], NAMES[show["p"]]
        if show["what"] == "crib":
            codes = deal["crib"]
            lines.append((f"crib {name} {' '.join(codes)}", want.ShowCrib(parse_cards(codes), seat=seat)))
        elif set(hands[seat]) <= set(deal["plays"]):
            lines.append((f"show {name}", want.ShowHand(seat)))
        else:
            codes = hands[seat]
            lines.append((f"show {name} {' '.join(codes)}", want.ShowHand(seat, parse_cards(codes))))
    return lines


def expected(deal: dict[str, Any]) -> list[tuple[int, list[tuple[int, str]], int | None]]:
    """The awards as a record groups them: seat, reasons, and the count where there is one."""
    groups: list[tuple[int, list[tuple[int, str]], int | None]] = []
    if deal["starter"][0] == "J":
        groups.append((deal["dealer"], [(2, "heels")], None))
    for event in deal["events"]:
        reasons = [(points, reason) for reason, points in event["pts"]]
        groups.append((event["p"], sorted(one for one in reasons if one[1] != "go"), event["count"]))
        groups += [(event["p"], [one], event["count"]) for one in reasons if one[1] == "go"]
    groups += [(show["p"], [(show["score"]["total"], show["what"])], None) for show in deal["shows"]]
    return groups


def grouped(line: dict[str, Any], what: str) -> tuple[int, list[tuple[int, str]], int | None]:
    """A printed award in the form of ``expected``."""
    why = [(one["points"], KINDS.get(one["kind"], one["kind"])) for one in line["why"]]
    if what in ("hand", "crib"):
        why = [(sum(points for points, _ in why), what)]
    return NAMES.index(line["player"]), sorted(why), line.get("count")


PLAYED: dict[tuple[Any, ...], tuple[State, list[str]]] = {}


def play(deal: dict[str, Any], start: list[int], target: int | None) -> tuple[State, list[str]]:
    """The deal played as intents up to its end or the game's, and the record's text up to there."""
    key = (deal.get("id"), *start, target)
    if key[0] is None or key not in PLAYED:
        PLAYED[key] = _play(deal, start, target)
    return PLAYED[key]


def _play(deal: dict[str, Any], start: list[int], target: int | None) -> tuple[State, list[str]]:
    game, book = deal["pairing"]
    rules = rules_for(game, book, target)
    names = NAMES[: rules.seats]
    level: want.Level = "flag"
    opening = want.OpenGame(rules, names, rules.muggins, (level,) * rules.side_count, tuple(start))
    head = ["crib 1", f"game {game}", f"rules {book}", f"to {rules.target}", f"players {' '.join(names)}"]
    text = [*head, "start " + " ".join(map(str, start))]
    state = apply(None, decide(None, opening)[0])
    for line, intent in told(deal):
        if state.winner is not None:
            break
        text.append(line)
        for event in decide(state, intent):
            state = apply(state, event)
    return state, text


def ledger(state: State) -> list[dict[str, Any]]:
    return [{**outcome_values(state, one), "what": getattr(one, "what", "")} for one in state.ledger]


def prepared(deal: dict[str, Any]) -> dict[str, Any]:
    return {**deal, "pairing": GAMES[deal["game"]], "kept": 3 if deal["game"] == "five" else 4}


@pytest.mark.parametrize("game", GAMES)
def test_every_award_of_a_deal_in_its_order(game: str) -> None:
    """A deal pegs exactly the given awards: player, points, reasons, count and order, zeros included."""
    deals = [prepared(deal) for deal in DEALS if deal["game"] == game]
    assert len(deals) == (200 if game == "six2" else 50)
    for deal in deals:
        sides = max(rules_for(*GAMES[game]).sides) + 1
        state, _ = play(deal, [0] * sides, None)
        lines = ledger(state)
        assert all(line["event"] == "award" for line in lines), deal["id"]
        assert [grouped(line, line["what"]) for line in lines] == expected(deal), deal["id"]
        flat = [[seat, *one] for seat, why, _ in expected(deal) for one in why if one[0]]
        by_card = sorted(map(str, flat)), sorted(map(str, deal["awards"]))
        assert by_card[0] == by_card[1], deal["id"]
        totals = [sum(line["points"] for line in lines if line["player"] == name) for name in state.names]
        assert totals == deal["totals"], deal["id"]


@pytest.mark.parametrize("game", GAMES)
def test_every_show_of_a_deal_by_its_parts(game: str) -> None:
    """Each hand and crib of a deal is counted in the given fifteens, pairs, runs, flush and nobs."""
    for deal in map(prepared, DEALS):
        if deal["game"] != game:
            continue
        state, _ = play(deal, [0] * (max(rules_for(*GAMES[game]).sides) + 1), None)
        shows = [line for line in ledger(state) if line["what"] in ("hand", "crib")]
        assert len(shows) == len(deal["shows"])
        for line, show in zip(shows, deal["shows"], strict=True):
            parts = {"fifteens": 0, "pairs": 0, "runs": 0, "flush": 0, "nobs": 0, "total": line["points"]}
            for why in line["why"]:
                parts[PARTS.get(why["kind"], "pairs")] += why["points"]
            assert parts == show["score"], deal["id"]


@pytest.mark.parametrize("game", GAMES)
def test_the_game_ends_at_the_very_award(game: str) -> None:
    """From the given scores the deal ends at the given award, with the given winner and scores, or goes to its end."""
    for deal in map(prepared, DEALS):
        if deal["game"] != game:
            continue
        match = deal["match"]
        state, _ = play(deal, match["start"], match["target"])
        assert state.winner == match["winner"], deal["id"]
        assert list(state.scores) == match["scores"], deal["id"]
        if match["winner"] is None:
            continue
        scoring = [one for one in state.ledger if isinstance(one, Award) and one.whys and one.whys[0].kind != "start"]
        sizes = [1 if one.what in ("hand", "crib") else len(one.whys) for one in scoring]
        assert sum(sizes[:-1]) <= match["at_award"] < sum(sizes), deal["id"]


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_as_a_record_replays_to_the_same_awards(game: str) -> None:
    """A deal's record prints award for award what its intents moved, then the end with winner and scores."""
    for deal in map(prepared, DEALS):
        if deal["game"] != game:
            continue
        match = deal["match"]
        state, text = play(deal, match["start"], match["target"])
        *lines, end = replay("\n".join(text) + "\n")
        whats = [getattr(one, "what", "") for one in state.ledger]
        started = sum(1 for holes in match["start"] if holes)
        assert [grouped(line, what) for line, what in zip(lines, whats, strict=True)][started:] == expected(deal)[
            : len(lines) - started
        ], deal["id"]
        sides = [state.side_name(side) for side in range(len(match["scores"]))]
        assert end["scores"] == dict(zip(sides, match["scores"], strict=True)), deal["id"]
        assert end["winner"] == (None if match["winner"] is None else sides[match["winner"]]), deal["id"]
        printed = {line["line"] for line in lines[started:]}
        assert all(text[number - 1].split()[0] in ("starter", "play", "go", "show", "crib") for number in printed)


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case["id"])
def test_a_deal_of_the_sources(case: dict[str, Any]) -> None:
    """A deal that a source works through earns what the source says, card by card."""
    hands, dealer = case["input"]["rows"], case["input"]["dealer"]
    five = case["input"]["rules"] == "five"
    book = "victorian" if case["source"].startswith("003") else "foster"
    deal = {
        "pairing": ("five-card" if five else "six-card", book),
        "kept": 3 if five else 4,
        "dealer": dealer,
        "hands": hands,
        "starter": "KD",
        "plays": [event["card"] for event in case["oracle_events"]],
        "events": case["oracle_events"],
        "shows": [],
    }
    state, text = play(deal, [0, 0], None)
    assert state.deal is not None
    assert state.deal.play_over
    assert [grouped(line, "") for line in ledger(state)] == expected(deal)
    assert list(state.scores) == case["oracle"]["totals"]
    assert list(replay("\n".join(text)))[-1]["scores"] == dict(zip(NAMES, case["oracle"]["totals"], strict=False))
