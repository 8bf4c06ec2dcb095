"""Coactuation: one actuator drives several joints at fixed ratios."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.row_source import RowSource
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Kind, ParameterError


class Coactuation(TransmissionConstraint):
    """One row for each slave: `q̇_slave − ratio q̇_master = 0`.

    Velocities are what the controller constrains; `slave = ratio master + offset` is where the
    mechanics hold the slave, which the simulator must know.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.master = self.declare(
            "master",
            "",
            access=Access.CONFIGURATION,
            description="the joint with the actuator",
        )
        self.slave = self.declare(
            "slave",
            (),
            kind=Kind.TEXT,
            shape=(None,),
            broadcast=True,
            access=Access.CONFIGURATION,
            description="the joint or joints that follow",
        )
        self.ratio = self.declare(
            "ratio",
            (1.0,),
            shape=(None,),
            broadcast=True,
            access=Access.CONFIGURATION,
            description="slave velocity over master velocity, one for all or one for each slave",
        )
        self.offset = self.declare(
            "offset",
            (0.0,),
            shape=(None,),
            broadcast=True,
            access=Access.CONFIGURATION,
            unit="rad or m",
            description="slave position where the master's is zero, one for all or one for each "
            "slave",
        )
        self._rows: Array = np.zeros((0, robot.nv))

    @property
    def dimension(self) -> int:
        """The number of slaves."""
        return len(self.slave.value)

    @property
    def couplings(self) -> tuple[Coupling, ...]:
        """One coupling for each slave."""
        ratios, offsets = (
            values * self.dimension if len(values) == 1 else values
            for values in (self.ratio.value, self.offset.value)
        )
        return tuple(
            Coupling(self.master.value, *row)
            for row in zip(self.slave.value, ratios, offsets, strict=True)
        )

    def configure(self) -> None:
        """Resolve the joints and write the constant rows."""
        if not self.slave.value:
            raise ParameterError(f"{self.slave.full_name}: found none, expected at least one joint")
        for parameter in (self.ratio, self.offset):
            if len(parameter.value) not in (1, self.dimension):
                raise ParameterError(
                    f"{parameter.full_name}: found {len(parameter.value)} {parameter.name}s for "
                    f"{self.dimension} slaves, expected one for all or one for each"
                )
        master = self.resolve_joint(self.master, self.master.value)
        self._rows = np.zeros((self.dimension, self.robot.nv))
        for row, coupling in enumerate(self.couplings):
            slave = self.resolve_joint(self.slave, coupling.slave)
            if slave == master:
                raise ParameterError(f"{self.slave.full_name}: {coupling.slave!r} is the master")
            if coupling.slave in self.slave.value[:row]:
                raise ParameterError(f"{self.slave.full_name}: {coupling.slave!r} stands twice")
            self._rows[row, slave + BASE_DOFS] = 1.0
            self._rows[row, master + BASE_DOFS] = -coupling.ratio

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:  # noqa: ARG002 - the rows are constant
        """Write the constant rows; their bias is zero."""
        jacobian[:] = self._rows
        bias.fill(0.0)

    def source(self) -> RowSource:
        """Return the constant rows."""
        return RowSource(self.dimension, self._rows)
