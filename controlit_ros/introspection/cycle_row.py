"""CycleRow: what a cycle of the servo used and sent, as a row of numbers."""

from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers import Command, FrictionCompensation
from controlit_ros.controllers.command import FIELDS
from controlit_ros.explanations.twin import Twin
from controlit_ros.introspection.gathering import Gathering
from controlit_ros.introspection.parameter_row import ParameterRow, changing
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
    used: slice
    measured: slice
    command: slice
    asked: slice
    parameters: slice
    frames: slice
    friction: slice
    kinds: slice
    stated: slice


class CycleRow:
    """Writes a row in the servo thread; brings a twin to what a row tells, in a reader's.

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
        updater = coordinator.model_updater
        self._used = {
            model: Gathering(partial(_vectors, model.robot_model.state))
            for model in (updater.active, updater.inactive)
        }
        self._standing = Gathering(self._what_stands)
        na = len(self.command.effort)
        widths = (
            len(CycleFacts._fields),
            *2 * (len(live.vector) + live.contact_wrench.size,),
            na * len(self._fields),
            na,
            self._row.width,
            POSE * len(self._frames),
            *2 * (na,),
            len(self._tasks),
        )
        self._parts = _Parts(*(slice(*span) for span in pairwise(accumulate(widths, initial=0))))
        self.width: int = sum(widths)

    def of(self, members: Members) -> "CycleRow":
        """Return the row of a cycle with other members."""
        return CycleRow(self._coordinator, members, self._friction)

    def fill(self, row: Array) -> None:
        """Write the cycle that is ending; servo thread."""
        coordinator = self._coordinator
        parts = self._parts
        now = coordinator.status.now
        intake, states = coordinator.intake, coordinator.states
        row[parts.facts] = (
            coordinator.swap.has_model,
            STATES.index(states.state),
            states.fallback_share(now),
            coordinator.reconfiguration.alpha,
            intake.is_silent,
            now - intake.arrived,
        )
        self._used[coordinator.model_updater.active].fill(row[parts.used])
        self._standing.fill(row[parts.measured.start : parts.asked.stop])
        self._row.fill(row[parts.parameters])
        for pose, frame in zip(row[parts.frames].reshape(-1, POSE), self._frames, strict=True):
            pose[:9] = frame.rotation.reshape(-1)
            pose[9:] = frame.position
        row[parts.friction] = 0.0 if self._friction is None else self._friction.added.value
        row[parts.kinds] = coordinator.guard.kinds
        row[parts.stated] = [task.goal.stated for task in self._tasks]

    def _what_stands(self) -> list[Array]:
        """Return what stands in the same memory in each cycle, beside parameters."""
        coordinator = self._coordinator
        fields = [getattr(coordinator.command, field) for field in self._fields]
        return [*_vectors(coordinator.robot_state), *fields, coordinator.watch.asked]

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
