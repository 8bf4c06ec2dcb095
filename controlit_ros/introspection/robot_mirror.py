"""RobotMirror: the robot's constrained model once more, for those who are not the servo."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, Constraint, ConstraintSet
from controlit_ros.introspection.parameter_row import ParameterRow, changing
from controlit_ros.introspection.probe import ProbedRow
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.parameters import Access
from controlit_ros.servo.members import Members


class RobotMirror(ProbedRow):
    """Follows the servo's robot state and constraints by rows of numbers.

    The servo's own models, tasks and constraints have buffers that its threads write at any time;
    here are copies that belong to one reader. `prepare` runs in the servo thread, everything else
    in the thread of the reader.

    Args:
        robot: Structure of the robot.
        state: The servo's robot state.
        constraints: The servo's constraints.

    Attributes:
        originals: The servo's constraints that are copied.
        width: Numbers in a row.
        state: The copied robot state.
        constraints: The copied constraints, in the order of the originals.
        model: Model, projections and what contacts bear; update it when needed.
    """

    def __init__(
        self, robot: RobotDescription, state: RobotState, constraints: Sequence[Constraint]
    ) -> None:
        self.originals = tuple(constraints)
        self._robot = robot
        self._live = state
        self._row = ParameterRow(changing(constraints))
        self._split = len(state.vector)
        self.width = self._split + self._row.width
        self.state = RobotState.like(state)
        self.constraints = tuple(_copy(constraint) for constraint in constraints)
        self._parameters = changing(self.constraints)
        self._told = b""  # of the constraints
        copied = ConstraintSet(self.constraints)
        copied.with_reactions = True
        self.model = ConstrainedModel(robot, copied)

    def of(self, members: Members) -> "RobotMirror":
        """Return a mirror with the constraints of other members; this one if they are the same."""
        if members.constraints == self.originals:
            return self
        return RobotMirror(self._robot, self._live, members.constraints)

    def arrays(self) -> list[Array]:
        """Return the servo's state and where its constraints' parameters stand."""
        return [self._live.vector, *self._row.arrays()]

    def prepare(self) -> None:
        """Write what else these tell; servo thread."""
        self._row.prepare()

    def take(self, row: Array) -> None:
        """Take over a row; the model is not computed."""
        np.copyto(self.state.vector, row[: self._split])
        told = row[self._split :].tobytes()
        if told == self._told:
            return
        self._told = told
        values = self._row.values(row[self._split :])
        for parameter, value in zip(self._parameters, values, strict=True):
            if not np.array_equal(parameter.value, value):
                parameter.assign(value)  # counted, so that the model is arranged anew


def _copy(constraint: Constraint) -> Constraint:
    """Return another constraint of the same type, robot and values."""
    copy = type(constraint)(constraint.name, constraint.robot)  # as plugins are made
    for name, parameter in constraint.parameters.items():
        if parameter.access is not Access.OUTPUT:
            mine = copy.parameters[name]
            mine.assign(mine.validate(parameter.snapshot()))
    copy.configure()
    return copy
