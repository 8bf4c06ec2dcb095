"""How many examples of a property are tried."""

from hypothesis import settings

ALL = 25
"""Examples that a property is tried on in `make test` unless it says otherwise."""


def tries(count: int) -> int:
    """Return how many examples to try: `count` of them in `make test`, fewer in `make check`."""
    return max(1, count * settings().max_examples // ALL)
