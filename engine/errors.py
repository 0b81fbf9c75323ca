"""What can be wrong with something a person said: it cannot be read, it is against the rules, or it is not clear."""


class CribbageError(ValueError):
    """Any refusal by the engine; the message quotes the input and says what to do next. Nothing has changed.

    ``brief`` is the message without the position, for a small screen.
    """

    def __init__(self, message: str, position: str = "") -> None:
        super().__init__(f"{message} ({position})" if position else message)
        self.brief = message


class Malformed(CribbageError):
    """The words cannot be understood: a card that does not exist, a duplicate in one line, a name not at the table."""


class Illegal(CribbageError):
    """Understood, but the rules or the position forbid it."""


class Ambiguous(CribbageError):
    """Understood in more than one way; the message names the choices."""
