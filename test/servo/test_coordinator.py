"""The coordinator's states: when it commands what, and how it gets over failures."""

import itertools
import math

import numpy as np
import pytest
import rig as rig_module
from rig import Rig, gravity, unlimited

from controlit_ros.servo import (
    CoordinatorState,
    Fallback,
    GuardSettings,
    NoticeLevel,
    Sampler,
    ServoSettings,
)

pytestmark = pytest.mark.simulation

INACTIVE, ACTIVE, SAFE = CoordinatorState

FLAGS = [
    {"single_threaded_model": m, "single_threaded_tasks": t}
    for m, t in itertools.product((False, True), repeat=2)
]
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz


@pytest.fixture(params=FLAGS, ids=["both threads", "tasks inline", "model inline", "inline"])
def flags(request):
    return request.param


def raising(error):
    def fail(*_):
        raise error

    return fail


def test_a_rehearsal_changes_nothing(flags):
    plain, rehearsed = Rig(**flags), Rig(**flags)
    for rig in (plain, rehearsed):
        for task in rig.tasks:
            task.controller.ki.assign(np.full(2, 5.0))
            task.goal.set(0.3)
    for cycle in range(50):
        rehearsed.coordinator.rehearse()
        efforts = [rig.activate() if cycle == 0 else rig.run() for rig in (plain, rehearsed)]
        np.testing.assert_array_equal(*efforts)
    assert plain.errors == rehearsed.errors


# ---- activation and deactivation


def test_nothing_is_written_before_activation(flags):
    rig = Rig(**flags)
    assert len(rig.run(20)) == 0
    assert rig.state is INACTIVE
    assert rig.errors == []


def test_activation_waits_for_the_first_state(flags):
    rig = Rig(**flags)
    rig.robot.has_state = False
    assert len(rig.activate(30)) == 0
    assert rig.state is INACTIVE
    rig.robot.has_state = True
    assert len(rig.run(1)) == 1
    assert rig.state is ACTIVE


def test_activation_waits_for_the_first_good_model(flags):
    rig = Rig(**flags)
    for model in (rig.models.active, rig.models.inactive):
        model.error = lambda: ValueError("singular")
    assert len(rig.activate(30)) == 0
    assert rig.state is INACTIVE
    (text,) = rig.errors
    assert text.startswith("the model update failed: ValueError('singular') (")
    assert text.endswith(", in update_projections)")
    for model in (rig.models.active, rig.models.inactive):
        model.error = None
    assert np.isfinite(rig.run(5)).all()
    assert rig.state is ACTIVE


def test_goals_not_stated_latch_and_nothing_moves(flags):
    rig = Rig(tasks=("task", "stated"), **flags)
    start = rig.robot.position.copy()
    rig.tasks[1].goal.set(0.5)
    rig.tasks[1].controller.kp.set(0.0)
    rig.tasks[0].goal_velocity.assign(np.ones(2))
    rig.activate(2000)
    np.testing.assert_allclose(rig.tasks[0].goal.value, start, atol=1e-12)
    np.testing.assert_array_equal(rig.tasks[0].goal_velocity.value, 0.0)
    np.testing.assert_array_equal(rig.tasks[1].goal.value, 0.5)
    np.testing.assert_allclose(rig.robot.position, start, atol=1e-9)


def test_without_soft_start_the_first_command_does_not_jump(flags):
    rig = Rig(soft_start_time=0.0, **flags)
    efforts = rig.activate(50)
    assert np.abs(efforts - gravity(rig.robot.position)).max() < 1e-6


def test_without_soft_start_the_command_is_whole_at_once(flags):
    """From the cycle after the one in which goals are latched; also when control comes back."""
    rig = Rig(soft_start_time=0.0, reconfiguration_time=0.0, fallback_damping=0.0, **flags)
    rig.tasks[0].goal.set(2.0)
    rig.coordinator.request_activation()
    for _ in range(2):
        while rig.state is not ACTIVE:
            rig.run()
        np.testing.assert_allclose(rig.robot.written[-1], gravity(rig.robot.position), atol=0.05)
        (effort,) = rig.run()
        whole = rig.controller.create_command()
        rig.controller.compute_command(rig.models.active, rig.coordinator.compound_task, whole)
        np.testing.assert_array_equal(effort, whole.effort)
        assert effort.min() > 100.0
        rig.robot.read_error = OSError("gone")
        rig.run(60)
        assert rig.state is SAFE
        rig.robot.read_error = None


