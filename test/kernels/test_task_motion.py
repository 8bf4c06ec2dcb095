"""What tasks control of a body moves as the body does, by Pinocchio's own account."""

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.kernels import heading_motion, position_motion, rotation_motion

EXACT = 1e-12
STEP = 1e-6  # [s] of differences
NEAR = 1e-7  # what they are good for
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class Moving:
    """A random robot in motion, and what kernels ask of one of its frames."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        pin.seed(seed)
        self.model = pin.buildSampleModelHumanoidRandom()
        self.data = self.model.createData()
        joint = int(rng.integers(1, self.model.njoints))
        placement = pin.SE3.Random()
        frame = pin.Frame("tool", joint, placement, pin.FrameType.OP_FRAME)
        self.frame = self.model.addFrame(frame)
        self.data = self.model.createData()
        self.q = pin.integrate(self.model, pin.neutral(self.model), rng.normal(size=self.model.nv))
        self.v = rng.normal(size=self.model.nv)
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.q, self.v)
        moves = np.zeros(self.model.nv, dtype=np.bool_)
        for support in self.model.supports[joint]:
            if support > 0:
                start = self.model.idx_vs[support]
                moves[start : start + self.model.nvs[support]] = True
        rotation, translation = self.data.oMi[joint].rotation, self.data.oMi[joint].translation
        of_frame = np.vstack([placement.rotation, placement.translation])
        self.turned = (self.data.J.T, self.data.dJ.T, self.v, rotation, of_frame, moves)
        self.placed = (*self.turned[:4], translation, of_frame, moves)
        self.vector = rng.normal(size=3)

    def at(self, q):
        """Return the frame's placement and its Jacobian."""
        data = self.model.createData()
        jacobian = pin.computeFrameJacobian(self.model, data, q, self.frame, WORLD)
        return pin.updateFramePlacement(self.model, data, self.frame), jacobian

    def later(self, time):
        return self.at(pin.integrate(self.model, self.q, time * self.v))

    def rate(self, value):
        """Return how fast a value of placement and Jacobian changes."""
        return (value(*self.later(STEP)) - value(*self.later(-STEP))) / (2.0 * STEP)


def results(nv, size=3):
    return np.full(size, np.nan), np.full((3, nv), np.nan), *np.full((2, 3), np.nan)


@pytest.fixture(params=range(8))
def moving(request):
    return Moving(request.param)


def test_a_point(moving):
    x, J, velocity, bias = results(moving.model.nv)
    position_motion(*moving.placed, moving.vector, x, J, velocity, bias)

    def jacobian(placement, full):
        return full[:3] - pin.skew(placement.rotation @ moving.vector) @ full[3:]

    placement, full = moving.at(moving.q)
    assert x == pytest.approx(placement.act(moving.vector), abs=EXACT)
    assert pytest.approx(jacobian(placement, full), abs=EXACT) == J
    assert velocity == pytest.approx(J @ moving.v, abs=EXACT)
    assert bias == pytest.approx(moving.rate(jacobian) @ moving.v, abs=1e3 * NEAR)


def test_a_direction(moving):
    b = moving.vector / np.linalg.norm(moving.vector)
    h, J, velocity, bias = results(moving.model.nv)
    heading_motion(*moving.turned, b, h, J, velocity, bias)

    def jacobian(placement, full):
        return -pin.skew(placement.rotation @ b) @ full[3:]

    placement, full = moving.at(moving.q)
    assert h == pytest.approx(placement.rotation @ b, abs=EXACT)
    assert pytest.approx(jacobian(placement, full), abs=EXACT) == J
    assert velocity == pytest.approx(J @ moving.v, abs=EXACT)
    assert bias == pytest.approx(moving.rate(jacobian) @ moving.v, abs=1e3 * NEAR)


def test_a_rotation(moving):
    quaternion, J, velocity, bias = results(moving.model.nv, 4)
    rotation_motion(*moving.turned, quaternion, J, velocity, bias)
    placement, full = moving.at(moving.q)
    assert quaternion == pytest.approx(pin.Quaternion(placement.rotation).coeffs(), abs=EXACT)
    assert pytest.approx(full[3:], abs=EXACT) == J
    assert velocity == pytest.approx(full[3:] @ moving.v, abs=EXACT)
    rate = moving.rate(lambda _, full: full[3:])
    assert bias == pytest.approx(rate @ moving.v, abs=1e3 * NEAR)


@pytest.mark.parametrize("turn", [*np.eye(3), *-np.eye(3), (0.6, 0.8, 0.0), (1e-9, -1.0, 0.0)])
def test_half_a_turn_about_any_axis_is_a_quaternion_too(turn):
    R = pin.exp3(np.pi * np.array(turn, dtype=float))
    quaternion, J, velocity, bias = results(0, 4)
    frame = np.vstack([np.eye(3), np.zeros(3)])
    empty = np.zeros((0, 6))
    rotation_motion(
        empty, empty, np.zeros(0), R, frame, np.zeros(0, dtype=np.bool_),
        quaternion, J, velocity, bias,
    )  # fmt: skip
    assert quaternion == pytest.approx(pin.Quaternion(R).coeffs(), abs=EXACT)
    assert pin.Quaternion(quaternion).matrix() == pytest.approx(R, abs=EXACT)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["joint", "rate", "speed"])
def test_what_is_not_finite_is_told_where_it_moves_the_frame(moving, bad, where):
    moves = moving.turned[-1]
    for k in (np.flatnonzero(moves)[0], *np.flatnonzero(~moves)[:1]):
        J, dJ, v = (values.copy() for values in moving.turned[:3])
        {"joint": J, "rate": dJ, "speed": v}[where][k] = bad
        placed, turned = (J, dJ, v, *moving.placed[3:]), (J, dJ, v, *moving.turned[3:])
        assert told(placed, turned, moving) == {not moves[k]}
    assert told(moving.placed, moving.turned, moving) == {True}


def told(placed, turned, moving):
    """Return what the kernels tell of their results, together."""
    nv = moving.model.nv
    return {
        position_motion(*placed, moving.vector, *results(nv)),
        heading_motion(*turned, moving.vector, *results(nv)),
        rotation_motion(*turned, *results(nv, 4)),
    }
