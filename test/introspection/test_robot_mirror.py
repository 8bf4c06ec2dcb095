"""RobotMirror: one that saw the servo's constraints change is as one that is made anew."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state

from controlit_ros.constraints.contact_phase import ContactPhase
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.introspection import RobotMirror
from controlit_ros.introspection.robot_markers import POLYGON, RobotMarkers
from controlit_ros.introspection.scene import Scene

SETTLED = ContactPhase.SETTLED
HANDS = ("left_wrist_yaw", "right_wrist_yaw")


def taken(mirror):
    """Let a mirror take over what the servo tells, and compute."""
    mirror.prepare()
    mirror.take(np.concatenate([np.ravel(array) for array in mirror.arrays()]))
    mirror.model.update_dynamics(mirror.state)
    mirror.model.update_projections()
    return mirror


def wrenches(mirror, effort):
    found = np.zeros((len(mirror.constraints), 6))
    mirror.model.write_contact_wrenches(effort, found)
    return found


@pytest.fixture
def contacts():
    robot = dreamer()
    return [
        configured(FlatContact(body, robot), body=body, friction=0.5, half_size=(0.1, 0.05))
        for body in HANDS
    ]


def test_contacts_that_come_and_go_bear_what_they_would_anew(contacts, rng):
    robot = contacts[0].robot
    state = random_state(robot, rng)
    mirror = RobotMirror(robot, state, contacts)
    seen = set()
    for turn in range(40):
        state.copy_from(random_state(robot, rng))
        contact = contacts[rng.integers(2)]
        contact.operational_state.assign(("enable", "disable")[rng.integers(2)])
        phase = list(ContactPhase)[rng.integers(len(ContactPhase))] if turn % 2 else SETTLED
        contact.phase.assign(phase.value)
        contact.contact_point.assign(rng.normal(size=3))
        contact.half_size.assign(rng.uniform(0.0, 0.1, 2))
        contact.wrench.value[:] = rng.normal(size=6) * (1.0, np.nan)[rng.integers(2)]
        effort = rng.normal(size=len(robot.command_joints))
        found = wrenches(taken(mirror), effort)
        anew = taken(RobotMirror(robot, state, contacts))
        assert found == pytest.approx(wrenches(anew, effort), rel=1e-9, abs=1e-9, nan_ok=True)
        for mine, other in zip(mirror.constraints, anew.constraints, strict=True):
            assert mine.is_enabled == other.is_enabled
            assert np.array_equal(mine.footprint(), other.footprint())
            assert np.array_equal(mine.wrench.value, other.wrench.value, equal_nan=True)
        seen.add(tuple(contact.is_enabled for contact in contacts))
    assert len(seen) > 1


def test_what_stays_is_not_arranged_anew(contacts, rng):
    robot = contacts[0].robot
    state = random_state(robot, rng)
    mirror = taken(RobotMirror(robot, state, contacts))
    before = mirror.model.constraints.revision
    for contact in contacts:
        contact.wrench.value[:] = rng.normal(size=6)
    assert taken(mirror).model.constraints.revision == before
    assert mirror.constraints[0].wrench.value == pytest.approx(contacts[0].wrench.value)


def test_soles_are_drawn_as_large_as_they_are_now(contacts, rng):
    robot = contacts[0].robot
    mirror = RobotMirror(robot, random_state(robot, rng), contacts[:1])
    drawing = RobotMarkers(1.0)
    for size in ((0.1, 0.05), (0.1, 0.05), (0.2, 0.05), (0.02, 0.01)):
        contacts[0].half_size.assign(np.array(size))
        scene = Scene(0.0, (), (), taken(mirror), None)
        marks = [mark for sketch in drawing.draw(scene) for mark in sketch.markers]
        (polygon,) = [mark for mark in marks if mark.key.ns == POLYGON]
        placement = mirror.model.robot_model.placement(mirror.constraints[0].frame)
        corners = [placement.act(corner) for corner in contacts[0].footprint()]
        found = {tuple(place[:2].round(9)) for place in polygon.points}
        assert found == {tuple(corner[:2].round(9)) for corner in corners}
