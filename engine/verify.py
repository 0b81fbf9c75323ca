"""What every card and hand must pass, and the words that name the position a refusal came from."""

from __future__ import annotations

from engine.cards import Card, codes
from engine.errors import Illegal, Malformed
from engine.state import Dealt, Stage, State


def name(state: State, seat: int | None) -> str:
    """A player's name; raises Malformed for a seat that is not at this table."""
    if seat is None or not 0 <= seat < state.rules.seats:
        raise Malformed(f"seat {'?' if seat is None else seat + 1} is not at this table: it has {state.rules.seats}")
    return state.names[seat]


def position(state: State | None) -> str:
    """Dealer, count and whose turn, in a few words.

    >>> position(None)
    'no game'
    """
    if state is None:
        return "no game"
    if state.stage is Stage.END:
        return "game over"
    deal = state.deal
    if deal is None or state.stage is Stage.DEAL:
        return "between deals" if state.deals else "before the first deal"
    parts = [f"{state.names[deal.dealer]} deals"]
    match state.stage:
        case Stage.PLAY:
            parts += [f"count {deal.count}", f"{state.names[deal.turn]}'s turn"]
        case Stage.STARTER:
            parts.append("the starter is next")
        case Stage.SHOW:
            parts.append(f"{state.names[deal.shower]}'s hand is next")
        case _:
            parts.append("the crib is next")
    return ", ".join(parts)


def illegal(state: State, message: str) -> Illegal:
    """A refusal that names the position."""
    return Illegal(message, position(state))


def check_cards(
    state: State, deal: Dealt, cards: tuple[Card, ...], owner: int | None = None, *, suited: bool = False
) -> None:
    """Refuse cards seen elsewhere in this deal, a duplicate, or a fifth of a rank; says where the card is.

    Cards that ``owner`` has laid in the play are that seat's own and pass. ``suited``: every card must have its suit.
    """
    bare = next((card for card in cards if card.suit is None), None) if suited else None
    if bare is not None:
        raise Malformed(f"{bare} has no suit: outside the play every card needs one, like {bare}H")
    if len(set(cards)) != len(cards) and all(card.suit is not None for card in cards):
        raise Malformed(f"a card stands twice in {' '.join(codes(cards))}")
    seen = _seen(state, deal, owner)
    ranks = [other.rank for other, _ in seen] + [other.rank for other in cards]
    for card in cards:
        where = next((place for other, place in seen if other == card and card.suit is not None), None)
        if where is not None:
            raise illegal(state, f"{card} is {where}")
        if ranks.count(card.rank) > 4:
            raise illegal(state, f"{card} would be a fifth {str(card)[0]} in this deal")


def _seen(state: State, deal: Dealt, owner: int | None) -> list[tuple[Card, str]]:
    """Each card of this deal told so far but the owner's, with where it is."""
    seen = [] if deal.starter is None else [(deal.starter, "the starter")]
    shown = {(deal.eldest + step) % len(deal.held): hand for step, hand in enumerate(deal.shown) if hand}
    for seat in range(len(deal.held)):
        if seat != owner:
            played = deal.cards_of(seat)
            laid = ": already played" if state.stage is Stage.PLAY else ""
            where = f"in {state.names[seat]}'s hand"
            seen += [(card, where + laid * (card in played)) for card in shown.get(seat) or played]
    return seen + [(card, "in the crib") for card in deal.crib or ()]


def check_hand(state: State, deal: Dealt, seat: int, cards: tuple[Card, ...]) -> None:
    """Refuse a hand of the wrong number of cards, one without the cards its player laid, or with another's."""
    held = deal.held[seat]
    if len(cards) != held:
        raise Malformed(f"{len(cards)} cards for {state.names[seat]}'s hand: {held} are held")
    check_cards(state, deal, cards, owner=seat, suited=True)
    rest = list(cards)
    for laid in sorted(deal.cards_of(seat)):  # those with a suit first: a bare rank takes what they leave
        match = next((card for card in rest if card == laid or (laid.suit is None and card.rank == laid.rank)), None)
        if match is None:
            raise illegal(state, f"{state.names[seat]} played {laid}, which is not among {' '.join(codes(cards))}")
        rest.remove(match)
    if deal.play_over and deal.left(seat) == 0 and rest:
        raise illegal(state, f"{rest[0]} was not played by {state.names[seat]}")
