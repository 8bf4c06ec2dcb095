"""Description: what a controller says of itself."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.bindings.conversion import conversion
from controlit_ros.bindings.frame_names import UnsaidFrames
from controlit_ros.client.goal_outlet import GoalPlace, GoalPlaces
from controlit_ros.interfaces import Message
from controlit_ros.parameters import Kind, Parameter, Quantity

FEED_FORWARD = ("goal_velocity", "goal_acceleration")
INPUT, OUTPUT = "input", "output"
ITS_OWN = UnsaidFrames()  # goals are given in the world of the controller that they go to


class TaskDescription(NamedTuple):
    """One task.

    Attributes:
        name: Its name.
        type: Its type.
        goal: What the goal looks like: shape, unit, names.
        feed_forward: Velocity and acceleration of the goal, those that the task has.
        places: Where goals go in; `None` if they go in nowhere.
        outputs: Where `actual`, `error` and `error_norm` come out.
    """

    name: str
    type: str
    goal: Parameter
    feed_forward: tuple[Parameter, ...]
    places: GoalPlaces | None
    outputs: dict[str, GoalPlace]


def describe_tasks(tasks: Message, bindings: Message) -> dict[str, TaskDescription]:
    """Return the tasks of a controller by name.

    Args:
        tasks: Answer of `diagnostics/getTaskParameters`.
        bindings: Answer of `diagnostics/getBindings`.
    """
    bound: dict[tuple[str, str], Message] = {}
    for binding in bindings.bindings:
        # of several the plain one: what late subscribers get is sent only when it changes
        key = (str(binding.parameter), str(binding.direction))
        if "/" in binding.message_type and (key not in bound or bound[key].latched):
            bound[key] = binding
    found = {}
    for name, kind in zip(tasks.tasks, tasks.types, strict=True):
        roles = {
            str(info.role): _parameter(info)
            for info in tasks.parameters
            if info.owner == name and info.role
        }
        places = {
            (role, direction): GoalPlace(
                str(binding.topic), conversion(parameter, str(binding.message_type), ITS_OWN)
            )
            for role, parameter in roles.items()
            for direction in (INPUT, OUTPUT)
            if parameter.is_array or role == "error_norm"
            if (binding := bound.get((parameter.full_name, direction))) is not None
        }
        found[str(name)] = TaskDescription(
            name=str(name),
            type=str(kind),
            goal=roles["goal"],
            feed_forward=tuple(roles[role] for role in FEED_FORWARD if role in roles),
            places=_goal_places(roles["goal"], places),
            outputs={role: place for (role, way), place in places.items() if way == OUTPUT},
        )
    return found


def _goal_places(goal: Parameter, places: Mapping[tuple[str, str], GoalPlace]) -> GoalPlaces | None:
    place = places.get(("goal", INPUT))
    if place is None:
        return None
    velocity, acceleration = (places.get((role, INPUT)) for role in FEED_FORWARD)
    return GoalPlaces(place, velocity, acceleration, turns=goal.quantity.turns)


def _parameter(info: Message) -> Parameter:
    """Return a parameter like the controller's, with a value of no meaning."""
    shape = tuple(int(n) for n in info.shape)
    neutral: Any = 0.0
    if shape:
        neutral = np.zeros(shape)
        if info.unit_length:
            neutral[-1] = 1.0
    return Parameter(
        str(info.name),
        neutral,
        owner=str(info.owner),
        kind=Kind(info.type),
        shape=shape,
        unit=str(info.unit),
        description=str(info.description),
        labels=[str(label) for label in info.labels],
        unit_length=bool(info.unit_length),
        quantity=Quantity(info.quantity),
        turning=[int(i) for i in info.turning],
    )
