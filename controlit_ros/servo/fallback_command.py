"""FallbackCommand: what is commanded while the controller cannot be trusted."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.finite import is_finite
from controlit_ros.kernels import free_response, steady_damping
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.posture_hold import PostureHold
from controlit_ros.servo.settings import Fallback, ServoSettings

# A velocity that is fed back after a dead time fades without swinging if it fades by no more than
# 1/e within that time, and swings ever more from π/2 on.
MOST_FADING = 1.0 / math.e  # [-]
OWN_CYCLES = 2.0  # [cycles] of dead time in the servo: a sample, and a command that is held


class FallbackCommand:
    """The effort of a `Fallback`; the joints' own controllers hold where they are with no gains.

    Without a model there is no effort, and to a robot that is silent nothing is fed back. Damping
    is less than asked for where a joint is so light that it would swing: see `steady_damping`. What
    is not finite is left out: the last compensation that was known holds the robot.

    Args:
        command: Memory for it, of the controller's kind.
        robot: Its structure and effort limits.
        settings: What to command, how damped and how stiff.
    """

    def __init__(self, command: Command, robot: RobotDescription, settings: ServoSettings) -> None:
        self._command = command
        self._joints = joints = robot.command_indices
        self._command_dofs = robot.command_dofs
        self._effort_limits = JointLimits.of(robot).effort
        self._kind = settings.fallback
        self._wanted_damping = settings.fallback_damping
        dead_time = settings.round_trip_delay + OWN_CYCLES / settings.frequency
        self._fastest = MOST_FADING / dead_time
        self._posture = PostureHold(joints, settings.fallback_kp)
        self._velocity: Array = np.zeros(len(joints))
        self._bias: Array = np.zeros(len(joints))
        self._damping: Array = np.zeros(len(joints))
        self._free_Phi: Array = np.eye(len(joints))
        self._work: Array = np.zeros((2, robot.nv, robot.nv))
        # compiled before the first cycle
        free_response(np.eye(robot.nv), self._command_dofs, self._work, self._free_Phi)
        steady_damping(self._free_Phi, self._wanted_damping, self._fastest, self._damping)

    def latch(self, state: RobotState) -> None:
        """Hold the posture of a state from now on, where the fallback is one."""
        self._posture.latch(state)

    def update(
        self,
        model: ConstrainedModel | None,
        state: RobotState,
        *,
        is_silent: bool,
        fallen_share: float | None = None,
    ) -> None:
        """Compute the fallback.

        Args:
            model: The active one, if there is one yet.
            state: Last measured.
            is_silent: Whether that is long ago.
            fallen_share: The robot has fallen: joints are only damped, by at most this share of
                their effort limits. None: it has not.
        """
        effort, position = self._command.effort, self._command.position
        effort.fill(0.0)
        if position is not None:
            np.take(state.position, self._joints, out=position)
        if self._kind is Fallback.ZERO_EFFORT or model is None:
            return
        if fallen_share is not None:
            self._bias.fill(0.0)  # the contacts that carried the robot are gone
        elif is_finite(model.bias_effort):
            self._bias[...] = model.bias_effort
        effort += self._bias
        if is_silent:
            return  # nothing is known that could be fed back
        if fallen_share is not None:
            self._damp_fallen(model, state, effort, fallen_share)
        elif self._kind is Fallback.POSTURE:
            self._posture.add(model, state, effort)
        else:
            self._damp(model.Phi, state, effort)
        if not is_finite(effort):
            effort[...] = self._bias

    def _damp_fallen(
        self, model: ConstrainedModel, state: RobotState, effort: Array, share: float
    ) -> None:
        """Damp joints within a share of their limits; no constraint of the model is relied on."""
        A = model.robot_model.A
        if free_response(A, self._command_dofs, self._work, self._free_Phi):
            self._damp(self._free_Phi, state, effort)
        most = self._damping  # memory that is free again
        np.multiply(self._effort_limits, share, out=most)
        np.minimum(effort, most, out=effort)
        np.negative(most, out=most)
        np.maximum(effort, most, out=effort)

    def _damp(self, Phi: Array, state: RobotState, effort: Array) -> None:
        np.take(state.velocity, self._joints, out=self._velocity)
        steady_damping(Phi, self._wanted_damping, self._fastest, self._damping)
        self._velocity *= self._damping
        effort -= self._velocity

    def blend(self, command: Command, alpha: float) -> None:
        """Replace a command x by `x + alpha (x_fallback - x)`, every field (paper eq. 9)."""
        for field in FIELDS:
            values = getattr(command, field)
            if values is None:
                continue
            safe = getattr(self._command, field)
            if alpha >= 1.0:  # the command may be anything, also not a number
                values[...] = safe
            else:
                values *= 1.0 - alpha
                values += alpha * safe
