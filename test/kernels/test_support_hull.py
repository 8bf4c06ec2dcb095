"""The polygon about points, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from scipy.spatial import ConvexHull

from controlit_ros.kernels import support_hull


def hull(points):
    order, found = np.zeros(len(points), np.int64), np.zeros(2 * len(points), np.int64)
    return found[: support_hull(points, order, found)]


@given(SEEDS, st.integers(3, 16))
def test_has_the_corners_that_scipy_finds_in_the_same_sense(seed, count):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    found, expected = hull(points).tolist(), ConvexHull(points[:, :2]).vertices.tolist()
    first = found.index(expected[0])
    assert found[first:] + found[:first] == expected


def test_points_that_are_there_twice_and_on_edges_are_no_corners():
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0], [1, 1], [0.5, 0.5]], float)
    assert sorted(hull(square).tolist()) in ([0, 1, 2, 3], [0, 1, 3, 5])


@pytest.mark.parametrize("points", [[[0, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]]])
def test_points_on_a_line_make_none(points):
    assert len(hull(np.array(points, float))) < 3


@given(SEEDS)
def test_corners_that_are_nearly_in_line_are_those_of_the_whole(seed):
    """Two soles side by side: rounding decides which of four corners is the foremost."""
    rng = np.random.default_rng(seed)
    soles = [[x, y] for y in (-0.15, -0.02, 0.02, 0.15) for x in (-0.1, 0.1)]
    points = np.array(soles) + rng.uniform(-1e-12, 1e-12, (8, 2))
    found = hull(points).tolist()
    assert {0, 1, 6, 7} <= set(found)
    edges = points[np.roll(found, -1)] - points[found]
    assert (np.abs(edges).min(axis=1) < 1e-11).all()  # along the axes
