"""Dreamer's hands with friction, noise and delay: a third of the paper's errors, calm at rest."""

import numpy as np
import pytest
from plan_in_simulation import HANDS, Motion
from robots_for_tests import REPOSITORY

from controlit_ros.recording.paper_figures import HAND_BOUNDS

pytestmark = pytest.mark.simulation

CONFIGURATION = REPOSITORY / "config" / "dreamer" / "hands_with_friction.yaml"
REST = 1.0  # [s] at the end
AT_REST = {"Position": 0.2, "Orientation": 0.2}  # [cm], [°]


def at_rest(motion, name):
    errors = motion.tracks[name].errors()
    return errors[motion.tracks[name].times >= motion.times[-1] - REST]


@pytest.fixture(scope="module")
def compensated():
    return Motion(CONFIGURATION)


@pytest.mark.parametrize("name", HANDS)
def test_mean_errors_are_a_third_of_the_papers(compensated, name):
    assert compensated.tracks[name].errors().mean() <= HAND_BOUNDS[name]


@pytest.mark.parametrize("name", HANDS)
def test_hands_rest_where_they_should(compensated, name):
    kind = "Position" if name.endswith("Position") else "Orientation"
    assert at_rest(compensated, name).mean() <= AT_REST[kind]


def test_nothing_chatters_or_is_complained_about(compensated):
    """Beside what the watch tells: at rest the joints hardly move, noise as there is."""
    assert compensated.run.complaints() == []
    assert np.abs(compensated.true_speeds[-50:]).max() < 0.03


def test_without_compensation_friction_makes_the_papers_errors():
    plain = Motion(CONFIGURATION, lambda data: data.pop("friction_compensation"), duration=6.0)
    right = "RightHandPosition"
    assert plain.tracks[right].errors().mean() > HAND_BOUNDS[right]
    assert plain.tracks[right].errors()[-100:].mean() > 5.0 * AT_REST["Position"]


@pytest.mark.parametrize("method", ["model", "observer"])
def test_each_method_does_it_alone(method):
    def edit(data):
        data["friction_compensation"]["method"] = method

    motion = Motion(CONFIGURATION, edit, duration=6.0)
    for name in HANDS:
        assert motion.tracks[name].errors().mean() <= HAND_BOUNDS[name]
    assert motion.run.complaints() == []
