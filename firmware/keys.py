"""From debounced edges to the keys of the board: a keypad key counts when it goes down, a seat button when let go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardware.ports import Edge, KeyEvent


def keys_of(events: Iterable[KeyEvent]) -> Iterator[str]:
    """The presses in some edges: a seat button's tap is ``@2``, its hold ``hold(@2)``; a keypad key acts at once."""
    for event in events:
        seat = event.key.startswith("@")
        if seat and event.edge is Edge.HOLD:
            yield f"hold({event.key})"
        elif event.edge is Edge.DOWN:
            yield event.key
