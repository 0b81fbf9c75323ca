"""Moving pegs: every award goes through here, is cut at the game hole, and may end the game at that very award."""

from __future__ import annotations

from collections.abc import Sequence

from engine.awards import Kind, Why
from engine.state import Award, Outcome, Pegs, State
from engine.values import replace


def holes_to_go(state: State, seat: int) -> int:
    """How many holes that seat's side still has to the game hole."""
    return state.rules.target - state.pegs[state.side(seat)].front


def note(state: State, outcome: Outcome) -> State:
    """The state with one more outcome on its ledger; no peg moves."""
    return replace(state, ledger=(*state.ledger, outcome))


def award(
    state: State,
    seat: int,
    points: int,
    whys: Sequence[Why],
    *,
    count: int | None = None,
    what: str = "",
    penalty: bool = False,
    provisional: bool = False,
) -> State:
    """Peg ``points`` for a seat's side; the back peg leaps in front (001, Setup). Nothing moves once the game is won.

    Penalties are no points of the deal: a void deal leaves them. A provisional award (a count put back at once)
    does not end the game.
    """
    if state.winner is not None:
        return state
    side = state.side(seat)
    peg = state.pegs[side]
    points = max(-peg.front, min(points, state.rules.target - peg.front))
    front = peg.front + points
    moved = peg if points == 0 else Pegs(front, peg.front if points > 0 else min(peg.back, front))
    pegs = (*state.pegs[:side], moved, *state.pegs[side + 1 :])
    scores = tuple(one.front for one in pegs)
    deal = state.deal
    if deal is not None and points and not penalty:
        gained = (*deal.gained[:side], deal.gained[side] + points, *deal.gained[side + 1 :])
        deal = replace(deal, gained=gained)
    entry = Award(seat, points, tuple(whys), count, scores, what)
    won = front >= state.rules.target and not provisional
    if not points and not what:
        return state  # a peg on the start or on the game hole has nowhere to go
    state = replace(state, pegs=pegs, deal=deal, ledger=(*state.ledger, entry))
    return win(state, side) if won else state


def win(state: State, side: int) -> State:
    """That side has won: the match tally grows by what the win is worth in the book, and every window closes."""
    return _tally(replace(state, winner=side, claims=()), side, 1)


def unwin(state: State) -> State:
    """The state with the game open again, because the claim that won it has been called."""
    if state.winner is None:
        return state
    return replace(_tally(state, state.winner, -1), winner=None)


def win_if_there(state: State) -> State:
    """The game is won, if a front peg stands in the game hole after all."""
    if state.winner is not None:
        return state
    there = [side for side, peg in enumerate(state.pegs) if peg.front >= state.rules.target]
    return win(state, there[0]) if there else state


def _tally(state: State, side: int, sign: int) -> State:
    losers = [state.skunk(other) for other in range(len(state.pegs)) if other != side]
    worth = state.rules.skunk_worth[min(max(losers), len(state.rules.skunk_worth) - 1)]
    tally = state.games_won
    return replace(state, games_won=(*tally[:side], tally[side] + sign * worth, *tally[side + 1 :]))


def because(kind: Kind, points: int) -> tuple[Why, ...]:
    """A single reason without cards, or none for no points."""
    return (Why(kind, points),) if points else ()
