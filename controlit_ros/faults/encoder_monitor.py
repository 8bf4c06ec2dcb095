"""EncoderMonitor: diagnosis of joint encoders from residuals."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.kernels import BoundKernel, bind, check_encoders, expect_response
from controlit_ros.kernels import encoder_residuals as layout
from controlit_ros.model import RobotDescription, RobotState

MEMORY = 256  # [cycles] of commands under way, and of measurements that may be missing
ASSUMED_SPEED = 30.0  # [rad/s or m/s] where there is no velocity limit
BEFORE = 0.06  # [s] before a diagnosis, measurements are believed
FADING = 0.3  # [s] in which the estimated velocity of a suspect is forgotten: its error grows
BOUND = 0.1  # [-] of its effort limit that a suspect gets beside what holds it
MOST_JUMPS = 2  # [joints] that jump together; more: the robot was moved, or its simulation reset

TEXTS = {
    layout.FROZEN: "the encoder of {0} is frozen",
    layout.STUCK_VELOCITY: "the velocity of {0} is stuck: its position moves, expected by as much",
    layout.BIAS_STEP: "the encoder of {0} jumped without velocity (bias step)",
    layout.DRIFT: "the position of {0} drifts away from its velocity",
    layout.SIGN: "the encoder of {0} has the wrong sign",
    layout.SWAPPED: "the encoders of {0} and {1} are swapped",
    layout.UNRESPONSIVE: "no joint responds to its effort, {0} among them: measurements are "
    "frozen, or drives have no power",
}


class EncoderMonitor:
    """Finds joints whose encoder contradicts itself or the model; servo thread.

    See `kernels.check_encoders` for residuals and hypotheses. A diagnosis is latched: what the
    joint measures is not believed until `restart`.

    Args:
        robot: Its joints and limits.
        speed_scale: `(n,)` what a measured velocity of each real joint may hide [rad/s].
        period: Of the servo [s].
        round_trip: `(1,)` time from a command to the measurement of its effect; 0: unknown [s].

    Attributes:
        suspects: `(n,)` real joints that were diagnosed.
        diagnosis: Joint and kind of fault; empty: none.
    """

    def __init__(
        self, robot: RobotDescription, speed_scale: Array, period: float, round_trip: Array
    ) -> None:
        n, na = len(robot.real_joints), len(robot.command_joints)
        self._names = robot.real_joints
        self._dofs = robot.command_dofs
        limits = JointLimits.of(robot)
        scales = np.array([speed_scale, robot.lower_limits, robot.upper_limits], dtype=np.float64)
        kinds = robot.is_sliding[robot.command_indices].astype(np.float64)
        speed = np.where(np.isfinite(limits.velocity), limits.velocity, ASSUMED_SPEED)
        self._round_trip = round_trip
        self.suspects = np.zeros(n, dtype=np.bool_)
        self.diagnosis = ""
        self._joints: Array = np.zeros((layout.JOINT_ROWS, n))
        self._response: Array = np.zeros((layout.DRIVE_ROWS, na))
        self._expected: Array = np.zeros((MEMORY, na))
        self._net: Array = np.zeros((MEMORY, na))
        self._past: Array = np.zeros((layout.PAST_ROWS, min(max(round(BEFORE / period), 4), 64), n))
        self._estimate: Array = np.zeros((2, n))  # position and velocity of suspects
        self._joints_commanded = robot.command_indices
        self._most = BOUND * limits.effort
        self._ends = robot.lower_limits, robot.upper_limits
        self._ring = np.zeros(3, dtype=np.int64)
        self._times: Array = np.zeros(layout.TIMES)
        self._times[layout.PERIOD] = period
        self._found = np.zeros(2, dtype=np.int64)
        self._known = (
            scales,
            np.array([np.maximum(speed, 1e-6), limits.effort, kinds]),
            robot.command_indices,
            self.suspects,
            self._joints,
            self._response,
            np.zeros((2, na, na)),
            np.zeros((2, na)),
            self._expected,
            self._net,
            self._past,
            self._ring,
            self._times,
            self._found,
        )
        self.restart()

    def restart(self) -> None:
        """Clear residuals and diagnoses, as after a repair or a restart of the clock."""
        self.suspects.fill(False)
        self.diagnosis = ""
        self._times[layout.IS_ALIVE] = 0.0
        self.forget()

    def forget(self) -> None:
        """Compare nothing with the measurements before; a diagnosis remains."""
        self._ring[layout.CYCLES] = 0
        self._times[layout.STAMP] = math.nan

    def checking(self, state: RobotState) -> BoundKernel:
        """Return a kernel that checks a state that was measured; see `check_encoders`."""
        return bind(check_encoders, state.motion, *self._known)

    def expecting(self, model: ConstrainedModel, effort: Array) -> BoundKernel:
        """Return a kernel that computes the response to an effort; see `expect_response`.

        Args:
            model: At the state in which the effort is applied.
            effort: `(na,)` that moves the robot [N m].
        """
        return bind(
            expect_response,
            effort,
            model.bias_effort,
            model.Phi,
            model.drift,
            self._dofs,
            self._expected,
            self._net,
            self._ring,
        )

    def follow_round_trip(self) -> None:
        """Take over the present round trip of commands."""
        self._times[layout.ROUND_TRIP] = self._round_trip[0]

    def diagnose(self, kind: int) -> None:
        """Suspect the joints of a fault that `check_encoders` found."""
        joints = [int(joint) for joint in self._found if joint >= 0]
        positions, velocities, gains = np.roll(self._past, -1 - self._ring[layout.LATEST], 1)
        position, velocity = positions[0], velocities[0].copy()
        for gained in gains[1:]:
            velocity += gained
            position = position + self._times[layout.ELAPSED] * velocity
        self._suspect(kind, joints, position, velocity)

    def diagnose_jump(self, found: RobotState, last: RobotState, reach: Array) -> None:
        """Diagnose joints that jumped while the others went on.

        Args:
            found: Measured since the jump.
            last: The last measurement before.
            reach: `(n,)` how far each joint can have moved meanwhile.
        """
        jumps = [int(i) for i in np.flatnonzero(np.abs(found.position - last.position) > reach)]
        if not 0 < len(jumps) <= min(MOST_JUMPS, len(reach) - 1):
            return
        was, now, near = last.position[jumps], found.position[jumps], reach[jumps]
        before = last.position, last.velocity
        if len(jumps) == MOST_JUMPS and (np.abs(now[::-1] - was) <= near).all():
            self._suspect(layout.SWAPPED, jumps, *before)
        elif len(jumps) == 1 and abs(now[0] + was[0]) <= near[0]:
            self._suspect(layout.SIGN, jumps, *before)
        else:
            for joint in jumps:
                self._suspect(layout.BIAS_STEP, [joint], *before)

    def mask(self, found: RobotState) -> None:
        """Replace what suspects measure by what the model expects since they were believed."""
        position, velocity = self._estimate
        elapsed = self._times.item(layout.ELAPSED)
        velocity += self._past[layout.GAINED, self._ring[layout.LATEST]]
        velocity *= max(1.0 - elapsed / FADING, 0.0)
        position += elapsed * velocity
        inside = np.clip(position, *self._ends)
        velocity[inside != position] = 0.0
        position[:] = inside
        np.copyto(found.position, position, where=self.suspects)
        np.copyto(found.velocity, velocity, where=self.suspects)
        np.copyto(found.acceleration, 0.0, where=self.suspects)

    def bound(self, effort: Array, holding: Array) -> None:
        """Bound the effort of suspects to what holds them and a part of their limit.

        Args:
            effort: `(na,)` changed [N m].
            holding: `(na,)` at which nothing accelerates [N m].
        """
        bounded = np.clip(effort, holding - self._most, holding + self._most)
        np.copyto(effort, bounded, where=self.suspects[self._joints_commanded])

    def _suspect(self, kind: int, joints: list[int], position: Array, velocity: Array) -> None:
        self.suspects[joints] = True
        self._estimate[:, joints] = position[joints], velocity[joints]
        text = TEXTS[kind].format(*(self._names[joint] for joint in joints))
        self.diagnosis = f"{self.diagnosis}; {text}" if self.diagnosis else text
