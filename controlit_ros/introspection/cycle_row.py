"""CycleRow: what a cycle of the servo used and sent, as a row of numbers."""

from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers import Command, FrictionCompensation
from controlit_ros.controllers.command import FIELDS
from controlit_ros.explanations.twin import Twin
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
        na = len(self.command.effort)
        self._ends = np.cumsum(
            [
                len(CycleFacts._fields),
                *2 * (len(live.vector), live.contact_wrench.size),
                self._row.width,
                POSE * len(self._frames),
                na * len(self._fields),
                *3 * (na,),
                len(self._tasks),
            ]
        ).tolist()
        self.width: int = self._ends[-1]

    def of(self, members: Members) -> "CycleRow":
        """Return the row of a cycle with other members."""
        return CycleRow(self._coordinator, members, self._friction)

    def fill(self, row: Array) -> None:
        """Write the cycle that is ending; servo thread."""
        coordinator = self._coordinator
        parts = self._parts(row)
        now = coordinator.status.now
        intake, states = coordinator.intake, coordinator.states
        parts[0][:] = (
            coordinator.swap.has_model,
            STATES.index(states.state),
            states.fallback_share(now),
            coordinator.reconfiguration.alpha,
            intake.is_silent,
            now - intake.arrived,
        )
        used = coordinator.model_updater.active.robot_model.state
        for start, state in ((1, used), (3, coordinator.robot_state)):
            parts[start][:] = state.vector
            parts[start + 1][:] = state.contact_wrench.reshape(-1)
        self._row.fill(parts[5])
        for pose, frame in zip(parts[6].reshape(-1, POSE), self._frames, strict=True):
            pose[:9] = frame.rotation.reshape(-1)
            pose[9:] = frame.position
        command = parts[7].reshape(len(self._fields), -1)
        for values, field in zip(command, self._fields, strict=True):
            values[:] = getattr(coordinator.command, field)
        parts[8][:] = coordinator.watch.asked
        parts[9][:] = 0.0 if self._friction is None else self._friction.added.value
        parts[10][:] = coordinator.guard.kinds
        parts[11][:] = [task.goal.stated for task in self._tasks]

    def take(self, row: Array, twin: Twin) -> CycleNumbers:
        """Bring parameters and goal frames to a row; nothing is computed.

        Args:
            row: Of a cycle.
            twin: Of the same parts, in their order.
        """
        parts = self._parts(row)
        for start, state in ((1, self.state), (3, self.measured)):
            np.copyto(state.vector, parts[start])
            np.copyto(state.contact_wrench.reshape(-1), parts[start + 1])
        for parameter, value in zip(changing(twin.owners), self._row.values(parts[5]), strict=True):
            _write(parameter, value)
        framed = (task for task in twin.tasks if task.goal_frame is not None)
        for task, pose in zip(framed, parts[6].reshape(-1, POSE), strict=True):
            assert task.goal_frame is not None
            if task.goal_frame.is_latched:
                task.goal_frame.rest(pose[:9].reshape(3, 3), pose[9:], task.epoch)
        command = parts[7].reshape(len(self._fields), -1)
        for field, values in zip(self._fields, command, strict=True):
            np.copyto(getattr(self.command, field), values)
        return CycleNumbers(
            CycleFacts(*parts[0].tolist()), parts[11], parts[8], parts[9], parts[10]
        )

    def _parts(self, row: Array) -> list[Array]:
        starts = [0, *self._ends]
        return [row[start:end] for start, end in zip(starts, self._ends, strict=False)]


def _write(parameter: Parameter, value: Any) -> None:
    if parameter.is_array:
        np.copyto(parameter.value, value)
    else:
        parameter.value = value
