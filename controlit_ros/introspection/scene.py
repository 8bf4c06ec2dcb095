"""Scene: tasks and robot in space, at one moment."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.errors import ControlItError, told
from controlit_ros.introspection.parameter_row import ParameterRow
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.views import AnyView, SeenPart, look_at, points, sampled
from controlit_ros.parameters import Parameter
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.members import Members
from controlit_ros.servo.standing_row import StandingRow
from controlit_ros.tasks import DISABLE, AnyShape, Shape, Task

POSE_WIDTH = 12  # [numbers] rotation row by row, then position
RATE = 25.0  # [Hz] what the eye takes for motion


class UnseenError(ControlItError):
    """Shapes have no look; everything else of their scene is shown."""


class Scene(NamedTuple):
    """What displays draw; good until the next scene is shown.

    Attributes:
        stamp: When it was so, on the servo's clock [s].
        tasks: Those that are not disabled.
        others: Other parts that look like something: inequalities that are kept, behaviours.
        mirror: The robot and its constraints, the dynamics updated.
        effort: `(na,)` what is commanded [N m]; `None` while nothing is.
    """

    stamp: float
    tasks: tuple[SeenPart, ...]
    others: tuple[SeenPart, ...]
    mirror: RobotMirror
    effort: Array | None


class Drawn(Protocol):
    """A part that is no task and looks like something in space."""

    name: str

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return how it looks."""


class Display(Protocol):
    """Shows scenes."""

    @property
    def is_wanted(self) -> bool:
        """Whether anybody looks."""

    def show(self, scene: Scene) -> None:
        """Show a scene; writer thread."""


def _at_once(act: Callable[[], None]) -> None:
    act()


class SceneSource:
    """Brings scenes out of the servo thread while a display wants them, at 25 Hz.

    The servo thread only copies numbers; everything else is computed by the writer thread, on
    models of its own.

    Args:
        mirror: For these scenes alone.
        tasks: The servo's tasks at the start.
        command: What the servo commands.
        is_active: Tells whether it commands; servo thread.
        outbox: Brings the numbers.
        displays: Show the scenes.
        others: What else than tasks looks like something; fixed.
        act: Shows a scene when it is called with what does, by default at once.

    Attributes:
        sampler: What brings the numbers.
    """

    def __init__(
        self,
        mirror: RobotMirror,
        tasks: Sequence[Task],
        command: Command,
        is_active: Callable[[], bool],
        outbox: Outbox,
        displays: Sequence[Display],
        others: Sequence[Drawn] = (),
        act: Callable[[Callable[[], None]], None] = _at_once,
    ) -> None:
        self._act = act
        self._mirror = mirror
        self._command = command
        self._is_active = is_active
        self._displays = tuple(displays)
        self._others = tuple(others)
        self._outbox = outbox
        self.sampler = outbox.add_sampler(self._new_sampler(tasks))

    def follow(self, members: Members, begin: int | None = None) -> Sampler:
        """Return what shows other members (see `Follower`)."""
        self._mirror = self._mirror.of(members)
        return self._outbox.add_sampler(self._new_sampler(members.tasks), begin)

    def _new_sampler(self, tasks: Sequence[Task]) -> Sampler:
        row = _SceneRow(self._mirror, tasks, self._others, self._command, self._is_active)

        def show(stamp: float, values: Array) -> None:
            unseen: list[str] = []
            scene = row.scene(stamp, values, unseen)
            for display in self._displays:
                if display.is_wanted:
                    display.show(scene)
            if unseen:
                raise UnseenError("; ".join(unseen))

        return Sampler(
            row.width,
            row,
            lambda stamp, values: self._act(partial(show, stamp, values)),
            rate=RATE,
            wanted=lambda: any(display.is_wanted for display in self._displays),
        )


class _Part(NamedTuple):
    """What is drawn: a name, what switches it, if something does, and how it looks."""

    name: str
    switch: Parameter | None
    looks: tuple[Callable[[], AnyView], ...]

    def seen(self, unseen: list[str]) -> SeenPart:
        """Return it with its numbers; note shapes that raise, which are left out."""
        views: list[AnyView] = []
        for look in self.looks:
            try:
                views.append(look())
            except Exception as error:  # noqa: BLE001 - a third party's shape may hold anything
                unseen.append(f"{self.name} is not drawn as a whole: {told(error)}")
        return SeenPart(self.name, tuple(views))