def test_soft_start_is_continuous(flags):
    rig = Rig(soft_start_time=1.0, **flags)
    rig.tasks[0].goal.set(2.0)
    before = rig.robot.effort.copy()
    efforts = rig.activate(1500)
    steps = np.abs(np.diff(np.vstack([before, efforts]), axis=0))
    # kp * error = 180 N m would jump at once; spread over a thousand cycles it is 0.2 a cycle
    assert steps.max() < 1.0
    rig.run(2000)
    np.testing.assert_allclose(rig.robot.position, 2.0, atol=1e-3)


def test_deactivation_ends_commands_and_activation_starts_softly_again(flags):
    rig = Rig(soft_start_time=0.5, **flags)
    rig.activate(600)
    rig.coordinator.request_deactivation()
    assert len(rig.run(10)) == 0
    assert rig.state is INACTIVE
    rig.tasks[0].goal.set(2.0)
    efforts = rig.activate(2)
    assert rig.state is ACTIVE
    assert np.abs(efforts - gravity(rig.robot.position)).max() < 1.5


def test_a_clock_that_starts_again_trusts_nothing_it_knew():
    rig = Rig()
    rig.activate(50)
    rig.robot.has_state = False
    rig.clock.stop()
    rig.clock.start(rig.coordinator)
    assert rig.state is INACTIVE
    assert len(rig.run(5)) == 0
    rig.robot.has_state = True
    assert len(rig.run(5)) == 5


# ---- silence


def test_silence_leads_to_the_safe_state_and_back(flags):
    rig = Rig(soft_start_time=0.0, **flags)
    rig.activate(50)
    rig.robot.has_state = False
    rig.run(49)
    assert rig.state is ACTIVE
    rig.run(3)
    assert rig.state is SAFE
    (text,) = rig.errors
    assert text.startswith("no state from the robot for 0.05")
    assert text.endswith("expected within 0.05 s")
    rig.run(3000)
    assert len(rig.errors) == 3
    rig.robot.has_state = True
    rig.run(RECOVERY - 1)
    assert rig.state is SAFE
    rig.run(3)
    assert rig.state is ACTIVE
    assert rig.errors == []


def test_silence_is_explained_by_the_interface():
    rig = Rig()
    rig.activate(50)
    rig.robot.has_state = False
    rig.robot.reason = "its cable is cut"
    rig.run(60)
    assert rig.errors[0].endswith(": its cable is cut")


def test_what_the_interface_refuses_is_told_and_does_not_stop_control():
    rig = Rig()
    rig.activate(50)
    rig.outbox.deliver_all()
    rig.notices.clear()
    for _ in range(500):
        rig.robot.refused += 3
        rig.robot.reason = "noise"
        rig.run(1)
    assert rig.state is ACTIVE
    rig.outbox.deliver_all()
    (notice,) = rig.notices
    assert notice.level is NoticeLevel.WARNING
    assert notice.text == "3 measurements were refused since the last warning: noise"


def test_an_explanation_may_fail():
    rig = Rig()
    rig.activate(50)
    rig.robot.explain = lambda: 1 / 0
    rig.robot.has_state = False
    rig.run(60)
    assert "ZeroDivisionError" in rig.errors[0]


def test_fallback_while_silent_is_gravity_without_damping():
    rig = Rig()
    rig.robot.velocity[:] = 0.5
    rig.activate(50)
    rig.robot.has_state = False
    efforts = rig.run(100)
    model = rig.models.active
    np.testing.assert_allclose(efforts[-1], gravity(model.robot_model.state.position))


