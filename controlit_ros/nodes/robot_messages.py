"""Robot states and commands as messages, and back."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.topic import JOINT_STATE, ROBOT_COMMAND, ROBOT_STATE


class JointFields:
    """Finds the numbers of a robot's joints in messages that name joints in any order.

    Args:
        joint_names: The robot's joints.
    """

    def __init__(self, joint_names: Sequence[str]) -> None:
        self._joint_names = tuple(joint_names)
        self._names: list[str] | None = None
        self._order = np.zeros(len(self._joint_names), dtype=np.intp)

    def arrange(self, names: list[str]) -> None:
        """Prepare for a message with these names.

        Raises:
            ConversionError: A joint is missing or named twice.
        """
        if names == self._names:
            return
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ConversionError(f"the joint {twice!r} is named twice")
        places = {name: i for i, name in enumerate(names)}
        missing = [name for name in self._joint_names if name not in places]
        if missing:
            hint = did_you_mean(missing[0], names)
            raise ConversionError(
                f"{len(missing)} of {len(self._joint_names)} joints are missing, "
                f"first {missing[0]!r}{hint}"
            )
        self._order[:] = [places[name] for name in self._joint_names]
        self._names = list(names)

    def take(self, message: Message, field: str, out: Array, *, needed: bool) -> bool:
        """Write a field in the robot's order; a field that is empty and not needed gives zeros.

        Returns:
            Whether the field has numbers.

        Raises:
            ConversionError: It has another length than the names, or numbers that are not finite.
        """
        values = np.asarray(getattr(message, field))
        if len(values) == 0 and not needed:
            out.fill(0.0)
            return False
        if len(values) != len(message.name):
            raise ConversionError(
                f"found {len(message.name)} names and {len(values)} numbers in {field}, "
                "expected as many"
            )
        np.take(values, self._order, out=out)
        if not np.isfinite(out).all():
            joint = self._joint_names[int(np.argmin(np.isfinite(out)))]
            raise ConversionError(f"{field} of {joint!r} is not finite")
        return True


class StateMessages:
    """Robot states as `sensor_msgs/JointState` or `controlit/RobotState`.

    A `JointState` has no number: two with the same stamp are taken for the same measurement.

    Args:
        joint_names: The robot's joints.
        type_name: Message type.
    """

    def __init__(self, joint_names: Sequence[str], type_name: str) -> None:
        self.type_name = type_name
        self._joint_names = list(joint_names)
        self._fields = JointFields(joint_names)
        self._last_stamp = (0, 0)
        self._sequence = 0

    def read(self, message: Message, state: RobotState) -> None:
        """Take a message apart; the measurement counts from its arrival.

        Raises:
            ConversionError: It is no state of this robot.
        """
        fields = self._fields
        fields.arrange(message.name)
        fields.take(message, "position", state.position, needed=True)
        fields.take(message, "velocity", state.velocity, needed=True)
        if np.isnan(message.effort).all():  # joint_state_broadcaster: nobody measures it
            state.effort.fill(0.0)
        else:
            fields.take(message, "effort", state.effort, needed=False)
        if self.type_name == ROBOT_STATE:
            fields.take(message, "acceleration", state.acceleration, needed=False)
            base = (message.base_position, message.base_orientation, message.base_velocity)
            if not all(np.isfinite(part).all() for part in base):
                raise ConversionError("the state of the base is not finite")
            state.base_position[:], state.base_orientation[:], state.base_velocity[:] = base
            state.sequence = message.sequence
            state.reflected_sequence = message.reflected_sequence
        else:
            state.sequence = self._number(message.header.stamp)
        state.stamp = 0.0

    def write(self, state: RobotState, stamp: float) -> Message:
        """Return a state as message, stamped in ROS time [s]."""
        shared: dict[str, Any] = {
            "name": self._joint_names,
            "position": state.position,
            "velocity": state.velocity,
            "effort": state.effort,
        }
        if self.type_name == JOINT_STATE:
            return new(JOINT_STATE, header={"stamp": time_fields(stamp)}, **shared)
        return new(
            ROBOT_STATE,
            stamp=time_fields(stamp),
            sequence=state.sequence,
            reflected_sequence=state.reflected_sequence,
            acceleration=state.acceleration,
            base_position=state.base_position,
            base_orientation=state.base_orientation,
            base_velocity=state.base_velocity,
            **shared,
        )

    def _number(self, stamp: Message) -> int:
        seen = (stamp.sec, stamp.nanosec)
        if seen == (0, 0) or seen != self._last_stamp:
            self._last_stamp = seen
            self._sequence += 1
        return self._sequence


class CommandMessages:
    """Commands as `sensor_msgs/JointState` or `controlit/RobotCommand`.

    Args:
        joint_names: Command joints.
        type_name: Message type.
    """

    def __init__(self, joint_names: Sequence[str], type_name: str) -> None:
        self.type_name = type_name
        self._joint_names = list(joint_names)
        self._fields = JointFields(joint_names)

    def read(self, message: Message, frame: CommandFrame) -> None:
        """Take a message apart; set points of a `JointState` have no gains and do not count.

        Raises:
            ConversionError: It is no command to this robot.
        """
        fields = self._fields
        fields.arrange(message.name)
        frame.clear()
        fields.take(message, "effort", frame.effort, needed=True)
        frame.fresh = True
        if self.type_name == JOINT_STATE:
            return
        held = fields.take(message, "stiffness", frame.stiffness, needed=False)
        damped = fields.take(message, "damping", frame.damping, needed=False)
        fields.take(message, "position", frame.position, needed=held)
        fields.take(message, "velocity", frame.velocity, needed=damped)
        frame.has_gains = held or damped
        frame.sequence = message.sequence

    def write(self, frame: CommandFrame, stamp: float) -> Message:
        """Return a command as message, stamped in ROS time [s]."""
        values: dict[str, Any] = {"name": self._joint_names, "effort": frame.effort}
        if frame.has_gains:
            values["position"], values["velocity"] = frame.position, frame.velocity
        if self.type_name == JOINT_STATE:
            return new(JOINT_STATE, header={"stamp": time_fields(stamp)}, **values)
        if frame.has_gains:
            values["stiffness"], values["damping"] = frame.stiffness, frame.damping
        return new(ROBOT_COMMAND, stamp=time_fields(stamp), sequence=frame.sequence, **values)
