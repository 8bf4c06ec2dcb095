"""Goals over time: tare, the age of the feed-forward, frames taken anew."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state, updated
from tasks_of_a_chain import cycle

from controlit_ros.parameters import Mailbox, ParameterError
from controlit_ros.tasks import DISABLE, ENABLE, CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.sliding_mode import SlidingMode

PERIOD = 0.01


def test_tare_makes_the_present_value_the_goal_once(dreamer_description, rng):
    task = configured(CenterOfMass("com", dreamer_description), kp=1.0, goal_velocity=[1, 2, 3])
    compound = CompoundTask([task])
    here, there = (
        updated(dreamer_description, random_state(dreamer_description, rng)) for _ in "ab"
    )
    cycle(compound, here, PERIOD)
    assert task.error_norm.value > 0.0
    mailbox = Mailbox()
    mailbox.post({task.tare: True})
    mailbox.next()
    mailbox.apply_next()
    cycle(compound, here, PERIOD)
    assert task.error_norm.value == 0.0
    assert not task.goal_velocity.value.any()
    assert not task.tare.value
    cycle(compound, there, PERIOD)
    assert task.error_norm.value > 0.0


def test_tare_waits_for_a_task_that_rests(dreamer_description, rng):
    task = configured(CenterOfMass("com", dreamer_description), kp=1.0)
    compound = CompoundTask([task])
    task.operational_state.set(DISABLE)
    task.tare.set(True)
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    cycle(compound, model, PERIOD)
    assert task.tare.value
    task.operational_state.set(ENABLE)
    cycle(compound, model, PERIOD)
    assert task.error_norm.value == 0.0
    assert not task.tare.value


def test_feed_forward_ends_when_nobody_sends_goals_any_more(dreamer_description, rng):
    task = configured(
        JointPosition("posture", dreamer_description), kd=2.0, goal_timeout=3.5 * PERIOD
    )
    compound = CompoundTask([task])
    state = random_state(dreamer_description, rng, speed=0.0)
    model = updated(dreamer_description, state)
    task.goal_velocity.set(1.0)
    task.goal_acceleration.set(5.0)
    for _ in range(3):
        cycle(compound, model, PERIOD)
        np.testing.assert_array_equal(task.command.value, 7.0)
    for _ in range(3):
        cycle(compound, model, PERIOD)
        np.testing.assert_array_equal(task.command.value, 0.0)
    task.goal.set(0.0)  # news of the goal is none of what is fed forward
    cycle(compound, model, PERIOD)
    np.testing.assert_array_equal(task.command.value, 0.0)
    task.goal_timeout.set(0.0)
    for _ in range(9):
        cycle(compound, model, PERIOD)
    np.testing.assert_array_equal(task.command.value, 7.0)


@pytest.mark.parametrize("streamed", ["goal_velocity", "goal_acceleration", "goal"])
@pytest.mark.parametrize("law", ["PID", "SlidingMode", "own"])
@pytest.mark.parametrize("shift", [0, 2])
def test_each_feed_forward_ages_by_itself(dreamer_description, rng, streamed, law, shift):
    task = JointPosition("posture", dreamer_description)
    if law == "SlidingMode":
        task.use_law(law, SlidingMode)
    configured(
        task,
        goal_timeout=3.5 * PERIOD,
        **({"kd": 2.0} if law != "SlidingMode" else {"slope": 3.0, "reach": 2.0}),
    )
    compound = CompoundTask([task])
    model = updated(dreamer_description, random_state(dreamer_description, rng, speed=0.0))
    parts = {"goal": task.goal, "goal_velocity": task.goal_velocity}
    parts["goal_acceleration"] = task.goal_acceleration
    fed = {"goal_velocity": 0.25, "goal_acceleration": 5.0}
    set_at = {"goal_velocity": 0, "goal_acceleration": shift}  # either order of the last news
    if shift and streamed == "goal_acceleration":
        set_at = {"goal_velocity": shift, "goal_acceleration": 0}
    for number in range(12):
        for name, first in set_at.items():
            if number == first or (name == streamed and number > first):
                parts[name].set(fed[name])
                set_at[name] = number
        if streamed == "goal":
            task.goal.set(task.active.actual)
        task.update(model, task.inactive)
        task.swap()
        task.goal.assign(task.active.actual)  # no error: what is left is fed forward
        if law == "own":
            task.compute(PERIOD)
        else:
            compound.compute(PERIOD)
        acts = {n: number >= at and (number - at + 1) <= 3 for n, at in set_at.items()}
        found = task.command.value
        velocity = fed["goal_velocity"] if acts["goal_velocity"] else 0.0
        acceleration = fed["goal_acceleration"] if acts["goal_acceleration"] else 0.0
        if law != "SlidingMode":
            np.testing.assert_allclose(found, 2.0 * velocity + acceleration, atol=1e-12)
        else:
            gain = (found - acceleration).max()
            assert (gain > 1e-9) == acts["goal_velocity"]
            np.testing.assert_allclose(found - acceleration, gain, atol=1e-9)


def test_a_latched_frame_is_taken_anew_when_the_task_begins_to_act(dreamer_description, rng):
    task = configured(
        CartesianPosition("hand", dreamer_description),
        body="right_wrist_yaw",
        frame="torso_upper_pitch",
        frame_mode="latched",
    )
    compound = CompoundTask([task])
    states = [random_state(dreamer_description, rng) for _ in range(3)]
    models = [updated(dreamer_description, state) for state in states]
    body, frame = (
        dreamer_description.frame_id(f"{b}") for b in ("right_wrist_yaw", "torso_upper_pitch")
    )

    def seen(model, frame_model):
        return frame_model.placement(frame).actInv(model.placement(body).translation)

    for model in models:
        cycle(compound, model, PERIOD)
        np.testing.assert_allclose(task.actual.value, seen(model, models[0]), atol=1e-12)
    task.operational_state.set(DISABLE)
    cycle(compound, models[0], PERIOD)
    task.operational_state.set(ENABLE)
    cycle(compound, models[1], PERIOD)
    cycle(compound, models[2], PERIOD)
    np.testing.assert_allclose(task.actual.value, seen(models[2], models[1]), atol=1e-12)
    task.restart()  # control begins
    assert not task.active.valid
    cycle(compound, models[0], PERIOD)
    np.testing.assert_allclose(task.actual.value, seen(models[0], models[0]), atol=1e-12)


def test_what_was_computed_for_an_older_start_does_not_count(dreamer_description, rng):
    task = configured(CenterOfMass("com", dreamer_description))
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    original = task._update

    def interrupted(*arguments):
        original(*arguments)
        task.invalidate()

    task._update = interrupted
    task.update(model, task.inactive)
    assert not task.inactive.valid


def test_gains_that_do_not_fit_together_are_refused_at_run_time(dreamer_description):
    task = configured(
        CartesianPosition("hand", dreamer_description), kp=10.0, kd=5.0, max_velocity=0.1
    )
    law, mailbox = task.controller, Mailbox()
    with pytest.raises(ParameterError, match=r"hand\.max_velocity.*kd > 0"):
        mailbox.post({law.kd: 0.0})
    with pytest.raises(ParameterError, match=r"hand\.max_velocity.*kd > 0"):
        mailbox.post({law.kd: [1.0, 0.0, 1.0]})
    assert mailbox.next() is None
    mailbox.post({law.kd: 0.0, law.max_velocity: 0.0})
    mailbox.post({law.kp: 0.0, law.kd: 0.0})
    posture = configured(JointPosition("posture", dreamer_description), kp=1.0, kd=1.0)
    mailbox.post({posture.controller.max_velocity: {"left_elbow": 1.0}})
    with pytest.raises(ParameterError, match="kd > 0"):
        mailbox.post(
            {
                posture.controller.kd: {"left_elbow": 0.0},
                posture.controller.max_velocity: {"left_elbow": 1.0},
            }
        )


def test_a_law_takes_the_place_of_another_with_its_parameters(dreamer_description):
    task = CartesianPosition("hand", dreamer_description)
    task.use_law("SlidingMode", SlidingMode)
    assert "slope" in task.parameters
    assert not {"kp", "ki", "kd", "max_velocity", "max_integral"} & set(task.parameters)
    configured(task)
    task = CartesianPosition("hand", dreamer_description)
    task.use_law("PID", PIDController)
    configured(task, kp=3.0)
    with pytest.raises(ParameterError, match="built with 'PID'"):
        configured(CartesianPosition("hand", dreamer_description), control_law="SlidingMode")
