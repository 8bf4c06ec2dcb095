"""When Python looks for garbage: hardly while a command starts, as usual once a controller runs."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

USUAL = gc.get_threshold()
SELDOM = (100_000, 50, 100)  # [objects, collections, collections] more than most starts make


def look_seldom() -> None:
    """Let a start go on: what imports and files leave lasts, and looking at it takes a third."""
    gc.set_threshold(*SELDOM)


def look_as_usual() -> None:
    """Keep what is looked at once as small as it always is: before anything runs in real time."""
    gc.set_threshold(*USUAL)


@contextmanager
def looked_for_seldom() -> Iterator[None]:
    """Look seldom within, and then as before."""
    before = gc.get_threshold()
    look_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
