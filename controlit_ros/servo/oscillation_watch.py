"""OscillationWatch: notices joints that shake, and those that swing ever more."""

import math
from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.kernels import bind, shakes
from controlit_ros.kernels import oscillation as layout
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.servo.footing import Footing
from controlit_ros.servo.goal_watch import GoalWatch, JointSwing
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.servo.rest import Rest
from controlit_ros.servo.routine import Duty, by_python
from controlit_ros.servo.throttle import Throttle

ASSUMED_VELOCITY = 10.0  # [rad/s] of joints whose description names no limit
LONGEST_PERIOD = 60.0  # [s] between warnings of a joint that goes on shaking

# What alternates at 10 Hz and more is no motion of a robot's links that anybody asked for.
CHATTER_MEAN = 0.02  # [s] time constant of what counts as its middle
CHATTER_WINDOW = 0.1  # [s] over which it is averaged
CHATTER_CROSSINGS = 20.0  # [1/s] two a period
SLOWEST_CHATTER = 5.0  # [Hz] of goals; one of 10 Hz is counted within a window
SUSTAINED = 0.3  # [s] it must go on: the shock of a contact rings for less

# Loops over delays swing with about the frequency at which their gain is one: 2 Hz and more.
SWING_MEAN = 0.25  # [s]
LONGEST_SWING = 0.25  # [s] half a period
DEAD_ZONE = 0.02  # [-] of the limit, so that noise makes no swings
STRONG_VELOCITY = 0.2  # [-] of the velocity limit; more is held back where that is enforced
STRONG_EFFORT = 0.7  # [-] of the effort limit
GROWN_VELOCITY = 0.25  # [-] of the velocity limit, for swings that grow
GROWN = 2.0  # [-] times the first of them
MANY = 10  # [swings] strong ones in a row, or
GROWING = 5  # [swings] that grow, in a row
JUMP = 4.0  # [-] times the one before: a push on what only trembled
MOVES = 0.05  # [-] of the velocity limit: efforts alone that alternate are no divergence

# A sole that presses with its edge rocks, at some 30 Hz, and shakes what is above it: a push does
# that, and is over in a second. Gains that do not bear the delay rock it on and on.
ROCKS = 1.0  # [s] longest
PAUSE = 0.25  # [s] that ends it


class OnDivergence(Enum):
    """What follows when a joint swings ever more."""

    WARN = "warn"
    SAFE = "safe"


class OscillationSettings(NamedTuple):
    """What counts as shaking, and what follows.

    Attributes:
        on_divergence: What a joint that swings ever more leads to.
        chatter: Mean deviation of an effort, as a share of its limit, from which it is told; 0:
            never.
    """

    on_divergence: OnDivergence = OnDivergence.SAFE
    chatter: float = 0.03


