"""Odometry: where the base of the robot is, told by somebody else than the robot interface."""

import math

import numpy as np

from controlit_ros.model import RobotState
from controlit_ros.parameters import ParameterReflection, Quantity

NAME = "odometry"


class Odometry(ParameterReflection):
    """Position, orientation and velocity of the root link, handed over as parameters.

    Whoever knows posts all four together through the mailbox, so that the servo never sees a part
    of them and does not know where they come from. They replace what the robot interface says of
    the base.

    Args:
        timeout: Age at which odometry counts as lost, and the controller enters the safe state [s].

    Attributes:
        position: Origin of the root link in the world [m].
        orientation: Of the root link in the world, quaternion xyzw.
        linear_velocity: Of the root link's origin, in the root link frame [m/s].
        angular_velocity: Of the root link, in the root link frame [rad/s].
    """

    def __init__(self, timeout: float) -> None:
        super().__init__(NAME)
        self.timeout = timeout
        self.position = self.declare(
            "position",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            description="origin of the root link in the world",
        )
        self.orientation = self.declare(
            "orientation",
            (0.0, 0.0, 0.0, 1.0),
            shape=(4,),
            unit_length=True,
            quantity=Quantity.QUATERNION,
            description="orientation of the root link in the world, xyzw",
        )
        self.linear_velocity = self.declare(
            "linear_velocity",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m/s",
            quantity=Quantity.VECTOR,
            description="velocity of the root link's origin, in its own frame",
        )
        self.angular_velocity = self.declare(
            "angular_velocity",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="rad/s",
            quantity=Quantity.VECTOR,
            description="angular velocity of the root link, in its own frame",
        )
        self.begin()

    def begin(self) -> None:
        """Forget what was told; servo thread, before the first cycle."""
        self._revision = self.position.revision
        self._told_at = -math.inf

    def take_over(self, state: RobotState, now: float) -> str:
        """Write the base into a state; servo thread.

        Returns:
            What is wrong; empty: nothing.
        """
        if self.position.revision != self._revision:
            self._revision = self.position.revision
            self._told_at = now
        np.copyto(state.base_position, self.position.value)
        np.copyto(state.base_orientation, self.orientation.value)
        np.copyto(state.base_velocity[:3], self.linear_velocity.value)
        np.copyto(state.base_velocity[3:], self.angular_velocity.value)
        age = now - self._told_at
        if age <= self.timeout:
            return ""
        known = f"for {age:.3f} s" if math.isfinite(age) else "yet"
        return f"no odometry {known}, expected within {self.timeout:g} s"
