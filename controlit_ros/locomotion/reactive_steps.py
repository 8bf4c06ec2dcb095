"""ReactiveSteps: the step in the air comes down elsewhere, or earlier, after a push."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.dcm_plan import DcmPlan
from controlit_ros.locomotion.footstep import Footstep
from controlit_ros.locomotion.steady_drift import SteadyDrift
from controlit_ros.locomotion.step_adaptation import (
    AdaptedStep,
    StepGoal,
    StepWindow,
    SupportTimes,
    adapted_step,
)
from controlit_ros.locomotion.stride import SOLE_SHARE
from controlit_ros.locomotion.swing import ARRIVES, PEAK, SINKS, Swing
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.parameters import ParameterReflection

LATEST = 0.1  # [s] before a foot is down it changes its way no more,
LATEST_PART = 1.0 / 6.0  # [-] or so much of the step, where that is less
LATER = 0.25  # [s] at most, where a foot needs it to come to where it must
COASTS = 0.4  # [-] of its speed, times the time that is left: how far a foot goes unhurried
ROUNDS = 4  # [-] of time and place of a step: both change little in the third
WORTH = (0.005, 0.01)  # [m], [s] smaller changes are left


class SteadyStep(NamedTuple):
    """A step as it was planned when the foot left.

    Attributes:
        stance: The foot that stands.
        target: Where the other one goes.
        plan: The motion over it.
        began: When the plan began [s].
        lifted: When the foot left [s].
        down: When it is to be down [s].
        double_support: How long both stand then [s].
    """

    stance: Footstep
    target: Footstep
    plan: DcmPlan
    began: float
    lifted: float
    down: float
    double_support: float


class FootGoal(NamedTuple):
    """Where a foot comes down, and when; along the axes of the foot that stands, from it.

    Attributes:
        place: `(2,)` [m].
        remaining: Until then [s].
    """

    place: Array
    remaining: float


class FlyingFoot(NamedTuple):
    """The foot in the air; along the axes of the foot that stands, from it.

    Attributes:
        place: `(2,)` [m].
        velocity: `(2,)` [m/s].
        target: `(2,)` where it goes [m].
        remaining: Until it is down, as it goes now [s].
        height: Above where it comes down [m].
        acceleration: The greatest that it bears along the ground [m/s²].
    """

    place: Array
    velocity: Array
    target: Array
    remaining: float
    height: float
    acceleration: float

    @property
    def sinking(self) -> float:
        """How long it takes at least until it is down [s]."""
        return sqrt(PEAK * max(self.height, 0.0) / SINKS)

    def time_to(self, place: Array, nearly: Array) -> float:
        """Return how long it takes until next to a place, `(2,)` off it at most [s]."""
        way = np.abs(place - self.place - COASTS * self.velocity * self.remaining) - nearly
        return float(np.sqrt(PEAK * np.maximum(way, 0.0) / self.acceleration).max()) / ARRIVES

    def within(self, window: StepWindow, time: float) -> StepWindow:
        """Return what of a window it comes to in a time [s]; where it goes now is always in it."""
        way = self.acceleration * (ARRIVES * time) ** 2 / PEAK
        middle = self.place + COASTS * self.velocity * time
        lower, upper = (
            np.minimum(np.maximum(place, window.lower), window.upper)
            for place in (
                np.minimum(middle - way, self.target),
                np.maximum(middle + way, self.target),
            )
        )
        return StepWindow(lower, upper, time, time)


class StepRoom(NamedTuple):
    """How far a sole presses and a foot goes.

    Attributes:
        half_size: `(2,)` of the sole that stands [m].
        width: Between feet side by side [m].
        limits: Of a step.
    """

    half_size: Array
    width: float
    limits: StepLimits


class ReactiveSteps:
    """Decides whether a step changes.

    Args:
        owner: Receives the parameters.
    """

    def __init__(self, owner: ParameterReflection) -> None:
        self.adapts = owner.declare(
            "adapts_steps",
            default=True,
            description="whether a foot in the air comes down elsewhere, or earlier, after a push",
        )
        self.catches = owner.declare(
            "catches_itself",
            default=True,
            description="whether a robot at rest makes a step where a push is more than its soles "
            "hold, if adapts_steps",
        )
        self.shortest = owner.declare(
            "shortest_single_support",
            0.35,
            lower=0.1,
            upper=3.0,
            unit="s",
            description="least time on one foot of a step that was changed",
        )
        self.closest = owner.declare(
            "closest_feet",
            0.15,
            lower=0.0,
            upper=1.5,
            unit="m",
            description="least distance of the feet sideways of a step that was changed",
        )
        self.acceleration = owner.declare(
            "swing_acceleration",
            30.0,
            lower=1.0,
            unit="m/s²",
            description="along the ground, of a foot whose step is changed: what would need more "
            "is down less far away, or later",
        )
        self._drift = SteadyDrift()

    def begin(self) -> None:
        """Forget what steps before told."""
        self._drift.begin()

    def flying(self, swing: Swing, time: float) -> FlyingFoot:
        """Return how a foot moves, some time [s] after it left."""
        stance, motion = self._step.stance, swing.at(time)
        return FlyingFoot(
            stance.seen(motion.position[:3] - stance.position),
            stance.seen(motion.velocity[:3]),
            stance.seen(swing.target.position - stance.position),
            swing.duration - time,
            float(motion.position[2] - swing.target.position[2]),
            self.acceleration.value,
        )

    def aim(self, step: SteadyStep, room: StepRoom) -> None:
        """Remember a step that begins."""
        self._step, self._room = step, room
        self._latest = min(LATEST, LATEST_PART * (step.down - step.lifted))
        self._end = step.stance.seen(
            step.plan.at(step.down - step.began).dcm - step.stance.position
        )
        self._place = step.stance.seen(step.target.position - step.stance.position)
        self._bounds = self._bounds_of(step, room)

    def look(self, now: float, dcm: Array, foot: FlyingFoot) -> AdaptedStep | None:
        """Return what the step shall be; `None`: nothing is changed any more.

        Where the foot would be hurried beyond what it bears, it comes down less far away; later
        only where it would stand farther off than its sole can mend.

        Args:
            now: [s].
            dcm: ξ as it is, `(3,)` [m].
            foot: In the air.
        """
        step = self._step
        reach = SOLE_SHARE * self._room.half_size
        if not reach.any():
            dcm = dcm + self._drift.look(now, dcm, step.stance, step.plan.omega)
        if foot.remaining <= self._latest:
            return None
        due = min(now, step.down - self._latest)  # a step that was put off is to be down soon
        window = self._window(now, foot.sinking)
        times = SupportTimes(step.plan.omega, step.double_support)
        planned = step.plan.at(due - step.began).dcm
        measured, meant = (step.stance.seen(at - step.stance.position) for at in (dcm, planned))
        goal = StepGoal(self._place, self._end, step.down - due)

        def solved(window: StepWindow) -> AdaptedStep:
            return adapted_step(times, measured, meant, reach, goal, window)

        wanted, longest = solved(window), window.longest + LATER
        for _ in range(ROUNDS):
            needed = min(foot.time_to(wanted.place, reach), longest)
            if needed <= wanted.remaining:
                break
            wanted = solved(window._replace(shortest=needed, longest=needed))
        return solved(foot.within(window, wanted.remaining))

    def _window(self, now: float, least: float) -> StepWindow:
        """Return what the step may become, in some time at least; what was planned is within."""
        step = self._step
        remaining = step.down - now
        if remaining < self._latest:
            remaining = max(self._latest, least)
        shortest = max(self.shortest.value - (now - step.lifted), self._latest, least)
        lower, upper = self._bounds
        return StepWindow(lower, upper, min(shortest, remaining), remaining)

    def _bounds_of(self, step: SteadyStep, room: StepRoom) -> Array:
        """Return least and farthest place, `(2, 2)`; what was planned is within."""
        ahead, aside = np.abs(self._place).tolist()
        near = min(self.closest.value, aside)
        far = max(room.width + room.limits.outward, aside)
        sideways = (near, far) if step.target.side.value > 0 else (-far, -near)
        forward = max(room.limits.forward, ahead)
        return np.array([[-forward, sideways[0]], [forward, sideways[1]]])

    def is_worth(self, step: AdaptedStep, foot: FlyingFoot) -> bool:
        """Return whether a step differs from what the foot does now."""
        way, time = WORTH
        moved = float(np.abs(step.place - foot.target).max())
        return moved > way or abs(step.remaining - foot.remaining) > time

    def target(self, place: Array) -> Footstep:
        """Return where the foot goes, of a place `(2,)` along the axes of the one that stands."""
        planned = self._step.target
        x, y, _ = self._step.stance.from_here(*place.tolist()).tolist()
        return planned._replace(position=planned.ground_at(x, y))

    def press(self, step: AdaptedStep) -> Array:
        """Return where the sole presses, from its middle, in the world, `(3,)` [m]."""
        stance = self._step.stance
        offset: Array = stance.from_here(*step.pressed.tolist()) - stance.position
        return offset
