"""PartsPanel: tasks, constraints or other parts: all in a table, and one of them to change."""

import math
from collections import defaultdict, deque
from enum import Enum
from html import escape
from typing import Any

from controlit_console.look import block, chip, plain, quiet, spark, table
from controlit_console.page import Page
from controlit_console.panels.settings_form import SettingsForm
from controlit_console.panels.shown import Shown
from controlit_console.parts import PartView, shown_value
from controlit_console.seen import Seen
from controlit_ros.client import Robot

HISTORY = 60  # [looks] of an error in its small plot
TASK_STATES = ("enable", "sense", "disable")
CONSTRAINT_STATES = ("enable", "disable")
NONE = "(none)"
NO_CONTROLLER = "There is no controller."


class PartKind(Enum):
    """What a panel shows; the value is what one of them is called."""

    TASK = "Task"
    CONSTRAINT = "Constraint"
    OTHER = "Part"
    """Inequalities, behaviours, the robot interface, the servo; each with its settings."""


class PartsPanel:
    """Shows parts of one kind.

    Args:
        page: Whose.
        kind: Which.
    """

    def __init__(self, page: Page, kind: PartKind) -> None:
        self._page = page
        self._kind = kind
        self._errors: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=HISTORY))
        self._known: tuple[PartView, ...] = ()
        gui = page.gui
        self._overview = Shown(gui, block(quiet(NO_CONTROLLER)))
        self._choice = gui.add_dropdown(kind.value, (NONE,))
        self._facts = Shown(gui)
        self._controls: list[Any] = [self._choice]
        if kind is not PartKind.OTHER:
            states = TASK_STATES if kind is PartKind.TASK else CONSTRAINT_STATES
            switch = gui.add_button_group("State", states)
            switch.on_click(lambda _: self._switch(str(switch.value)))
            self._controls.append(switch)
        self._form = SettingsForm(page)
        self._controls.append(self._form.folder)
        self._show_controls(are_wanted=False)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        parts = self._parts(seen)
        if parts is not self._known:
            self._known = parts
            self._remember(parts)
            told = self._nothing if seen.name else NO_CONTROLLER
            self._overview.show(self._table(parts) if parts else block(quiet(told)))
            names = tuple(part.name for part in parts) or (NONE,)
            if names != self._choice.options:
                self._choice.options = names
        chosen = next((part for part in parts if part.name == self._choice.value), None)
        self._facts.show("" if chosen is None else _facts(chosen))
        self._form.show(chosen)
        self._show_controls(are_wanted=bool(parts))

    @property
    def _nothing(self) -> str:
        return f"The controller tells of no {self._kind.value.lower()}."

    def _show_controls(self, *, are_wanted: bool) -> None:
        for element in self._controls:
            if element.visible is not are_wanted:
                element.visible = are_wanted

    def _parts(self, seen: Seen) -> tuple[PartView, ...]:
        parts = seen.parts
        return {
            PartKind.TASK: parts.tasks,
            PartKind.CONSTRAINT: parts.constraints,
            PartKind.OTHER: tuple(part for part in parts.others if part.settings),
        }[self._kind]

    def _remember(self, parts: tuple[PartView, ...]) -> None:
        for part in parts:
            error = part.of_role("error_norm")
            if error is not None:
                self._errors[part.name].append(float(error.value))

    def _table(self, parts: tuple[PartView, ...]) -> str:
        if self._kind is PartKind.OTHER:
            others: list[Any] = [
                (f"<b>{escape(p.name)}</b>", chip(p.state) if p.state else "", _settable(p))
                for p in parts
            ]
            return block(table(("part", "state", "settings"), others, ("54%", "22%", "24%")))
        if self._kind is PartKind.CONSTRAINT:
            rows: list[Any] = [
                (f"<b>{escape(p.name)}</b>", quiet(p.type), chip(p.state)) for p in parts
            ]
            return block(table(("constraint", "type", "state"), rows, ("45%", "33%", "22%")))
        ordered = sorted(parts, key=lambda part: -(part.priority or 0))
        rows = [
            (
                str(part.priority),
                f"<b>{escape(part.name)}</b>",
                chip(part.state),
                *self._error(part),
            )
            for part in ordered
        ]
        headings = ("level", "task", "state", "error", "")
        return block(table(headings, rows, ("9%", "38%", "16%", "15%", "22%")))

    def _error(self, part: PartView) -> tuple[str, str]:
        values = self._errors[part.name]
        if not values or part.state == "disable":
            return "", ""
        told = plain(values[-1]) if math.isfinite(values[-1]) else quiet("none")
        return told, spark(list(values))

    def _switch(self, state: str) -> None:
        name, are_tasks = str(self._choice.value), self._kind is PartKind.TASK

        def switch(robot: Robot) -> None:
            if are_tasks:
                getattr(robot.task(name), state)()
            else:
                getattr(robot.constraint(name), state)()

        self._page.act(switch, f"{name} is {state}d.")


def _settable(part: PartView) -> str:
    return quiet(str(len(part.settings)))


def _facts(part: PartView) -> str:
    lines = [
        f"<b>{escape(part.name)}</b> {quiet(part.type)} {chip(part.state) if part.state else ''}"
    ]
    for role in ("goal", "actual", "error"):
        parameter = part.of_role(role)
        if parameter is not None and len(parameter.labels) == 0:
            text = escape(f"{shown_value(_short(parameter.value))} {parameter.unit}")
            lines.append(f"{quiet(role)} {text}")
    return block("<br>".join(lines))


def _short(value: Any) -> Any:
    """Return a value with as many digits as an eye follows."""
    if isinstance(value, list):
        return [_short(entry) for entry in value]
    return round(value, 4) + 0.0 if isinstance(value, float) else value  # no -0
