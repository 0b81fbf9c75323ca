"""The companion page: the board, the glass, the keys, the scores and the log, in a browser on the same machine."""

from firmware.web.app import make_app
from firmware.web.changes import Changes
from firmware.web.server import PageServer, listen
from firmware.web.source import KEYS, PageSource

__all__ = ["KEYS", "Changes", "PageServer", "PageSource", "listen", "make_app"]
