"""Forces at contacts as displays get them: sensed where they are, expected elsewhere."""

import numpy as np
import pytest
from contact_oracles import biped_in_contact, standing

from controlit_ros.constraints import ConstrainedModel, contact_wrenches
from controlit_ros.controllers.command import Command
from controlit_ros.introspection import RobotMirror, SceneSource
from controlit_ros.introspection.robot_markers import FORCES, SENSED_FORCES, RobotMarkers
from controlit_ros.model import RobotState
from controlit_ros.servo import Outbox
from controlit_ros.servo.reactions import Reactions

WEIGHT = 400.0  # [N] of an arrow of one metre
SENSED = np.array([3.0, -4.0, 200.0, 5.0, 6.0, 7.0])


class Keeper:
    """A display that keeps what it is shown."""

    is_wanted = True

    def show(self, scene):
        self.scene = scene


@pytest.fixture
def look():
    """Return the arrows of forces by namespace, for a sensed wrench and a state of control."""
    description, constraints, _ = biped_in_contact()
    left, right = description.contacts
    constraints.contacts[1].wrench_sensor.assign(True)
    description = description.with_contacts([left, right._replace(is_sensed=True)])
    model = ConstrainedModel(description, constraints)
    state = RobotState(description.real_joints, sensors=1, contacts=2)
    state.copy_from(standing(description))
    command = Command(description.command_joints)
    mirror = RobotMirror(description, state, constraints.constraints)
    outbox, keeper = Outbox(), Keeper()
    active = []
    SceneSource(mirror, [], command, lambda: bool(active), outbox, [keeper])
    reactions = Reactions(state, 0.1)

    def see(wrench, *, is_active):
        active[:] = [True] * is_active
        state.sensed_wrench[0] = wrench
        model.update(state)
        command.effort[:] = model.bias_effort
        reactions.show(model, 0.0)
        for sampler in outbox._samplers:
            sampler.is_wanted = True
        state.stamp += 1.0
        outbox.offer_all(state.stamp)
        outbox.deliver_all()
        arrows = {}
        sketches = RobotMarkers(WEIGHT).draw(keeper.scene)
        for mark in (mark for sketch in sketches for mark in sketch.markers):
            if mark.key.ns in (FORCES, SENSED_FORCES) and mark.key.id % 10 == 0:
                start, end = mark.points
                arrows[mark.key] = WEIGHT * (end - start)
        return arrows, contact_wrenches(model, command.effort)

    return see


def test_sensed_forces_are_told_from_expected_ones(look):
    arrows, (left, _) = look(SENSED, is_active=True)
    assert set(arrows) == {(FORCES, 0), (SENSED_FORCES, 10)}
    np.testing.assert_allclose(arrows[FORCES, 0], left.wrench[:3], atol=1e-9)
    np.testing.assert_allclose(arrows[SENSED_FORCES, 10], SENSED[:3], atol=1e-9)


def test_sensed_forces_need_no_control(look):
    arrows, _ = look(SENSED, is_active=False)
    assert set(arrows) == {(SENSED_FORCES, 10)}


def test_a_silent_sensor_gives_way_to_what_is_expected(look):
    look(SENSED, is_active=True)
    arrows, (_, right) = look(np.nan, is_active=True)
    assert set(arrows) == {(FORCES, 0), (FORCES, 10)}
    np.testing.assert_allclose(arrows[FORCES, 10], right.wrench[:3], atol=1e-9)
