"""ForwardedCommands: commands as a forward_command_controller of ros2_control takes them."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.ros2_control import EFFORT, FLOATS


class ForwardedCommands:
    """One field of a command as `std_msgs/Float64MultiArray`, in the order of the controller.

    Args:
        joint_names: Command joints.
        interface: The field: effort, position or velocity.
    """

    def __init__(self, joint_names: Sequence[str], interface: str) -> None:
        self._joint_names = tuple(joint_names)
        self._interface = interface

    def order(self, claimed: Sequence[str]) -> list[int]:
        """Return which command joint each number of the controller is for.

        Args:
            claimed: Command interfaces that the controller needs, `elbow/effort` for example.

        Raises:
            ControlItError: They are not those of the command joints.
        """
        places = {f"{joint}/{self._interface}": i for i, joint in enumerate(self._joint_names)}
        foreign = [name for name in claimed if name not in places]
        if foreign:
            hint = did_you_mean(foreign[0], tuple(places))
            raise ControlItError(f"it commands {foreign[0]!r}, which is no command joint's{hint}")
        missing = [name for name in places if name not in claimed]
        if missing or len(claimed) != len(places):
            raise ControlItError(
                f"it commands {len(claimed)} interfaces, expected {len(places)}, one for each "
                f"command joint; first missing {missing[0] if missing else 'none'!r}"
            )
        return [places[name] for name in claimed]

    def write(self, frame: CommandFrame, order: Sequence[int]) -> Message | None:
        """Return a command; `None`: it says nothing of what the controller takes."""
        if self._interface != EFFORT and not frame.has_gains:
            return None
        return new(FLOATS, data=np.take(getattr(frame, self._interface), order))