def test_fallback_hold_damps_while_the_robot_is_heard():
    rig = Rig(fallback_damping=2.0)
    rig.activate(50)
    rig.robot.velocity[:] = 0.5
    rig.controller.error = ValueError("no")
    (effort,) = rig.run(1)
    state = rig.coordinator.robot_state
    bias = rig.models.active.bias_effort
    np.testing.assert_allclose(effort, bias - 2.0 * state.velocity)
    rig.run(5000)
    np.testing.assert_allclose(rig.robot.velocity, 0.0, atol=2e-2)


def test_zero_effort_fallback_is_zero():
    rig = Rig(fallback=Fallback.ZERO_EFFORT)
    rig.activate(50)
    rig.controller.error = ValueError("no")
    np.testing.assert_array_equal(rig.run(20), 0.0)


def test_recovery_is_soft(flags):
    rig = Rig(soft_start_time=1.0, **flags)
    rig.tasks[0].goal.set(2.0)
    rig.activate(3000)
    rig.robot.has_state = False
    rig.run(80)
    rig.robot.has_state = True
    rig.run(3)  # the damping comes back with the state
    efforts = rig.run(1500)
    assert rig.state is ACTIVE
    assert np.abs(np.diff(efforts, axis=0)).max() < 1.0


def test_goals_not_stated_latch_anew_after_a_failure():
    rig = Rig()
    rig.activate(50)
    rig.controller.error = ValueError("no")
    rig.run(10)
    rig.robot.position += 0.3  # at once: not believed for some cycles
    rig.controller.error = None
    rig.run(RECOVERY + 40)
    assert rig.state is ACTIVE
    np.testing.assert_allclose(rig.tasks[0].goal.value, rig.robot.position, atol=0.05)


# ---- what goes wrong, where, and what is said


def spoil_state(rig):
    rig.robot.corrupt = lambda state: state.position.__setitem__(1, math.nan)
    return lambda: setattr(rig.robot, "corrupt", None)


def spoil_base(rig):
    rig.robot.corrupt = lambda state: state.base_velocity.fill(math.inf)

    def heal():
        rig.robot.corrupt = lambda state: state.base_velocity.fill(0.0)

    return heal


def spoil_command(rig):
    rig.tasks[0].poison = math.nan
    return lambda: setattr(rig.tasks[0], "poison", 0.0)


def fail_read(rig):
    rig.robot.read_error = OSError("unplugged")
    return lambda: setattr(rig.robot, "read_error", None)


def fail_write(rig):
    rig.robot.write_error = OSError("unplugged")
    return lambda: setattr(rig.robot, "write_error", None)


def fail_task_update(rig):
    rig.tasks[0].update_error = KeyError("frame")
    return lambda: setattr(rig.tasks[0], "update_error", None)


def fail_constraint(rig):
    models = (rig.models.active, rig.models.inactive)
    for model in models:
        model.error = lambda: ZeroDivisionError("contact")

    def heal():
        for model in models:
            model.error = None

    return heal


def fail_controller(rig):
    rig.controller.error = RuntimeError("no solution")
    return lambda: setattr(rig.controller, "error", None)


CONTROLLER = "whole-body controller 'whole_body_controller'"
RIG = rig_module.__file__
DOUBT = "the robot's measurements cannot be"
FAULTS = [
    (spoil_state, f"{DOUBT}: position of joint_1: found nan, expected a number"),
    (spoil_base, f"{DOUBT}: velocity of the base along x: found inf, expected a number"),
    (spoil_command, "the computed command is not finite: effort of joint_0 is nan"),
    (fail_read, "reading the robot failed: OSError('unplugged')"),
    (fail_write, "writing to the robot failed: OSError('unplugged')"),
    (fail_task_update, f"the update of task 'task' failed: KeyError('frame') ({RIG}:"),
    (fail_constraint, f"the model update failed: ZeroDivisionError('contact') ({RIG}:"),
    (
        fail_controller,
        f"computing the command failed in {CONTROLLER}: RuntimeError('no solution') ({RIG}:",
    ),
]


