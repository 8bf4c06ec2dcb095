"""Intake: takes over what the robot measured."""

import math
from collections.abc import Callable

from controlit_ros.errors import told
from controlit_ros.kernels import accept_measurement, normalise_base
from controlit_ros.kernels.measurement_layout import AGAIN, BELIEVED
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.robots import RobotInterface
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.encoder_watch import EncoderWatch
from controlit_ros.servo.estimated_base import EstimatedBase
from controlit_ros.servo.plausibility import Judgement, Plausibility
from controlit_ros.servo.plausible_odometry import PlausibleOdometry
from controlit_ros.servo.round_trip import RoundTrip
from controlit_ros.servo.shared_memory import Memory


class Intake:
    """Reads the robot, keeps what cannot be, and knows how long there was nothing; servo thread.

    Args:
        robot: Read once a cycle.
        description: Its joints and sensors.
        plausibility: Judges each measurement.
        base: Who tells where the base is; `None`: the robot knows.
        round_trip: Is told which command a measurement answers.
        create_watch: Returns what checks the encoders of a state.
        faults: Is told what is wrong.
        timeout: Age of the last good measurement at which the robot counts as silent [s].
        memory: Where the state is kept.

    Attributes:
        state: The last good measurement.
        has_state: Whether there was one.
        is_silent: Whether that is long ago.
        arrived: When it came [s].
        encoders: Checks each measurement.
    """

    def __init__(
        self,
        robot: RobotInterface,
        description: RobotDescription,
        *,
        plausibility: Plausibility,
        base: PlausibleOdometry | EstimatedBase | None,
        round_trip: RoundTrip,
        create_watch: Callable[[RobotState], EncoderWatch],
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
        self._take = plausibility.taking(self._incoming, self.state)
        self._rehearse = plausibility.rehearsing(self.state)
        self._base = base
        self.encoders = create_watch(self.state)
        self._round_trip = round_trip
        self._faults = faults
        self._timeout = timeout
        self._base_is_lost = False
        self._refused = self._refused_told = 0
        self._compile()

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
        self.encoders.restart()
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
        if fresh:
            self.encoders.mask(self._incoming)
        was_moved = fresh and self._take_over(now)
        if fresh and self.arrived == now:
            if was_moved:
                self.encoders.forget()
            self.encoders.check(now)
        self.encoders.complain(now)
        if self.is_silent or self.arrived != now or self._plausibility.in_a_row:
            self._look_for_silence(now)
        if self._robot.refused != self._refused:
            self._warn_of_refused(now)
        return was_moved

    def trust_encoders(self) -> None:
        """Believe all encoders again, wherever the joints seem to be now."""
        if self.encoders.restart():
            self._plausibility.begin()

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
            normalise_base(self.state.vector)
        return changed

    def rehearse(self) -> None:
        """Do the work of a cycle to no effect."""
        self._rehearse()

    def _compile(self) -> None:
        """Run the kernels once, so that they are compiled before the first cycle."""
        self._rehearse()
        accept_measurement(self.state.vector, self.state.vector, 0.0)
        normalise_base(self.state.vector)

    def _take_over(self, now: float) -> bool:
        """Take over a measurement that can be; return whether the robot was moved."""
        verdict = self._take(float(now))
        if verdict == AGAIN:
            return False
        state, plausibility = self.state, self._plausibility
        was_moved = False
        if verdict != BELIEVED or plausibility.in_a_row:
            judgement = plausibility.tell(verdict, self._incoming, state, now)
            if plausibility.remark:
                self._faults.warn("stamps", plausibility.remark, now)
                plausibility.remark = ""
            if judgement is Judgement.REFUSED:
                self._faults.warn("implausible", self._implausible, now)
                if (reach := plausibility.reach_of_jump(now)) is not None:
                    self.encoders.check_jump(self._incoming, reach)
                return False
            if verdict != BELIEVED:
                accept_measurement(self._incoming.vector, state.vector, float(now))
            was_moved = judgement is Judgement.MOVED
        self.has_state = True
        self.arrived = now
        self._round_trip.arrive(state.reflected_sequence, now)
        if was_moved:
            self._faults.fail("moved", f"the robot was moved: {plausibility.explain()}", now)
        return was_moved

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
        self._refused = self._robot.refused
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
