"""The entries of the lists in a configuration file."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, Strict
from pydantic_core import PydanticCustomError

from controlit_ros.configuration.described import Described
from controlit_ros.parameters.event import LONGEST_HOLD
from controlit_ros.ros_names import fault_of_token, is_topic

_RUNNING: dict[str, Any] = {"changes_while_running": True}
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _check_name(name: str) -> str:
    if fault_of_token(name) or name.startswith("_"):
        raise PydanticCustomError(
            "expected",
            "a ROS name: letters, digits and single underscores, beginning with a letter",
        )
    return name


def _check_topic(topic: str) -> str:
    if not is_topic(topic):
        raise PydanticCustomError(
            "expected", "a ROS topic: names of letters, digits and underscores joined by single /"
        )
    return topic


def _check_parameter(name: str) -> str:
    if not _PARAMETER.fullmatch(name):
        raise PydanticCustomError("expected", "a parameter with its owner, Owner.parameter")
    return name


Name = Annotated[str, AfterValidator(_check_name)]
Topic = Annotated[str, AfterValidator(_check_topic)]


class _PartEntry(Described):
    model_config = ConfigDict(extra="allow")

    name: Name
    """Name, unique within the controller."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Everything but what is described here: the parameters of the plugin."""
        return MappingProxyType(self.__pydantic_extra__ or {})


class _PluginEntry(_PartEntry):
    type: str
    """Name of the plugin."""


class TaskEntry(_PluginEntry):
    """Declares a task; its other keys are parameters of its type."""


class ConstraintEntry(_PluginEntry):
    """Declares a constraint; its other keys are parameters of its type."""


class InequalityEntry(_PluginEntry):
    """Declares an inequality; its other keys are parameters of its type."""


class BehaviourEntry(_PluginEntry):
    """Declares a behaviour; its other keys are parameters of its type."""


class WholeBodyControllerEntry(_PartEntry):
    """Declares a whole-body controller; its other keys are parameters of its type."""

    type: str | None = None
    """Name of the plugin. None: whole_body_controller_type of parameters."""
    null_space_projector_type: str | None = None
    """Plugin that projects lower levels. None: that of parameters."""
    qp_solver_type: str | None = None
    """Plugin that solves quadratic programs. None: that of parameters."""
    prioritisation_type: str | None = None
    """Plugin that shares limits among levels of tasks. None: that of parameters."""


class CompoundTaskEntry(Described):
    """Says how a declared task takes part."""

    name: str
    """Name of a declared task."""
    priority: int = Field(ge=0, le=1000, json_schema_extra=_RUNNING)
    """Higher wins."""
    operational_state: Literal["enable", "disable", "sense"] = Field(
        default="enable", json_schema_extra=_RUNNING
    )
    """Whether it acts, rests, or only measures."""


class ConstraintSetEntry(Described):
    """Says whether a declared constraint holds."""

    name: str
    """Name of a declared constraint."""
    type: str | None = None
    """Its type once more, for the reader."""
    operational_state: Literal["enable", "disable"] = Field(
        default="enable", json_schema_extra=_RUNNING
    )
    """Whether it holds."""


class BindingProperties(Described):
    """How a binding transports."""

    publish_rate: float | None = Field(
        default=None, gt=0, le=10_000, json_schema_extra={"unit": "Hz"}
    )
    """Most messages an output sends in a second. None: one for each cycle."""
    queue_size: int = Field(default=10, ge=1, le=10_000)
    """Messages kept for a slow receiver; the oldest give way."""
    latched: bool = False
    """Whether late subscribers get the last message."""
    message_type: str | None = None
    """ROS message type. None: the one that fits the parameter best."""


class BindingEntry(Described):
    """Ties a parameter to a topic."""

    parameter: Annotated[str, AfterValidator(_check_parameter)]
    """Full name, Owner.parameter."""
    direction: Literal["input", "output"]
    """Input sets the parameter, output publishes it."""
    topic: Topic
    """Topic, relative to the controller's name unless it begins with /."""
    transport_type: str = "topic"
    """Name of a binding factory plugin."""
    properties: BindingProperties = BindingProperties()
    """List of `key: value`, or one mapping."""