class OscillationWatch:
    """Looks at commands and measurements for loops that are not stable; servo thread.

    *Chatter* is an effort, commanded or measured, that alternates at 10 Hz or more about its mean:
    noise that gains amplify, drives that damp too much. It is a warning with joint, size and
    frequency.

    *Divergence* is a velocity, or an effort together with a velocity, that swings at 2 Hz or more
    near its limits, or ever more towards them: gains that delays do not bear. Joints that carry a
    sole that tips may do so for a second, and others with them: it rocks, and shakes the robot.
    Joints that follow goals which swing diverge only if they move further than the goals do; if
    not, that is a warning that names the goals.

    Args:
        robot: Its limits are compared with, enforced or not.
        settings: What counts.
        frequency: Of the servo [Hz].
        notices: Takes the warnings.
        footing: Knows the joints that carry a sole that tips.
        goals: Knows goals that swing, which joints follow as they are commanded.
    """

    def __init__(
        self,
        robot: RobotDescription,
        settings: OscillationSettings,
        frequency: float,
        notices: NoticeBoard,
        footing: Footing,
        goals: GoalWatch,
    ) -> None:
        self.settings = settings
        self._footing = footing
        self._goals = goals
        self._dofs = robot.command_dofs
        self._joints, self._indices = robot.command_joints, robot.command_indices
        self._notices = notices
        self._frequency = frequency
        n, limits = len(self._joints), JointLimits.of(robot)
        self._effort_limit = _usable(limits.effort, math.inf)
        self._velocity_limit = _usable(limits.velocity, ASSUMED_VELOCITY)
        self._sustained = SUSTAINED * frequency
        pace = layout.Pace(
            chatter_mean=-math.expm1(-1.0 / (CHATTER_MEAN * frequency)),
            window=-math.expm1(-1.0 / (CHATTER_WINDOW * frequency)),
            often=CHATTER_CROSSINGS / frequency,
            sustained=self._sustained,
            swing_mean=-math.expm1(-1.0 / (SWING_MEAN * frequency)),
            longest=LONGEST_SWING * frequency,
            growth=GROWN,
            growing=GROWING,
            many=MANY,
            jump=JUMP,
        )
        self._pace: Array = np.array(pace)
        share = settings.chatter if settings.chatter > 0.0 else math.inf
        self._levels: Array = np.vstack(
            [
                share * self._effort_limit,
                DEAD_ZONE * self._velocity_limit,
                DEAD_ZONE * self._effort_limit,
                STRONG_VELOCITY * self._velocity_limit,
                STRONG_EFFORT * self._effort_limit,
                GROWN_VELOCITY * self._velocity_limit,
                MOVES * self._velocity_limit,
            ]
        )
        self._signals: Array = np.zeros((2, n))
        self._kept: Array = np.zeros((layout.KEPT_ROWS, n))
        self._commanded = self._kept[layout.COMMANDED : layout.MEASURED]
        self._measured = self._kept[layout.MEASURED : layout.SWINGING]
        self._swing = self._kept[layout.SWINGING : layout.EFFORT_SWINGING]
        self._found = np.zeros(n, dtype=np.bool_)
        self._result = np.zeros(1, dtype=np.int64)
        self._throttles = tuple(Throttle(LONGEST_PERIOD) for _ in self._joints)
        self.rest = Rest()
        self.begin()

    def begin(self) -> None:
        """Forget what was seen: control begins, or time does."""
        self._kept.fill(0.0)
        self._footing.begin()
        self._goals.begin()
        self._rocks_since, self._rocked = 0.0, -math.inf

    def restart(self) -> None:
        """Forget even that something diverged: time begins anew, or a user asks again."""
        self.begin()
        self.rest.restart()

    def looking(self, command: Command, state: RobotState) -> tuple[Duty, ...]:
        """Return what looks at a command that goes to the robot, and at the state it answers.

        Args:
            command: With limits applied.
            state: Measured.
        """
        kept = bind(
            shakes,
            command.effort,
            state.velocity,
            state.effort,
            self._indices,
            self._levels,
            self._pace,
            self._kept,
            self._signals,
            self._found,
            self._result,
        )
        look = Duty(kept, lambda now: self._tell_all(self._result.item(), state, now))
        if not self._footing.senses:
            return (look,)
        return by_python(lambda now: self._footing.look(state, now)), look

    def _tell_all(self, found: int, state: RobotState, now: float) -> None:
        if found & layout.CHATTERS:
            self._tell(self._commanded, "command", now)
        if found & layout.CHATTER_IS_MEASURED:
            self._tell(self._measured, "measured effort", now)
        if found & layout.DIVERGES and not self._rocks(state, now):
            self._diverge(now)

    def _rocks(self, state: RobotState, now: float) -> bool:
        """Return whether some of what swings carries a sole that tips, and does not for long."""
        if not (self._found & self._footing.unsure(state, now)).any():
            return False
        if now - self._rocked > PAUSE:
            self._rocks_since = now
        self._rocked = now
        return now - self._rocks_since < ROCKS

    def _joint_swing(self, joint: int) -> JointSwing:
        """Return how a joint swings, with the frequency of what is strong about it."""
        effort_swing = self._kept[layout.EFFORT_SWINGING :]
        strong = effort_swing if effort_swing[7, joint] >= MANY else self._swing
        frequency = 0.5 * self._frequency / max(1.0, float(strong[8, joint]))
        return JointSwing(int(self._dofs[joint]), float(self._swing[4, joint]), frequency)

    def _tell(self, kept: Array, what: str, now: float) -> None:
        """Warn of joints whose effort chatters."""
        found = np.flatnonzero(kept[4] >= self._sustained).tolist()
        due = [i for i in found if self._throttles[i].passes(now)]
        if not due:
            return
        parts = [
            f"{self._joints[i]}: ±{kept[1, i]:.3g} at "
            f"{0.5 * self._frequency * kept[2, i]:.0f} Hz (limit {self._effort_limit[i]:.4g})"
            for i in due
        ]
        repeated = sum(self._throttles[i].take_held() for i in due)
        goals = "; ".join(str(s) for s in self._goals.swings(now) if s.frequency >= SLOWEST_CHATTER)
        expected = goals or "expected lower gains or damping, less noise or delay"
        text = f"chatter of the {what} of {'; '.join(parts)}: {expected}"
        self._notices.put(NoticeLevel.WARNING, "chatter", text, now, repeated)

    def _diverge(self, now: float) -> None:
        found = np.flatnonzero(self._found).tolist()
        parts = [
            f"{self._joints[i]} by ±{self._swing[4, i]:.3g} (velocity limit "
            f"{self._velocity_limit[i]:.3g})"
            for i in found
        ]
        goals = self._goals.cause([self._joint_swing(i) for i in found], now)
        if goals:
            text = f"joints swing as commanded: {', '.join(parts)}; {goals}"
            self._kept.fill(0.0)
            self._notices.post(NoticeLevel.WARNING, "commanded swing", text, now)
            return
        text = (
            f"control diverges, joints swing: {', '.join(parts)}; expected lower gains or less "
            "delay"
        )
        self.begin()
        if self.settings.on_divergence is OnDivergence.WARN:
            self._notices.post(NoticeLevel.WARNING, "divergence", text, now)
            return
        self.rest.begin(text, now)


def _usable(limits: Array, otherwise: float) -> Array:
    """Return limits, and something else where there is none to compare with."""
    usable: Array = np.where(np.isfinite(limits) & (limits > 0.0), limits, otherwise)
    return usable
