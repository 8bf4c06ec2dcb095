"""How the base stands, as guards of modes see it."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from controlit_ros.modes import (
    Mode,
    ModeBehaviour,
    ModeGraph,
    ModeParameters,
    Modes,
    ModeTransition,
)
from controlit_ros.modes.newcomers import Newcomers
from controlit_ros.parameters import Expression, ParameterDirectory
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.servo import CoordinatorState

FALL = "modes.tilt > 0.6 || modes.base_height < 0.5"


def mode(name):
    nothing = ((),) * 5
    return Mode(name, "", PreparedValues(()), *nothing, (), (), frozenset(), (), (), "")


class Falling:
    """Modes of a floating base that do nothing but notice a fall."""

    def __init__(self):
        shown = ModeParameters(["stand", "fall"], "stand", is_floating=True)
        guard = Expression(FALL, ParameterDirectory([shown]))
        way = ModeTransition("stand", "fall", guard, hold=0.02, automatic=True)
        graph = ModeGraph(["stand", "fall"], "stand", [way])
        modes = {name: mode(name) for name in graph.names}
        self.shown = shown
        self.reports = []
        self.behaviour = ModeBehaviour(
            Modes(shown, graph, modes, {}, frozenset(), Newcomers()),
            self.reports.append,
            lambda _event: None,
        )
        self.state = SimpleNamespace(base_orientation=np.zeros(4), base_position=np.zeros(3))
        self.servo = SimpleNamespace(
            state=CoordinatorState.ACTIVE,
            robot_state=self.state,
            assign=lambda _order: True,
            smooth=lambda: None,
        )
        self.now = 0.0

    def stand(self, quaternion, height=1.0, cycles=1):
        self.state.base_orientation[:] = quaternion
        self.state.base_position[:] = (3.0, -2.0, height)
        for _ in range(cycles):
            self.now += 0.01
            self.behaviour.act(self.now, self.servo)


@pytest.fixture
def falling():
    return Falling()


def turned(axis, angle):
    """Return a turn about an axis, xyzw."""
    axis = np.array(axis) / np.linalg.norm(axis)
    return np.append(math.sin(angle / 2) * axis, math.cos(angle / 2))


def rotated(q, vector):
    """Return a vector turned by a quaternion, by the textbook's formula."""
    u, w = q[:3], q[3]
    return vector + 2.0 * np.cross(u, np.cross(u, vector) + w * vector)


@pytest.mark.parametrize("seed", range(20))
def test_the_tilt_is_the_angle_between_the_vertical_axes(falling, seed):
    q = np.random.default_rng(seed).standard_normal(4)
    q /= np.linalg.norm(q)
    falling.stand(q)
    up = rotated(q, np.array([0.0, 0.0, 1.0]))
    assert falling.shown.tilt.value == pytest.approx(math.acos(up[2]), abs=1e-7)
    falling.stand(-q)  # the same orientation
    assert falling.shown.tilt.value == pytest.approx(math.acos(up[2]), abs=1e-7)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (1, -1, 0)])
def test_it_grows_whichever_way_the_base_leans(falling, axis, sign):
    for angle in (0.1, 0.5, 1.5, 3.0):
        falling.stand(turned(axis, sign * angle))
        assert falling.shown.tilt.value == pytest.approx(angle)


def test_a_turn_about_the_vertical_is_no_tilt(falling):
    for angle in (-3.0, 0.5, 3.1):
        falling.stand(turned((0, 0, 1), angle))
        assert falling.shown.tilt.value == pytest.approx(0.0, abs=1e-7)


def test_the_height_is_that_of_the_base_above_the_world(falling):
    falling.stand(turned((0, 1, 0), 0.2), height=0.83)
    assert falling.shown.base_height.value == 0.83


@pytest.mark.parametrize(
    ("quaternion", "height", "mode"),
    [
        (turned((0, 0, 1), 2.0), 1.0, "stand"),
        (turned((1, 0, 0), 0.59), 0.51, "stand"),
        (turned((1, 0, 0), -0.61), 1.0, "fall"),
        (turned((0, 1, 0), 0.61), 1.0, "fall"),
        (turned((0, 1, 0), math.pi), 1.0, "fall"),
        (turned((0, 0, 1), 2.0), 0.49, "fall"),
    ],
)
def test_a_fall_is_noticed_by_either(falling, quaternion, height, mode):
    falling.stand(turned((0, 0, 1), 0.0), cycles=5)
    falling.stand(quaternion, height, cycles=6)
    assert falling.shown.mode.value == mode
    assert falling.reports[-1].confirmed == mode


def test_a_robot_that_leans_for_a_moment_does_not_fall(falling):
    for _ in range(10):
        falling.stand(turned((1, 0, 0), 1.0), cycles=2)
        falling.stand(turned((1, 0, 0), 0.1))
    assert falling.shown.mode.value == "stand"


def test_a_robot_that_is_bolted_has_neither():
    shown = ModeParameters(["work"], "work", is_floating=False)
    assert shown.tilt is None
    assert "base_height" not in shown.parameters
