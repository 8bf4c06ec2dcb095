"""Behaviours: what changes tasks, constraints and goals on the servo's clock."""

from collections.abc import Sequence
from typing import Protocol

from controlit_ros.model import RobotModel, RobotState
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.reconfiguration import Reconfiguration
from controlit_ros.servo.state_machine import StateMachine


class ServoAccess:
    """What a behaviour sees of the servo and may do to it; servo thread.

    Args:
        swap: Knows when parameters may change.
        reconfiguration: Smooths the command.
        states: Where the servo stands.
        robot_state: The last good measurement.
        faults: Takes what is told.

    Attributes:
        robot_state: The same.
    """

    def __init__(
        self,
        swap: ModelSwap,
        reconfiguration: Reconfiguration,
        states: StateMachine,
        robot_state: RobotState,
        faults: CycleFaults,
    ) -> None:
        self.robot_state = robot_state
        self._swap = swap
        self._reconfiguration = reconfiguration
        self._states = states
        self._faults = faults

    @property
    def state(self) -> CoordinatorState:
        """Where the servo stands, as of the last cycle."""
        return self._states.state

    @property
    def model(self) -> RobotModel | None:
        """The robot as it was when the active model was made; `None`: there is none."""
        return self._swap.model.robot_model if self._swap.is_current else None

    @property
    def updaters_rest(self) -> bool:
        """Whether what they read may change in this cycle."""
        return self._swap.updaters_rest

    def let_updaters_rest(self) -> None:
        """Ask nothing of them in this cycle."""
        self._swap.let_updaters_rest()

    def fail(self, topic: str, text: str, now: float) -> None:
        """Tell an error, which leads to the safe state."""
        self._faults.fail(topic, text, now)

    def warn(self, topic: str, text: str, now: float) -> None:
        """Tell what control outlives."""
        self._faults.warn(topic, text, now)

    def assign(self, order: PreparedValues) -> bool:
        """Carry an order out if all who read its parameters rest; they come to rest otherwise.

        Returns:
            Whether it was carried out; if not, try again in the next cycle.
        """
        return self._swap.assign(order)

    def smooth(self) -> None:
        """Let the command ramp from what it is to what this cycle computes."""
        self._reconfiguration.note_switch()


class CyclePart(Protocol):
    """Acts once a cycle, after mail, before model and tasks are updated; servo thread.

    It neither waits nor keeps memory. What it changes are parameters, by orders that were checked
    beforehand, and goals of tasks.
    """

    name: str

    def begin(self, now: float) -> None:
        """Forget what was: time begins anew [s]."""

    def act(self, now: float, servo: ServoAccess) -> None:
        """Do what is due at a time [s]."""


class Behaviours:
    """Lets each behaviour act; one that raises ends in the safe state, and the next one acts.

    Args:
        behaviours: In the order in which they act.
        servo: What they act on.
        faults: Is told what fails.
    """

    def __init__(
        self, behaviours: Sequence[CyclePart], servo: ServoAccess, faults: CycleFaults
    ) -> None:
        self._behaviours = tuple(behaviours)
        self._servo = servo
        self._faults = faults

    def begin(self, now: float) -> None:
        """Begin anew at a time [s]."""
        for behaviour in self._behaviours:
            try:
                behaviour.begin(now)
            except Exception as error:  # noqa: BLE001 - the servo outlives whatever is raised
                self._tell(behaviour, error, now)

    def act(self, now: float) -> None:
        """Let every behaviour act at a time [s]."""
        for behaviour in self._behaviours:
            try:
                behaviour.act(now, self._servo)
            except Exception as error:  # noqa: BLE001 - the servo outlives whatever is raised
                self._tell(behaviour, error, now)

    def _tell(self, behaviour: CyclePart, error: Exception, now: float) -> None:
        self._faults.fail(behaviour.name, describe_failure(error, f"{behaviour.name} failed"), now)
