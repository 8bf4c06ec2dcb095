"""ControllerParameters: what holds for the controller as a whole."""

from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from controlit_ros.configuration.described import Described
from controlit_ros.configuration.entries import Topic
from controlit_ros.model.robot_description import LARGEST_INERTIA
from controlit_ros.model.stated_limits import EVERY_JOINT
from controlit_ros.model.urdf_rules import MAX_ANGLE, MAX_LIMIT

LARGEST_GRAVITY = 1e3  # [m/s²] the sun's is 274
APPENDIX_B = frozenset(
    {
        "coupled_joint_groups",
        "enforce_effort_limits",
        "enforce_position_limits",
        "enforce_velocity_limits",
        "gravity_compensation_mask",
        "log_fields",
        "log_level",
        "max_effort_command",
        "parameter_binding_factories",
        "robot_interface_type",
        "servo_clock_type",
        "servo_frequency",
        "single_threaded_model",
        "single_threaded_tasks",
        "whole_body_controller_type",
        "world_gravity",
    }
)
"""Parameters that the paper has, by the same names; the others are ours."""


def _for_joints(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        raise PydanticCustomError(
            "expected", "one value for all joints, a list in joint order, or a map by joint name"
        ) from None


def _by_joint(value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return {EVERY_JOINT: value} if is_number else value


def _at_zero(value: Any) -> Any:
    is_list = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    return dict.fromkeys(value, 0.0) if is_list else value


Flag = Annotated[bool, Strict()]
Effort = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Names = Annotated[tuple[str, ...], Strict(strict=False)]
GripperName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
GripperJoints = dict[GripperName, Annotated[Names, Field(min_length=1)]]
FlagForJoints = Annotated[
    Flag | Annotated[tuple[Flag, ...], Strict(strict=False)] | dict[str, Flag],
    WrapValidator(_for_joints),
]
EffortForJoints = Annotated[
    Effort | Annotated[tuple[Effort, ...], Strict(strict=False)] | dict[str, Effort],
    WrapValidator(_for_joints),
]
Inertia = Annotated[float, Field(ge=0, le=LARGEST_INERTIA)]
Limit = Annotated[float, Field(gt=0, le=MAX_LIMIT)]
LimitOfJoints = Annotated[dict[str, Limit], BeforeValidator(_by_joint)]
Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]
ToleranceOfJoints = Annotated[dict[str, Tolerance], BeforeValidator(_by_joint)]
InertiaOfJoints = Annotated[dict[str, Inertia], BeforeValidator(_by_joint)]
Position = Annotated[float, Field(ge=-MAX_ANGLE, le=MAX_ANGLE)]
PositionOfJoints = Annotated[dict[str, Position], BeforeValidator(_at_zero)]
Acceleration = Annotated[float, Field(ge=-LARGEST_GRAVITY, le=LARGEST_GRAVITY)]
Remote = Literal["goals", "gains", "configuration", "lifecycle"]
LogField = Literal["package", "file", "line", "function", "pid"]


def _unit(unit: str) -> dict[str, Any]:
    return {"unit": unit}


class ControllerParameters(Described):
    """Parameters of the controller (paper, appendix B, and what we added).

    Values for joints may be one for all, a list in the order of the command joints, or a map by
    joint name; joints that a map leaves out keep the default.
    """

    model_config = ConfigDict(validate_default=True)

    added_constraint_rows: int = Field(default=12, ge=0, le=1000, json_schema_extra={"unit": "#"})
    """Rows kept free for constraints that are added while it runs: 6 for a sole, 3 for a point."""
    added_task_rows: int = Field(default=60, ge=0, le=1000, json_schema_extra={"unit": "#"})
    """Rows kept free for tasks that are added while it runs: 3 for a point, one for each joint of a
    posture."""
    chatter_limit: float = Field(default=0.03, ge=0, le=1)
    """Mean deviation of an effort that alternates at 10 Hz or more, as a share of the effort limit,
    from which it is told as chatter. 0: never."""
    coupled_joint_groups: Annotated[tuple[Names, ...], Strict(strict=False)] = ()
    """Groups of joints; the inertia between joints of different groups is taken as zero. Empty: all
    joints are coupled."""
    cpu_affinity: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Strict(strict=False)] = ()
    """Processors the servo thread may run on; `controlit run` leaves them to it where there are
    others. Empty: all."""
    default_bindings: bool = True
    """Bind goals, errors and actual values of tasks to topics by default."""
    effort_limits: LimitOfJoints = Field(default={}, json_schema_extra=_unit("N m or N"))
    """Effort limits that replace those of the URDF: one for all, or by joint name, where * stands
    for the joints not named."""
    enforce_effort_limits: FlagForJoints = True
    """Truncate efforts to the limits of the URDF, with a warning."""
    enforce_position_limits: FlagForJoints = True
    """Truncate position commands to the limits of the URDF and limit efforts that push a joint past
    them, with a warning."""
    enforce_velocity_limits: FlagForJoints = True
    """Truncate velocity commands to the limits of the URDF and limit efforts that make a joint
    faster, with a warning."""
    fall_tilt: float = Field(default=0.8, ge=0, le=3.2, json_schema_extra=_unit("rad"))
    """Tilt of the base, from how it stood when control began, from which a robot with fallback
    posture has fallen: its joints are damped by at most 20 % of their effort limits, until control
    is deactivated and activated again. 0: it never has."""
    fallback: Literal["hold", "posture", "zero_effort"] = "hold"
    """What the robot does in the safe state: hold still with damping and gravity compensation, keep
    its posture as a robot on its feet must, or go limp."""
    fast_trajectories: Literal["refuse", "scale"] = "refuse"
    """What becomes of a joint trajectory that is faster than a velocity limit of the URDF, at its
    points or between them: it is refused, or takes longer."""
    fallback_damping: float = Field(default=2.0, ge=0, json_schema_extra=_unit("N m s/rad"))
    """Damping of each joint while holding still in the safe state; less for joints so light that it
    would make them swing."""
    fallback_kp: float = Field(default=100.0, gt=0, json_schema_extra=_unit("1/s²"))
    """Stiffness per inertia with which fallback posture keeps the joints."""
    gravity_compensation_mask: Names = ()
    """Joints whose gravity effort is not compensated."""
    grippers: GripperJoints = Field(default={})
    """Joints of grippers, by the name below which their actions are; the task of type JointPosition
    moves them."""
    keep_processors_awake: bool = True
    """Let no processor of the machine sleep between cycles, where permitted: sleepers wake late and
    with empty caches. Costs energy. Needs a realtime_priority."""
    locked_joints: PositionOfJoints = Field(default={}, json_schema_extra=_unit("rad or m"))
    """Joints that count as fixed, by name or pattern (hand_*): a list of those held at zero, or a
    map to their positions."""
    frame_prefix: str = Field(default="", pattern=r"^([A-Za-z0-9_.-]+/?)*$")
    """What stands before the names of all frames in /tf and in headers of messages, robot1/ for
    example, so that several robots can share them; robot_state_publisher's frame_prefix."""
    log_fields: Annotated[tuple[LogField, ...], Strict(strict=False)] = ()
    """What each line of the log tells beside time, level and message."""
    log_level: Literal["DEBUG", "INFO", "WARN", "ERROR", "FATAL"] = "INFO"
    """Least severe level that is logged."""
    max_effort_command: EffortForJoints | None = Field(default=None, json_schema_extra=_unit("N m"))
    """Effort above which a command causes a warning. None: no warning."""
    max_effort_rate: EffortForJoints | None = Field(default=None, json_schema_extra=_unit("N m/s"))
    """How fast the effort of a joint may change; faster commands are slowed down, with a warning.
    None: any rate."""
    mimic_joints: bool = True
    """Couple joints that mimic others in the robot description, as a Coactuation <master>_mimics
    does; joints that a constraint, locked_joints or passive_joints name are left to those."""
    measurement_base_speed: float = Field(
        default=20.0, gt=0, le=1000, json_schema_extra=_unit("m/s")
    )
    """Highest speed of the base that is believed; at most 0.3 of one bolted to the world."""
    measurement_jump: float = Field(default=0.05, gt=0, le=10, json_schema_extra=_unit("rad or m"))
    """How far a joint or the base may jump from one measurement to the next, beside what its speed
    allows, and at most a quarter of the joint's range."""
    measurement_limit: int = Field(default=5, ge=1, le=1000)
    """Measurements in a row that may be refused because they cannot be; then the controller enters
    the safe state."""
    measurement_patience: float = Field(default=0.2, gt=0, le=60, json_schema_extra=_unit("s"))
    """Time for which measurements that were refused have to fit each other to be believed: the
    robot was moved."""
    measurement_speed: float = Field(default=10.0, ge=1, le=1000)
    """Highest speed of a joint that is believed, in velocity limits of the URDF (2 rad/s or m/s at
    least, 30 where there is none), and three tenths of it at once."""
    measurement_stamp: float = Field(default=2.0, gt=0, le=60, json_schema_extra=_unit("s"))
    """Farthest that the stamp of a measurement may be from the servo's time."""
    null_space_projector_type: str = "DynamicallyConsistent"
    """Plugin that says what lower levels are left by higher ones."""
    odometry_source: Literal["robot", "topic"] = "robot"
    """Who tells where the base of a free robot is: the robot interface, or nav_msgs/Odometry on the
    odometry_topic."""
    odometry_timeout: float = Field(default=0.1, gt=0, le=10, json_schema_extra=_unit("s"))
    """Age of the odometry at which the controller enters the safe state."""
    odometry_topic: Topic = "odom"
    """Where odometry comes from, relative to the controller's name unless it begins with /."""
    on_divergence: Literal["warn", "safe"] = "safe"
    """What happens when joints swing ever more, or near their limits, at 2 Hz or more: a warning,
    or the safe state for some seconds."""
    on_sensor_fault: Literal["warn", "safe"] = "warn"
    """What happens when a joint's encoder is diagnosed (frozen, drifting, wrong sign, swapped): a
    warning, or the safe state without its measurements until control is deactivated and activated
    again."""
    on_truncation: Literal["warn", "hold", "safe"] = "warn"
    """What happens when limits hold back a joint's effort, by more than a tenth of the effort limit
    or at that limit, for truncation_time: a warning, all goals are latched to where the robot is,
    or the safe state for some seconds and then the same."""
    overrun_limit: int = Field(default=50, ge=1)
    """Deadlines in a row that may be missed."""
    overrun_policy: Literal["warn", "safe"] = "warn"
    """What happens when more deadlines in a row are missed: a warning, or the safe state."""
    parameter_binding_factories: Names = ("topic", "shared_memory")
    """Transport types that bindings may use."""
    passive_joints: Names = ()
    """Joints without actuator."""
    pause_limit: float = Field(default=0.2, gt=0, le=10, json_schema_extra=_unit("s"))
    """Time the servo may stand still; after longer it goes safe, whatever the overrun_policy, and
    renews its model before it relies on it."""
    prioritisation_type: str = "Weighted"
    """Plugin that shares limits among levels of tasks, in controllers by quadratic programs."""
    qp_solver_type: str = "DAQP"
    """Plugin that solves the quadratic programs of controllers that have some."""
    realtime_priority: int = Field(default=50, ge=0, le=99)
    """SCHED_FIFO priority of the servo thread where permitted. 0: not real time."""
    reconfiguration_time: float = Field(default=0.2, ge=0, le=10, json_schema_extra=_unit("s"))
    """Time over which the command moves from the old to the new configuration after a change of
    tasks, priorities, constraints or gains. 0: at once."""
    recovery_time: float = Field(default=0.1, ge=0, le=60, json_schema_extra=_unit("s"))
    """How long everything must be well before control resumes from the safe state."""
    remote_access: Annotated[tuple[Remote, ...], Strict(strict=False)] = (
        "goals",
        "gains",
        "configuration",
        "lifecycle",
    )
    """What may be set over topics and services, which ask nobody for his name; the rest is refused.
    Shared memory, which only the same user reaches, is not limited."""
    robot_interface_type: str = "MuJoCo"
    """Plugin that talks to the robot."""
    rotor_inertia: InertiaOfJoints = Field(default={}, json_schema_extra=_unit("kg m²"))
    """Inertia of the rotor seen at the joint, rotor times gear ratio squared: one for all, or by
    joint name, where * stands for the joints not named."""
    round_trip_delay: float | None = Field(default=None, ge=0, le=2, json_schema_extra=_unit("s"))
    """Age of a state when it arrives and time until a command acts, together. null: what
    communication_delay of the simulator or robot interface says, or none."""
    save_folder: str | None = Field(default=None, pattern="^(~/|[^~])")
    """Folder below which control/saveConfiguration may write, beside that of the running file: a
    path (relative to this file), or ~/..."""
    servo_clock_type: str = "Steady"
    """Plugin that paces the servo."""
    servo_frequency: float = Field(default=1000.0, ge=1, le=10_000, json_schema_extra=_unit("Hz"))
    """Rate of the servo loop."""
    servo_gap_limit: float = Field(default=10.0, ge=0, json_schema_extra=_unit("periods"))
    """Longest time between two cycles before a warning says that servo_frequency is not reached;
    0: none is too long. Simulated time is not judged."""
    servo_rate_limit: float = Field(default=0.95, ge=0, le=1)
    """Share of servo_frequency that the mean rate over a second must reach; below it, a warning
    says so. 0: none is too low. Simulated time is not judged."""
    single_threaded_model: bool = False
    """Update the model in each cycle before its command, instead of for the next one."""
    single_threaded_tasks: bool = False
    """Update the tasks in each cycle before its command, instead of for the next one."""
    soft_start_time: float = Field(default=1.0, ge=0, le=60, json_schema_extra=_unit("s"))
    """Time over which the effort grows to its full value after activation."""
    staleness_age: float | None = Field(default=None, gt=0, le=10, json_schema_extra=_unit("s"))
    """Age of the model at which the servo updates it itself. None: 20 ms or ten servo periods,
    whichever is more."""
    staleness_bound: float = Field(default=0.05, gt=0, json_schema_extra=_unit("rad or m"))
    """Distance from the model's state, of any joint or of the base, at which the servo updates the
    model itself."""
    state_prediction: Literal["none", "model"] = "none"
    """What model and tasks see of the robot: what was measured, or that led ahead by the model over
    the delay, with the commands under way. Only where the base is bolted."""
    state_timeout: float = Field(default=0.05, gt=0, le=10, json_schema_extra=_unit("s"))
    """Age of the robot's state at which the controller enters the safe state."""
    trajectory_goal_time: float = Field(default=0.0, ge=0, le=3600, json_schema_extra=_unit("s"))
    """How long after the end of a joint trajectory its goal may be missed, unless that states it.
    0: as long as it takes."""
    trajectory_goal_tolerance: ToleranceOfJoints = Field(
        default={}, json_schema_extra=_unit("rad or m")
    )
    """Farthest that a joint may be from the end of a joint trajectory that states nothing: one for
    all, or by joint name, where * stands for the joints not named. 0: any."""
    trajectory_path_tolerance: ToleranceOfJoints = Field(
        default={}, json_schema_extra=_unit("rad or m")
    )
    """Farthest that a joint may be from a joint trajectory that states nothing, on the way:
    likewise. 0: any."""
    trajectory_stopped_velocity: float = Field(
        default=0.0, ge=0, le=100, json_schema_extra=_unit("rad/s or m/s")
    )
    """Highest speed of a joint at the end of a joint trajectory that states nothing. 0: any."""
    transport_process: bool = True
    """Keep topics, services and diagnostics in a process apart from the servo's. Simulated clocks
    and the local transport need one process."""
    truncation_time: float = Field(default=0.5, gt=0, le=60, json_schema_extra=_unit("s"))
    """How long limits may hold back a joint's effort before on_truncation."""
    updater_timeout: float = Field(default=0.5, gt=0, le=60, json_schema_extra=_unit("s"))
    """Time after which a thread that updates model or tasks counts as hung, and the controller
    enters the safe state."""
    velocity_limits: LimitOfJoints = Field(default={}, json_schema_extra=_unit("rad/s or m/s"))
    """Velocity limits that replace those of the URDF: likewise by joint name."""
    whole_body_controller_type: str = "WBOSC"
    """Plugin that computes efforts; in whole_body_controllers, that of each entry that names
    none."""
    world_gravity: Annotated[
        tuple[Acceleration, Acceleration, Acceleration], Strict(strict=False)
    ] = Field(default=(0.0, 0.0, -9.81), json_schema_extra=_unit("m/s²"))
    """Gravity in the world frame."""
