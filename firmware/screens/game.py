"""The screens of the game itself, one function a stage. They draw the public state and hold no truth."""

from __future__ import annotations

from engine.public import OpenClaim, Public
from engine.rules import GAMES
from engine.state import Award, FalseGo, Miscount, Stage
from firmware.screens.model import COLUMNS, Screen, screen
from firmware.screens.short import short
from firmware.settings import Settings
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import sentences


def typed_line(view: View, prompt: str) -> str:
    """The prompt with what is typed at its right end; the prompt gives way, never the digits."""
    typed = f"{view.typed}_" if view.typed else ""
    return f"{prompt[: COLUMNS - len(typed) - 1]:<{COLUMNS - len(typed)}}{typed}" if typed else prompt


def header(view: View, public: Public) -> str:
    """Each side's name, score and referee level, side by side; a mark before them while acts are not saved."""
    room = COLUMNS if view.saved else COLUMNS - 1  # an exclamation mark stays until all is saved again
    width = room // len(public.side_names)
    blank = " " if width > 6 else ""
    cells = []
    for side, name in enumerate(public.side_names):
        score = f"{blank}{public.scores[side]}{public.levels[side][0]}"
        cells.append((short_side(name)[: width - len(score) - len(blank)] + score).ljust(width))
    return ("" if view.saved else "!") + "".join(cells).rstrip()


def short_side(name: str) -> str:
    """A side's name where there is little room: partners by their initials.

    >>> short_side("Ann & Cal"), short_side("Bob")
    ('A&C', 'Bob')
    """
    partners = name.split(" & ")
    return name if len(partners) == 1 else "&".join(partner[0] for partner in partners)


def set_up_screen(view: View) -> Screen:
    """The agreement offered: ``#`` takes it all."""
    choice = view.settings
    muggins = "on" if choice.muggins else "off"
    level = choice.value(5)
    last, line = f"{level} {choice.entry} #ok", ""
    if view.typed.isdigit() and 1 <= int(view.typed) <= len(choice.fields):
        field = int(view.typed)
        what = "" if 7 < field <= 7 + len(choice.names) else f"{choice.fields[field - 1]} "
        last = f"{field}# {what}{choice.value(field)}"
        line = say("say-set-up-line", line=field, what=f"{what}{choice.value(field)}")
    elif view.typed:
        last = f"{view.typed}_"
    spoken = say(
        "say-set-up",
        game=choice.game,
        book=choice.book,
        target=choice.target,
        muggins=muggins,
        level=level,
        entry=choice.entry,
        players=", ".join(choice.names),
    )
    top = _fitted(choice.game, f" {choice.book}") if view.saved else "NOT SAVED"
    return screen([top, f"{choice.target} muggins {muggins}", _who_plays(choice), last], sentences(spoken, line))


def _who_plays(choice: Settings) -> str:
    """The names, side against side, each cut to its share of the line."""
    sides = GAMES[choice.game].sides
    names = [[name for name, at in zip(choice.names, sides, strict=True) if at == side] for side in sorted(set(sides))]
    least = len(" v ".join("&".join("" for _ in side) for side in names))
    share = (COLUMNS - least) // len(choice.names)
    if share < 2:
        return " v ".join("&".join(name[0] for name in side) for side in names)
    return " v ".join("&".join(name[:share] for name in side) for side in names)


