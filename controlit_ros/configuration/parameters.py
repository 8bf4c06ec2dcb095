"""ControllerParameters: what holds for the controller as a whole."""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError


def _for_joints(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        raise PydanticCustomError(
            "expected", "one value for all joints, a list in joint order, or a map by joint name"
        ) from None


Flag = Annotated[bool, Strict()]
Effort = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Names = Annotated[tuple[str, ...], Strict(strict=False)]
FlagForJoints = Annotated[
    Flag | Annotated[tuple[Flag, ...], Strict(strict=False)] | dict[str, Flag],
    WrapValidator(_for_joints),
]
EffortForJoints = Annotated[
    Effort | Annotated[tuple[Effort, ...], Strict(strict=False)] | dict[str, Effort],
    WrapValidator(_for_joints),
]
LogField = Literal["package", "file", "line", "function", "pid"]


def _unit(unit: str) -> dict[str, Any]:
    return {"unit": unit}


class ControllerParameters(BaseModel):
    """Parameters of the controller (paper, appendix B, and what we added).

    Values for joints may be one for all, a list in the order of the command joints, or a map by
    joint name; joints that a map leaves out keep the default.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, validate_default=True
    )

    coupled_joint_groups: Annotated[tuple[Names, ...], Strict(strict=False)] = Field(
        default=(),
        description="Groups of joints; the inertia between joints of different groups is taken as "
        "zero. Empty: all joints are coupled.",
    )
    cpu_affinity: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Strict(strict=False)] = Field(
        default=(), description="Processors the servo thread may run on. Empty: all."
    )
    default_bindings: bool = Field(
        default=True,
        description="Bind goals, errors and actual values of tasks to topics by default.",
    )
    enforce_effort_limits: FlagForJoints = Field(
        default=True, description="Truncate efforts to the limits of the URDF, with a warning."
    )
    enforce_position_limits: FlagForJoints = Field(
        default=True,
        description="Truncate position commands to the limits of the URDF, with a warning.",
    )
    enforce_velocity_limits: FlagForJoints = Field(
        default=True,
        description="Truncate velocity commands to the limits of the URDF, with a warning.",
    )
    fallback: Literal["hold", "zero_effort"] = Field(
        default="hold",
        description="What the robot does in the safe state: hold still with damping and gravity "
        "compensation, or go limp.",
    )
    fallback_damping: float = Field(
        default=2.0,
        ge=0,
        description="Damping of each joint while holding still in the safe state.",
        json_schema_extra=_unit("N m s/rad"),
    )
    gravity_compensation_mask: Names = Field(
        default=(), description="Joints whose gravity effort is not compensated."
    )
    log_fields: Annotated[tuple[LogField, ...], Strict(strict=False)] = Field(
        default=(), description="What each line of the log tells beside time, level and message."
    )
    log_level: Literal["DEBUG", "INFO", "WARN", "ERROR", "FATAL"] = Field(
        default="INFO", description="Least severe level that is logged."
    )
    max_effort_command: EffortForJoints | None = Field(
        default=None,
        description="Effort above which a command causes a warning. None: no warning.",
        json_schema_extra=_unit("N m"),
    )
    parameter_binding_factories: Names = Field(
        default=("topic",),
        description="Transport types that bindings may use.",
    )
    passive_joints: Names = Field(default=(), description="Joints without actuator.")
    realtime_priority: int = Field(
        default=50,
        ge=0,
        le=99,
        description="SCHED_FIFO priority of the servo thread where permitted. 0: not real time.",
    )
    robot_interface_type: str = Field(
        default="MuJoCo", description="Plugin that talks to the robot."
    )
    rotor_inertia: dict[str, Annotated[float, Field(ge=0)]] = Field(
        default={},
        description="Inertia of the rotor seen at the joint, rotor times gear ratio squared, by "
        "joint name.",
        json_schema_extra=_unit("kg m²"),
    )
    servo_clock_type: str = Field(default="Steady", description="Plugin that paces the servo.")
    servo_frequency: float = Field(
        default=1000.0,
        gt=0,
        le=10_000,
        description="Rate of the servo loop.",
        json_schema_extra=_unit("Hz"),
    )
    single_threaded_model: bool = Field(
        default=False, description="Update the model in the servo thread instead of a child thread."
    )
    single_threaded_tasks: bool = Field(
        default=False, description="Update the tasks in the servo thread instead of a child thread."
    )
    soft_start_time: float = Field(
        default=1.0,
        ge=0,
        le=60,
        description="Time over which the effort grows to its full value after activation.",
        json_schema_extra=_unit("s"),
    )
    state_timeout: float = Field(
        default=0.05,
        gt=0,
        le=10,
        description="Age of the robot's state at which the controller enters the safe state.",
        json_schema_extra=_unit("s"),
    )
    whole_body_controller_type: str = Field(
        default="WBOSC", description="Plugin that computes efforts."
    )
    world_gravity: Annotated[tuple[float, float, float], Strict(strict=False)] = Field(
        default=(0.0, 0.0, -9.81),
        description="Gravity in the world frame.",
        json_schema_extra=_unit("m/s²"),
    )
