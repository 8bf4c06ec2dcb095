"""Each parameter of a controller reaches the part that it is for (paper, appendix B)."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from controlit_ros.bindings.trajectory_tolerances import DefaultTolerances
from controlit_ros.configuration import (
    ConfigurationError,
    ControllerParameters,
    load_configuration,
)
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.posture_trajectories import default_tolerances

ROOT = Path(__file__).parents[2]
STILL = ROOT / "test" / "cli" / "controllers" / "still.yaml"
HANDS = ROOT / "config" / "dreamer" / "hands.yaml"
TRIKEY = ROOT / "config" / "trikey" / "drive.yaml"
ELBOW = "left_elbow"

ELSEWHERE = {
    "fall_tilt": "test/simulation/test_posture_fallback.py::test_a_limit_of_zero_watches_no_fall",
    "remote_access": "test/introspection/test_remote_access.py"
    "::test_inputs_that_do_nothing_are_told_with_their_line",
    "save_folder": "test/introspection/test_control_services.py"
    "::test_a_controller_saves_beside_the_file_it_runs",
    "log_fields": "test/cli/test_run_command.py::test_log_fields",
    "log_level": "test/cli/test_run_command.py::test_duration_summary_and_quiet",
    "odometry_topic": "test/nodes/test_odometry_source.py"
    "::test_a_free_robot_waits_for_it_and_uses_it",
    "parameter_binding_factories": "test/configuration/test_loader.py"
    "::test_bindings_need_a_listed_factory_and_are_not_repeated",
    "transport_process": "test/cli/test_run_command.py::test_one_process_where_it_is_wanted",
}  # what is no part of a stack, and the tests that see its effect


class Effect(NamedTuple):
    """What is different in a stack when a parameter is set."""

    value: Any
    find: Callable[[ControllerStack], Any]
    expected: Any
    file: Path = STILL


def of_elbow(array: str) -> Callable[[ControllerStack], Any]:
    """Return what finds the entry of one joint in a setting of the guard."""
    return lambda stack: getattr(stack.guard, array)[stack.robot.command_joints.index(ELBOW)]


def type_of(part: str) -> Callable[[ControllerStack], Any]:
    """Return what finds the type of a part of the stack."""
    return lambda stack: type(getattr(stack, part)).__name__


def has(order: str) -> Callable[[ControllerStack], Any]:
    """Return what tells whether one joint is in an order."""
    return lambda stack: ELBOW in getattr(stack.robot, order)


def tolerances(stack: ControllerStack) -> DefaultTolerances:
    """Return what holds where a trajectory of joints states nothing."""
    return default_tolerances(stack.configuration.parameters, [ELBOW])


EFFECTS = {
    "added_constraint_rows": Effect(
        7, lambda s: s.constraints.max_rows - s.constraints.rows, 7
    ),
    "added_task_rows": Effect(
        7, lambda s: s.controller.max_rows - s.tasks.task_set.rows, 7
    ),
    "chatter_limit": Effect(0.1, lambda s: s.servo.oscillations.chatter, 0.1),
    "on_divergence": Effect("warn", lambda s: s.servo.oscillations.on_divergence.value, "warn"),
    "on_sensor_fault": Effect("safe", lambda s: s.servo.on_sensor_fault.value, "safe"),
    "on_truncation": Effect("hold", lambda s: s.servo.truncations.on_truncation.value, "hold"),
    "truncation_time": Effect(0.7, lambda s: s.servo.truncations.time, 0.7),
    "trajectory_goal_time": Effect(
        0.7, lambda s: s.configuration.parameters.trajectory_goal_time, 0.7
    ),
    "trajectory_goal_tolerance": Effect(0.3, lambda s: tolerances(s).goal[ELBOW], 0.3),
    "trajectory_path_tolerance": Effect(
        {"*": 0.2, ELBOW: 0.4}, lambda s: tolerances(s).path[ELBOW], 0.4
    ),
    "trajectory_stopped_velocity": Effect(
        0.2, lambda s: s.configuration.parameters.trajectory_stopped_velocity, 0.2
    ),
    "grippers": Effect(
        {"hand": [ELBOW]}, lambda s: s.configuration.parameters.grippers.get("hand"), (ELBOW,)
    ),
    "fast_trajectories": Effect(
        "scale", lambda s: s.configuration.parameters.fast_trajectories, "scale"
    ),
    "measurement_base_speed": Effect(0.2, lambda s: s.servo.measurements.base_speed, 0.2),
    "measurement_jump": Effect(0.7, lambda s: s.servo.measurements.jump, 0.7),
    "measurement_limit": Effect(7, lambda s: s.servo.measurements.limit, 7),
    "measurement_patience": Effect(0.7, lambda s: s.servo.measurements.patience, 0.7),
    "measurement_speed": Effect(7.0, lambda s: s.servo.measurements.speed, 7.0),
    "measurement_stamp": Effect(7.0, lambda s: s.servo.measurements.stamp, 7.0),
    "coupled_joint_groups": Effect(
        [[ELBOW]], lambda s: s.robot.options.coupled_joint_groups, ((ELBOW,),)
    ),
    "cpu_affinity": Effect([0], lambda s: s.clock.real_time.affinity, (0,)),
    "default_bindings": Effect(False, lambda s: len(s.bindings), 0),
    "enforce_effort_limits": Effect({ELBOW: False}, of_elbow("enforce_effort"), False),
    "enforce_position_limits": Effect({ELBOW: False}, of_elbow("enforce_position"), False),
    "enforce_velocity_limits": Effect({ELBOW: False}, of_elbow("enforce_velocity"), False),
    "fallback": Effect("zero_effort", lambda s: s.servo.fallback.value, "zero_effort"),
    "fallback_damping": Effect(3.5, lambda s: s.servo.fallback_damping, 3.5),
    "fallback_kp": Effect(50.0, lambda s: s.servo.fallback_kp, 50.0),
    "frame_prefix": Effect("left/", lambda s: s.frames.world, "left/world"),
    "gravity_compensation_mask": Effect(
        [ELBOW], lambda s: s.robot.options.gravity_compensation_mask, (ELBOW,)
    ),
    "keep_processors_awake": Effect(
        False, lambda s: s.clock.real_time.awake, False, HANDS),
    "locked_joints": Effect([ELBOW], has("real_joints"), False),
    "max_effort_command": Effect({ELBOW: 5.0}, of_elbow("max_effort"), 5.0),
    "max_effort_rate": Effect({ELBOW: 7.0}, of_elbow("max_effort_rate"), 7.0),
    "mimic_joints": Effect(
        False, lambda s: s.configuration.parameters.mimic_joints, False
    ),
    "null_space_projector_type": Effect(
        "Kinematic", lambda s: type(s.controller.null_space_projector).__name__, "Kinematic"
    ),
    "odometry_source": Effect("topic", lambda s: s.odometry is not None, True, TRIKEY),
    "odometry_timeout": Effect(
        0.3, lambda s: s.odometry and s.odometry.timeout, 0.3, TRIKEY
    ),
    "overrun_limit": Effect(3, lambda s: s.servo.overruns.limit, 3),
    "overrun_policy": Effect("safe", lambda s: s.servo.overruns.policy.value, "safe"),
    "passive_joints": Effect([ELBOW], has("command_joints"), False),
    "pause_limit": Effect(0.7, lambda s: s.servo.overruns.pause_limit, 0.7),
    "prioritisation_type": Effect(
        "Hierarchical", lambda s: type(s.controller.prioritisation).__name__, "Hierarchical"
    ),
    "qp_solver_type": Effect(
        "qpOASES", lambda s: type(s.controller.qp_solver).__name__, "QpOASES"
    ),
    "realtime_priority": Effect(7, lambda s: s.clock.real_time.priority, 7),
    "reconfiguration_time": Effect(0.7, lambda s: s.servo.reconfiguration_time, 0.7),
    "recovery_time": Effect(0.7, lambda s: s.servo.recovery_time, 0.7),
    "robot_interface_type": Effect("MuJoCo", type_of("robot_interface"), "MuJoCo"),
    "servo_gap_limit": Effect(7.0, lambda s: s.servo.rate.gap, 7.0),
    "servo_rate_limit": Effect(0.5, lambda s: s.servo.rate.share, 0.5),
    "rotor_inertia": Effect(
        {ELBOW: 0.5}, lambda s: s.robot.rotor_inertia[s.robot.joint_index(ELBOW)], 0.5
    ),
    "effort_limits": Effect(
        {ELBOW: 7.5}, lambda s: s.robot.effort_limits[s.robot.joint_index(ELBOW)], 7.5
    ),
    "velocity_limits": Effect(
        {ELBOW: 0.5}, lambda s: s.robot.velocity_limits[s.robot.joint_index(ELBOW)], 0.5
    ),
    "round_trip_delay": Effect(0.02, lambda s: s.servo.round_trip_delay, 0.02),
    "servo_clock_type": Effect("Simulated", type_of("clock"), "SimulatedClock"),
    "servo_frequency": Effect(
        500,
        lambda s: (s.clock.frequency, s.servo.frequency, s.guard.frequency, s.controller.period),
        (500.0, 500.0, 500.0, 0.002),
    ),
    "single_threaded_model": Effect(True, lambda s: s.servo.single_threaded_model, True),
    "single_threaded_tasks": Effect(True, lambda s: s.servo.single_threaded_tasks, True),
    "soft_start_time": Effect(0.7, lambda s: s.servo.soft_start_time, 0.7),
    "staleness_age": Effect(0.7, lambda s: s.servo.staleness.age, 0.7),
    "staleness_bound": Effect(0.7, lambda s: s.servo.staleness.distance, 0.7),
    "state_prediction": Effect(
        "model", lambda s: s.servo.state_prediction.value, "model", HANDS
    ),
    "state_timeout": Effect(0.7, lambda s: s.servo.state_timeout, 0.7),
    "updater_timeout": Effect(0.7, lambda s: s.servo.updater_timeout, 0.7),
    "whole_body_controller_type": Effect(
        "WBOSCImpedance", type_of("controller"), "WBOSCImpedance"
    ),
    "world_gravity": Effect(
        [0.0, 0.0, -1.62],
        lambda s: (s.robot.options.world_gravity, s.robot_interface.setup.gravity),
        ((0.0, 0.0, -1.62),) * 2,
    ),
}  # fmt: skip


def test_none_is_forgotten():
    assert EFFECTS.keys() | ELSEWHERE.keys() == ControllerParameters.model_fields.keys()


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_tests_elsewhere_exist_and_set_it(name):
    path, _, function = ELSEWHERE[name].partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    _, found, body = text.partition(f"def {function}(")
    assert found
    assert name in body.partition("\ndef ")[0]


@cache
def unchanged(file: Path, **needed: Any) -> ControllerStack:
    """Return the stack of a file as it stands, which none of these tests runs."""
    return load_stack(file, needed)


@pytest.mark.parametrize("name", EFFECTS)
def test_it_reaches_its_part(name):
    value, find, expected, file = EFFECTS[name]
    needed = {"odometry_source": "topic"} if name == "odometry_timeout" else {}
    assert find(unchanged(file, **needed)) != expected
    assert find(load_stack(file, {**needed, name: value})) == expected


ZERO_IS_ALLOWED = [
    name
    for name, effect in EFFECTS.items()
    if isinstance(effect.expected, float)
    and any(
        getattr(bound, "ge", None) == 0
        for bound in ControllerParameters.model_fields[name].metadata
    )
]


@pytest.mark.parametrize("name", ZERO_IS_ALLOWED)
def test_zero_is_zero_and_not_the_default(name):
    _, find, _, file = EFFECTS[name]
    assert find(load_stack(file, {name: 0})) == 0.0


@pytest.mark.parametrize("name", ["trajectory_goal_tolerance", "trajectory_path_tolerance"])
def test_joints_of_tolerances_are_those_of_the_robot(name):
    with pytest.raises(ConfigurationError, match=f"{name}.*unknown joint 'left_elbo'.*{ELBOW}"):
        load_stack(STILL, {name: {"left_elbo": 0.1}})


def test_tolerances_of_zero_are_none():
    found = tolerances(load_stack(STILL))
    assert found.path[ELBOW] == found.goal[ELBOW] == math.inf
    assert found.patience == found.stopped_velocity == math.inf


FURTHER = ("-1e300", "[1e300, 1e300, 1e300]", "{left_elbow: 1e300}", "{'*': 1e300}")
ABSURD = ["1e300", ".nan", *(pytest.param(value, marks=pytest.mark.thorough) for value in FURTHER)]


def misplaced(lines, value):
    """Yield what is refused with a value at another line than that of its parameter."""
    at = lines.index("parameters:") + 1
    for key in ControllerParameters.model_fields:
        others = [line for line in lines[at:] if not line.startswith(f"  {key}:")]
        text = "\n".join([*lines[:at], f"  {key}: {value}", *others])
        try:
            build_stack(load_configuration(text))
        except ConfigurationError as error:
            yield from (problem for problem in error.problems if problem.line != at + 1)


@pytest.mark.parametrize("value", ABSURD)
def test_absurd_values_are_told_at_their_line(value):
    lines = STILL.read_text(encoding="utf-8").splitlines()
    assert list(misplaced(lines, value)) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rotor_inertia", 1e300),
        ("rotor_inertia", {ELBOW: 1e10}),
        ("locked_joints", {ELBOW: 1e300}),
        ("world_gravity", [0.0, 0.0, -1e300]),
    ],
)
def test_numbers_no_robot_has_are_refused_by_their_name(key, value):
    with pytest.raises(ConfigurationError, match=rf"parameters\.{key}.*expected|found.*{key}"):
        load_stack(STILL, {key: value})