class _SceneRow(StandingRow):
    """A scene of certain parts as a row of numbers."""

    def __init__(
        self,
        mirror: RobotMirror,
        tasks: Sequence[Task],
        others: Sequence[Drawn],
        command: Command,
        is_active: Callable[[], bool],
    ) -> None:
        self._mirror = mirror
        drawn: list[tuple[str, Parameter | None, tuple[AnyShape, ...]]] = [
            *((task.name, task.operational_state, task.shapes()) for task in tasks),
            *((part.name, getattr(part, "enabled", None), part.shapes()) for part in others),
        ]
        shapes = [shape for _, _, shapes in drawn for shape in shapes]
        self._command = command
        self._is_active = is_active
        parameters = [p for _, switch, shapes in drawn for p in sampled(switch, shapes)]
        self._row = ParameterRow(parameters)
        self._latched = [
            shape.latched for shape in shapes if isinstance(shape, Shape) and shape.latched
        ]
        self._points = [p for shape in shapes for p in points(shape)]
        self._ends = np.cumsum(
            [
                mirror.width,
                self._row.width,
                3 * len(self._points),
                POSE_WIDTH * len(self._latched),
                len(command.effort),
            ]
        ).tolist()
        self._commands: Array = np.zeros(1)  # whether the servo does
        self.width = self._ends[-1] + len(self._commands)
        self._numbers: Array = np.zeros(self.width)  # of the scene that is looked at
        self._known = self._find(parameters)
        model = mirror.model.robot_model
        parts = [
            _Part(name, switch, tuple(look_at(shape, self._known, model) for shape in shapes))
            for name, switch, shapes in drawn
        ]
        self._tasks, self._others = parts[: len(tasks)], parts[len(tasks) :]

    def _find(self, parameters: Sequence[Parameter]) -> dict[int, Any]:
        """Return what `look_at` must know, as it is in the numbers."""
        robot, tasks, places, frames, _ = self._ends
        values = self._row.values(self._numbers[robot:tasks])
        points = self._numbers[tasks:places].reshape(-1, 3)
        rests = self._numbers[places:frames].reshape(-1, 4, 3)
        return {
            **dict(zip(map(id, parameters), values, strict=True)),
            **dict(zip(map(id, self._points), points, strict=True)),
            **dict(zip(map(id, self._latched), rests, strict=True)),
        }

    def arrays(self) -> list[Array]:
        """Return where everything stands."""
        return [
            *self._mirror.arrays(),
            *self._row.arrays(),
            *self._points,
            *(frame.pose for frame in self._latched),
            self._command.effort,
            self._commands,
        ]

    def prepare(self) -> None:
        """Write what does not stand there by itself; servo thread."""
        self._mirror.prepare()
        self._row.prepare()
        self._commands[0] = self._is_active()

    def scene(self, stamp: float, row: Array, unseen: list[str]) -> Scene:
        """Return the scene that a row tells of, until the next; writer thread.

        Args:
            stamp: When it was so [s].
            row: Its numbers.
            unseen: Takes what there is to say of shapes that raise.
        """
        numbers, known, mirror = self._numbers, self._known, self._mirror
        np.copyto(numbers, row)
        robot, tasks, _, frames, effort = self._ends
        mirror.take(numbers[:robot])
        mirror.model.update_dynamics(mirror.state)
        for parameter, value in self._row.plain_values(numbers[robot:tasks]):
            known[id(parameter)] = value
        return Scene(
            stamp,
            tuple([task.seen(unseen) for task in self._tasks if known[id(task.switch)] != DISABLE]),
            tuple(
                [
                    other.seen(unseen)
                    for other in self._others
                    if other.switch is None or known[id(other.switch)]
                ]
            ),
            mirror,
            numbers[frames:effort] if numbers[effort] else None,
        )
