"""Scene: tasks and robot in space, at one moment."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.introspection.parameter_row import ParameterRow
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.views import Pose, SeenPart, points, sampled, see
from controlit_ros.model import RobotModel
from controlit_ros.parameters import Parameter
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.members import Members
from controlit_ros.servo.standing_row import StandingRow
from controlit_ros.tasks import DISABLE, AnyShape, Shape, Task

POSE_WIDTH = 12  # [numbers] rotation row by row, then position
RATE = 25.0  # [Hz] what the eye takes for motion


class Scene(NamedTuple):
    """What displays draw.

    Attributes:
        stamp: When it was so, on the servo's clock [s].
        tasks: Those that are not disabled.
        others: Other parts that look like something: inequalities that are kept, behaviours.
        mirror: The robot and its constraints, the model updated.
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
    ) -> None:
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

        def deliver(stamp: float, values: Array) -> None:
            scene = row.scene(stamp, values)
            for display in self._displays:
                if display.is_wanted:
                    display.show(scene)

        return Sampler(
            row.width,
            row,
            deliver,
            rate=RATE,
            wanted=lambda: any(display.is_wanted for display in self._displays),
        )


class _Part(NamedTuple):
    """What is drawn: a name, what switches it, if something does, and how it looks."""

    name: str
    switch: Parameter | None
    shapes: tuple[AnyShape, ...]

    def seen(self, known: dict[int, Any], model: RobotModel) -> SeenPart:
        """Return it with its numbers."""
        return SeenPart(self.name, tuple(see(shape, known, model) for shape in self.shapes))


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
        self._tasks = [_Part(task.name, task.operational_state, task.shapes()) for task in tasks]
        self._others = [
            _Part(other.name, getattr(other, "enabled", None), other.shapes()) for other in others
        ]
        drawn = [*self._tasks, *self._others]
        shapes = [shape for part in drawn for shape in part.shapes]
        self._command = command
        self._is_active = is_active
        self._parameters = [p for part in drawn for p in sampled(part.switch, part.shapes)]
        self._row = ParameterRow(self._parameters)
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

    def scene(self, stamp: float, row: Array) -> Scene:
        """Return the scene that a row tells of; writer thread."""
        robot, tasks, places, frames, effort = self._ends
        mirror = self._mirror
        mirror.take(row[:robot])
        mirror.model.update(mirror.state)
        values = self._row.values(row[robot:tasks])
        known = {id(p): value for p, value in zip(self._parameters, values, strict=True)}
        known |= dict(zip(map(id, self._points), row[tasks:places].reshape(-1, 3), strict=True))
        rests = row[places:frames].reshape(-1, POSE_WIDTH)
        known |= {
            id(frame): Pose(numbers[9:], pin.Quaternion(numbers[:9].reshape(3, 3)).coeffs())
            for frame, numbers in zip(self._latched, rests, strict=True)
        }
        model = mirror.model.robot_model
        return Scene(
            stamp,
            tuple(
                task.seen(known, model) for task in self._tasks if known[id(task.switch)] != DISABLE
            ),
            tuple(
                other.seen(known, model)
                for other in self._others
                if other.switch is None or known[id(other.switch)]
            ),
            mirror,
            row[frames:effort] if row[effort] else None,
        )
