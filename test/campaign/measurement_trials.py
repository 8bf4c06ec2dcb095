"""Measurements that cannot be, over each interface."""

import os
from typing import ClassVar

import numpy as np
from free_ports import free_ports
from hostile import NUMBERS
from message_trials import OnARobot
from robot_side import Fault, honest
from watched_robot import WatchedRobot

from controlit_ros.model import RobotState
from controlit_ros.servo import CoordinatorState

BURSTS = (1, 1, 1, 2, 3, 10, 60)  # [cycles] how long a fault lasts
RECOVERY = 4000  # [cycles] within which control must be back
MOVED = 0.05  # [rad] or [m] how far a lie may move a joint
QUANTITIES = ("position", "velocity", "acceleration", "effort")


class MeasurementTrials(OnARobot):
    """A burst of measurements that are wrong, while the robot rests."""

    interface: ClassVar[str] = "MuJoCo"
    robots = ("dreamer/hands.yaml", "panda/reach.yaml", "trikey/drive.yaml")
    least = 6

    def overrides(self) -> dict[str, object]:
        """Return what makes the servo use the interface."""
        if self.interface == "MuJoCo":
            return {}
        own = {
            "name": f"campaign_{os.getpid()}_{self._made}",
            "robot_interface_type": self.interface,
        }
        if self.interface == "Topic":  # a base that moves needs more than joint states
            own["robot_interface.state_type"] = "controlit/msg/RobotState"
        if self.interface == "UDP":
            ports = zip(("port", "robot_port"), free_ports(2), strict=True)
            own |= {f"robot_interface.{key}": port for key, port in ports}
        return own

    def mistreat(self, robot: WatchedRobot, rng: np.random.Generator) -> str | None:
        """Lie for some cycles, then tell the truth and look what the lie did."""
        before = robot.positions
        name, fault = draw_fault(rng, len(robot.stack.robot.real_joints))
        cycles = int(rng.choice(BURSTS))
        try:
            robot.side.fault = fault
            robot.advance(cycles)
        finally:
            robot.side.fault = honest
        moved = np.zeros_like(before)
        for _ in range(RECOVERY // 50):
            robot.advance(50)
            np.maximum(moved, np.abs(robot.positions - before), out=moved)
            if robot.state is CoordinatorState.ACTIVE:
                break
        else:
            return f"{name} for {cycles} cycles: control did not come back in {RECOVERY} cycles"
        if moved.max() > MOVED:
            worst = int(moved.argmax())
            return f"{name} for {cycles} cycles moved joint {worst} by {moved[worst]:.3g}"
        return None


def draw_fault(rng: np.random.Generator, joints: int) -> tuple[str, Fault]:
    """Return a fault and its name."""
    kind = str(rng.choice(["number", "jump", "noise", "base", "stamp", "silence", "frozen"]))
    joint = int(rng.integers(joints))
    quantity = str(rng.choice(QUANTITIES))
    number = float(rng.choice(NUMBERS))
    size = 10.0 ** rng.uniform(-1.0, 6.0)
    seed = int(rng.integers(2**31))
    noise = np.random.default_rng(seed)
    kept: list[np.ndarray] = []

    def spoil(state: RobotState) -> bool:
        if kind == "number":
            getattr(state, quantity)[joint] = number
        elif kind == "jump":
            state.position[:] += size * np.sign(noise.normal(size=joints))
        elif kind == "noise":
            getattr(state, quantity)[:] += size * noise.normal(size=joints)
        elif kind == "base":
            _spoil_base(state, number, noise)
        elif kind == "stamp":
            state.stamp = number
        elif kind == "frozen":
            kept.append(state.vector.copy()) if not kept else None
            state.vector[:] = kept[0]
        return kind != "silence"

    return f"{kind} of {quantity} ({number:g}, {size:g})", spoil


def _spoil_base(state: RobotState, number: float, noise: np.random.Generator) -> None:
    what = noise.integers(4)
    if what == 0:
        state.base_orientation[:] = 0.0
    elif what == 1:
        state.base_orientation[noise.integers(4)] = number
    elif what == 2:
        state.base_position[noise.integers(3)] = number
    else:
        state.base_velocity[noise.integers(6)] = number


class InProcessTrials(MeasurementTrials):
    """The simulator in the servo's process."""

    name = "measurements"
    share = 600


class SharedMemoryTrials(MeasurementTrials):
    """A robot behind shared memory."""

    name = "… shared memory"
    share = 300
    interface = "SharedMemory"


class UdpTrials(MeasurementTrials):
    """A robot behind datagrams."""

    name = "… UDP"
    share = 300
    interface = "UDP"


class TopicTrials(MeasurementTrials):
    """A robot behind topics."""

    name = "… topics"
    share = 300
    interface = "Topic"
