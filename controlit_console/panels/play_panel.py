"""PlayPanel: paths of goals, taken from the controller or a file, and played while held."""

from html import escape
from typing import Any

from viser import Icon

from controlit_console.console_error import ConsoleError
from controlit_console.goal_path import GoalPath, read_goal_path
from controlit_console.look import LINE, SMALL, block, quiet
from controlit_console.page import Page
from controlit_console.panels.shown import Shown
from controlit_console.path_taker import PathTaker
from controlit_console.seen import Seen
from controlit_ros.client import Robot
from controlit_ros.errors import ControlItError

NONE = "(none)"
HOLD_RATE = 10.0  # [Hz] with which the page says that the button is held
TAKE, END = "Take the path of its goal", "End the path"
NOT_YET = "To play it take control and arm motion."
HELD = "Let go, it comes to rest; held again, it goes on."
OVER = "It is at its end: From the beginning plays it again."


class PlayPanel:
    """Takes, loads, saves and plays a path of one task.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._taker: PathTaker | None = None
        gui = page.gui
        self._choice = gui.add_dropdown("Task", (NONE,))
        self._take = gui.add_button(TAKE, color="gray", icon=Icon.PLAYER_RECORD)
        self._load = gui.add_upload_button(
            "Load a path", color="gray", icon=Icon.UPLOAD, mime_type="application/json"
        )
        self._save = gui.add_button(
            "Save the path", color="gray", icon=Icon.DOWNLOAD, disabled=True
        )
        self._state = Shown(gui, block(""))
        self._play = gui.add_button("Hold to play", icon=Icon.PLAYER_PLAY, disabled=True)
        self._rewind = gui.add_button(
            "From the beginning", color="gray", icon=Icon.PLAYER_SKIP_BACK
        )
        self._take.on_click(lambda _: self._tried(self._take_or_end))
        self._load.on_upload(lambda _: self._tried(self._take_over))
        self._save.on_click(lambda _: self._send())
        self._play.on_hold(lambda _: self._tried(self._hold), callback_hz=HOLD_RATE)
        self._rewind.on_click(lambda _: page.player.rewind())

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        tasks = tuple(t.name for t in seen.parts.tasks if t.of_role("goal") is not None) or (NONE,)
        if tasks != self._choice.options:
            self._choice.options = tasks
        player, control = self._page.player, self._page.desk.control
        may_play = player.path is not None and control.has(self._page.number) and control.is_armed
        _assign(self._play, "disabled", not may_play)
        _assign(self._save, "disabled", player.path is None)
        _assign(self._rewind, "disabled", player.path is None)
        _assign(self._take, "label", TAKE if self._taker is None else END)
        self._state.show(self._told(may_play=may_play))

    def _told(self, *, may_play: bool) -> str:
        player, taker = self._page.player, self._taker
        if taker is not None:
            return _state(
                f"{len(taker)} goals so far: drag the goal, or let a program lead it", 0.0
            )
        path = player.path
        if path is None:
            return _state("No path yet: take one, or load a file of goals.", 0.0)
        told = (
            f"{path.task}: {len(path.times)} goals, {player.reached:.1f} of {path.duration:.1f} s"
        )
        hint = OVER if player.is_over else HELD if may_play else NOT_YET
        return _state(told, player.reached / path.duration if path.duration else 1.0, hint)

    def _take_or_end(self) -> None:
        taker, self._taker = self._taker, None
        if taker is not None:
            path = taker.end()
            self._page.player.load(path)
            self._page.message = f"Took {len(path.times)} goals of {path.task}."
        else:
            name = str(self._choice.value)
            self._taker = self._page.desk.with_robot(lambda robot: PathTaker(robot, name))

    def _take_over(self) -> None:
        path = read_goal_path(self._load.value.content)
        if path.task not in self._choice.options:
            known = ", ".join(self._choice.options)
            raise ConsoleError(f"task: found {path.task!r}, expected one of {known}")
        path.check(self._page.desk.with_robot(lambda robot: robot.task(path.task).goal))
        self._page.player.load(path)
        self._page.message = f"Loaded {len(path.times)} goals of {path.task}."

    def _send(self) -> None:
        path: GoalPath | None = self._page.player.path
        if path is not None:
            self._page.client.send_file_download(f"{path.task}.json", path.text().encode())

    def _hold(self) -> None:
        control, number = self._page.desk.control, self._page.number
        if not control.may_move(number):
            self._page.message = "Nothing was moved: motion is not armed."
            return
        player = self._page.player

        def hold(robot: Robot) -> None:
            player.hold(robot)

        self._page.desk.act(hold)

    def _tried(self, action: Any) -> None:
        try:
            action()
        except ControlItError as error:
            self._page.message = f"Refused: {error}"


def _state(text: str, share: float, hint: str = "") -> str:
    bar = (
        '<div style="height:4px;border-radius:2px;background:rgba(128,128,128,0.25)">'
        f'<div style="height:4px;border-radius:2px;width:{100.0 * min(1.0, share):.0f}%;'
        f'background:{LINE}"></div></div>'
    )
    told = f"{quiet(text) if not share else escape(text)}<br>{bar}{quiet(hint)}"
    return block(told, SMALL, "min-height:52px")


def _assign(element: Any, name: str, value: Any) -> None:
    if getattr(element, name) != value:
        setattr(element, name, value)
