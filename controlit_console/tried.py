"""Tried: what fails by a message that is not as it should be leaves everything else at work."""

import logging
from collections.abc import Callable

from controlit_console.feed import Feed

MOST = 100  # [#] failures that are told: a message may make a new text of each

_log = logging.getLogger("controlit.console")


class Tried:
    """Does things that may fail; each failure is told once.

    Args:
        feed: Where it is told.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._told: set[str] = set()

    def __call__(self, action: Callable[[], None]) -> None:
        """Do something; failures are noted on the page and logged."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - whatever a message made of it
            text = f"something cannot be shown: {type(error).__name__}: {error}"
            if text not in self._told and len(self._told) < MOST:
                self._told.add(text)
                self._feed.note("error", text)
                _log.exception("something cannot be shown")
