"""Stride: what a walking robot does next, and the motion of its centre of mass over it."""

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.locomotion.dcm_plan import DcmPlan, PendulumMotion, first_dcm
from controlit_ros.locomotion.footstep import Footstep, Point
from controlit_ros.locomotion.vrp_segment import VrpSegment
from controlit_ros.model import RobotModel

ANY_TIME = 1.0  # [s] of what does not move
SOLE_SHARE = 0.6  # [-] of a sole: how far from its middle it can be counted on


class StepTimes(NamedTuple):
    """How long the parts of a step take [s].

    Attributes:
        single_support: On one foot.
        double_support: On both, between two steps.
        shift: On both, before the first step.
    """

    single_support: float
    double_support: float
    shift: float


class Roll(NamedTuple):
    """How the repellent point goes on under a foot that stands alone.

    The leg in the air is accelerated, then slowed down; for that the sole presses farther ahead,
    then farther behind. So that it presses near its middle, the repellent point does the contrary.

    Attributes:
        share: Its way, of that of the foot in the air [-].
        half_size: `(2,)` of a sole, its longest way: half of it on each side of the middle [m].
        inset: How far it is from the middle of the sole, towards the other foot [m].
    """

    share: float
    half_size: Array
    inset: float = 0.0

    def way(self, stance: Footstep, start: Footstep, target: Footstep) -> Point:
        """Return its way while the other foot goes from one place to another [m]."""
        x, y, _ = (self.share * (target.position - start.position)).tolist()
        ahead, aside = (
            min(max(wanted, -most), most)
            for wanted, most in zip(stance.along(x, y), self.half_size.tolist(), strict=True)
        )
        end_x, end_y, end_z = stance.point_from_here(ahead, aside)
        x, y, z = stance.position.tolist()
        return end_x - x, end_y - y, end_z - z


class Landing(NamedTuple):
    """What there is when a foot has come down.

    Attributes:
        motion: As planned for now.
        feet: The one that came down, then the other.
        remains: Of the plan until the foot was to be down; empty if it is later.
        double_support: On both feet from then on [s].
    """

    motion: PendulumMotion
    feet: tuple[Footstep, Footstep]
    remains: tuple[VrpSegment, ...]
    double_support: float

    @property
    def way(self) -> float:
        """Time on both feet [s]."""
        return self.double_support + sum(segment.duration for segment in self.remains)

    def to(self, end: Array) -> list[VrpSegment]:
        """Return how the repellent point goes on while both feet stand."""
        start = self.remains[-1].end if self.remains else self.motion.repellent_point
        return [*self.remains, VrpSegment(self.double_support, start, end)]


class RemainingPress(NamedTuple):
    """How a foot stands until the other one is down.

    Attributes:
        duration: [s].
        offset: `(3,)` of the repellent point from above the foot, in the world [m].
        height: Of the repellent point now [m].
    """

    duration: float
    offset: Array
    height: float


class Stride(NamedTuple):
    """A plan, and the step with which it begins.

    Attributes:
        plan: From now on.
        lift: When the foot leaves, since the plan began [s]; infinite: none does.
        step: Where it goes; `None`: the robot comes to rest on both feet.
    """

    plan: DcmPlan
    lift: float
    step: Footstep | None


