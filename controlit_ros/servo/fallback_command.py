"""FallbackCommand: what is commanded while the controller cannot be trusted."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.model import RobotState
from controlit_ros.servo.command_guard import is_finite
from controlit_ros.servo.posture_hold import PostureHold
from controlit_ros.servo.settings import Fallback, ServoSettings

Array = npt.NDArray[np.float64]


class FallbackCommand:
    """The effort of a `Fallback`; the joints' own controllers hold where they are with no gains.

    Without a model there is no effort, and to a robot that is silent nothing is fed back.

    Args:
        command: Memory for it, of the controller's kind.
        joints: `(na,)` where the command joints stand among the real joints.
        settings: What to command, how damped and how stiff.
    """

    def __init__(
        self, command: Command, joints: npt.NDArray[np.intp], settings: ServoSettings
    ) -> None:
        self._command = command
        self._joints = joints
        self._kind = settings.fallback
        self._damping = settings.fallback_damping
        self._posture = PostureHold(joints, settings.fallback_kp)
        self._velocity: Array = np.zeros(len(joints))

    def latch(self, state: RobotState) -> None:
        """Hold the posture of a state from now on, where the fallback is one."""
        self._posture.latch(state)

    def update(self, model: ConstrainedModel | None, state: RobotState, *, is_silent: bool) -> None:
        """Compute the fallback.

        Args:
            model: The active one, if there is one yet.
            state: Last measured.
            is_silent: Whether that is long ago.
        """
        effort, position = self._command.effort, self._command.position
        effort.fill(0.0)
        if position is not None:
            np.take(state.position, self._joints, out=position)
        if self._kind is Fallback.ZERO_EFFORT or model is None:
            return
        effort += model.bias_effort
        if is_silent:
            pass  # nothing is known that could be fed back
        elif self._kind is Fallback.POSTURE:
            self._posture.add(model, state, effort)
        else:
            np.take(state.velocity, self._joints, out=self._velocity)
            effort -= self._damping * self._velocity
        if not is_finite(effort):
            effort.fill(0.0)

    def blend(self, command: Command, alpha: float) -> None:
        """Replace a command x by `x + alpha (x_fallback - x)`, every field (paper eq. 9)."""
        for field in FIELDS:
            values = getattr(command, field)
            if values is None:
                continue
            safe = getattr(self._command, field)
            if alpha >= 1.0:  # the command may be anything, also not a number
                np.copyto(values, safe)
            else:
                values *= 1.0 - alpha
                values += alpha * safe
