"""WhyPanel: what holds tasks back, in words."""

import math
from html import escape

from controlit_console.look import NEGLIGIBLE, SMALL, WARN, block, quiet
from controlit_console.page import Page
from controlit_console.panels.once import once
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.explanations.explanation import Cause, Explanation, TaskAccount


class WhyPanel:
    """Shows the controller's own explanation.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._text = Shown(page.gui)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        self._text.show(_told(seen))


@once
def _told(seen: Seen) -> str:
    if seen.explanation is None:
        return block(quiet("The controller has not explained itself yet."))
    return block("".join(_paragraphs(seen.explanation)))


def _paragraphs(explanation: Explanation) -> list[str]:
    found = [_paragraph(quiet("The robot as a whole"), explanation.causes)] * bool(
        explanation.causes
    )
    if explanation.conflict:
        found.append(_paragraph(quiet("These limits exclude each other"), explanation.conflict))
    return [*found, *(_paragraph(_heading(task), task.causes) for task in explanation.tasks)]


def _heading(task: TaskAccount) -> str:
    missing = math.hypot(*task.missing) if task.missing else 0.0
    told = f"level {task.priority}" + (
        f", misses {missing:.3g} {task.unit}" if missing > NEGLIGIBLE else ""
    )
    return f"<b>{escape(task.name)}</b> {quiet(told)}"


def _paragraph(heading: str, causes: tuple[Cause, ...]) -> str:
    lines = [
        f'<div style="border-left:3px solid {WARN};padding-left:6px;margin:2px 0">'
        f"{quiet(cause.kind.value)} {escape(cause.text)}</div>"
        for cause in causes
    ]
    text = (
        "".join(lines)
        or f'<span style="font-size:{SMALL}px">{quiet("nothing holds it back")}</span>'
    )
    return f'<div style="margin-bottom:8px">{heading}<br>{text}</div>'
