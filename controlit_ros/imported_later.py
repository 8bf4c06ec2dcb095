"""imported_later: a module that a library imports, and hardly ever uses, is imported once it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands for a module until somebody asks it for something."""

    def __getattr__(self, name: str) -> Any:
        _forget(self)
        return getattr(import_module(self.__name__), name)


@contextmanager
def imported_later(name: str) -> Iterator[None]:
    """Let modules that are imported within have another one without its being imported.

    Who imports it afterwards, or another thread that uses it meanwhile, has the module itself.
    """
    if name in sys.modules:
        yield
        return
    later = sys.modules[name] = _Later(name)
    try:
        yield
    finally:
        _forget(later)


def _forget(later: ModuleType) -> None:
    if sys.modules.get(later.__name__) is later:
        del sys.modules[later.__name__]
