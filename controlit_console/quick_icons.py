"""quick_icons: lets viser read its icons from one opening of their archive."""

import zipfile
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import viser._icons

_opened = cache(zipfile.ZipFile)


def quick_icons() -> AbstractContextManager[Any]:
    """Return where icons are read quickly.

    viser opens the archive anew for each icon that is used first, and reads the names of five
    thousand of them, for 30 ms.
    """
    once = SimpleNamespace(ZipFile=lambda path: nullcontext(_opened(path)))
    return patch.object(viser._icons, "zipfile", once)  # noqa: SLF001 - there is no other way
