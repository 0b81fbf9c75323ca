"""The screens of the game itself, one function a stage. They draw the public state and hold no truth."""

from __future__ import annotations

from engine.public import OpenClaim, Public
from engine.state import Award, FalseGo, Miscount, Stage
from firmware.screens.model import COLUMNS, SIDE_COLUMNS, Screen, screen
from firmware.screens.names import possessive, seat_label, side_labels
from firmware.screens.pages import wrap
from firmware.screens.short import short
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import sentences


def typed_line(view: View, prompt: str) -> str:
    """The prompt with what is typed at its right end; the prompt gives way by whole words, never the digits."""
    if not view.typed:
        return prompt
    room = COLUMNS - len(view.typed) - 1
    return (wrap(prompt, room - 1)[0] if prompt else "").ljust(room) + f"{view.typed}_"


def header(view: View, public: Public) -> str:
    """Each side's name, score and referee level, side by side; a mark before them while acts are not saved."""
    mark = "" if view.saved else "!"  # it stays until all is saved again
    room = COLUMNS - len(mark)
    ends = [f"{score}{level[0]}" for score, level in zip(public.scores, public.levels, strict=True)]
    if len(ends) > 2:
        return mark + _narrow(public, ends, room)
    width = room // len(ends)
    cells = (f"{side_labels(public, width - len(end) - 2)[side]} {end}".ljust(width) for side, end in enumerate(ends))
    return mark + "".join(cells).rstrip()


