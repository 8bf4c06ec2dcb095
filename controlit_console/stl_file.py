"""Binary STL, the file that most meshes of robots are in, read at once."""

from pathlib import Path

import numpy as np

from controlit_ros.arrays import Array

HEADER = 84  # [bytes] before the triangles: words of any kind, then how many there are
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
CORNER = np.dtype((np.void, 12))  # [bytes] of its three numbers


def read_stl(path: Path) -> tuple[Array, Array] | None:
    """Return corners `(n, 3)` and faces `(k, 3)` of them; `None`: it is no binary STL.

    Corners that are the same in several triangles are told once. A general reader needs ten times
    as long for them.
    """
    data = path.read_bytes()
    count = int.from_bytes(data[HEADER - 4 : HEADER], "little")
    if not count or len(data) != HEADER + count * TRIANGLE.itemsize:
        return None
    corners = np.ascontiguousarray(np.frombuffer(data, TRIANGLE, count, HEADER)["corners"])
    told = corners.reshape(-1, 3)
    _, first, number = np.unique(told.view(CORNER), return_index=True, return_inverse=True)
    return told[first], number.reshape(-1, 3).astype(np.uint32)
