"""Rehearsal: tasks and constraints computed once beside the servo, before they join."""

from contextlib import suppress

import numpy as np

from controlit_ros.constraints import Constraint
from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.model import RobotDescription, RobotModel, RobotState
from controlit_ros.nodes.tried_parts import trying
from controlit_ros.tasks import Task
from controlit_ros.tasks.error_kind import ErrorKind


class Rehearsal:
    """Computes parts on a model of its own: what has to be compiled or loaded is ready then.

    Args:
        robot: Structure of the robot.
        state: Where it is; copied each time.
    """

    def __init__(self, robot: RobotDescription, state: RobotState) -> None:
        self._live = state
        self._state = RobotState.like(state)
        self._model = RobotModel(robot)

    def play(self, task: Task, *, must_be_finite: bool = False) -> None:
        """Compute a task that is in no set yet; it is left as it was.

        Args:
            task: Configured.
            must_be_finite: Whether it fails, too, if what it computes is no number at present; it
                may be one later, and the servo tells.

        Raises:
            RehearsalError: It fails.
        """
        forgiven = () if must_be_finite else (NotFiniteError,)
        self._state.copy_from(self._live)
        try:
            with trying(task):
                with suppress(*forgiven):
                    self._model.update(self._state)
                    task.update(self._model, task.inactive)
                task.swap()
                if task.error_kind is ErrorKind.CUSTOM:
                    task.compute_error()
                if must_be_finite:
                    _check_finite(task)
        finally:
            task.invalidate()

    def try_rows(self, constraint: Constraint) -> None:
        """Compute the rows of a constraint that is in no set yet.

        Raises:
            RehearsalError: That fails, or they are not finite.
        """
        self._state.copy_from(self._live)
        jacobian = np.zeros((constraint.dimension, self._model.description.nv))
        bias = np.zeros(constraint.dimension)
        with trying(constraint):
            self._model.update(self._state)
            constraint.update(self._model, jacobian, bias)
            for what, values in (("Jacobian", jacobian), ("bias", bias)):
                if not is_finite(values):
                    raise NotFiniteError(constraint.name, what, values)


def _check_finite(task: Task) -> None:
    """Check what `Task.update` leaves to the servo.

    Raises:
        NotFiniteError: Actual value or error are no numbers.
    """
    parts = {"actual value": task.active.actual}
    if task.error_kind is ErrorKind.CUSTOM:  # others are computed by the servo alone
        parts["error"] = task.error.value
    for what, values in parts.items():
        if not is_finite(values):
            raise NotFiniteError(f"task {task.name!r}", what, values)
