"""When a foot counts as standing."""

from types import SimpleNamespace

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.estimation.contact_trigger import ContactTrigger
from controlit_ros.model import RobotState

THRESHOLDS = np.array([100.0, 50.0, 0.01, 0.03])  # [N], [N], [s], [s]
PERIOD = 0.002
UPRIGHT = np.eye(3)[None]


def trigger(*, sensed, enabled=True):
    contact = SimpleNamespace(name="Sole", is_enabled=enabled)
    sensors = [SimpleNamespace(contact="Sole")] if sensed else []
    return ContactTrigger(SimpleNamespace(sensors=sensors), [contact])


def look(trigger, force, *, sensed=np.nan, elapsed=PERIOD, axes=UPRIGHT, times=1):
    state = RobotState((), sensors=1, contacts=1)
    state.contact_wrench[0] = (0.0, 0.0, force, 0.0, 0.0, 0.0)
    state.sensed_wrench[0] = (0.0, 0.0, sensed, 0.0, 0.0, 0.0)
    for _ in range(times):
        trigger.update(state, np.eye(3), axes, THRESHOLDS, elapsed)
    return bool(trigger.touches[0])


def test_a_force_must_last():
    made = trigger(sensed=True)
    assert not look(made, 0.0, sensed=120.0, times=4)
    assert look(made, 0.0, sensed=120.0)


def test_a_force_that_comes_and_goes_makes_no_contact():
    made = trigger(sensed=True)
    assert not any(look(made, 0.0, sensed=150.0 * (i % 3 > 0)) for i in range(60))


def test_a_contact_lasts_between_both_forces_and_then_ends():
    made = trigger(sensed=True)
    look(made, 0.0, sensed=120.0, times=10)
    assert look(made, 0.0, sensed=60.0, times=50)
    assert made.stood[0] == pytest.approx(0.1, abs=0.02)
    assert not look(made, 0.0, sensed=49.0)
    assert not look(made, 0.0, sensed=60.0, times=50)
    assert made.stood[0] == 0.0


def test_what_bears_enough_at_the_first_look_has_always_stood():
    made = trigger(sensed=True)
    assert look(made, 0.0, sensed=120.0, elapsed=0.0)
    assert made.stood[0] == np.inf


def test_forces_count_along_the_vertical():
    made = trigger(sensed=True)
    sideways = np.array([[[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]])
    assert not look(made, 0.0, sensed=500.0, axes=sideways, times=20)


@pytest.mark.parametrize("seed", range(5))
def test_a_force_is_turned_with_the_body_and_the_root_link(seed):
    rng = np.random.default_rng(seed)
    root, body = (pin.exp3(rng.normal(size=3)) for _ in range(2))
    state = RobotState((), sensors=1, contacts=1)
    state.sensed_wrench[0, :3] = force = rng.normal(scale=200.0, size=3)
    bears = (root @ body @ force)[2]
    for threshold, touches in ((bears - 0.01, bears > 0.01), (bears + 0.01, False)):
        made = trigger(sensed=True)
        limits = np.array([max(threshold, 0.0), 0.0, 0.0, 0.0])
        made.update(state, root, body[None], limits, 0.0)
        assert made.touches[0] == touches


@pytest.mark.parametrize(
    ("enabled", "expected", "touches"),
    [(True, 120.0, True), (True, 20.0, False), (True, np.nan, True), (False, 120.0, False)],
)
def test_without_a_sensor_constraints_and_expected_forces_tell(enabled, expected, touches):
    assert look(trigger(sensed=False, enabled=enabled), expected, times=20) is touches


def test_an_expected_force_must_last_longer():
    made = trigger(sensed=False)
    assert not look(made, 120.0, times=14)
    assert look(made, 120.0)


def test_a_sensor_that_is_silent_is_replaced_by_what_is_expected():
    assert look(trigger(sensed=True), 120.0, times=20)


@pytest.mark.parametrize("other_holds", [True, False])
def test_a_contact_that_was_let_go_counts_only_where_none_other_holds(other_holds):
    contacts = [SimpleNamespace(name=f"Sole{i}", is_enabled=True) for i in range(2)]
    sensors = [SimpleNamespace(contact=contact.name) for contact in contacts]
    made = ContactTrigger(SimpleNamespace(sensors=sensors), contacts)
    state = RobotState((), sensors=2, contacts=2)
    state.sensed_wrench[:] = (0.0, 0.0, 120.0, 0.0, 0.0, 0.0)
    axes = np.array([np.eye(3)] * 2)
    for _ in range(10):
        made.update(state, np.eye(3), axes, THRESHOLDS, PERIOD)
    assert made.touches.all()
    contacts[0].is_enabled = False
    contacts[1].is_enabled = other_holds
    made.update(state, np.eye(3), axes, THRESHOLDS, PERIOD)
    assert made.touches.tolist() == [not other_holds, True]
