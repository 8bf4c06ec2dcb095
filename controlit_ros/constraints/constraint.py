"""Constraint: what the robot's motion cannot violate."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from controlit_ros.arrays import Array
from controlit_ros.constraints.row_source import RowSource
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.own_methods import presume
from controlit_ros.parameters import (
    Access,
    Parameter,
    ParameterError,
    ParameterReflection,
    Reader,
    blaming,
)

UPDATES = ("update", "update_point")  # who has one of his own is asked for it

ENABLE = "enable"
DISABLE = "disable"
FORCE_DISABLE = "force_disable"


class Constraint(ParameterReflection, ABC):
    """Rows of the constraint Jacobian, `Jc q̇ = 0` (paper section 4.1).

    A concrete constraint declares its parameters in `__init__` and implements `update`.

    Args:
        name: Unique name.
        robot: The robot's structure.

    Attributes:
        lasting: Why it can neither come nor go while the controller runs, as the end of a sentence
            that begins with "it"; empty: it can.
        is_physical_by_default: Whether the mechanics keep constraints of this kind.
    """

    lasting = ""
    is_physical_by_default: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: object) -> None:
        """Ask a constraint with an update of its own for its rows, whatever it inherits."""
        super().__init_subclass__(**keywords)
        presume(cls, "source", Constraint.source, UPDATES)

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name)
        self.robot = robot
        self.operational_state = self.declare(
            "operational_state",
            ENABLE,
            choices=(ENABLE, DISABLE, FORCE_DISABLE),
            reader=Reader.MODEL_UPDATER,
            description="whether the constraint acts; at run time a physical one is only disabled "
            "by force_disable",
        )
        self.operational_state.fits = self._check_force
        self.physical = self.declare(
            "physical",
            self.is_physical_by_default,
            access=Access.CONFIGURATION,
            description="whether the mechanics keep the constraint even if it is disabled, as "
            "transmissions and the contact that bolts the root link to the world do",
        )

    def _check_force(self, proposed: Mapping[Parameter, Any]) -> None:
        """Refuse to disable a physical constraint at run time without the word for it."""
        if self.physical.value and proposed.get(self.operational_state) == DISABLE:
            raise ParameterError(
                f"{self.operational_state.full_name}: found {DISABLE!r}, but {self.name!r} is "
                "physical: the mechanics keep it, and commands that neglect it can throw the "
                f"robot; expected {FORCE_DISABLE!r} to neglect it nevertheless, or 'physical: "
                "false' in the file if the mechanics can release it"
            )

    @property
    def is_neglected(self) -> bool:
        """Whether the mechanics keep what the model does not."""
        return bool(self.physical.value) and not self.is_enabled

    def describe_neglect(self) -> str:
        """Return what is wrong with a constraint that is neglected."""
        return (
            f"constraint {self.name!r} is disabled, but physical: commands neglect what the "
            f"mechanics keep; expected {self.operational_state.full_name} to be {ENABLE!r}"
        )

    @property
    def is_enabled(self) -> bool:
        """Whether the constraint acts."""
        return bool(self.operational_state.value == ENABLE)

    @property
    def state(self) -> str:
        """What people are told of the state: `operational_state`, or what goes on meanwhile."""
        return str(self.operational_state.value)

    @property
    def revision(self) -> int:
        """A number that grows with every assignment to a parameter."""
        return self.settings_revision + self.operational_state.revision

    @property
    def settings_revision(self) -> int:
        """A number that grows with every assignment to a parameter but `operational_state`."""
        state, parameters = self.operational_state, self.parameters.values()
        return sum(
            [p.revision for p in parameters if p.access is not Access.OUTPUT and p is not state]
        )

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Number of constrained degrees of freedom; fixed once configured."""

    def configure(self) -> None:
        """Resolve names; called once, after the parameters are set.

        Raises:
            ParameterError: A name is unknown or a value does not fit the robot.
        """

    @abstractmethod
    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the rows `(dimension, nv)` of Jc and `(dimension,)` of `J̇c v`."""

    def source(self) -> RowSource | None:
        """Return what `update` does, if `kernels.constraint_rows` can do it; once configured.

        It may depend on parameters, but neither on the model nor on anything else: it is asked
        for again only where one was assigned.
        """
        return None

    def resolve_joint(self, parameter: Parameter, joint: str) -> int:
        """Return the index of a joint that a parameter names, among the real joints.

        Raises:
            ParameterError: There is no such joint; the text lists the nearest.
        """
        with blaming(parameter):
            return self.robot.joint_index(joint)