class StridePlanner:
    """Plans the motion over steps, for a centre of mass at a height above the soles.

    On one foot the repellent point rolls on above it, on both it goes to the next. On stairs it
    rises and sinks while one foot stands alone, and is above the lower one while both do: the
    leg behind, or the one that goes down, then is long enough. Plans end on both feet, so that
    each, if nobody makes another, stops the robot.

    Args:
        height: Of the centre of mass above the soles [m].
        gravity: Downwards [m/s²].
        roll: Of the repellent point.

    Raises:
        ControlItError: The robot does not stand on its soles.
    """

    def __init__(self, height: float, gravity: float, roll: Roll) -> None:
        if not (height > 0.0 and gravity > 0.0):
            raise ControlItError(
                f"nothing stands so: found the centre of mass {height:.3g} m above the soles and "
                f"{gravity:.3g} m/s² of gravity downwards; expected both above zero"
            )
        self.omega = sqrt(gravity / height)
        self._roll = roll
        self._height = height

    def measured(self, model: RobotModel) -> PendulumMotion:
        """Return the motion that a robot has, as if it were repelled from ξ."""
        center = model.center_of_mass()
        position, velocity = center.position.copy(), center.velocity.copy()
        dcm = self._dcm(position, velocity)
        return PendulumMotion(dcm, dcm, position, velocity, -self.omega * velocity)

    def dcm(self, model: RobotModel) -> Array:
        """Return ξ of a robot, `(3,)` [m]."""
        center = model.center_of_mass()
        return self._dcm(center.position, center.velocity)

    def _dcm(self, position: Array, velocity: Array) -> Array:
        dcm: Array = position + velocity / self.omega
        return dcm

    def above(self, *feet: Footstep) -> Array:
        """Return the repellent point above the middle of some feet, `(3,)` [m].

        Its height is that above the lowest of them.
        """
        x, y, _ = (sum((foot.position for foot in feet), np.zeros(3)) / len(feet)).tolist()
        return np.array(self._at_height_of(x, y, feet))

    def _between(self, stance: Footstep, other: Footstep) -> Point:
        """Return the repellent point above one foot, as high as both allow [m]."""
        x, y, _ = stance.point_from_here(0.0, -stance.side.value * self._roll.inset)
        return self._at_height_of(x, y, (stance, other))

    def _at_height_of(self, x: float, y: float, feet: Sequence[Footstep]) -> Point:
        lowest: float = min([foot.position[2].item() for foot in feet])
        return x, y, lowest + self._height

    def stop(
        self, motion: PendulumMotion, feet: tuple[Footstep, Footstep], duration: float
    ) -> Stride:
        """Come to rest between both feet, which stand."""
        return self.rest(Landing(motion, feet, (), duration))

    def rest(self, landing: Landing) -> Stride:
        """Come to rest between both feet, of which one has just come down."""
        segments = landing.to(self.above(*landing.feet))
        return Stride(DcmPlan(self.omega, segments, landing.motion.position), inf, None)

    def stay(self, motion: PendulumMotion, stance: Footstep, waits: Footstep) -> Stride:
        """Bring ξ above the foot that stands, at once, while the other one waits in the air."""
        there = self.above(stance)
        plan = DcmPlan(self.omega, [VrpSegment(ANY_TIME, there, there)], motion.position)
        return Stride(plan, 0.0, waits)

    def come_down(
        self,
        motion: PendulumMotion,
        feet: tuple[Footstep, Footstep],
        duration: float,
        double_support: float,
    ) -> Stride:
        """Come to rest between the foot that stands and one that is down after a duration.

        Until then the first presses from where ξ goes on as it is.

        Args:
            motion: Now.
            feet: The one that stands, then the place of the other one.
            duration: Until that is down [s].
            double_support: On both feet, until it rests [s].
        """
        end = self.above(*feet)

        def pressed(point: Array) -> list[VrpSegment]:
            return [VrpSegment(duration, point, point), VrpSegment(double_support, point, end)]

        point = _found(lambda at: first_dcm(self.omega, pressed(at)), motion.dcm)
        return Stride(DcmPlan(self.omega, pressed(point), motion.position), 0.0, feet[1])

    def begin(
        self,
        motion: PendulumMotion,
        feet: tuple[Footstep, Footstep],
        steps: Sequence[Footstep],
        times: StepTimes,
    ) -> Stride:
        """Go from rest: the repellent point first goes where it drives the body over a foot.

        Halfway in the shift it passes a point that is chosen so that ξ begins where it is. ξ is
        linear in that point.

        Args:
            motion: Now.
            feet: The one that stays, then the one that leaves.
            steps: At least one.
            times: Of a step.
        """
        half, start = 0.5 * times.shift, motion.repellent_point
        over = self._over(feet, steps, times)
        end = over[0].start

        def by_way_of(point: Array) -> list[VrpSegment]:
            return [VrpSegment(half, start, point), VrpSegment(half, point, end), *over]

        point = _found(lambda at: first_dcm(self.omega, by_way_of(at)), motion.dcm)
        plan = DcmPlan(self.omega, by_way_of(point), motion.position)
        return Stride(plan, times.shift, steps[0])

    def go_on(self, landing: Landing, steps: Sequence[Footstep], times: StepTimes) -> Stride:
        """Go on with the next steps.

        Where they ask for another ξ than there is, as those do that stop, the foot that came down
        presses off its middle during the first of them: as far as ξ needs and the sole bears.
        """
        over = self._over(landing.feet, steps, times)

        def pressed(off: Array) -> list[VrpSegment]:
            single, double = over[0], over[1]
            first = VrpSegment(single.duration, single.start + off, single.end + off)
            shifted = [first, double._replace(start=first.end), *over[2:]]
            return [*landing.to(first.start), *shifted]

        wanted = _found(lambda off: first_dcm(self.omega, pressed(off)), landing.motion.dcm)
        segments = pressed(self._borne(wanted, landing.feet[0], over[0]))
        plan = DcmPlan(self.omega, segments, landing.motion.position)
        return Stride(plan, landing.way, steps[0])

    def _borne(self, off: Array, stance: Footstep, way: VrpSegment) -> Array:
        """Return what a sole can do of a shift of the way of the repellent point, `(3,)` [m]."""
        ways = (off, way.start - stance.position, way.end - stance.position)
        seen = [stance.along(*along.tolist()[:2]) for along in ways]
        borne = []
        for size, wanted, start, end in zip(self._roll.half_size.tolist(), *seen, strict=True):
            reach = SOLE_SHARE * size
            least = min(-reach - min(start, end), 0.0)
            most = max(reach - max(start, end), 0.0)
            borne.append(min(max(wanted, least), most))
        return stance.from_here(*borne) - stance.position

    def adapt(
        self,
        position: Array,
        press: RemainingPress,
        feet: tuple[Footstep, Footstep],
        steps: Sequence[Footstep],
        times: StepTimes,
    ) -> Stride:
        """Go on in mid-step, to a first step that has changed.

        Args:
            position: Of the centre of mass, `(3,)` [m].
            press: Until the foot is down.
            feet: The one that stands, then the place from which the other one came.
            steps: At least one.
            times: Of a step.
        """
        _, double, *rest = self._over(feet, steps, times)
        start = feet[0].position + press.offset
        end = start.copy()
        start[2], end[2] = press.height, double.start[2]
        first = [VrpSegment(press.duration, start, end), double._replace(start=end)]
        return Stride(DcmPlan(self.omega, [*first, *rest], position), 0.0, steps[0])

    def _over(
        self, feet: tuple[Footstep, Footstep], steps: Sequence[Footstep], times: StepTimes
    ) -> list[VrpSegment]:
        """Return the way over steps from the moment on in which the second of the feet leaves."""
        stance, leaves = feet
        ends: list[Point | Array] = []
        for step in steps:
            way = self._roll.way(stance, leaves, step)
            ends.append(_shifted(self._between(stance, leaves), way, -0.5))
            ends.append(_shifted(self._between(stance, step), way, 0.5))
            stance, leaves = step, stance
        ends.append(self.above(leaves, stance))
        ways: Array = np.array(ends)
        durations = (times.single_support, times.double_support)
        return [VrpSegment(durations[i % 2], ways[i], ways[i + 1]) for i in range(len(ways) - 1)]


def _shifted(point: Point, way: Point, share: float) -> Point:
    """Return a point after a share of a way."""
    (x, y, z), (dx, dy, dz) = point, way
    return x + share * dx, y + share * dy, z + share * dz


def _found(dcm_of: Callable[[Array], Array], wanted: Array) -> Array:
    """Return the point at which a function that is linear, alike for all axes, has a value."""
    at_zero = dcm_of(np.zeros(3))
    gain = dcm_of(np.ones(3)) - at_zero
    point: Array = (wanted - at_zero) / gain
    return point
