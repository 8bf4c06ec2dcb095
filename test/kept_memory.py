"""How much memory an action keeps, whatever other threads of the process do meanwhile."""

import tracemalloc

ATTEMPTS = 5


def kept_memory(action):
    """Return the least that several calls of an action keep, each by itself [bytes]."""
    return min(_kept_by(action) for _ in range(ATTEMPTS))


def _kept_by(action):
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
