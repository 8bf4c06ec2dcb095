"""UDP: joint controllers on a computer of their own."""

import os
from ipaddress import AddressValueError, IPv4Address
from typing import Any

from controlit_ros.model.robot_state import RobotState
from controlit_ros.parameters import Kind, Parameter
from controlit_ros.robots.key_file import KeyFileError, read_key
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup
from controlit_ros.robots.seal import ChecksumSeal, KeySeal, NoSeal, Seal
from controlit_ros.robots.udp_link import Address, UdpLink

LOOPBACK = "127.0.0.1"
FIRST_PORT = 24_000  # below the ports that systems give away by themselves
HIGHEST_PORT = 65_535


class UDP(RemoteRobot):
    """Exchanges the latest state and command in numbered datagrams, any number of joints.

    Datagrams that come twice, late, from another life of the robot, that are changed on the way,
    made by somebody without the key if there is one, or that are no states of this robot are
    counted by kind and dropped. Measurements count from their arrival: the clocks
    of two computers differ. `docs/robots.md` has the layout, byte by byte.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        offset = 2 * _domain()
        self._address = self.declare_setting(
            "address", LOOPBACK, "IPv4 address of the servo, where states arrive."
        )
        self._port = self._fixed_port("port", FIRST_PORT + offset, "Port of the servo.")
        self._robot_address = self.declare_setting(
            "robot_address", LOOPBACK, "IPv4 address of the joint controllers."
        )
        self._robot_port = self._fixed_port(
            "robot_port", FIRST_PORT + 1 + offset, "Port of the joint controllers."
        )

        self._checksum = self.declare_setting(
            "checksum",
            True,
            "End each datagram with a checksum; the same on both sides.",
        )
        self._key_file = self.declare_setting(
            "key_file",
            "",
            "File with a key, the same on both sides, with which each datagram is signed instead: "
            "an absolute path or ~/..., of this user alone (mode 0600). Empty: not signed.",
        )

    def read(self, state: RobotState) -> bool:
        """Take the newest measurement; it counts from its arrival."""
        fresh = super().read(state)
        if fresh:
            state.stamp = 0.0
        return fresh

    @property
    def place(self) -> str:
        """Where the robot is reached."""
        return f"UDP {self._peer()}"

    def servo_end(self) -> Link:
        """Return a link that listens at `address`:`port`."""
        return UdpLink(
            self._own(), self._peer(), state_layout(self.setup), self._commands(), self._seal()
        )

    def robot_end(self) -> Link:
        """Return a link that listens at `robot_address`:`robot_port`."""
        return UdpLink(
            self._peer(), self._own(), self._commands(), state_layout(self.setup), self._seal()
        )

    def _seal(self) -> Seal:
        if self._key_file.value:
            try:
                return KeySeal(read_key(self._key_file.value))
            except KeyFileError as error:
                raise RobotInterfaceError(f"{self._key_file.name}: {error}") from None
        return ChecksumSeal() if self._checksum.value else NoSeal()

    def _commands(self) -> Any:
        return command_layout(self.setup)

    def _own(self) -> Address:
        return _checked(self._address, self._port)

    def _peer(self) -> Address:
        return _checked(self._robot_address, self._robot_port)

    def _fixed_port(self, name: str, default: int, description: str) -> Parameter:
        return self.declare_setting(
            name, default, description, kind=Kind.INTEGER, lower=1, upper=HIGHEST_PORT
        )


def _domain() -> int:
    """Return the ROS domain, so that the robots of two domains have different ports."""
    text = os.environ.get("ROS_DOMAIN_ID", "0")
    return int(text) % 1000 if text.isdecimal() else 0


def _checked(address: Parameter, port: Parameter) -> Address:
    try:
        IPv4Address(address.value)
    except AddressValueError:
        raise RobotInterfaceError(
            f"{address.name}: found {address.value!r}, expected an IPv4 address such as {LOOPBACK}"
        ) from None
    return Address(address.value, port.value)
