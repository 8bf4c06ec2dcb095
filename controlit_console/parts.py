"""Parts: what a controller says of its tasks, constraints, controllers and events."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from controlit_console.modes_seen import ModesSeen
from controlit_ros.client.parameter_values import plain_parameter
from controlit_ros.client.parameters import flow
from controlit_ros.client.plain_value import plain_value
from controlit_ros.interfaces import Message

EVENT_FIELDS = ("enabled", "active", "count")
FORCE_UNITS = ("N", "N m")


class ParameterView(NamedTuple):
    """A parameter as the controller describes it.

    Attributes:
        owner: Part that has it.
        name: Within its owner.
        kind: `float`, `integer`, `boolean` or `text`.
        shape: Lengths; empty for one value, -1 for any length.
        unit: Of its numbers.
        description: What it is.
        is_fixed: Whether it cannot be set while the controller runs.
        value: Its value now.
        role: What it is for a task: `goal`, `actual`, `error`, ...; empty for the rest.
        labels: Names of the entries, of joints for example.
    """

    owner: str
    name: str
    kind: str
    shape: tuple[int, ...]
    unit: str
    description: str
    is_fixed: bool
    value: Any
    role: str
    labels: tuple[str, ...]

    @property
    def full_name(self) -> str:
        """Owner and name, as services and files write it."""
        return f"{self.owner}.{self.name}"


class PartView(NamedTuple):
    """A task or constraint.

    Attributes:
        name: Its name.
        type: Its type.
        state: `enable`, `disable`, `sense`, or of a contact meanwhile `arriving`, `leaving`;
            empty where nothing switches it.
        priority: Level of a task; `None` for a constraint.
        parameters: All of them.
    """

    name: str
    type: str
    state: str
    priority: int | None
    parameters: tuple[ParameterView, ...]

    def named(self, name: str) -> ParameterView | None:
        """Return the parameter of a name within the part."""
        return next((p for p in self.parameters if p.name == name), None)

    def of_role(self, role: str) -> ParameterView | None:
        """Return the parameter that plays a role."""
        return next((p for p in self.parameters if p.role == role), None)

    @property
    def settings(self) -> tuple[ParameterView, ...]:
        """What an operator sets on it, apart from goal, state and priority."""
        hidden = {"operational_state", "priority", "tare"}
        return tuple(
            p for p in self.parameters if not p.is_fixed and not p.role and p.name not in hidden
        )

    @property
    def is_latchable(self) -> bool:
        """Whether its goal can become where it is: it acts, and its goal is no force."""
        goal = self.of_role("goal")
        known = any(p.name == "tare" and not p.is_fixed for p in self.parameters)
        return known and self.state == "enable" and goal is not None and not _is_force(goal)


class EventView(NamedTuple):
    """An event.

    Attributes:
        name: Its name.
        is_enabled: Whether it may fire.
        holds: Whether its condition holds.
        fired: How often it has fired.
    """

    name: str
    is_enabled: bool
    holds: bool
    fired: int


class PartsSeen(NamedTuple):
    """Everything that can be switched, at one moment.

    Attributes:
        tasks: In the order of the controller.
        constraints: Likewise.
        controllers: Names of the whole-body controllers.
        controller: The one that computes the command.
        controller_parameters: Of all whole-body controllers.
        events: In the order of the controller.
        modes: What it is doing, by name.
        others: Inequalities, behaviours, the robot interface, the servo and its clock.
        boards: What the robot's boards do when they are told: `home`, `reset/left_elbow`.
    """

    tasks: tuple[PartView, ...] = ()
    constraints: tuple[PartView, ...] = ()
    controllers: tuple[str, ...] = ()
    controller: str = ""
    controller_parameters: tuple[ParameterView, ...] = ()
    events: tuple[EventView, ...] = ()
    modes: ModesSeen = ModesSeen()
    others: tuple[PartView, ...] = ()
    boards: tuple[str, ...] = ()

    def task(self, name: str) -> PartView | None:
        """Return a task by name."""
        return next((task for task in self.tasks if task.name == name), None)

    def constraint(self, name: str) -> PartView | None:
        """Return a constraint by name."""
        return next((part for part in self.constraints if part.name == name), None)


def task_views(answer: Message) -> tuple[PartView, ...]:
    """Return what `diagnostics/getTaskParameters` answers."""
    owned = _by_owner(answer.parameters)
    rows = zip(answer.tasks, answer.types, answer.states, answer.priorities, strict=True)
    return tuple(
        PartView(str(name), str(kind), str(state), int(level), owned.get(str(name), ()))
        for name, kind, state, level in rows
    )


def constraint_views(answer: Message) -> tuple[PartView, ...]:
    """Return what `diagnostics/getConstraintParameters` answers."""
    owned = _by_owner(answer.parameters)
    rows = zip(answer.constraints, answer.types, answer.states, strict=True)
    return tuple(
        PartView(str(name), str(kind), str(state), None, owned.get(str(name), ()))
        for name, kind, state in rows
    )


def other_views(answer: Message) -> tuple[PartView, ...]:
    """Return what `diagnostics/getControlItParameters` answers, part by part."""
    return tuple(
        PartView(owner, "", _switched(views), None, views)
        for owner, views in _by_owner(answer.parameters).items()
    )


def parameter_views(infos: Iterable[Message]) -> tuple[ParameterView, ...]:
    """Return parameters as `controlit/msg/ParameterInfo` tells them."""
    return tuple(_parameter(info) for info in infos)


def event_parameters(names: Sequence[str]) -> list[str]:
    """Return the full names of the parameters that tell of events."""
    return [f"{name}.{field}" for name in names for field in EVENT_FIELDS]


def event_views(names: Sequence[str], values: Iterable[Message]) -> tuple[EventView, ...]:
    """Return events by the values of `event_parameters`."""
    plain = [plain_parameter(value) for value in values]
    rows = (plain[i : i + len(EVENT_FIELDS)] for i in range(0, len(plain), len(EVENT_FIELDS)))
    return tuple(
        EventView(name, bool(enabled), bool(holds), int(count or 0))
        for name, (enabled, holds, count) in zip(names, rows, strict=True)
    )


def latches(tasks: Iterable[PartView]) -> dict[str, bool]:
    """Return what to set so that every task that acts stays where it is; forces stay as they are.

    The servo takes it over in one cycle, and finds out itself where each task is.
    """
    return {f"{task.name}.tare": True for task in tasks if task.is_latchable}


def shown_value(value: Any) -> str:
    """Return a value as an operator reads and writes it."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown_value(entry) for entry in value) + "]"
    return value if isinstance(value, str) else flow(value)


def _by_owner(infos: Iterable[Message]) -> Mapping[str, tuple[ParameterView, ...]]:
    found: dict[str, list[ParameterView]] = {}
    for view in parameter_views(infos):
        found.setdefault(view.owner, []).append(view)
    return {owner: tuple(views) for owner, views in found.items()}


def _parameter(info: Message) -> ParameterView:
    return ParameterView(
        str(info.owner),
        str(info.name),
        str(info.type),
        tuple(int(n) for n in info.shape),
        str(info.unit),
        str(info.description),
        bool(info.read_only),
        plain_value(info.value),
        str(info.role),
        tuple(str(label) for label in info.labels),
    )


def _switched(views: Sequence[ParameterView]) -> str:
    """Return the state of a part that a parameter `enabled` switches; empty: nothing does."""
    enabled = next((view for view in views if view.name == "enabled"), None)
    return "" if enabled is None else "enable" if enabled.value else "disable"


def _is_force(goal: ParameterView) -> bool:
    return goal.unit.startswith(FORCE_UNITS)
