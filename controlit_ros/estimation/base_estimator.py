"""BaseEstimator: tells where the base of a free robot is from what the robot feels."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.model import InertialUnit, RobotDescription, RobotState
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection, Quantity

NAME = "estimation"


class EstimatorParts(NamedTuple):
    """What an estimator is configured with.

    Attributes:
        robot: The robot, with its contacts and sensors.
        contacts: Where it may touch the world, in the order of `RobotState.contact_wrench`.
    """

    robot: RobotDescription
    contacts: Sequence[ContactConstraint]


class BaseEstimator(ParameterReflection, ABC):
    """Writes the pose and the velocity of the root link into each measurement.

    A plugin: the class is named in the entry point group `controlit.estimators`, and stands as
    `type` in the section `estimation` of a file. It declares its parameters in `__init__`.

    `begin` and `estimate` run in the servo thread: they neither wait nor log, and allocate
    nothing that lasts. What raises, and what is not finite, leads to the safe state.

    Args:
        name: Unique name.
        robot: The robot's structure.

    Attributes:
        refused: How many measurements of the unit were not believed.
        reason: Why the last one was not.
    """

    refused = 0
    reason = ""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name)
        self._root = robot.root_link
        self._declare_unit()
        self._declare_outputs()

    def _declare_unit(self) -> None:
        self.imu_position = self.declare(
            "imu_position",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            access=Access.CONFIGURATION,
            description="where the inertial measurement unit is, in the root link frame",
        )
        self.imu_orientation = self.declare(
            "imu_orientation",
            (0.0, 0.0, 0.0, 1.0),
            shape=(4,),
            unit_length=True,
            quantity=Quantity.QUATERNION,
            access=Access.CONFIGURATION,
            description="how its axes are turned in the root link frame, xyzw",
        )
        self.imu_frame = self.declare(
            "imu_frame",
            "",
            access=Access.CONFIGURATION,
            description="what messages call its frame; empty: the root link",
        )

    def _declare_outputs(self) -> None:
        def output(key: str, unit: str, description: str, default: object = 0.0) -> Parameter:
            return self.declare(
                key,
                default,
                shape=() if default == 0.0 else (3,),
                unit=unit,
                access=Access.OUTPUT,
                description=description,
            )

        none = (0.0, 0.0, 0.0)
        self.position_error = output(
            "position_error",
            "m",
            "estimated place less the one that the robot interface tells, world axes: in "
            "simulation the error",
            none,
        )
        self.velocity_error = output(
            "velocity_error", "m/s", "the same of the velocity, in the root link frame", none
        )
        self.tilt_error = output("tilt_error", "rad", "angle between the two verticals")
        self.yaw_error = output("yaw_error", "rad", "how far it is turned about the vertical")
        self.slips = self.declare(
            "slips",
            0,
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="how often a contact moved that should stand",
        )

    @property
    def unit(self) -> InertialUnit:
        """The unit, as robot interfaces know it."""
        return InertialUnit(
            tuple(self.imu_position.value.tolist()),
            tuple(self.imu_orientation.value.tolist()),
            self.imu_frame.value or self._root,
        )

    @abstractmethod
    def configure(self, parts: EstimatorParts) -> None:
        """Find what is needed and allocate; called once, after the parameters are set.

        Raises:
            ParameterError: The parameters do not fit the robot.
        """

    @abstractmethod
    def begin(self) -> None:
        """Forget what was; the next measurement is the first."""

    @abstractmethod
    def estimate(self, state: RobotState, elapsed: float) -> str:
        """Take in a measurement and write the base of it.

        Args:
            state: Measured; `base_position`, `base_orientation` and `base_velocity` are written.
            elapsed: Time since the measurement before [s]; 0: it is the first.

        Returns:
            Why the base is not known; empty: it is.
        """

    def compare(self, estimate: RobotState, told: RobotState) -> None:
        """Show how far an estimate is from what the robot interface tells."""
        np.subtract(estimate.base_position, told.base_position, out=self.position_error.value)
        np.subtract(
            estimate.base_velocity[:3], told.base_velocity[:3], out=self.velocity_error.value
        )
        x, y, z, w = _from(told.base_orientation, estimate.base_orientation)
        self.tilt_error.value = 2.0 * math.asin(min(1.0, math.hypot(x, y)))
        self.yaw_error.value = 2.0 * math.atan2(z, w) if w >= 0.0 else 2.0 * math.atan2(-z, -w)


def _from(one: Array, other: Array) -> tuple[float, float, float, float]:
    """Return the rotation in the world that leads from an orientation to another, xyzw."""
    x1, y1, z1, w1 = other.tolist()
    x2, y2, z2, w2 = one.tolist()
    return (
        w2 * x1 - w1 * x2 - y1 * z2 + z1 * y2,
        w2 * y1 - w1 * y2 - z1 * x2 + x1 * z2,
        w2 * z1 - w1 * z2 - x1 * y2 + y1 * x2,
        w1 * w2 + x1 * x2 + y1 * y2 + z1 * z2,
    )
