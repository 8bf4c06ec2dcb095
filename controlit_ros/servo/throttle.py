"""Throttle: when to tell again of what goes on."""

import math

PERIOD = 1.0  # [s] the same complaint at 1 kHz helps nobody
CALM = 3.0  # [s] without it after which it is news again


class Throttle:
    """Lets the first of many alike through, then one a period, and counts those it held back.

    The period is 1 s. It may double each time, 1 s, 2 s, 4 s ... up to `longest`, as long as there
    are never more than 3 s without an occurrence; after that the next one passes at once.

    Args:
        longest: Period [s].
    """

    __slots__ = ("_held", "_longest", "_passed_at", "_period", "_seen_at")

    def __init__(self, longest: float = PERIOD) -> None:
        self._longest = longest
        self._period = PERIOD
        self._passed_at = self._seen_at = -math.inf
        self._held = 0

    def passes(self, now: float) -> bool:
        """Count an occurrence; return whether it is to be told.

        Args:
            now: The present time [s]; it may begin anew.
        """
        is_news = not 0.0 <= now - self._seen_at <= CALM
        self._seen_at = now
        if is_news:
            self._period = PERIOD
        elif now - self._passed_at < self._period:
            self._held += 1
            return False
        else:
            self._period = min(2.0 * self._period, self._longest)
        self._passed_at = now
        return True

    def take_held(self) -> int:
        """Return how many were held back since this was last asked."""
        held, self._held = self._held, 0
        return held
