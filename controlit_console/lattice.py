"""lattice: a box as lines, which hide nothing that stands behind them."""

import itertools

import numpy as np

from controlit_ros.arrays import Array

APART = 0.5  # [m] at most between lines, so that what is broad is taken for a wall


def lattice(edges: Array) -> Array:
    """Return lines on the faces of a box around the origin, `(n, 2, 3)` [m].

    Args:
        edges: Of the box along x, y, z, `(3,)` [m].
    """
    counts = [max(1, int(np.ceil(edge / APART))) for edge in edges]
    places = [
        np.linspace(-0.5, 0.5, count + 1) * edge for edge, count in zip(edges, counts, strict=True)
    ]
    lines = []
    for along in range(3):
        one, other = (axis for axis in range(3) if axis != along)
        for at in itertools.product(places[one], places[other]):
            if np.isclose(np.abs(at), 0.5 * edges[[one, other]]).any():
                line = np.zeros((2, 3))
                line[:, [one, other]] = at
                line[:, along] = -0.5 * edges[along], 0.5 * edges[along]
                lines.append(line)
    return np.array(lines)