@pytest.mark.parametrize(
    ("fault", "text"), FAULTS, ids=lambda value: getattr(value, "__name__", "")
)
def test_every_fault_is_survived_reported_once_a_second_and_left(fault, text, flags):
    rig = Rig(soft_start_time=0.1, **flags)
    rig.tasks[0].goal.set(0.5)
    rig.activate(300)
    assert rig.errors == []
    heal = fault(rig)
    rig.run(10)
    assert rig.state is SAFE
    rig.run(1090)
    errors = rig.errors
    said = [error for error in errors if error.startswith(text)]
    assert len(said) == 2
    others = (
        "no state from the robot",
        "the command of task 'task' is [nan, nan] at the goal [0.5",
    )
    assert all(e.startswith((text, *others)) for e in errors)
    assert rig.state is SAFE
    assert np.isfinite(rig.robot.written).all()
    heal()
    rig.run(RECOVERY + 10)
    assert rig.state is ACTIVE
    rig.run(1500)
    assert rig.state is ACTIVE
    assert rig.errors == []
    np.testing.assert_allclose(rig.robot.position, 0.5, atol=1e-3)


@pytest.mark.parametrize("fault", [fault for fault, _ in FAULTS if fault is not fail_write])
def test_no_fault_begins_control(fault, flags):
    rig = Rig(**flags)
    rig.run(20)
    fault(rig)
    rig.run(10)
    assert len(rig.activate(30)) == 0 or fault in (fail_task_update, fail_constraint)
    rig.run(5)
    assert rig.state in (INACTIVE, SAFE)


def test_a_failed_computation_never_sends_what_it_left_behind():
    rig = Rig()
    rig.activate(50)
    rig.controller.after_write = lambda command: command.effort.fill(777.0)
    rig.controller.error = RuntimeError("after writing half")
    efforts = rig.run(20)
    assert len(efforts) == 20
    assert np.abs(efforts).max() < 10.0


def test_a_command_that_is_not_finite_reaches_no_field():
    rig = Rig(fields={"with_motion": True, "with_gains": True})
    rig.activate(50)
    sent = []
    write = rig.robot.write

    def record(command):
        fields = (command.effort, command.position, command.velocity)
        sent.append(np.array([*fields, command.stiffness, command.damping]))
        write(command)

    rig.robot.write = record
    for field in ("effort", "position", "velocity", "stiffness", "damping"):
        rig.controller.after_write = lambda c, f=field: getattr(c, f).__setitem__(0, math.nan)
        rig.run(5)
        assert rig.state is SAFE
        rig.controller.after_write = None
        rig.run(RECOVERY + 5)
        assert rig.state is ACTIVE
    assert np.isfinite(sent).all()


def test_safe_joints_stay_where_they_are_without_gains():
    rig = Rig(fields={"with_motion": True, "with_gains": True})
    rig.activate(2000)
    assert rig.coordinator.command.stiffness[0] == 100.0
    rig.controller.error = RuntimeError("no")
    rig.run(5)
    command = rig.coordinator.command
    np.testing.assert_array_equal(command.position, rig.coordinator.robot_state.position)
    for values in (command.velocity, command.stiffness, command.damping):
        np.testing.assert_array_equal(values, 0.0)


def test_the_fallback_stays_within_enforced_limits():
    guard = unlimited(2)._replace(enforce_effort=np.ones(2, dtype=bool))
    rig = Rig(guard=guard)
    rig.activate(50)
    rig.models.active.bias_effort[:] = 1e6
    rig.coordinator.model_updater.try_swap = lambda: False
    rig.controller.error = RuntimeError("no")
    rig.run(2)
    np.testing.assert_array_equal(rig.coordinator.command.effort, 50.0)


def test_a_failed_model_update_leaves_the_active_model_whole(flags):
    rig = Rig(**flags)
    rig.activate(50)
    fail_constraint(rig)
    rig.run(50)
    assert np.isfinite(rig.models.active.bias_effort).all()


def test_a_write_that_fails_once_costs_one_recovery():
    rig = Rig()
    rig.activate(50)
    rig.robot.write_error = OSError("once")
    rig.run(1)
    rig.robot.write_error = None
    rig.run(1)
    assert rig.state is SAFE
    rig.run(RECOVERY + 1)
    assert rig.state is ACTIVE


