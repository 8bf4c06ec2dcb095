"""Footing: which joints swing because the foot below them tips."""

import math
from dataclasses import dataclass

import numpy as np

from controlit_ros.arrays import Flags
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.servo.base_vertical import UPRIGHT, BaseVertical

EDGE = 0.9  # [-] of a half size: what presses farther out tips, or is about to
LEANS = 0.5  # [rad] of the base: one that leans farther falls, whatever its soles do
RECENT = 0.2  # [s] meanwhile a sole that rocks lies flat, or presses its other edge


@dataclass
class SensedSole:
    """A sole whose wrench the robot senses.

    Attributes:
        sensor: Which of `RobotState.sensed_wrench`.
        half_size: Half length and half width [m].
        least_force: Below this it stands on nothing [N].
        joints: `(na,)` the commanded ones that carry it.
        tipped: When it last did [s].
    """

    sensor: int
    half_size: tuple[float, float]
    least_force: float
    joints: Flags
    tipped: float = -math.inf

    def tips(self, state: RobotState) -> bool:
        """Return whether it presses with its edge alone."""
        wrench = state.sensed_wrench[self.sensor]
        force, ahead, aside = wrench.item(2), abs(wrench.item(4)), abs(wrench.item(3))
        if not force > self.least_force:
            return False
        length, width = self.half_size
        return bool(ahead > EDGE * length * force or aside > EDGE * width * force)


class Footing:
    """Follows the soles of a robot by what their sensors tell; servo thread.

    Args:
        soles: Those that are looked at.
        joints: How many are commanded.
    """

    def __init__(self, soles: tuple[SensedSole, ...], joints: int) -> None:
        self._soles = soles
        self._unsure: Flags = np.zeros(joints, dtype=np.bool_)

    @classmethod
    def of(cls, robot: RobotDescription) -> "Footing":
        """Return that of a robot, on its contacts that have a sensor and a known size."""
        sensors = [sensor.contact for sensor in robot.sensors]
        soles: list[SensedSole] = []
        for site in robot.contacts:
            if site.name not in sensors or site.hold is None or not all(site.hold.half_size):
                continue
            model = robot.pinocchio
            carried = model.supports[model.frames[site.frame].parentJoint]
            above = {model.names[joint] for joint in carried}
            joints = np.array([joint in above for joint in robot.command_joints])
            sensor, hold = sensors.index(site.name), site.hold
            soles.append(SensedSole(sensor, hold.half_size, hold.least_force, joints))
        return cls(tuple(soles), len(robot.command_joints))

    @property
    def senses(self) -> bool:
        """Whether any sole tells something."""
        return bool(self._soles)

    def begin(self) -> None:
        """Forget what was."""
        for sole in self._soles:
            sole.tipped = -math.inf

    def look(self, state: RobotState, now: float) -> None:
        """See which soles tip, at a time [s]."""
        for sole in self._soles:
            if sole.tips(state):
                sole.tipped = now

    def unsure(self, state: RobotState, now: float) -> Flags:
        """Return the joints that carry a sole that tips, or just did, `(na,)`; the same memory.

        None of a robot that falls: there is nothing left to wait for.
        """
        self._unsure.fill(False)
        if BaseVertical.of(state).angle_to(UPRIGHT) > LEANS:
            return self._unsure
        for sole in self._soles:
            if now - sole.tipped <= RECENT:
                np.logical_or(self._unsure, sole.joints, out=self._unsure)
        return self._unsure
