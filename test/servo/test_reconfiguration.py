"""The command stays continuous when what is controlled changes, and no longer than configured."""

import numpy as np
import pytest
from rig import Rig

from controlit_ros.servo import CoordinatorState

DURATION = 0.1  # [s]
CYCLES = 100


def running(**settings):
    """Return a rig at work, settled at its goals."""
    settings.setdefault("reconfiguration_time", DURATION)
    rig = Rig(tasks=("task", "other"), soft_start_time=0.0, **settings)
    rig.activate(3)
    for task, goal in zip(rig.tasks, (0.9, 0.1), strict=True):
        task.goal.set(goal)
    rig.run(1000)
    return rig


def steps(rig, cycles):
    """Return the largest change of effort from cycle to cycle, the one before included."""
    before = rig.robot.written[-1]
    efforts = np.vstack([before, rig.run(cycles)])
    return np.abs(np.diff(efforts, axis=0)).max(axis=1)


def constrain(rig):
    """Let both models jump as they do when a constraint changes."""
    for model in (rig.models.active, rig.models.inactive):
        update = model.update_projections

        def changed(model=model, update=update):
            update()
            model.bias_effort += 4.0
            model.revision = 1

        model.update_projections = changed


CHANGES = {
    "disable": lambda rig: rig.tasks[0].operational_state.set("disable"),
    "sense": lambda rig: rig.tasks[1].operational_state.set("sense"),
    "gain": lambda rig: rig.tasks[0].controller.kp.set(400.0),
    "damping and gain": lambda rig: (
        rig.tasks[0].controller.kd.set(60.0),
        rig.tasks[1].controller.kp.set(10.0),
    ),
    "mail": lambda rig: rig.mailbox.post({rig.tasks[0].controller.kp: np.full(2, 500.0)}),
    "what the task updater reads": lambda rig: rig.tasks[0].offset.set(0.3),
    "what the task updater reads, by mail": lambda rig: rig.mailbox.post(
        {rig.tasks[0].offset: np.full(2, 0.3)}
    ),
    "what the controller itself reads": lambda rig: rig.controller.offset.set(4.0),
    "constraint": constrain,
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("inline", [False, True], ids=["threads", "inline"])
def test_no_change_makes_the_effort_jump(name, inline):
    flags = {"single_threaded_model": inline, "single_threaded_tasks": inline}
    abrupt, ramped = running(reconfiguration_time=0.0, **flags), running(**flags)
    normal = steps(ramped, 20).max()
    abrupt.run(20)
    largest = [0.0, 0.0]
    for i, rig in enumerate((abrupt, ramped)):
        CHANGES[name](rig)
        largest[i] = steps(rig, 10).max()
    jump = largest[0]
    assert jump > 100.0 * normal + 0.1
    # the ramp, and what the robot's motion under the offset adds
    assert largest[1] < 4.0 * jump / CYCLES


def test_nothing_is_left_at_the_end():
    rig = running()
    rig.tasks[0].operational_state.set("disable")
    rig.run(CYCLES // 2)
    assert 0.4 < rig.coordinator.reconfiguration.alpha < 0.6
    rig.run(CYCLES)
    assert rig.coordinator.reconfiguration.alpha == 0.0
    plain = rig.controller.create_command()
    rig.controller.compute_command(rig.models.active, rig.coordinator.compound_task, plain)
    np.testing.assert_array_equal(rig.robot.written[-1], plain.effort)


def test_the_new_law_acts_in_full_from_the_first_cycle():
    left_alone, hit = running(), running()
    damping = sum(task.controller.kd.value for task in hit.tasks) * 0.1
    for rig in (left_alone, hit):
        rig.tasks[0].controller.kp.set(300.0)
        rig.run(5)
    hit.robot.velocity += 0.1  # somebody hits the robot while the ramp runs
    left_alone.run(3)
    hit.run(3)
    assert hit.coordinator.reconfiguration.alpha > 0.8
    difference = left_alone.robot.written[-1] - hit.robot.written[-1]
    np.testing.assert_allclose(difference, damping, rtol=0.2)


def test_switches_during_a_ramp_stay_continuous():
    abrupt, ramped = running(reconfiguration_time=0.0), running()
    largest = [0.0, 0.0]
    for i, rig in enumerate((abrupt, ramped)):
        for k in range(20):
            states = ("disable", "enable")
            rig.tasks[k % 2].operational_state.set(states[(k // 2) % 2])
            largest[i] = max(largest[i], steps(rig, 7).max())
    assert largest[1] < 0.1 * largest[0]
    ramped.run(2 * CYCLES)
    assert ramped.coordinator.reconfiguration.alpha == 0.0


@pytest.mark.thorough
def test_a_gain_that_changes_in_every_cycle_does_not_freeze_the_effort():
    rig = running()
    rig.tasks[0].goal.set(0.5)
    rig.tasks[1].goal.set(0.5)
    for k in range(3000):
        rig.tasks[0].controller.kp.set(100.0 + 0.01 * (k % 2))
        rig.run(1)
    np.testing.assert_allclose(rig.robot.position, 0.5, atol=0.02)


def test_goals_act_at_once():
    rig = running()
    rig.tasks[0].goal.set(0.8)
    assert steps(rig, 3).max() > 5.0
    assert rig.coordinator.reconfiguration.alpha == 0.0


def test_every_field_of_the_command_is_ramped():
    rig = running(fields={"with_motion": True, "with_gains": True})
    command = rig.coordinator.command
    rig.controller.after_write = lambda c: c.stiffness.fill(500.0)
    rig.tasks[0].controller.ki.set(0.0)  # any change of the configuration in the same cycle
    rig.run(1)
    np.testing.assert_allclose(command.stiffness, 100.0)
    rig.run(CYCLES // 2)
    np.testing.assert_allclose(command.stiffness, 300.0, rtol=0.02)
    rig.run(CYCLES)
    np.testing.assert_array_equal(command.stiffness, 500.0)


def test_a_failure_during_a_ramp_leaves_nothing_behind():
    rig = running()
    rig.tasks[0].operational_state.set("disable")
    rig.controller.after_write = lambda c: c.effort.fill(np.nan)
    rig.run(2)
    assert rig.state is CoordinatorState.SAFE
    rig.controller.after_write = None
    rig.run(300)
    assert rig.state is CoordinatorState.ACTIVE
    rig.tasks[0].operational_state.set("enable")
    assert np.isfinite(rig.run(2 * CYCLES)).all()
    assert rig.state is CoordinatorState.ACTIVE


def test_activation_starts_without_an_old_ramp():
    rig = running()
    rig.tasks[0].operational_state.set("disable")
    rig.run(10)
    rig.coordinator.request_deactivation()
    rig.run(2)
    rig.activate(1)
    rig.run(1)
    assert rig.coordinator.reconfiguration.alpha == 0.0
