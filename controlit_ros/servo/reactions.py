"""Reactions: what the world does to the robot at its contacts."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.model import RobotState


class Reactions:
    """Follows the wrenches of contacts, expected and sensed; servo thread.

    The expected ones belong to the command of the previous cycle: `λc` of the paper's equation 3
    for the effort that was sent to the robot. They stand in the servo's own state; where a sensor
    tells a wrench, `RobotModel.update` takes that one.

    Args:
        state: Its `contact_wrench` is kept.
        patience: Time for which a sensor may be silent [s].
    """

    def __init__(self, state: RobotState, patience: float) -> None:
        self._expected = state.contact_wrench
        self._sensors = len(state.sensed_wrench)
        self._patience = patience
        self._last_complete = -math.inf

    def begin(self, now: float) -> None:
        """Count the silence of sensors from now on [s]."""
        self._last_complete = now

    def expect(self, model: ConstrainedModel, effort: Array, load: Array | None = None) -> None:
        """Compute the wrenches expected under an effort.

        Args:
            model: The servo's active one.
            effort: `(na,)` that moves the robot [N m].
            load: `(nv,)` what it exerts elsewhere, see `CompoundTask.load`; none: zero.
        """
        if model.constraints.with_reactions:
            model.write_contact_wrenches(effort, self._expected, load)

    def forget(self) -> None:
        """Drop what was expected: the robot gets no command."""
        self._expected.fill(np.nan)

    def show(self, model: ConstrainedModel, now: float) -> bool:
        """Let the contacts tell the wrenches of a model; return whether a sensor is silent.

        Args:
            model: Updated; the servo's active one.
            now: Time on the servo's clock [s].
        """
        if self._sensors or model.constraints.with_reactions:
            robot = model.robot_model
            model.constraints.show_wrenches(robot.state.contact_wrench, robot.is_sensed)
            if np.count_nonzero(robot.is_sensed) == self._sensors:
                self._last_complete = now
            return now - self._last_complete > self._patience
        return False


def silent_sensors(model: ConstrainedModel) -> str:
    """Return a sentence about the sensors that a model was updated without."""
    robot = model.robot_model
    contacts = zip(robot.description.contacts, robot.is_sensed.tolist(), strict=True)
    silent = [site.name for site, is_sensed in contacts if site.is_sensed and not is_sensed]
    return (
        f"the robot does not tell the wrench of {', '.join(silent)}, which it senses by the "
        "configuration (wrench_sensor): what the model expects counts"
    )
