"""CycleRow: what a cycle of the servo used and sent, as a row of numbers."""

from itertools import accumulate, pairwise
from struct import Struct
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers import Command, FrictionCompensation
from controlit_ros.controllers.command import FIELDS
from controlit_ros.explanations.twin import Twin
from controlit_ros.introspection.parameter_row import ParameterRow, changing
from controlit_ros.introspection.probe import ProbedRow
from controlit_ros.model import RobotState
from controlit_ros.parameters import Parameter
from controlit_ros.servo import Coordinator, CoordinatorState
from controlit_ros.servo.members import Members

POSE = 12  # [numbers] rotation row by row, then position
STATES = tuple(CoordinatorState)


class CycleFacts(NamedTuple):
    """Numbers of a cycle beside its vectors.

    Attributes:
        has_model: Whether the servo has a model to compute with.
        state: Number of the coordinator's state.
        fallback_share: See `StateMachine.fallback_share`.
        ramp: See `Reconfiguration.alpha`.
        is_silent: Whether the robot's state is too old.
        silence: How old it is [s].
    """

    has_model: float
    state: float
    fallback_share: float
    ramp: float
    is_silent: float
    silence: float


class CycleNumbers(NamedTuple):
    """A row taken apart; views of it.

    Attributes:
        facts: See there.
        stated: `(tasks,)` whether somebody stated the goal.
        asked: `(na,)` effort before limits were applied [N m].
        friction: `(na,)` part of it that overcomes friction [N m].
        kinds: `(na,)` see `CommandGuard.kinds`.
    """

    facts: CycleFacts
    stated: Array
    asked: Array
    friction: Array
    kinds: Array


class _Parts(NamedTuple):
    """Where each part of a row is, in their order."""

    facts: slice
    stated: slice
    used: slice
    measured: slice
    command: slice
    asked: slice
    friction: slice
    kinds: slice
    frames: slice
    parameters: slice


class CycleRow(ProbedRow):
    """Tells a cycle in the servo thread; brings a twin to what a row tells, in a reader's.

    Args:
        coordinator: The servo.
        members: Its tasks and constraints.
        friction: What overcomes friction, if something does.

    Attributes:
        width: Numbers in a row.
        state: What the servo's model was updated to, after `take`.
        measured: What it was told last, after `take`.
        command: What it sent, after `take`.
    """

    def __init__(
        self,
        coordinator: Coordinator,
        members: Members,
        friction: FrictionCompensation | None,
    ) -> None:
        self._coordinator = coordinator
        self._friction = friction
        controller = coordinator.controller
        owners = (*members.parts, *controller.inequalities, *controller.parts)
        self._row = ParameterRow(changing(owners))
        self._tasks = members.tasks
        self._frames = [
            task.goal_frame.motion for task in self._tasks if task.goal_frame is not None
        ]
        live = coordinator.robot_state
        self.state, self.measured = RobotState.like(live), RobotState.like(live)
        self.command: Command = controller.create_command()
        self._fields = [field for field in FIELDS if getattr(self.command, field) is not None]
        na = len(self.command.effort)
        self._used = RobotState.like(live)
        self._no_friction: Array = np.zeros(na)
        self._kinds: Array = np.zeros(na)
        self._facts: Array = np.zeros(len(CycleFacts._fields) + len(self._tasks))
        self._pack = Struct(f"@{len(self._facts)}d").pack_into
        self._packed = self._facts.data.cast("B")
        widths = (
            len(CycleFacts._fields),
            len(self._tasks),
            *2 * (len(live.vector) + live.contact_wrench.size,),
            na * len(self._fields),
            *3 * (na,),
            POSE * len(self._frames),
            self._row.width,
        )
        self._parts = _Parts(*(slice(*span) for span in pairwise(accumulate(widths, initial=0))))
        self.width = sum(widths)

    def of(self, members: Members) -> "CycleRow":
        """Return the row of a cycle with other members."""
        return CycleRow(self._coordinator, members, self._friction)

    def arrays(self) -> list[Array]:
        """Return where everything stands."""
        coordinator, friction = self._coordinator, self._friction
        return [
            self._facts,
            *_vectors(self._used),
            *_vectors(coordinator.robot_state),
            *(getattr(coordinator.command, field) for field in self._fields),
            coordinator.watch.asked,
            self._no_friction if friction is None else friction.added.value,
            self._kinds,
            *(frame.pose for frame in self._frames),
            *self._row.arrays(),
        ]

    def prepare(self) -> None:
        """Write what of the cycle that is ending does not stand there by itself; servo thread."""
        coordinator = self._coordinator
        now = coordinator.status.now
        intake, states = coordinator.intake, coordinator.states
        self._pack(
            self._packed,
            0,
            coordinator.swap.has_model,
            STATES.index(states.state),
            states.fallback_share(now),
            coordinator.reconfiguration.alpha,
            intake.is_silent,
            now - intake.arrived,
            *[task.goal.stated for task in self._tasks],
        )
        self._used.copy_from(coordinator.model_updater.active.robot_model.state)
        self._kinds[:] = coordinator.guard.kinds
        self._row.prepare()

    def take(self, row: Array, twin: Twin) -> CycleNumbers:
        """Bring parameters and goal frames to a row; nothing is computed.

        Args:
            row: Of a cycle.
            twin: Of the same parts, in their order.
        """
        parts = self._parts
        _take_state(self.state, row[parts.used])
        _take_state(self.measured, row[parts.measured])
        values = self._row.values(row[parts.parameters])
        for parameter, value in zip(changing(twin.owners), values, strict=True):
            _write(parameter, value)
        framed = (task for task in twin.tasks if task.goal_frame is not None)
        for task, pose in zip(framed, row[parts.frames].reshape(-1, POSE), strict=True):
            assert task.goal_frame is not None
            if task.goal_frame.is_latched:
                task.goal_frame.rest(pose[:9].reshape(3, 3), pose[9:], task.epoch)
        command = row[parts.command].reshape(len(self._fields), -1)
        for field, numbers in zip(self._fields, command, strict=True):
            np.copyto(getattr(self.command, field), numbers)
        return CycleNumbers(
            CycleFacts(*row[parts.facts].tolist()),
            *(row[part] for part in (parts.stated, parts.asked, parts.friction, parts.kinds)),
        )


def _vectors(state: RobotState) -> list[Array]:
    return [state.vector, state.contact_wrench]


def _take_state(state: RobotState, numbers: Array) -> None:
    """Bring a state to the numbers of its `_vectors`."""
    size = len(state.vector)
    np.copyto(state.vector, numbers[:size])
    np.copyto(state.contact_wrench.reshape(-1), numbers[size:])


def _write(parameter: Parameter, value: Any) -> None:
    if parameter.is_array:
        np.copyto(parameter.value, value)
    else:
        parameter.value = value
