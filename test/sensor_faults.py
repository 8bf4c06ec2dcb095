"""Joint encoders that report false values, and a simulated robot whose true state is watched."""

import numpy as np
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState, NoticeLevel


def frozen(joint):
    """Report the first position again and again, at rest."""
    kept = []

    def spoil(state):
        kept.append(state.position[joint])
        state.position[joint] = kept[0]
        state.velocity[joint] = 0.0

    return spoil


def stuck_velocity(joint):
    """Report the first velocity again and again, and the true position."""
    kept = []

    def spoil(state):
        kept.append(state.velocity[joint])
        state.velocity[joint] = kept[0]

    return spoil


def drift(joint, rate=0.5):
    """Let the position drift away from the velocity [rad/s]."""
    begin = []

    def spoil(state):
        begin.append(state.stamp)
        state.position[joint] += rate * (state.stamp - begin[0])

    return spoil


def bias_step(joint, size=0.2):
    """Add a constant to the position [rad]."""

    def spoil(state):
        state.position[joint] += size

    return spoil


def wrong_sign(joint):
    """Turn position and velocity around."""

    def spoil(state):
        state.position[joint] *= -1.0
        state.velocity[joint] *= -1.0

    return spoil


def mirrored(joint):
    """Turn the motion around, from where the joint is."""
    kept = []

    def spoil(state):
        kept.append(state.position[joint])
        state.position[joint] = 2.0 * kept[0] - state.position[joint]
        state.velocity[joint] *= -1.0

    return spoil


def swapped(joint, other):
    """Exchange positions and velocities of two joints."""

    def spoil(state):
        for values in (state.position, state.velocity):
            values[[joint, other]] = values[[other, joint]]

    return spoil


class LyingRobot:
    """A simulated robot in one thread whose measurements can be spoiled.

    Args:
        file: Configuration below `config`.
        overrides: Of its parameters.

    Attributes:
        fault: Spoils each measurement in place; `None`: nothing does.
        fastest: `(n,)` largest true speeds since they were reset, in velocity limits.
    """

    def __init__(self, file, overrides=None):
        self.run = SimulatedHands(
            REPOSITORY / "config" / file, None, {"on_sensor_fault": "safe", **(overrides or {})}
        )
        self.stack, self.coordinator = self.run.stack, self.run.coordinator
        interface = self.stack.robot_interface
        self.simulation = interface.simulation
        self._read, interface.read = interface.read, self._spoiled
        self.fault = None
        self.names = list(self.stack.robot.real_joints)
        self.fastest = np.zeros(len(self.names))
        self.advance(1200)

    @property
    def state(self):
        """Where the servo stands."""
        return self.coordinator.state

    def move(self, task, offset):
        """Give a task a goal at a distance from where it is."""
        self.run.tasks[task].goal.set(self.run.actual(task) + np.array(offset))

    def advance(self, cycles):
        """Let cycles pass; return the first that is not active, counted from one."""
        first, limits = None, self.stack.robot.velocity_limits
        for cycle in range(1, cycles + 1):
            self.stack.clock.advance(1)
            speed = np.abs(self.simulation.data.qvel[self.simulation._velocities])
            ratio = np.where(limits > 0.0, speed / limits, 0.0)
            np.maximum(self.fastest, ratio, out=self.fastest)
            if first is None and self.state is not CoordinatorState.ACTIVE:
                first = cycle
        return first

    def errors(self):
        """Return the texts of all errors since this was asked last."""
        self.run.outbox.deliver_all()
        texts = [n.text for n in self.run.notices if n.level is NoticeLevel.ERROR]
        self.run.notices.clear()
        return texts

    def _spoiled(self, state):
        is_fresh = self._read(state)
        if is_fresh and self.fault is not None:
            self.fault(state)
        return is_fresh