def test_a_goal_that_cannot_be_latched_keeps_the_robot_safe():
    rig = Rig()
    rig.tasks[0].latch_error = ValueError("no goal")
    assert len(rig.activate(20)) == 0
    assert rig.errors[0].startswith(
        f"computing the command failed in task 'task': ValueError('no goal') ({RIG}:"
    )
    rig.tasks[0].latch_error = None
    rig.run(2)
    assert rig.state is ACTIVE


def test_a_bad_event_and_a_bad_sampler_do_not_end_the_servo():
    rig = Rig(events=("task.error_norm < 100", "task.error_norm < 200"))
    rig.events[0].poll = raising(RuntimeError("event"))
    rig.outbox.add_sampler(Sampler(1, raising(RuntimeError("sampler")), lambda *_: None))
    rig.activate(1500)
    assert rig.state is ACTIVE
    assert len(rig.robot.written) == 1500
    assert rig.errors == ["event 'event 0' failed: RuntimeError('event')"] * 2
    assert rig.fired == ["event 1"]
    assert rig.outbox.failures == 1500


def test_gravity_does_not_accumulate_without_tasks(flags):
    rig = Rig(**flags)
    rig.activate(50)
    rig.mailbox.post({rig.tasks[0].operational_state: "disable"})
    efforts = rig.run(2000)
    assert rig.state is ACTIVE
    assert np.abs(efforts).max() < 5.1
    np.testing.assert_allclose(efforts[-1], gravity(rig.robot.position), atol=1e-2)


def test_disabled_tasks_come_back(flags):
    rig = Rig(**flags)
    rig.tasks[0].goal.set(0.5)
    rig.activate(2000)
    rig.mailbox.post({rig.tasks[0].operational_state: "disable"})
    rig.run(20)
    assert math.isnan(rig.tasks[0].error_norm.value)
    rig.mailbox.post({rig.tasks[0].operational_state: "enable", rig.tasks[0].goal: 1.0})
    rig.run(3000)
    np.testing.assert_allclose(rig.robot.position, 1.0, atol=1e-3)


def test_all_flags_end_in_the_same_state():
    ends = []
    for flags in FLAGS:
        rig = Rig(tasks=("first", "second"), soft_start_time=0.1, **flags)
        rig.tasks[0].goal.set([1.0, -1.0])
        rig.tasks[1].controller.kp.set(0.0)
        rig.tasks[1].controller.kd.set(0.0)
        rig.activate(200)
        rig.mailbox.post({rig.tasks[0].offset: 0.1, rig.tasks[0].goal: [0.5, 0.0]})
        rig.run(3000)
        assert rig.errors == []
        ends.append(rig.robot.position.copy())
    np.testing.assert_allclose(ends, [[0.4, -0.1]] * 4, atol=1e-6)


def test_the_age_of_the_model_is_known(flags):
    rig = Rig(**flags)
    rig.activate(100)
    assert -1e-9 < rig.coordinator.model_latency < 3e-3


def test_limits_truncate_and_warn():
    all_joints = np.ones(2, dtype=bool)
    none = np.zeros(2, dtype=bool)
    rig = Rig(guard=GuardSettings(all_joints, none, none, np.full(2, 20.0)), soft_start_time=0.0)
    rig.tasks[0].goal.set(3.0)
    efforts = rig.activate(100)
    assert np.abs(efforts).max() == 50.0
    rig.outbox.deliver_all()
    texts = [n.text for n in rig.notices if n.level.value == "warning"]
    assert any(text.startswith("effort limit of joint_0: command 2") for text in texts)
    assert any(t.startswith("max_effort_command of") and "joint_1" in t for t in texts)
    assert len(texts) == 2


def test_defaults_are_safe():
    settings = ServoSettings()
    assert settings.fallback is Fallback.HOLD
    assert settings.soft_start_time > 0.0
    assert settings.state_timeout < settings.recovery_time
