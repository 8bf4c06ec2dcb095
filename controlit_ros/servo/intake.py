"""Intake: takes over what the robot measured."""

import math

from controlit_ros.errors import told
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.robots import RobotInterface
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.estimated_base import EstimatedBase
from controlit_ros.servo.plausibility import Judgement, Plausibility
from controlit_ros.servo.plausible_odometry import PlausibleOdometry
from controlit_ros.servo.round_trip import RoundTrip
from controlit_ros.servo.shared_memory import Memory

ROUNDING = 1e-14  # [-] of the square of a unit quaternion's length


class Intake:
    """Reads the robot, keeps what cannot be, and knows how long there was nothing; servo thread.

    Args:
        robot: Read once a cycle.
        description: Its joints and sensors.
        plausibility: Judges each measurement.
        base: Who tells where the base is; `None`: the robot knows.
        round_trip: Is told which command a measurement answers.
        faults: Is told what is wrong.
        timeout: Age of the last good measurement at which the robot counts as silent [s].
        memory: Where the state is kept.

    Attributes:
        state: The last good measurement.
        has_state: Whether there was one.
        is_silent: Whether that is long ago.
        arrived: When it came [s].
    """

    def __init__(
        self,
        robot: RobotInterface,
        description: RobotDescription,
        *,
        plausibility: Plausibility,
        base: PlausibleOdometry | EstimatedBase | None,
        round_trip: RoundTrip,
        faults: CycleFaults,
        timeout: float,
        memory: Memory,
    ) -> None:
        self.state = description.create_state(memory)
        self.has_state = self.is_silent = False
        self.arrived = -math.inf
        self._incoming = RobotState(
            description.real_joints,
            sensors=len(description.sensors),
            imus=int(description.imu is not None),
        )
        self._robot = robot
        self._plausibility = plausibility
        self._base = base
        self._round_trip = round_trip
        self._faults = faults
        self._timeout = timeout
        self._base_is_lost = False
        self._refused = self._refused_told = 0

    @property
    def refused(self) -> int:
        """Measurements that could not be, of the joints and of the base."""
        of_base = 0 if self._base is None else self._base.refused
        return self._plausibility.refused + of_base

    def begin(self, now: float) -> None:
        """Forget what was measured; silence counts from now [s]."""
        self.has_state = False
        self.arrived = now
        self._plausibility.begin()
        if self._base is not None:
            self._base.begin()

    def read(self, now: float) -> bool:
        """Take over the newest measurement if there is one that can be.

        Returns:
            Whether the robot is elsewhere than it can have gone by itself.
        """
        try:
            fresh = self._robot.read(self._incoming)
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            self._faults.fail("read", f"reading the robot failed: {told(error)}", now)
            return False
        was_moved = fresh and self._take(self._incoming, now)
        self._look_for_silence(now)
        self._warn_of_refused(now)
        return was_moved

    def locate_base(self, now: float) -> bool:
        """Take over where odometry or an estimator has the base.

        Returns:
            Whether it is lost, or was lost until now: goals are latched to where the base is known
            to be, not to where it was believed.
        """
        base, changed = self._base, False
        if base is not None:
            complaint = base.take_over(self.state, now)
            if complaint:
                self._faults.fail(base.name, complaint, now)
            if remark := base.remark:
                self._faults.warn(f"{base.name} refused", remark, now)
            changed = bool(complaint) or self._base_is_lost
            self._base_is_lost = bool(complaint)
        self._normalise_base()
        return changed

    def rehearse(self, now: float) -> None:
        """Do the work of a cycle to no effect."""
        self.state.copy_from(self.state)
        self._plausibility.rehearse(self.state)
        self._warn_of_refused(now)
        self._normalise_base()

    def _take(self, incoming: RobotState, now: float) -> bool:
        """Take over a measurement that can be; return whether the robot was moved."""
        state, plausibility = self.state, self._plausibility
        if self.has_state and incoming.sequence == state.sequence > 0:
            return False  # the one before, once more
        verdict = plausibility.judge(incoming, state, now)
        if plausibility.remark:
            self._faults.warn("stamps", plausibility.remark, now)
            plausibility.remark = ""
        if verdict is Judgement.REFUSED:
            self._faults.warn("implausible", self._implausible, now)
            return False
        state.copy_from(incoming)
        if state.stamp == 0.0:
            state.stamp = now
        self.has_state = True
        self.arrived = now
        self._round_trip.arrive(incoming.reflected_sequence, now)
        if verdict is Judgement.MOVED:
            self._faults.fail("moved", f"the robot was moved: {plausibility.explain()}", now)
            return True
        return False

    def _implausible(self) -> str:
        return f"a measurement that cannot be was refused: {self._plausibility.explain()}"

    def _look_for_silence(self, now: float) -> None:
        silence = now - self.arrived
        is_doubtful = self._plausibility.is_doubtful
        self.is_silent = is_doubtful or silence > self._timeout
        if is_doubtful:
            self._faults.fail("doubt", self._doubt, now)
        elif self.is_silent:
            self._faults.fail("silent", lambda: self._silence(silence), now)

    def _doubt(self) -> str:
        return f"the robot's measurements cannot be: {self._plausibility.explain()}"

    def _silence(self, duration: float) -> str:
        return (
            f"no state from the robot for {duration:.3f} s, expected within {self._timeout:g} s"
            f"{self._explanation()}"
        )

    def _warn_of_refused(self, now: float) -> None:
        refused = self._robot.refused
        if refused == self._refused:
            return
        self._refused = refused
        self._faults.warn("refused", self._tell_refused, now)

    def _tell_refused(self) -> str:
        count, self._refused_told = self._refused - self._refused_told, self._refused
        return f"{count} measurements were refused since the last warning{self._explanation()}"

    def _explanation(self) -> str:
        try:
            reason = self._robot.explain()
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            reason = told(error)
        return f": {reason}" if reason else ""

    def _normalise_base(self) -> None:
        orientation = self.state.base_orientation
        x, y, z, w = orientation.tolist()  # four numbers are cheaper without NumPy
        square = x * x + y * y + z * z + w * w
        if abs(square - 1.0) <= ROUNDING:
            return
        if square > 0.0:
            orientation /= math.sqrt(square)
        else:
            orientation[3] = 1.0