class EventEntry(Described):
    """Declares an event."""

    name: Name
    """Name, unique within the controller."""
    expression: str = Field(min_length=1)
    """Condition over parameters."""
    until: str | None = Field(default=None, min_length=1)
    """Condition that arms the event again once it has fired and the expression is false. None: that
    alone."""
    hold: float = Field(
        default=0.0, ge=0, le=LONGEST_HOLD, json_schema_extra={"unit": "s", **_RUNNING}
    )
    """How long the expression must hold without a break before the event fires, on the servo's
    clock."""
    enabled: bool = Field(default=True, json_schema_extra=_RUNNING)
    """Whether it may fire from the start."""


_Names = Annotated[tuple[str, ...], Strict(strict=False)]


class ModeEntry(Described):
    """Declares a mode.

    A task or constraint that any mode names is on in the modes that name it and off in those that
    name others; what a mode does not say is as in the rest of the file.
    """

    name: Name
    """Name, unique among the modes."""
    description: str = ""
    """What the mode is for, for people."""
    tasks: _Names | None = None
    """Tasks that act. None: as compound_task says."""
    constraints: _Names | None = None
    """Constraints that hold. None: as constraint_set says."""
    controller: str | None = None
    """Which of whole_body_controllers computes. None: the one of the file."""
    set: dict[str, Any] = Field(default={})
    """Values of other parameters, Owner.parameter: gains, weights, priorities."""
    goals: dict[str, Any] = Field(default={})
    """Where tasks are led when the mode begins, by task; from where the robot is, within bounds."""
    latch: _Names = ()
    """Tasks whose goal becomes where the robot is when the mode begins, also if they acted before.
    Tasks that begin to act do so anyway, unless goals or keep name them."""
    keep: _Names = ()
    """Tasks that begin to act with the goal they had."""
    commands: _Names | None = None
    """What is taken while the mode lasts: names of tasks, for their goals, and other parameters,
    Owner.parameter. None: the goals of its tasks. []: no commands."""
    return_share: float = Field(default=0.3, gt=0, le=1)
    """Part of the joints' velocity limits that goals of joints are led with."""
    return_speed: float = Field(default=0.1, gt=0, le=10, json_schema_extra={"unit": "m/s"})
    """Speed that other goals are led with; of orientations in rad/s."""


class ModeTransitionEntry(Described):
    """Declares transitions between modes."""

    out_of: _Names
    """Modes that it leaves; [any]: all but the one it enters, where no transition that names them
    says otherwise."""
    into: str
    """Mode that it enters."""
    when: str | None = Field(default=None, min_length=1)
    """Condition over parameters. None: always."""
    hold: float = Field(default=0.0, ge=0, le=LONGEST_HOLD, json_schema_extra={"unit": "s"})
    """How long the condition must hold without a break."""
    after: float = Field(default=0.0, ge=0, le=LONGEST_HOLD, json_schema_extra={"unit": "s"})
    """How long the mode that it leaves must have lasted."""
    wait: float = Field(default=0.0, ge=0, le=60, json_schema_extra={"unit": "s"})
    """How long a request waits for these before it is refused."""
    automatic: bool = False
    """Whether it is taken by itself as soon as they hold."""
    through: str | None = None
    """Mode that a request goes through first, by the transitions into it and out of it."""


class ModesEntry(Described):
    """What the robot is doing: which parts are on, and who may command what."""

    initial: str
    """Mode in which control begins."""
    states: Annotated[tuple[ModeEntry, ...], Strict(strict=False)]
    """The modes."""
    transitions: Annotated[tuple[ModeTransitionEntry, ...], Strict(strict=False)] = ()
    """Ways between them; there are no others."""
