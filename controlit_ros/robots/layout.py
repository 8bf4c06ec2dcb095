"""Layout: what the numbers between servo and robot mean."""

from typing import NamedTuple

from controlit_ros.model.robot_state import IMU, WRENCH
from controlit_ros.robots.channel import layout_number
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.robot_interface import RobotSetup

STATE = "state"
COMMAND = "command"


class Layout(NamedTuple):
    """A vector of `float64` that one side sends and the other understands; see `docs/robots.md`.

    Attributes:
        kind: `state` or `command`.
        joint_names: Joints, in the order of the vector.
        size: Length of the vector.
        sensors: Contacts whose wrenches follow in a state.
        imu: Link of the inertial measurement unit that a state ends with; empty: none.
    """

    kind: str
    joint_names: tuple[str, ...]
    size: int
    sensors: tuple[str, ...] = ()
    imu: str = ""

    @property
    def required(self) -> int:
        """How many of the first numbers must be finite: all but those of sensors."""
        return self.size - WRENCH * len(self.sensors) - IMU * bool(self.imu)

    @property
    def text(self) -> str:
        """The layout in words; both sides must have the same."""
        wrenches = f" wrenches {','.join(self.sensors)}" if self.sensors else ""
        imu = f" imu {self.imu}" if self.imu else ""
        return f"{self.kind} {','.join(self.joint_names)}{wrenches}{imu}"

    @property
    def number(self) -> int:
        """The words as a number of 64 bits."""
        return layout_number(self.text)


def state_layout(setup: RobotSetup) -> Layout:
    """Return the layout of `RobotState.vector`."""
    sensors = tuple(sensor.contact for sensor in setup.sensors)
    imu = "" if setup.imu is None else setup.imu.link
    return Layout(STATE, setup.joint_names, len(setup.create_state().vector), sensors, imu)


def command_layout(setup: RobotSetup) -> Layout:
    """Return the layout of `CommandFrame.vector`."""
    return Layout(COMMAND, setup.command_names, CommandFrame(len(setup.command_names)).size)
