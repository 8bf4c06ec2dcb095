"""Page: what one browser shows, and what its operator may do."""

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from viser import ClientHandle, GuiApi

from controlit_console.bag import Bag
from controlit_console.control_desk import ControlDesk
from controlit_console.player import Player
from controlit_console.seen import Seen
from controlit_ros.client import Robot
from controlit_ros.errors import ControlItError

Action = Callable[[Robot], None]
_Found = TypeVar("_Found")

_log = logging.getLogger("controlit.console")


class Panel(Protocol):
    """A part of the page."""

    def show(self, seen: Seen) -> None:
        """Show a moment; called some times a second."""


class Desk(Protocol):
    """What a page may ask of the console that serves it."""

    control: ControlDesk
    bag: Bag

    def act(self, action: Action) -> None:
        """Do something with the controller; raises `ControlItError` where it refuses."""

    def stop(self) -> str:
        """Let the robot stay where it is; return what was done, in words."""

    def look_again(self) -> None:
        """Ask at once what parts there are now."""

    def with_robot(self, use: "Callable[[Robot], _Found]") -> "_Found":
        """Return what is made of the controller; raises `ControlItError` where it refuses."""


class Page:
    """One browser.

    Args:
        client: The browser.
        desk: Where its wishes go.

    Attributes:
        number: By which others know it.
        gui: Where panels put their elements.
        message: What came of the last wish, for the operator.
        is_dark: Which of the two looks it has.
        follows: Whether its camera comes along with the robot.
        player: Plays paths for this page.
    """

    def __init__(self, client: ClientHandle, desk: Desk) -> None:
        self.client = client
        self.number = client.client_id
        self.gui: GuiApi = client.gui
        self.desk = desk
        self.message = ""
        self.is_dark = False
        self.follows = True
        self.player = Player(lambda: desk.control.may_move(self.number))
        self.panels: list[Panel] = []
        self._switched: list[Any] = []
        self._wish = threading.Lock()
        self._failed: set[int] = set()

    @property
    def may_change(self) -> bool:
        """Whether this page has control."""
        return self.desk.control.has(self.number)

    def for_control(self, element: Any) -> Any:
        """Let an element be usable only while this page has control; return it."""
        element.disabled = not self.may_change
        self._switched.append(element)
        return element

    def forget(self, elements: list[Any]) -> None:
        """Look after elements no more that are gone."""
        self._switched = [kept for kept in self._switched if all(kept is not e for e in elements)]

    def act(self, action: Action, done: str, *, moves: bool = False) -> bool:
        """Do something that needs control; return whether it was done.

        One wish at a time: the controller may take its time for one, and a page that went on asking
        would keep the threads from others that want to stop it.

        Args:
            action: What to do; refusals are shown in the controller's own words.
            done: What to tell then.
            moves: Whether it moves the robot, which must be armed for it.
        """
        control = self.desk.control
        if not control.has(self.number):
            self.message = "Nothing was changed: this page does not have control."
            return False
        if moves and not control.may_move(self.number):
            self.message = "Nothing was moved: motion is not armed."
            return False
        if not self._wish.acquire(blocking=False):
            self.message = "Nothing was changed: the last wish is still under way."
            return False
        try:
            return self._do(action, done)
        finally:
            self._wish.release()

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        with self.client.atomic():  # one wake of viser's thread for all that changes
            for element in self._switched:
                if element.disabled is self.may_change:
                    element.disabled = not self.may_change
            for number, panel in enumerate(self.panels):
                self._show_on(number, panel, seen)

    def _show_on(self, number: int, panel: Panel, seen: Seen) -> None:
        try:
            panel.show(seen)
        except Exception:  # noqa: BLE001 - a panel that fails takes no other with it
            if number not in self._failed:
                self._failed.add(number)
                _log.exception("%s cannot be shown", type(panel).__name__)

    def _do(self, action: Action, done: str) -> bool:
        try:
            self.desk.act(action)
        except ControlItError as error:
            self.message = f"Refused: {error}"
            return False
        self.message = done
        with contextlib.suppress(ControlItError):  # it has gone since; the state tells that
            self.desk.look_again()
        return True

    def set_dark(self, *, is_dark: bool) -> None:
        """Choose the look."""
        self.is_dark = is_dark
        self.gui.configure_theme(
            dark_mode=is_dark,
            control_width="large",
            show_logo=False,
            show_share_button=False,
            brand_color=(28, 126, 214),
        )
