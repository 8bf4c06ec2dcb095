"""Tension and moments between contacts: what they do to the contacts, and to nothing else."""

import numpy as np
import pytest
from contact_oracles import PointContact, biped_in_contact, internal_effort, solve, standing
from robots_for_tests import configured, keep_constraints, moved, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.internal_force import InternalForce

SOLES = ["left_sole", "right_sole"]


def test_a_force_appears_between_the_contacts_and_moves_nothing(rng):
    description, _, model = biped_in_contact()
    task = configured(InternalForce("squeeze", description), contacts=SOLES)
    compound = CompoundTask([task])
    for _ in range(5):
        state = random_state(description, rng)
        model.update(state)
        keep_constraints(state, model.Jc)
        model.update(state)
        goal = rng.normal(size=4) * 20.0
        task.goal.set(goal)
        task.controller.reset()
        task.update(model.robot_model, task.inactive)
        task.swap()
        compound.compute(1e-3)
        np.testing.assert_array_equal(compound.internal_command, goal)
        effort = rng.normal(size=len(description.command_joints)) * 20.0
        extra = internal_effort(model, compound.internal_jacobian, compound.internal_command)
        before, after = solve(model, effort), solve(model, effort + extra)
        np.testing.assert_allclose(after[0], before[0], atol=1e-6)
        sites = description.contacts
        points = [model.robot_model.placement(s.frame).act(s.point) for s in sites]
        line = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
        change = after[1] - before[1]  # what the world does: minus what the robot does
        np.testing.assert_allclose(change[:3], -goal[0] * line, atol=1e-6)
        np.testing.assert_allclose(change[6:9], goal[0] * line, atol=1e-6)
        np.testing.assert_allclose(change[3:6], -goal[1:], atol=1e-6)
        np.testing.assert_allclose(change[9:], goal[1:], atol=1e-6)


def test_the_actual_value_grows_by_what_is_commanded(rng):
    description, _, model = biped_in_contact()
    task = configured(InternalForce("squeeze", description), contacts=SOLES, ki=2.0)
    compound = CompoundTask([task])
    model.update(standing(description))
    effort = model.bias_effort.copy()
    found = []
    for goal in ([0.0] * 4, [30.0, 1.0, 2.0, 3.0]):
        extra = internal_effort(model, task.active.jacobian, np.array(goal))
        model.write_contact_wrenches(effort + extra, model.robot_model.state.contact_wrench)
        task.update(model.robot_model, task.inactive)
        task.swap()
        found.append(task.active.actual.copy())
        if not np.any(goal):
            assert task.active.jacobian.any()
    np.testing.assert_allclose(found[1] - found[0], [30.0, 1.0, 2.0, 3.0], atol=1e-6)
    task.goal.set(found[1] + 5.0)
    compound.compute(0.1)
    np.testing.assert_allclose(task.error.value, 5.0)
    np.testing.assert_allclose(task.command.value, task.goal.value + 2.0 * 5.0 * 0.1)


def test_the_rows_are_slopes_of_the_distance(rng):
    description, _, _ = biped_in_contact()
    task = configured(InternalForce("squeeze", description), contacts=SOLES)
    state = random_state(description, rng)

    def distance(at):
        model = updated(description, at)
        points = [model.placement(s.frame).act(s.point) for s in description.contacts]
        return np.linalg.norm(points[1] - points[0])

    task.update(updated(description, state), task.inactive)
    for column, step in enumerate(1e-6 * np.eye(description.nv)):
        ahead, behind = moved(description, state, step), moved(description, state, -step)
        slope = (distance(ahead) - distance(behind)) / 2e-6
        assert task.inactive.jacobian[0, column] == pytest.approx(-slope, abs=1e-8)


def test_points_take_no_moments_and_unknown_wrenches_no_feedback():
    description, _, model = biped_in_contact(PointContact)
    task = configured(InternalForce("squeeze", description), contacts=SOLES, ki=2.0)
    compound = CompoundTask([task])
    model.update(standing(description))
    task.goal.set({"tension": 7.0})
    task.update(model.robot_model, task.inactive)
    task.swap()
    compound.compute(1e-3)
    assert not task.active.jacobian[1:].any()
    np.testing.assert_array_equal(task.command.value, [7.0, 0.0, 0.0, 0.0])
    assert np.isnan(task.error_norm.value)
    task.latch_goal()
    assert not task.goal.value.any()


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        (["left_sole", "right_sol"], r"unknown contact 'right_sol'.*did you mean 'right_sole'"),
        (["left_sole", "left_sole"], "found 'left_sole' twice, expected two contacts"),
    ],
)
def test_contacts_that_are_no_pair_are_reported(contacts, message):
    description, _, _ = biped_in_contact()
    with pytest.raises(ParameterError, match=r"squeeze\.contacts: " + message):
        configured(InternalForce("squeeze", description), contacts=contacts)
