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


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _PartEntry(_Entry):
    model_config = ConfigDict(extra="allow")

    name: Name = Field(description="Name, unique within the controller.")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Everything but what is described here: the parameters of the plugin."""
        return MappingProxyType(self.__pydantic_extra__ or {})


class _PluginEntry(_PartEntry):
    type: str = Field(description="Name of the plugin.")


class TaskEntry(_PluginEntry):
    """Declares a task; its other keys are parameters of its type."""


class ConstraintEntry(_PluginEntry):
    """Declares a constraint; its other keys are parameters of its type."""


class WholeBodyControllerEntry(_PartEntry):
    """Declares a whole-body controller; its other keys are parameters of its type."""

    type: str | None = Field(
        default=None,
        description="Name of the plugin. None: whole_body_controller_type of parameters.",
    )
    null_space_projector_type: str | None = Field(
        default=None,
        description="Plugin that projects lower levels. None: that of parameters.",
    )


class CompoundTaskEntry(_Entry):
    """Says how a declared task takes part."""

    name: str = Field(description="Name of a declared task.")
    priority: int = Field(ge=0, le=1000, description="Higher wins.", json_schema_extra=_RUNNING)
    operational_state: Literal["enable", "disable", "sense"] = Field(
        default="enable",
        description="Whether it acts, rests, or only measures.",
        json_schema_extra=_RUNNING,
    )


class ConstraintSetEntry(_Entry):
    """Says whether a declared constraint holds."""

    name: str = Field(description="Name of a declared constraint.")
    type: str | None = Field(default=None, description="Its type once more, for the reader.")
    operational_state: Literal["enable", "disable"] = Field(
        default="enable", description="Whether it holds.", json_schema_extra=_RUNNING
    )


class BindingProperties(_Entry):
    """How a binding transports."""

    publish_rate: float | None = Field(
        default=None,
        gt=0,
        le=10_000,
        description="Most messages an output sends in a second. None: one for each cycle.",
        json_schema_extra={"unit": "Hz"},
    )
    queue_size: int = Field(
        default=10,
        ge=1,
        le=10_000,
        description="Messages kept for a slow receiver; the oldest give way.",
    )
    latched: bool = Field(
        default=False, description="Whether late subscribers get the last message."
    )
    message_type: str | None = Field(
        default=None, description="ROS message type. None: the one that fits the parameter best."
    )


class BindingEntry(_Entry):
    """Ties a parameter to a topic."""

    parameter: Annotated[str, AfterValidator(_check_parameter)] = Field(
        description="Full name, Owner.parameter."
    )
    direction: Literal["input", "output"] = Field(
        description="Input sets the parameter, output publishes it."
    )
    topic: Topic = Field(
        description="Topic, relative to the controller's name unless it begins with /."
    )
    transport_type: str = Field(default="topic", description="Name of a binding factory plugin.")
    properties: BindingProperties = Field(
        default=BindingProperties(), description="List of `key: value`, or one mapping."
    )


class EventEntry(_Entry):
    """Declares an event."""

    name: Name = Field(description="Name, unique within the controller.")
    expression: str = Field(min_length=1, description="Condition over parameters.")
    until: str | None = Field(
        default=None,
        min_length=1,
        description="Condition that arms the event again once it has fired and the expression is "
        "false. None: that alone.",
    )
    hold: float = Field(
        default=0.0,
        ge=0,
        le=LONGEST_HOLD,
        description="How long the expression must hold without a break before the event fires, on "
        "the servo's clock.",
        json_schema_extra={"unit": "s", **_RUNNING},
    )
    enabled: bool = Field(
        default=True,
        description="Whether it may fire from the start.",
        json_schema_extra=_RUNNING,
    )
