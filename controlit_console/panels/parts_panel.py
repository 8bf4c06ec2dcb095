"""PartsPanel: tasks, or constraints: all of them in a table, and one of them to change."""

from collections import defaultdict, deque
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


class PartsPanel:
    """Shows tasks or constraints.

    Args:
        page: Whose.
        are_tasks: Whether tasks; constraints otherwise.
    """

    def __init__(self, page: Page, *, are_tasks: bool) -> None:
        self._page = page
        self._are_tasks = are_tasks
        self._errors: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=HISTORY))
        self._known: tuple[PartView, ...] = ()
        gui = page.gui
        self._overview = Shown(gui)
        self._choice = gui.add_dropdown("Task" if are_tasks else "Constraint", (NONE,))
        self._facts = Shown(gui)
        states = TASK_STATES if are_tasks else CONSTRAINT_STATES
        self._states = gui.add_button_group("State", states)
        self._form = SettingsForm(page)
        self._states.on_click(lambda _: self._switch(str(self._states.value)))

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        parts = seen.parts.tasks if self._are_tasks else seen.parts.constraints
        if parts is not self._known:
            self._known = parts
            self._remember(parts)
            self._overview.show(self._table(parts))
            names = tuple(part.name for part in parts) or (NONE,)
            if names != self._choice.options:
                self._choice.options = names
        chosen = next((part for part in parts if part.name == self._choice.value), None)
        self._facts.show("" if chosen is None else _facts(chosen))
        self._form.show(chosen)

    def _remember(self, parts: tuple[PartView, ...]) -> None:
        for part in parts:
            error = part.of_role("error_norm")
            if error is not None:
                self._errors[part.name].append(float(error.value))

    def _table(self, parts: tuple[PartView, ...]) -> str:
        if not self._are_tasks:
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
        return plain(values[-1]), spark(list(values))

    def _switch(self, state: str) -> None:
        name, are_tasks = str(self._choice.value), self._are_tasks

        def switch(robot: Robot) -> None:
            if are_tasks:
                getattr(robot.task(name), state)()
            else:
                getattr(robot.constraint(name), state)()

        self._page.act(switch, f"{name} is {state}d.")


def _facts(part: PartView) -> str:
    lines = [f"<b>{escape(part.name)}</b> {quiet(part.type)} {chip(part.state)}"]
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
