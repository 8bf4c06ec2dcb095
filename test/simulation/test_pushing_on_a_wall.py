"""A hand that pushes on a wall feels what was asked for, and nothing else moves; in MuJoCo."""

import itertools
import os

import numpy as np
import pytest
from robots_for_tests import needs_example_robots
from wall import PANDA, TALOS, play, pushing

FORCE = 30.0  # [N]
LESS = 15.0  # [N] with which the hand stays at the wall, too
FARTHEST = 5e-4  # [m]
MOST_TURNED = np.radians(0.1)
TOP, BESIDE, BOTTOM = 10, 1, 0

pytestmark = [pytest.mark.simulation, needs_example_robots]


def size(error):
    """Return the length of a vector in space, or the largest entry of a posture's."""
    return float(np.linalg.norm(error) if len(error) == 3 else np.abs(error).max())


def moved(more, less):
    """Return by how much each task was moved by the difference of two pushes, at most."""
    pairs = list(zip(more.errors, less.errors, strict=True))
    return {name: max(size(a[name] - b[name]) for a, b in pairs) for name in pairs[0][0]}


def check(pusher, folder, *, seconds, amplitude, level, **settings):
    records = []
    for force in (FORCE, LESS):
        run = pushing(pusher, folder, level=level, force=force, **settings)
        records.append(play(run, pusher, seconds, amplitude))
        assert not [text for text in run.complaints() if "Push" in text]
    more, less = records
    assert less.forces[len(less.forces) // 4 :].min() > 1.0
    settled = len(more.forces) // 2
    np.testing.assert_allclose(
        (more.forces - less.forces)[settled:], FORCE - LESS, atol=0.2 if amplitude else 0.02
    )
    for name, most in moved(more, less).items():
        is_place = name.endswith("Position") or name == "CenterOfMass"
        assert most < (FARTHEST if is_place else MOST_TURNED), name
    return more


CONTROLLERS = (
    {"reach_lower_levels": True},
    {"reach_lower_levels": False},
    {"type": "WBOSCImpedance", "reach_lower_levels": True},
    {"type": "WholeBodyQP"},
)
ALL = [
    (controller, limits, level)
    for controller, limits, level in itertools.product(
        CONTROLLERS, (False, True), (TOP, BESIDE, BOTTOM)
    )
    if not (limits and controller.get("type") == "WholeBodyQP")  # has limits of its own
]
if os.environ.get("HYPOTHESIS_PROFILE") != "thorough":
    ALL = [ALL[i] for i in (3, 8, 10, 14, 18)]


@pytest.mark.parametrize(("controller", "limits", "level"), ALL)
def test_an_arm_pushes_while_its_hand_moves_along_the_wall(tmp_path, controller, limits, level):
    check(
        PANDA, tmp_path, seconds=0.6, amplitude=0.02, level=level,
        controller=controller, limits=limits,
    )  # fmt: skip


HUMANOID = list(itertools.product((True, False), (True, False), (TOP, BESIDE, BOTTOM)))
if os.environ.get("HYPOTHESIS_PROFILE") != "thorough":
    HUMANOID = [HUMANOID[i] for i in (0, 5)]


@pytest.mark.parametrize(("reach", "limits", "level"), HUMANOID)
def test_a_humanoid_pushes_while_its_other_hand_moves(tmp_path, reach, limits, level):
    """As shipped, and without what makes levels up for those above."""
    check(
        TALOS, tmp_path, seconds=0.5, amplitude=0.03, level=level,
        controller={"reach_lower_levels": reach}, limits=limits,
    )  # fmt: skip


def test_at_rest_the_wall_feels_exactly_the_force(tmp_path):
    run = pushing(PANDA, tmp_path, level=TOP, force=FORCE, controller={"reach_lower_levels": True})
    record = play(run, PANDA, 0.5, 0.0)
    assert record.forces[-1] == pytest.approx(FORCE, abs=0.01)
    for name, error in record.errors[-1].items():
        assert np.linalg.norm(error) < FARTHEST, name


@pytest.mark.parametrize("level", [TOP, BOTTOM])
def test_without_a_wall_the_hand_goes_no_faster_than_it_may(tmp_path, level):
    run = pushing(PANDA, tmp_path, level=level, force=4 * FORCE, gap=None, axes=("x", "y", "z"))
    record = play(run, PANDA, 0.5, 0.0)
    fastest = run.tasks["Push"].controller.max_speed.value[0]
    assert 0.3 * fastest < record.speeds.max() < 1.1 * fastest
    (told,) = [text for text in run.complaints() if text.startswith("Push:")][:1]
    assert "nothing stops 'panda_hand', which moves at " in told
    assert "expected a contact that holds it; from half of max_speed (0.25)" in told
