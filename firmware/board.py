"""The board: one owner of the state. Key -> entry -> meaning -> intent -> engine -> journal -> views, and no way back.

Synchronous, and all time is an argument: nothing here waits, reads a clock or changes because time has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from engine.errors import CribbageError, Illegal
from engine.events import Event, GameOpened
from engine.history import Corrected, History, Undone, fold_rows
from engine.intents import Intent
from engine.penalties import infractions, left_open
from engine.state import State
from firmware import describe, effects
from firmware.doubt import doubt
from firmware.entry import Enter, Token, known_key
from firmware.hands import KEYPAD, Hands, Presser
from firmware.journal import SafeJournal
from firmware.lights import dark_moment, next_change, settles_at
from firmware.meaning import meaning
from firmware.moves import follow
from firmware.names import Roster, kept_names, unique
from firmware.over import over
from firmware.overlay import MENU, Asking, Menu, Overlay, Pairing, PhoneList, UndoOffer
from firmware.pairing import Desk, Paired, Unpaired
from firmware.phones import Phones
from firmware.saving import commit, entry_of, remember, terms_of
from firmware.screens.model import LISTED
from firmware.screens.pages import keys_of, more
from firmware.settings import USUAL, Choices, Settings
from firmware.story import Story
from firmware.view import LIKED, Moved, Notice, Noticed, Preferences, View
from firmware.words import say


class Board:
    """One table. ``press`` and ``tick`` are its whole interface to time and people; ``view`` is what may be drawn.

    ``settings`` and ``preferences`` hold until the journal remembers others; ``choices`` are the books known and the
    sides that the lanes can show; ``address`` is where the page is served; ``phones`` are those that may press keys;
    ``first_moment`` is the number of this start's first moment, far from those of every other start.
    """

    def __init__(
        self,
        journal: SafeJournal,
        settings: Settings,
        *,
        choices: Choices = USUAL,
        preferences: Preferences = LIKED,
        address: str = "",
        phones: Phones | None = None,
        first_moment: int = 0,
    ) -> None:
        self._journal = journal
        self._history = fold_rows(journal.load())
        kept = Settings.from_dict(journal.setting("set-up"), settings, choices)
        self._agreed = self._settings = terms_of(kept, self._history)
        usual = unique((*settings.names, *choices.names, *self._settings.names))  # whoever sits here is offered too
        self._roster = Roster(kept_names(journal.setting("names")), usual)
        self._choices = replace(choices, names=self._roster.offered)
        self._entry = entry_of(self._journal, self._history, self._settings.entry)
        self._preferences = Preferences.read(journal.setting("preferences"), preferences)
        self._setting_up = self._history.state is None
        self._hands = Hands(first_moment)
        self.phones = phones or Phones()
        """Those that may press keys."""
        self._desk = Desk(self.phones)
        self._overlay: Overlay | None = None
        self._notice: Notice | None = None
        self._noticed = 0
        self._pressed_at = -1.0
        self._entered: Token | None = None
        self._moved: Moved | None = None
        self._address = address
        self._changed: Callable[[], None] = lambda: None
        self._view: View | None = None
        self._story = Story(self._history)
        for note in filter(None, (self.phones.trouble, *journal.notes)):
            self._notice = Notice(Noticed.FAULT, note)

    @property
    def address(self) -> str:
        """Where the page is served; nothing where it is not."""
        return self._address

    @address.setter
    def address(self, address: str) -> None:
        if address != self._address:
            self._address = address
            self._view = None
            self._changed()

    @property
    def state(self) -> State | None:
        """The engine's state now: for the record and the tests, never for a view."""
        return self._history.state

    @property
    def history(self) -> History:
        """The entries that stand."""
        return self._history

    @property
    def preferences(self) -> Preferences:
        """What the board itself was told."""
        return self._preferences

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` after every press or notice."""
        self._changed = changed

    def view(self) -> View:
        """Everything that may be drawn now."""
        if self._view is None:
            if self._story.history is not self._history:
                self._story = Story(self._history)
            story, state = self._story, self._history.state
            settings = self._settings if self._setting_up else replace(self._settings, entry=self._entry)
            self._view = View(
                public=story.public,
                settings=settings,
                setting_up=self._setting_up,
                typed=self._hands.typed,
                entered=self._entered,
                moment=self._hands.moment,
                overlay=self._overlay,
                notice=self._notice,
                preferences=self._preferences,
                saved=self._journal.saved,
                undoable=story.undoable,
                reason=story.reason,
                reckoned=story.reckoned,
                why=story.why,
                moved=self._moved,
                pressed_at=self._pressed_at,
                address=self._address,
                phones=self.phones.paired,
                phones_moved=self.phones.revision,
                choices=self._choices,
                undo_asks_all=story.undo_asks_all,
                told=lambda: story.report,
                penalties=() if state is None else infractions(state.rules),
                unruled=() if state is None else left_open(state.rules),
                removed=self._journal.removed,
            )
        return self._view

    def press(self, key: str, now: float, source: Presser = KEYPAD, seen: int | None = None) -> str:
        """One debounced key at ``now`` (seconds). Raises ValueError for what is no key of ours, and nothing else.

        ``seen`` is the moment (``View.moment``) that the page of ``source`` showed. Says why a press was not taken
        because another hand was first; empty for one that was taken, be it allowed or not.
        """
        name = known_key(key)
        if name is None:
            raise ValueError(f"{key!r} is no key: digits, * and #, A B C D, @1 to @4, hold(@1)")
        before, history = self._bearing(), self._history
        notice, self._notice = self._notice, None
        self._pressed_at = now
        self._view = None
        late, self._entered = "", None
        try:
            token, first = self._hands.feed(name, source, seen)
        except CribbageError as error:
            self._refuse(error.brief)
        else:
            self._entered = token
            if first is not None:
                late = first.told(self.view().names)
                self._refuse(late)
            elif isinstance(token, Enter) and notice is not None and self._turns(notice, source, seen):
                self._notice = replace(notice, page=notice.page + 1)
            elif token is not None:
                self._take(token, now)
            elif isinstance(self._overlay, UndoOffer) and self._hands.before(source, seen) is None:
                self._overlay = None  # a digit drops the offer too
        if self._bearing() != before or more(notice):
            self._hands.move(
                source, describe.moved(history, self._history, set_up=self._setting_up and self._overlay is None)
            )
        self._shown(self._notice)
        self._changed()
        return late

    def tick(self, now: float) -> float | None:
        """What time brings: nothing but blinks. Returns when the lights next look different, None while they stand."""
        return next_change(self.view(), now)

    def settled(self, now: float) -> bool:
        """Whether at ``now`` nothing but a blink will change any more, and what blinks is lit."""
        view = self.view()
        return now >= settles_at(view) and not dark_moment(view, now)

    def tell(self, kind: Noticed, text: str) -> None:
        """Show a notice until the next key: a part that is missing, or back."""
        self._notice = Notice(kind, text)
        self._shown(self._notice)
        self._changed()

    def retry_saving(self) -> None:
        """Try again to write what could not be saved; says so when it works."""
        journal = not self._journal.saved and self._journal.retry()
        done = [*(["saved-again"] if journal else []), *(["phones-saved"] if self.phones.retry() else [])]
        if done:
            self.tell(Noticed.INFO, ". ".join(map(say, done)))

    def remove(self, game: int) -> tuple[int, ...]:
        """Delete a game of an earlier match for good, with all of its match; gives their numbers.

        Raises LookupError for one that is not there or that an undo may still reach, JournalError where the journal
        cannot be written; then nothing was deleted.
        """
        stretch = self._journal.stretch_of(game)
        self._journal.remove(stretch)
        # The fold of the present match alone: the chain so far may lead back into what is gone.
        self._history = fold_rows(self._journal.load())
        self._view = None
        self._changed()
        return stretch.games

    def pair(self, code: str, address: str, now: float) -> Paired | Unpaired:
        """Judge a code that was typed on a phone at that address."""
        shown = self._overlay
        self._overlay, answer = self._desk.judge(shown, code, address, now)
        if isinstance(answer, Paired):
            phone = answer.phone
            self._hands.move(phone.presser, say("moved-phones"))
            self._tell_kept(say("paired", number=phone.number, whose=keys_of(self.view(), phone.seat)))
        elif self._overlay != shown:
            self._view = None
            self._changed()
        return answer

    def unpair(self, id: str) -> None:
        """Let a phone press no more; nothing where it is not paired."""
        gone = self.phones.remove(id)
        if gone is not None:
            if isinstance(self._overlay, PhoneList):
                self._overlay = PhoneList() if self.phones.paired else None
            self._tell_kept(say("unpaired", number=gone.number))

    def _tell_kept(self, text: str) -> None:
        """What became of a phone, and whether that is not kept."""
        trouble = self.phones.trouble
        self.tell(Noticed.FAULT if trouble else Noticed.INFO, f"{text}. {trouble}" if trouble else text)

    @property
    def roster(self) -> Roster:
        """The names that the set-up offers."""
        return self._roster

    def take_names(self, roster: Roster, settings: Settings | None, by: Presser) -> None:
        """What the names kept here have become, and the set-up's own, where they were given at one."""
        if roster != self._roster:
            self._roster = roster
            self._choices = replace(self._choices, names=roster.offered)
            self._remember("names", list(roster.kept))
        if settings is not None and settings != self._settings:
            self._agree(settings)
            self._hands.move(by, say("moved-set-up"))
        self._shown(self._notice)
        self._changed()

    def _agree(self, settings: Settings) -> None:
        """The set-up is now this. After a game it is kept once a game is opened by it: until then it can be left."""
        self._settings = settings
        if self._history.state is None:
            self._remember("set-up", settings.to_dict())

    def _bearing(self) -> tuple[object, ...]:
        """All that the meaning of the next key depends on."""
        return self._history, self._overlay, self._setting_up, self._settings, self._preferences

    def _shown(self, notice: Notice | None) -> None:
        """A notice of several pages takes ``#`` for itself, so whether a hand has seen it matters."""
        self._view = None
        if more(notice):
            self._hands.show()
            self._noticed = self._hands.moment

    def _turns(self, notice: Notice, source: Presser, seen: int | None) -> bool:
        """Whether ``#`` turns the page: not for who could not yet know that there is one."""
        return more(notice) and (source == KEYPAD or seen is None or seen >= self._noticed)

    def _take(self, token: Token, now: float) -> None:
        view = self.view()
        if token.seat is not None and token.seat >= len(view.names):
            self._refuse(say("no-seat", seat=token.seat + 1, most=len(view.names)))  # a button that nobody sits at
            return
        effect: effects.Effect = effects.Pass() if self._overlay is None else over(view, self._overlay, token)
        if isinstance(effect, effects.Pass):
            self._overlay = None
            effect = meaning(replace(view, overlay=None), token)
        self._do(effect, now)

    def _do(self, effect: effects.Effect, now: float) -> None:
        match effect:
            case effects.Act(intents=intents):
                self._enter(intents, now)
            case effects.Try(intent=intent, overlay=overlay):
                try:
                    self._history.decide(intent)
                except CribbageError as error:
                    self._refuse(error.brief)
                else:
                    self._overlay = overlay
            case effects.TakeBack():
                self._undo(now)
            case effects.Fix(was=was, card=card):
                self._correct(Corrected(was, card), now)
            case effects.Open(overlay=overlay):
                self._overlay = overlay
            case effects.SetUp(settings=settings, overlay=overlay):
                if not self._setting_up:
                    self._agreed = self._settings
                self._setting_up, self._overlay = True, overlay
                self._agree(settings)
            case effects.Leave():
                self._settings, self._setting_up = self._agreed, self._history.state is None
            case effects.Prefer(name=name, value=value):
                self._preferences = replace(self._preferences, **{name: value})
                self._remember("preferences", asdict(self._preferences))
                if isinstance(self._overlay, Menu):
                    self._overlay = Menu(MENU.index(f"menu-{name}") // LISTED)  # the page that shows the new choice
            case effects.Pair(seat=seat):
                self._overlay = Pairing(self.phones.digits(), seat)
            case effects.Unpair(id=id):
                self.unpair(id)
            case effects.Refuse(text=text):
                self._refuse(text)

    def _enter(self, intents: tuple[Intent, ...], now: float) -> None:
        number = self._journal.next_number
        try:
            after = self._history.enter(number, *intents)
        except CribbageError as error:
            self._refuse(error.brief)
            return
        assert after.entry is not None
        events = after.entry.events
        if isinstance(events[0], GameOpened):
            self._remember("set-up", self._settings.to_dict())
            self._remember(f"entry {number}", self._settings.entry)
        if not self._commit(number, events):
            return
        self._move_to(after, now)
        doubted = "" if after.state is None else doubt(after.state, events)
        if doubted:
            self._notice = Notice(Noticed.INFO, doubted)

    def _undo(self, now: float) -> None:
        history = self._history
        try:
            before = history.undo()
        except Illegal as error:
            self._refuse(error.brief)
            return
        number = self._journal.next_number
        if self._commit(number, Undone(history.act)):
            if before.entry is None:  # the opening of this match is gone: on with the match before it, if there was one
                before = fold_rows(self._journal.load_earlier(history.act))
            self._move_to(before, now)

    def _correct(self, correction: Corrected, now: float) -> None:
        number = self._journal.next_number
        try:
            after = self._history.correct(number, correction.was, correction.card)
        except CribbageError as error:
            self._overlay = Asking("wrong-card")
            self._refuse(error.brief)
            return
        if self._commit(number, correction):
            self._move_to(after, now)

    def _move_to(self, history: History, now: float) -> None:
        """The accepted act is saved: now it may be shown."""
        before = self._history.state
        self._history = history
        self._overlay = None
        self._setting_up = history.state is None
        self._settings = terms_of(self._settings, history)
        self._entry = entry_of(self._journal, self._history, self._settings.entry)
        was, stand = (None if state is None else state.pegs for state in (before, history.state))
        self._moved = follow(self._moved, was, stand, now, blink=self._preferences.blink)

    def _refuse(self, text: str) -> None:
        self._notice = Notice(Noticed.REFUSED, text)

    def _commit(self, number: int, what: tuple[Event, ...] | Undone | Corrected) -> bool:
        saved, notice = commit(self._journal, number, what)
        self._notice = notice or self._notice
        return saved

    def _remember(self, name: str, value: Any) -> None:
        self._notice = remember(self._journal, name, value) or self._notice
