"""What two feet stand on, against the hull of their corners."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.support_area import is_between

REACH = np.array([0.1, 0.06])


def corners(foot):
    signs = [(x, y) for x in (-1, 1) for y in (-1, 1)]
    return [foot.from_here(*(np.array(sign) * REACH))[:2] for sign in signs]


@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
@pytest.mark.parametrize("way", [(0.0, 0.17), (0.3, 0.17), (-0.2, -0.3), (0.0, 0.0)])
def test_it_is_the_hull_of_both_soles(yaw, way):
    here = Footstep(Side.LEFT, np.array([3.0, -1.0, 0.0]), yaw)
    there = Footstep(Side.RIGHT, here.from_here(*way), yaw)
    hull = Delaunay([*corners(here), *corners(there)])
    for point in np.random.default_rng(1).uniform(-0.6, 0.6, (200, 2)):
        at = here.from_here(*point)
        assert is_between(at, (here, there), REACH) == (hull.find_simplex(at[:2]) >= 0)


def test_nothing_is_between_points():
    here = Footstep(Side.LEFT, np.zeros(3), 0.0)
    there = Footstep(Side.RIGHT, np.array([0.0, -0.2, 0.0]), 0.0)
    assert not is_between(np.array([0.0, -0.1, 0.0]), (here, there), np.zeros(2))
