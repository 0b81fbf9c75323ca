"""The screens of the set-up: the agreement in four lines, its choices by number, one of them before it changes."""

from __future__ import annotations

from engine.rules import GAMES
from firmware.screens.model import COLUMNS, Screen, screen
from firmware.screens.names import labels
from firmware.settings import Settings
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import sentences


def set_up_screen(view: View) -> Screen:
    """The agreement offered: ``#`` takes it all."""
    if names_field(view):
        return field_screen(view)
    choice = view.settings
    muggins = "on" if choice.muggins else "off"
    level = choice.value(5)
    last = f"{view.typed}_" if view.typed else _last_line(f"{level} {choice.entry}", anew=begins_anew(view, choice))
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
    game = choice.game if len(f"{choice.game} {choice.book}") <= COLUMNS else choice.game.partition("-")[0]
    top = f"{game} {choice.book}" if view.saved else "NOT SAVED"
    lines = [top, f"{choice.target} muggins {muggins}", _who_plays(choice), last]
    return screen(lines, sentences(spoken, _takes(view), say("say-set-up-lists")))


def _last_line(agreed: str, *, anew: bool) -> str:
    """What ``#`` does, at the end of the last line: where a match was played it may begin another."""
    ends = ("#new", "#") if anew else ("#ok",)
    return next(line for end in ends if len(line := f"{agreed} {end}") <= COLUMNS or end == ends[-1])


def _takes(view: View) -> str:
    """What ``#`` does, in words."""
    if view.public is None:
        return say("say-takes")
    games = "-".join(str(won) for won in view.public.games_won)
    return say("say-takes-anew" if begins_anew(view, view.settings) else "say-takes-on", games=games)


def begins_anew(view: View, choice: Settings) -> bool:
    """Whether a match was played here that ends when a game is opened by this agreement."""
    return view.public is not None and not choice.continues(view.public)


def names_field(view: View) -> bool:
    """Whether what is typed is the number of a choice."""
    return view.typed.isdigit() and 1 <= int(view.typed) <= len(view.settings.fields)


def field_screen(view: View) -> Screen:
    """One choice while its number is typed: what it is now, and what ``#`` would make of it."""
    field, choice = int(view.typed), view.settings
    changed = choice.step(field, view.choices)
    title = _title(choice, field)
    now, then = choice.value(field), changed.value(field)
    cut = labels((now, then), COLUMNS - 4) if now != then else (now, then)
    anew = begins_anew(view, changed)
    lines = [
        f"{field} {title}",
        f"now {cut[0]}",
        f"#: {cut[1]}" if now != then else "no other choice",
        "a new match" if anew else "* erases",
    ]
    makes = say("say-field-makes" if now != then else "say-field-alone", then=then)
    news = say("say-field-anew") if anew else ""
    return screen(lines, sentences(say("say-field", field=field, title=title, now=now), makes, news))


def _title(choice: Settings, field: int) -> str:
    kind, _, number = choice.fields[field - 1].partition(" ")
    return say(f"field-{kind}", number=number)


def field_lines(choice: Settings) -> list[str]:
    """Every choice of the agreement behind its number, a line each."""
    lines = []
    names = iter(labels(choice.names, COLUMNS - 3))
    for place, field in enumerate(choice.fields, 1):
        kind, _, number = field.partition(" ")
        value = next(names) if kind == "name" else choice.value(place)
        lines.append(f"{place} {say(f'field-{kind}-is', value=value, number=number)}"[:COLUMNS])
    return lines


def field_sentences(choice: Settings) -> list[str]:
    """The same in words, nothing cut."""
    return [
        say("say-choice", number=place, what=f"{_title(choice, place)} {choice.value(place)}")
        for place in range(1, len(choice.fields) + 1)
    ]


def _who_plays(choice: Settings) -> str:
    """The names, side against side, each cut to its share of the line."""
    sides = GAMES[choice.game].sides
    numbers = sorted(set(sides))
    least = len(" v ".join("&".join("" for at in sides if at == side) for side in numbers))
    names = labels(choice.names, (COLUMNS - least) // len(choice.names))
    return " v ".join("&".join(name for name, at in zip(names, sides, strict=True) if at == side) for side in numbers)
