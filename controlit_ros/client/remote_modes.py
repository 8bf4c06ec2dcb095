"""RemoteModes: the modes of a running controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controlit_ros.client.client_errors import RefusedError
from controlit_ros.client.mode_picture import ModeWay, mode_dot, mode_picture
from controlit_ros.client.parameters import unknown
from controlit_ros.client.steered import Steered

if TYPE_CHECKING:
    from controlit_ros.client.link import ControllerLink
    from controlit_ros.interfaces import Message

GET_MODES = "diagnostics/getModes"
SET_MODE = "control/setMode"
DEFAULT_WAIT = 30.0  # [s] for a mode: arms on their way to where a mode begins take some seconds
UNDER_WAY, CONFIRMED = "under way", "confirmed"


class ModeRequest:
    """A mode that was asked for, and what becomes of it.

    Args:
        link: The way to the controller.
        mode: What is asked for.

    Attributes:
        mode: The same.

    Raises:
        RefusedError: It was refused at once; the text says why.
    """

    def __init__(self, link: ControllerLink, mode: str) -> None:
        self.mode = mode
        self._link = link
        link.modes.begin()
        answer = link.ask(SET_MODE, mode=mode, wait=False)
        self._ticket = int(answer.ticket)

    @property
    def done(self) -> bool:
        """Whether it is confirmed or refused, or another was asked for since."""
        state = self._link.modes.state
        if state is None or int(state.ticket) < self._ticket:
            return False
        is_another = int(state.ticket) > self._ticket or str(state.asked) != self.mode
        return is_another or str(state.outcome) != UNDER_WAY

    def wait(self, timeout: float = DEFAULT_WAIT) -> None:
        """Wait until the mode is confirmed.

        Raises:
            RefusedError: It is refused, or another was asked for or came by itself.
            WaitTimeoutError: It is not confirmed in time.
            ControllerLostError: The controller went away.
        """
        self._link.wait(lambda: self.done, timeout, f"mode {self.mode}")
        state = self._link.modes.state
        assert state is not None  # or it would not be done
        if int(state.ticket) != self._ticket or str(state.asked) != self.mode:
            raise RefusedError(f"mode {self.mode}: {state.asked} came instead; {state.reason}")
        if str(state.outcome) != CONFIRMED:
            raise RefusedError(f"mode {self.mode} is refused: {state.reason}")


class RemoteModes:
    """Which modes a controller has, which it is in, and asking for others.

        robot.modes.request("work").wait()

    Every property asks the controller, which raises `RefusedError` where it has no modes.

    Args:
        robot: Whose they are.
    """

    def __init__(self, robot: Steered) -> None:
        self._robot = robot

    @property
    def names(self) -> list[str]:
        """Names of the modes, in the order of the controller's file."""
        return [str(mode.name) for mode in self._told().modes]

    @property
    def current(self) -> str:
        """The mode that is confirmed."""
        return str(self._told().state.confirmed)

    @property
    def asked(self) -> str:
        """The mode that was asked for last, or that came by itself."""
        return str(self._told().state.asked)

    @property
    def commands(self) -> list[str]:
        """What is taken at present: tasks, for their goals, and parameters."""
        return [str(name) for name in self._told().state.commands]

    @property
    def allowed(self) -> list[str]:
        """The other modes that could be entered now."""
        told = self._told()
        present = str(told.state.entered)
        return [str(o.name) for o in told.options if o.allowed and str(o.name) != present]

    @property
    def reasons(self) -> dict[str, str]:
        """Why modes could not be entered now, by name; those that could are left out."""
        return {str(o.name): str(o.reason) for o in self._told().options if not o.allowed}

    @property
    def ways(self) -> list[ModeWay]:
        """All transitions there are."""
        return _ways(self._told())

    def request(self, name: str) -> ModeRequest:
        """Ask for a mode; `wait` on what is returned until it is confirmed.

        Raises:
            UnknownNameError: There is none of that name; the text has the nearest.
            RefusedError: It cannot be entered, and nothing has changed; the text says why.
        """
        known = self.names
        if name not in known:
            raise unknown(self._robot.name, "mode", name, known)
        return ModeRequest(self._robot.session.link, name)

    def picture(self) -> str:
        """Return a picture of the modes as SVG, the present one coloured."""
        return told_picture(self._told())

    def _told(self) -> Message:
        return self._robot.session.link.ask(GET_MODES)


def told_picture(told: Message, *, as_dot: bool = False) -> str:
    """Return a picture of what `diagnostics/getModes` answers."""
    draw = mode_dot if as_dot else mode_picture
    names = [str(mode.name) for mode in told.modes]
    state = told.state
    return draw(names, _ways(told), str(state.confirmed), str(state.entered))


def _ways(told: Message) -> list[ModeWay]:
    return [
        ModeWay(
            str(way.source),
            str(way.target),
            str(way.condition),
            bool(way.automatic),
            str(way.through),
        )
        for way in told.transitions
    ]
