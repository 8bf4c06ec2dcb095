"""The servo: its clock, its settings, the limits it enforces, where it learns of the base."""

import math
from collections.abc import Mapping

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration import ControllerParameters, PluginKind
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.robots import RobotInterface
from controlit_ros.servo import (
    Fallback,
    GuardSettings,
    Odometry,
    OnDivergence,
    OnSensorFault,
    OnTruncation,
    OscillationSettings,
    OverrunPolicy,
    OverrunSettings,
    Prediction,
    ServoClock,
    ServoSettings,
    StalenessBound,
    TruncationSettings,
)
from controlit_ros.servo.plausibility import PlausibilitySettings
from controlit_ros.servo.rate_settings import RateSettings
from controlit_ros.servo.real_time import RealTimeSettings

# A model is two periods old as a rule. Ten are no matter to a slow servo, twenty milliseconds none
# to a robot.
STALENESS_PERIODS = 10  # [periods]
SHORTEST_STALENESS_AGE = 0.02  # [s]


def build_clock(builder: SectionBuilder) -> ServoClock:
    """Return the clock, not started.

    Raises:
        ConfigurationError: There is none of that type.
    """
    parameters = builder.configuration.parameters
    clock: ServoClock | None = builder.create(
        PluginKind.SERVO_CLOCK,
        parameters.servo_clock_type,
        ("parameters", "servo_clock_type"),
        parameters.servo_frequency,
        _real_time(parameters),
    )
    if clock is not None:
        builder.fill(clock, builder.configuration.servo_clock, ("servo_clock",))
    return builder.required(clock)


def build_odometry(builder: SectionBuilder, interface: RobotInterface) -> Odometry | None:
    """Return where the base is told to be; `None`: the robot interface knows."""
    parameters = builder.configuration.parameters
    if parameters.odometry_source == "robot":
        return None
    if interface.setup.fixed_base:
        builder.problems.add(
            ("parameters", "odometry_source"),
            "found 'topic', but a contact bolts the root link to the world, which needs none",
        )
    return Odometry(parameters.odometry_timeout)


def guard_settings(builder: SectionBuilder, robot: RobotDescription) -> GuardSettings:
    """Return which limits the servo enforces, joint by joint."""
    effort, position, velocity = (
        _for_joints(builder, robot, f"enforce_{quantity}_limits", default=True).astype(np.bool_)
        for quantity in ("effort", "position", "velocity")
    )
    return GuardSettings(
        enforce_effort=effort,
        enforce_position=position,
        enforce_velocity=velocity,
        max_effort=_for_joints(builder, robot, "max_effort_command", default=np.inf),
        max_effort_rate=_for_joints(builder, robot, "max_effort_rate", default=np.inf),
        frequency=builder.configuration.parameters.servo_frequency,
    )


def servo_settings(
    parameters: ControllerParameters, delay: float, *, is_bolted: bool
) -> ServoSettings:
    """Return the settings of the coordinator.

    Args:
        parameters: Of the controller.
        delay: Of the round trip to the robot [s].
        is_bolted: Whether its base is bolted to the world.
    """
    measurements = PlausibilitySettings(
        jump=parameters.measurement_jump,
        speed=parameters.measurement_speed,
        base_speed=parameters.measurement_base_speed,
        limit=parameters.measurement_limit,
        patience=parameters.measurement_patience,
        stamp=parameters.measurement_stamp,
    )
    return ServoSettings(
        frequency=parameters.servo_frequency,
        single_threaded_model=parameters.single_threaded_model,
        single_threaded_tasks=parameters.single_threaded_tasks,
        state_timeout=parameters.state_timeout,
        soft_start_time=parameters.soft_start_time,
        reconfiguration_time=parameters.reconfiguration_time,
        recovery_time=parameters.recovery_time,
        fallback=Fallback(parameters.fallback),
        fallback_damping=parameters.fallback_damping,
        fallback_kp=parameters.fallback_kp,
        fall_tilt=_fall_tilt(parameters, is_bolted=is_bolted),
        staleness=_staleness(parameters),
        updater_timeout=parameters.updater_timeout,
        measurements=measurements.bolted() if is_bolted else measurements,
        on_sensor_fault=OnSensorFault(parameters.on_sensor_fault),
        overruns=OverrunSettings(
            policy=OverrunPolicy(parameters.overrun_policy),
            limit=parameters.overrun_limit,
            pause_limit=parameters.pause_limit,
        ),
        rate=RateSettings(parameters.servo_rate_limit, parameters.servo_gap_limit),
        round_trip_delay=delay,
        state_prediction=Prediction(parameters.state_prediction),
        oscillations=OscillationSettings(
            OnDivergence(parameters.on_divergence), parameters.chatter_limit
        ),
        truncations=TruncationSettings(
            OnTruncation(parameters.on_truncation), parameters.truncation_time
        ),
    )


def _fall_tilt(parameters: ControllerParameters, *, is_bolted: bool) -> float:
    """Return the tilt from which the robot has fallen; infinite: it is none that stands on feet."""
    stands = parameters.fallback == Fallback.POSTURE.value and not is_bolted
    return parameters.fall_tilt if stands and parameters.fall_tilt > 0.0 else math.inf


def _for_joints(
    builder: SectionBuilder, robot: RobotDescription, key: str, default: float
) -> Array:
    """Return a value for each command joint from none or one for all, a list or a map."""
    value = getattr(builder.configuration.parameters, key)
    joints = robot.command_joints
    result = np.full(len(joints), default, dtype=float)
    if isinstance(value, Mapping):
        for joint, entry in value.items():
            if builder.is_known(joint, joints, "command joint", ("parameters", key, joint)):
                result[joints.index(joint)] = entry
    elif isinstance(value, tuple) and len(value) != len(joints):
        text = f"found {len(value)} entries, expected one for each of {len(joints)} joints"
        builder.problems.add(("parameters", key), text)
    elif value is not None:
        result[:] = value
    return result


def _real_time(parameters: ControllerParameters) -> RealTimeSettings:
    priority = parameters.realtime_priority
    awake = priority > 0 and parameters.keep_processors_awake
    return RealTimeSettings(priority, parameters.cpu_affinity, awake)


def _staleness(parameters: ControllerParameters) -> StalenessBound:
    age = parameters.staleness_age
    if age is None:
        age = max(SHORTEST_STALENESS_AGE, STALENESS_PERIODS / parameters.servo_frequency)
    return StalenessBound(parameters.staleness_bound, age)