def _narrow(public: Public, ends: list[str], room: int) -> str:
    """Three sides: a blank between them; where all have three digits a level that all share stands once, at the end."""
    spare = room - len(" ".join(ends))
    if spare >= len(ends):
        names = side_labels(public, spare // len(ends))
        return " ".join(name + end for name, end in zip(names, ends, strict=True))
    names = side_labels(public, 1)
    if len(set(public.levels)) > 1:
        return "".join(name + end for name, end in zip(names, ends, strict=True))
    cells = [f"{name}{score}" for name, score in zip(names, public.scores, strict=True)]
    return f"{' '.join(cells)} {public.levels[0][0]}"


def cut_screen(view: View, public: Public) -> Screen:
    """Who cuts next, and the cuts so far."""
    name = public.names[public.turn or 0]
    room = COLUMNS // len(public.cuts) - 4 if public.cuts else 0
    cuts = " ".join(f"{seat_label(public, seat, room)} {card}" for seat, card in enumerate(public.cuts))
    lines = [
        "Cut for deal",
        cuts or ("Equal: cut again" if view.reason else "low card deals"),
        possessive(public, public.turn or 0, "card")[0],
        typed_line(view, "or seat and #"),
    ]
    cut = [say("say-cuts", name=public.names[seat], card=card) for seat, card in enumerate(public.cuts)]
    spoken = sentences(*cut, say("say-cut", name=name))
    return screen(lines if view.saved else ["NOT SAVED", *lines[1:]], spoken)


def findings(public: Public) -> list[str]:
    """The miscounts and false goes that the newest entry brought, each on a line; the name gives way to the numbers."""
    lines: list[str] = []
    for outcome in public.ledger[public.news :]:
        match outcome:
            case Miscount(seat=seat, claimed=claimed, true=true):
                lines.append(_line_of(public, seat, say("miscount-line", claimed=claimed, true=true)))
            case FalseGo(seat=seat, count=count):
                lines.append(_line_of(public, seat, say("false-go-line", count=count)))
            case _:
                pass
    return lines


def _line_of(public: Public, seat: int, rest: str) -> str:
    return seat_label(public, seat, COLUMNS - len(rest)) + rest


def pegged(public: Public) -> tuple[int, int] | None:
    """The seat that pegged last by the newest entry, and how many in all; None where no peg moved."""
    awards = [outcome for outcome in public.ledger[public.news :] if isinstance(outcome, Award) and outcome.points]
    if not awards:
        return None
    seat = awards[-1].seat
    return seat, sum(award.points for award in awards if award.seat == seat)


def news_line(public: Public) -> str:
    """What the newest entry brought, in one line: a miscount first, then a false go, then what was pegged."""
    found, moved = findings(public), pegged(public)
    if found:
        return found[0]
    return _line_of(public, moved[0], f" {moved[1]:+d}") if moved else ""


def take_line(public: Public, claim: OpenClaim) -> str:
    """The offer of a flagged miscount."""
    leaves = "#leave" if abs(claim.flagged) < 10 else "#skip"
    return f"A takes {abs(claim.flagged)} {leaves}"


CALL_LINE = "#accept  A calls"
"""What can be done about a claim that stands open under call."""


def call_line(public: Public) -> str:
    """What can be done about the claims that stand open; a card of the play is only called, never accepted by a key."""
    if not public.claims:
        return ""
    return CALL_LINE if any(claim.what != "card" for claim in public.claims) else "A calls"


def _flagged(public: Public) -> OpenClaim | None:
    return next((claim for claim in reversed(public.claims) if claim.flagged), None)


def must_read(public: Public) -> bool:
    """Whether the screen holds a miscount, a false go or an offer: it is then shown in words, in the big theme too."""
    return bool(_flagged(public) or findings(public) or (public.claimable and public.stage is Stage.SHOW))


def deal_screen(view: View, public: Public) -> Screen:
    """Between deals: what the last count brought, and who deals next."""
    dealer = public.names[public.next_dealer or 0]
    claim = _flagged(public)
    offer = take_line(public, claim) if claim else call_line(public) or _deals(public, public.next_dealer or 0)
    prompt = "Starter? #skip" if view.settings.entry == "points" else "key the starter"
    lines = [header(view, public), news_line(public), offer, typed_line(view, prompt)]
    spoken = sentences(say_offer(public), say("say-deals", name=dealer), _say_starter(view))
    return screen(lines, spoken)


def _deals(public: Public, seat: int) -> str:
    return _line_of(public, seat, " deals")


def _say_starter(view: View) -> str:
    return say("say-starter-or-skip" if view.settings.entry == "points" else "say-starter")


def say_offer(public: Public) -> str:
    """What can be done about what is open, in words."""
    claim = _flagged(public)
    if claim is not None:
        return say("say-take", points=abs(claim.flagged))
    line = call_line(public)
    return say("say-accept" if line == CALL_LINE else "say-only-call") if line else ""


def starter_screen(view: View, public: Public) -> Screen:
    """A new deal waits for its starter."""
    dealer = public.names[public.dealer or 0]
    skip = "#skip" if view.settings.entry == "points" else ""
    prompt = typed_line(view, f"Starter? {skip}".rstrip())
    spoken = sentences(say("say-deals", name=dealer), _say_starter(view))
    return screen([header(view, public), _deals(public, public.dealer or 0), "", prompt], spoken)


def play_screen(view: View, public: Public) -> Screen:
    """The count, the last card and what it pegged, and whose turn it is."""
    turn = public.names[public.turn or 0]
    if view.settings.entry != "full" and public.by_points:
        news = news_line(public) or (f"starter {public.starter}" if public.starter else "The play")
        lines = [
            header(view, public),
            news,
            "2A: 2 for " + seat_label(public, 0, 6),
            typed_line(view, "# ends the play"),
        ]
        starter = (say("say-starter-is", card=public.starter),) if public.starter else ()
        return screen(lines, say("say-points-play", name=public.names[0]), rest=starter)
    card = public.played[-1] if public.played else None
    second = f"{card.card} {seat_label(public, card.seat, SIDE_COLUMNS - 3)}" if card else f"{public.starter} up"
    went = f"{seat_label(public, public.gone[-1], SIDE_COLUMNS - 3)} go" if public.gone else ""
    third = news_short(public) or (_claim_hint(public) or went)
    spoken = sentences(
        say("say-go", name=public.names[public.gone[-1]]) if public.gone and not view.reason else "",
        say("say-count", count=public.count),
        say("say-claim-heels" if public.claims_heels else "say-claim") if _claim_hint(public) else "",
        say("say-claims-play") if not public.played and _claims_in_play(public) else "",
        say_offer(public),
        say("say-plays", name=turn),
    )
    last = say("say-last-card", card=card.card, name=public.names[card.seat]) if card else ""
    rest = last or say("say-starter-is", card=public.starter)
    prompt = typed_line(view, f"{seat_label(public, public.turn or 0, 10)} plays")
    return screen([header(view, public), second, third, prompt], spoken, rest=(rest,), big=str(public.count))


def _claims_in_play(public: Public) -> bool:
    """Whether the player whose turn it is counts the cards of the play."""
    return public.level(public.turn or 0) in ("call", "off")


def _claim_hint(public: Public) -> str:
    """What a number typed now would claim for."""
    return "heels: n#" if public.claims_heels else "claim: n#" if public.claimable else ""


def news_short(public: Public) -> str:
    """What the newest entry pegged and why, in a few letters: points first, and only whole words."""
    moved = pegged(public)
    if moved is None:
        return ""
    seat, points = moved
    fresh = [outcome for outcome in public.ledger[public.news :] if isinstance(outcome, Award) and outcome.points]
    why = short(why for award in fresh if award.seat == seat for why in award.whys)
    return wrap(f"{points:+d} {why}", SIDE_COLUMNS)[0]


def asked_for(view: View, public: Public) -> tuple[bool, bool, str]:
    """What a count waits for: whether its cards are there, whether the board counts them, and the few words for it."""
    ready = public.cards_known or (view.settings.entry == "points" and not public.turned)
    teach = public.level(public.turn or 0) == "teach" and public.cards_known
    ask = "# counts" if teach else "count? n#"
    return ready, teach, ask if ready else f"card {len(public.turned) + 1} of {cards_needed(public)}"


def cards_needed(public: Public) -> int:
    """How many cards are keyed before the count that comes next."""
    return public.crib if public.stage is Stage.CRIB else public.left[public.turn or 0]


def count_screen(view: View, public: Public) -> Screen:
    """A hand or the crib is counted: its cards, what came before, and the number being typed."""
    if public.claimable and public.played:
        return _last_claim_screen(view, public)
    seat = public.turn or 0
    kind = "crib" if public.stage is Stage.CRIB else "hand"
    name = public.names[seat]
    whose, named = possessive(public, seat, kind)
    ready, teach, ask = asked_for(view, public)
    cards = " ".join(str(card) for card in _cards(public))
    claim = _flagged(public)
    if claim is not None or findings(public):
        prompt = _owned(public, seat, ask, "" if kind == "hand" else kind) if ready else f"{kind} {ask}"
        offer = take_line(public, claim) if claim else cards or whose
        lines = [header(view, public), news_line(public) or cards or whose, offer, typed_line(view, prompt)]
    elif public.claims:
        prompt = _owned(public, seat, ask, "" if kind == "hand" else kind) if ready else f"{kind} {ask}"
        lines = [header(view, public), news_line(public), call_line(public), typed_line(view, prompt)]
    else:
        prompt = ask if named and ready else f"key {ask}" if named else f"{kind}: {ask}" if ready else f"{kind} {ask}"
        lines = [header(view, public), _with_news(whose, public), cards, typed_line(view, prompt)]
    whole = f"{name}'s {kind}"
    if ready:
        asked = say("say-asks-teach" if teach else "say-asks-count", whose=whole)
    else:
        asked = say("say-asks-card", whose=whole, card=len(public.turned) + 1, needed=cards_needed(public))
    rest = (say("say-cards", cards=", ".join(map(str, _cards(public)))),) if cards else ()
    return screen(lines, sentences(say_offer(public), asked), rest=rest)


def _owned(public: Public, seat: int, ask: str, owner: str) -> str:
    """Whose count is asked for, a crib as such; how it is keyed gives way to a whole name."""
    short = ask.removesuffix(" n#")
    if owner or len(f"{public.names[seat]}: {ask}") <= COLUMNS:
        return f"{owner or public.names[seat]}: {ask}"
    return f"{seat_label(public, seat, COLUMNS - len(short) - 2)}: {short}"


def _with_news(whose: str, public: Public) -> str:
    """Whose hand it is, and at the right end what was pegged just before, where there is room."""
    moved = pegged(public)
    news = f"{seat_label(public, moved[0], 3)}{moved[1]:+d}" if moved else ""
    return whose + news.rjust(COLUMNS - len(whose)) if news and len(whose) + len(news) < COLUMNS else whose


def _last_claim_screen(view: View, public: Public) -> Screen:
    """The play is over, and its last card may still be claimed for."""
    last = public.played[-1]
    name = public.names[last.seat]
    lines = [
        header(view, public),
        f"{last.card} {seat_label(public, last.seat, COLUMNS - 3)}",
        "claim? # none",
        typed_line(view, _besides(public, last.seat)),
    ]
    besides = "-besides" if public.level(last.seat) == "call" else ""
    return screen(lines, say(f"say-last-claim{besides}", card=last.card, name=name))


def _besides(public: Public, seat: int) -> str:
    """Under call the board has pegged the point for last itself."""
    return "besides the last" if public.level(seat) == "call" else "points for it"


def _cards(public: Public) -> list[object]:
    """The cards being counted; never under ``call``, where nothing may help before the claim is accepted."""
    seat = public.turn or 0
    if public.level(seat) == "call":
        return []
    cards: list[object] = list(public.turned)
    if not cards and public.stage is Stage.SHOW and public.cards_known:
        cards = [play.card for play in public.played if play.seat == seat]
    return [*cards, public.starter] if cards and public.starter and not public.sealed else cards


def end_screen(view: View, public: Public) -> Screen:
    """The winner, the skunk, the match so far."""
    if public.winner is None:
        lines = ["Game stopped", header(view, public), "", typed_line(view, "# again B set-up")]
        return screen(lines, say("say-stopped"))
    name = public.side_names[public.winner]
    scores = "-".join(str(score) for score in sorted(public.scores, reverse=True))
    worst = max(public.skunks)
    skunk = ("", say("say-skunk"), say("say-double-skunk"))[min(worst, 2)]
    mark = ("", " skunk", " dbl skunk")[min(worst, 2)]
    games = "games " + "-".join(str(games) for games in public.games_won)
    top = f"{side_labels(public, COLUMNS - 5)[public.winner]} wins" if view.saved else "NOT SAVED"
    lines = [top, scores + mark, games, typed_line(view, "# again B set-up")]
    won = games.removeprefix("games ")
    return screen(lines, say("say-wins", name=name, scores=scores, skunk=skunk, games=won))
