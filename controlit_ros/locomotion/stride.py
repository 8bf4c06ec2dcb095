"""Stride: what a walking robot does next, and the motion of its centre of mass over it."""

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.locomotion.dcm_plan import DcmPlan, PendulumMotion, first_dcm
from controlit_ros.locomotion.footstep import Footstep
from controlit_ros.locomotion.vrp_segment import VrpSegment


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


class RemainingPress(NamedTuple):
    """How a foot stands until the other one is down.

    Attributes:
        duration: [s].
        offset: `(3,)` of the repellent point from above the foot, in the world [m].
    """

    duration: float
    offset: Array


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

    On one foot the repellent point rests above it, on both it goes on to the next. Plans end on
    both feet, so that each, if nobody makes another, stops the robot.

    Args:
        height: Of the centre of mass above the soles [m].
        gravity: Downwards [m/s²].

    Raises:
        ControlItError: The robot does not stand on its soles.
    """

    def __init__(self, height: float, gravity: float) -> None:
        if not (height > 0.0 and gravity > 0.0):
            raise ControlItError(
                f"nothing stands so: found the centre of mass {height:.3g} m above the soles and "
                f"{gravity:.3g} m/s² of gravity downwards; expected both above zero"
            )
        self.omega = sqrt(gravity / height)
        self._up: Array = np.array([0.0, 0.0, height])

    def above(self, *feet: Footstep) -> Array:
        """Return the repellent point above the middle of some feet, `(3,)` [m]."""
        middle: Array = sum((foot.position for foot in feet), np.zeros(3)) / len(feet)
        point: Array = middle + self._up
        return point

    def rest(self, motion: PendulumMotion, feet: Sequence[Footstep], duration: float) -> Stride:
        """Come to rest between both feet."""
        way = VrpSegment(duration, motion.repellent_point, self.above(*feet))
        return Stride(DcmPlan(self.omega, [way], motion.position), inf, None)

    def begin(
        self, motion: PendulumMotion, stance: Footstep, steps: Sequence[Footstep], times: StepTimes
    ) -> Stride:
        """Go from rest: the repellent point first goes where it drives the body over `stance`.

        Halfway in the shift it passes a point that is chosen so that ξ begins where it is. ξ is
        linear in that point.
        """
        half, start, end = 0.5 * times.shift, motion.repellent_point, self.above(stance)
        rest = self._over(stance, steps, times)

        def by_way_of(point: Array) -> list[VrpSegment]:
            return [VrpSegment(half, start, point), VrpSegment(half, point, end), *rest]

        point = _found(lambda at: first_dcm(self.omega, by_way_of(at)), motion.dcm)
        plan = DcmPlan(self.omega, by_way_of(point), motion.position)
        return Stride(plan, times.shift, steps[0])

    def go_on(
        self, motion: PendulumMotion, stance: Footstep, steps: Sequence[Footstep], times: StepTimes
    ) -> Stride:
        """Go on with the next steps; `stance` has just come down."""
        double = times.double_support
        way = VrpSegment(double, motion.repellent_point, self.above(stance))
        segments = [way, *self._over(stance, steps, times)]
        return Stride(DcmPlan(self.omega, segments, motion.position), double, steps[0])

    def adapt(
        self,
        position: Array,
        press: RemainingPress,
        stance: Footstep,
        steps: Sequence[Footstep],
        times: StepTimes,
    ) -> Stride:
        """Go on in mid-step, to a first step that has changed; `stance` stands."""
        point = self.above(stance) + press.offset
        single, double, *rest = self._over(stance, steps, times)
        first = [
            single._replace(duration=press.duration, start=point, end=point),
            double._replace(start=point),
        ]
        return Stride(DcmPlan(self.omega, [*first, *rest], position), 0.0, steps[0])

    def _over(
        self, stance: Footstep, steps: Sequence[Footstep], times: StepTimes
    ) -> list[VrpSegment]:
        segments = []
        for step in steps:
            here = self.above(stance)
            there = self.above(stance, step) if step is steps[-1] else self.above(step)
            segments.append(VrpSegment(times.single_support, here, here))
            segments.append(VrpSegment(times.double_support, here, there))
            stance = step
        return segments


def _found(dcm_of: Callable[[Array], Array], wanted: Array) -> Array:
    """Return the point at which a function that is linear, alike for all axes, has a value."""
    at_zero = dcm_of(np.zeros(3))
    gain = dcm_of(np.ones(3)) - at_zero
    point: Array = (wanted - at_zero) / gain
    return point
