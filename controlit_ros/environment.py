"""Environment variables for a while: what is started meanwhile inherits them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def variable_set(name: str, value: str | None) -> Iterator[None]:
    """Set a variable of the environment, and leave it afterwards as it was.

    Args:
        name: Of the variable.
        value: What it shall be; `None`: what it is.
    """
    if value is None:
        yield
        return
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
