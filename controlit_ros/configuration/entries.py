"""The entries of the lists in a configuration file."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from controlit_ros.parameters.event import LONGEST_HOLD

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_TOPIC = re.compile(r"(~/|/)?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*", re.ASCII)
_RUNNING: dict[str, Any] = {"changes_while_running": True}
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name) or "__" in name:
        raise PydanticCustomError(
            "expected",
            "a ROS name: letters, digits and single underscores, beginning with a letter",
        )
    return name


def _check_topic(topic: str) -> str:
    if not _TOPIC.fullmatch(topic) or "__" in topic:
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


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    for name, field in model.model_fields.items():
        schema["properties"][name]["description"] = field.description


class Described(BaseModel):
    """Part of a configuration; the texts below its fields tell its users what they are."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        json_schema_extra=_describe,
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **keywords: Any) -> None:
        """Let every description be one line."""
        super().__pydantic_init_subclass__(**keywords)
        for field in cls.model_fields.values():
            field.description = " ".join((field.description or "").split())


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
