"""Expectations: what the robot will do of the commands that were sent."""

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.model import RobotState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.reactions import Reactions, silent_sensors
from controlit_ros.servo.state_prediction import StatePrediction


class Expectations:
    """Expects reactions at the contacts and the state a command will meet; servo thread.

    Args:
        reactions: Of the world, at the contacts.
        prediction: Leads the measured state ahead.
        faults: Is warned where sensors are silent and where nothing can be predicted.
    """

    def __init__(
        self, reactions: Reactions, prediction: StatePrediction, faults: CycleFaults
    ) -> None:
        self._reactions = reactions
        self._prediction = prediction
        self._faults = faults

    def begin(self, now: float) -> None:
        """Forget what was sent: time begins anew, at a time [s]."""
        self._reactions.begin(now)
        self._prediction.restart()

    def seen(
        self, measured: RobotState, model: ConstrainedModel, now: float, arrived: float
    ) -> RobotState:
        """Return the state that the next command will meet; see `StatePrediction.seen`."""
        prediction = self._prediction
        seen = prediction.seen(measured, model, now, arrived)
        if prediction.complaint:
            self._faults.warn("prediction", prediction.complaint, now)
        return seen

    def show_reactions(self, model: ConstrainedModel, now: float) -> None:
        """Let the contacts of an updated model tell the wrenches they bear."""
        if self._reactions.show(model, now):
            self._faults.warn("wrench sensors", lambda: silent_sensors(model), now)

    def react(self, model: ConstrainedModel, effort: Array, load: Array | None) -> None:
        """Expect the reactions to an effort; see `Reactions.expect`."""
        self._reactions.expect(model, effort, load)

    def sent(self, sequence: int, effort: Array, now: float) -> None:
        """Remember an effort that is under way; see `StatePrediction.sent`."""
        self._prediction.sent(sequence, effort, now)

    def forget(self) -> None:
        """Expect nothing: the robot gets no command."""
        self._reactions.forget()
        self._prediction.restart()