def cut_screen(view: View, public: Public) -> Screen:
    """Who cuts next, and the cuts so far."""
    name = public.names[public.turn or 0]
    cuts = " ".join(f"{public.names[seat][:6]} {card}" for seat, card in enumerate(public.cuts))
    lines = [
        "Cut for deal",
        cuts or ("Equal: cut again" if view.reason else "low card deals"),
        f"{name[:9]}'s card",
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
                lines.append(_fitted(public.names[seat], say("miscount-line", claimed=claimed, true=true)))
            case FalseGo(seat=seat, count=count):
                lines.append(_fitted(public.names[seat], say("false-go-line", count=count)))
            case _:
                pass
    return lines


def _fitted(name: str, rest: str) -> str:
    return name[: COLUMNS - len(rest)] + rest


def pegged(public: Public) -> tuple[str, int] | None:
    """Who pegged last by the newest entry, and how many in all; None where no peg moved."""
    awards = [outcome for outcome in public.ledger[public.news :] if isinstance(outcome, Award) and outcome.points]
    if not awards:
        return None
    seat = awards[-1].seat
    return public.names[seat], sum(award.points for award in awards if award.seat == seat)


def news_line(public: Public) -> str:
    """What the newest entry brought, in one line: a miscount first, then a false go, then what was pegged."""
    found, moved = findings(public), pegged(public)
    if found:
        return found[0]
    return _fitted(moved[0], f" {moved[1]:+d}") if moved else ""


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
    offer = take_line(public, claim) if claim else call_line(public) or f"{dealer[:9]} deals"
    prompt = "Starter? #skip" if view.settings.entry == "points" else "key the starter"
    lines = [header(view, public), news_line(public), offer, typed_line(view, prompt)]
    spoken = sentences(say_offer(public), say("say-deals", name=dealer), _say_starter(view))
    return screen(lines, spoken)


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
    return screen([header(view, public), f"{dealer[:9]} deals", "", prompt], spoken)


def play_screen(view: View, public: Public) -> Screen:
    """The count, the last card and what it pegged, and whose turn it is."""
    turn = public.names[public.turn or 0]
    if view.settings.entry != "full" and public.by_points:
        news = news_line(public) or (f"starter {public.starter}" if public.starter else "The play")
        lines = [header(view, public), news, "2A: 2 for " + public.names[0], typed_line(view, "# ends the play")]
        starter = (say("say-starter-is", card=public.starter),) if public.starter else ()
        return screen(lines, say("say-points-play", name=public.names[0]), rest=starter)
    card = public.played[-1] if public.played else None
    second = f"{card.card} {public.names[card.seat]}" if card else f"{public.starter} up"
    went = f"{public.names[public.gone[-1]][:8]} go" if public.gone else ""
    third = news_short(public) or ("claim: n#" if public.claimable else went)
    spoken = sentences(
        say("say-go", name=public.names[public.gone[-1]]) if public.gone and not view.reason else "",
        say("say-count", count=public.count),
        say("say-claim") if public.claimable else "",
        say_offer(public),
        say("say-plays", name=turn),
    )
    last = say("say-last-card", card=card.card, name=public.names[card.seat]) if card else ""
    rest = last or say("say-starter-is", card=public.starter)
    prompt = typed_line(view, f"{turn[:10]} plays")
    return screen([header(view, public), second, third, prompt], spoken, rest=(rest,), big=str(public.count))


def news_short(public: Public) -> str:
    """What the newest entry pegged and why, in a few letters: points first, they are never cut."""
    moved = pegged(public)
    if moved is None:
        return ""
    name, points = moved
    fresh = [outcome for outcome in public.ledger[public.news :] if isinstance(outcome, Award) and outcome.points]
    return f"{points:+d} {short(why for award in fresh if public.names[award.seat] == name for why in award.whys)}"


def count_screen(view: View, public: Public) -> Screen:
    """A hand or the crib is counted: its cards, what came before, and the number being typed."""
    if public.claimable and public.played:
        return _last_claim_screen(view, public)
    seat = public.turn or 0
    kind = "crib" if public.stage is Stage.CRIB else "hand"
    name = public.names[seat]
    whose = f"{name[:9]}'s {kind}"
    needed = public.crib if kind == "crib" else public.left[seat]
    ready = public.cards_known or (view.settings.entry == "points" and not public.turned)
    teach = public.level(seat) == "teach" and public.cards_known
    ask = ("# counts" if teach else "count?") if ready else f"card {len(public.turned) + 1} of {needed}"
    cards = " ".join(str(card) for card in _cards(public))
    claim = _flagged(public)
    if claim is not None or findings(public):
        owner = kind if kind == "crib" else name[: COLUMNS - len(ask) - 2]
        prompt = f"{owner}: {ask}" if ready else f"{kind} {ask}"
        offer = take_line(public, claim) if claim else cards or whose
        lines = [header(view, public), news_line(public) or cards or whose, offer, typed_line(view, prompt)]
    elif public.claims:
        lines = [header(view, public), news_line(public), call_line(public), typed_line(view, f"{name[:8]}: {ask}")]
    else:
        lines = [header(view, public), _with_news(whose, public), cards, typed_line(view, ask)]
    whole = f"{name}'s {kind}"
    if ready:
        asked = say("say-asks-teach" if teach else "say-asks-count", whose=whole)
    else:
        asked = say("say-asks-card", whose=whole, card=len(public.turned) + 1, needed=needed)
    rest = (say("say-cards", cards=", ".join(map(str, _cards(public)))),) if cards else ()
    return screen(lines, sentences(say_offer(public), asked), rest=rest)


def _with_news(whose: str, public: Public) -> str:
    """Whose hand it is, and at the right end what was pegged just before, where there is room."""
    moved = pegged(public)
    news = f"{moved[0][:3]}{moved[1]:+d}" if moved else ""
    return whose + news.rjust(COLUMNS - len(whose)) if news and len(whose) + len(news) < COLUMNS else whose


def _last_claim_screen(view: View, public: Public) -> Screen:
    """The play is over, and its last card may still be claimed for."""
    last = public.played[-1]
    name = public.names[last.seat]
    lines = [
        header(view, public),
        f"{last.card} {name}",
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
    top = f"{name[: COLUMNS - 5]} wins" if view.saved else "NOT SAVED"
    lines = [top, scores + mark, games, typed_line(view, "# again B set-up")]
    won = games.removeprefix("games ")
    return screen(lines, say("say-wins", name=name, scores=scores, skunk=skunk, games=won))
