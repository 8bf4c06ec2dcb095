"""Keys that only their user may read."""

import os
from pathlib import Path

from controlit_ros.errors import ControlItError
from controlit_ros.own_files import ForeignFileError, open_own

SHORTEST = 16  # [bytes] 128 bits, where they are random
LONGEST = 4096  # [bytes]


class KeyFileError(ControlItError):
    """A file holds no key, or others may read it."""


def read_key(name: str) -> bytes:
    """Return the content of a file without white space at its ends.

    Args:
        name: Absolute path, or one that begins with `~/`.

    Raises:
        KeyFileError: It is no key that only this user knows; the text says how to make one.
    """
    path = Path.home() / name[2:] if name.startswith("~/") else Path(name)
    if not path.is_absolute():
        raise KeyFileError(f"found {name!r}, expected an absolute path or ~/...")
    try:
        descriptor = open_own(path, os.O_RDONLY)
        with os.fdopen(descriptor, "rb") as file:
            key = file.read(LONGEST + 1).strip()
    except FileNotFoundError:
        raise KeyFileError(
            f"there is no file {path}; `(umask 077; openssl rand -hex 32 > {path})` makes a key, "
            "which the other side needs as well"
        ) from None
    except (ForeignFileError, OSError, ValueError) as error:
        raise KeyFileError(str(error)) from None
    if not SHORTEST <= len(key) <= LONGEST:
        raise KeyFileError(
            f"{path} holds {min(len(key), LONGEST + 1)} bytes, expected {SHORTEST} to {LONGEST}"
        )
    return key
