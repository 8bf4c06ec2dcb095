"""EstimatedBase: the base of the robot, estimated from what the robot feels."""

import numpy as np

from controlit_ros.estimation import BaseEstimator
from controlit_ros.kernels import is_finite_vector
from controlit_ros.model import RobotState

LONGEST_GAP = 0.25  # [s] without a measurement: what moved meanwhile cannot be told


class EstimatedBase:
    """Lets an estimator write the base into each measurement.

    Args:
        estimator: Configured.

    Attributes:
        name: What complaints are about.
        remark: What was not believed, a warning; empty: nothing.
    """

    name = "estimation"

    def __init__(self, estimator: BaseEstimator) -> None:
        self._estimator = estimator
        self._told, self._good = RobotState(()), RobotState(())
        self._refused = 0
        self._stamp, self._sequence, self._has_stamp = 0.0, 0, False
        self._complaint = ""

    @property
    def refused(self) -> int:
        """Measurements of the unit that were not believed."""
        return self._estimator.refused

    @property
    def remark(self) -> str:
        """What was refused since the last call; empty: nothing."""
        refused = self._estimator.refused
        if refused == self._refused:
            return ""
        self._refused = refused
        return f"an inertial measurement that cannot be was refused: {self._estimator.reason}"

    def begin(self) -> None:
        """Forget what was; servo thread, before the first cycle."""
        self._estimator.begin()
        self._stamp, self._sequence, self._has_stamp = 0.0, 0, False
        self._complaint = ""

    def take_over(self, state: RobotState, now: float) -> str:  # noqa: ARG002 - stamps tell
        """Write the base into a state; servo thread.

        Returns:
            What is wrong; empty: nothing.
        """
        if state.sequence == self._sequence and state.stamp == self._stamp:
            return self._complaint  # no measurement has come
        elapsed = state.stamp - self._stamp if self._has_stamp else 0.0
        if not 0.0 <= elapsed <= LONGEST_GAP or state.sequence < self._sequence:
            self._estimator.begin()
            elapsed = 0.0
        self._stamp, self._sequence, self._has_stamp = state.stamp, state.sequence, True
        _copy_base(state, self._told)
        self._complaint = self._estimate(state, elapsed)
        return self._complaint

    def _estimate(self, state: RobotState, elapsed: float) -> str:
        complaint = self._estimator.estimate(state, elapsed)
        parts = (state.base_position, state.base_velocity, state.base_orientation)
        if not all(map(is_finite_vector, parts)):
            _copy_base(self._good, state)
            return complaint or "the estimate of the base is not finite"
        _copy_base(state, self._good)
        self._estimator.compare(state, self._told)
        return complaint


def _copy_base(source: RobotState, target: RobotState) -> None:
    np.copyto(target.base_position, source.base_position)
    np.copyto(target.base_orientation, source.base_orientation)
    np.copyto(target.base_velocity, source.base_velocity)
