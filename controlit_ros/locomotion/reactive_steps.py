"""ReactiveSteps: the step in the air comes down elsewhere, or earlier, after a push."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.dcm_plan import DcmPlan
from controlit_ros.locomotion.footstep import Footstep
from controlit_ros.locomotion.step_adaptation import (
    AdaptedStep,
    StepGoal,
    StepWindow,
    SupportTimes,
    adapted_step,
)
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.parameters import ParameterReflection

LATEST = 0.1  # [s] before a foot is down it changes its way no more,
LATEST_PART = 1.0 / 6.0  # [-] or so much of the step, where that is less
SOLE_SHARE = 0.6  # [-] of a sole: how far from its middle it can be counted on
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
            default=False,
            description="whether a foot in the air comes down elsewhere, or earlier, after a push",
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

    def aim(self, step: SteadyStep, room: StepRoom) -> None:
        """Remember a step that begins."""
        self._step, self._room = step, room
        self._latest = min(LATEST, LATEST_PART * (step.down - step.lifted))
        self._end = step.stance.seen(
            step.plan.at(step.down - step.began).dcm - step.stance.position
        )
        self._place = step.stance.seen(step.target.position - step.stance.position)

    def look(self, now: float, dcm: Array) -> AdaptedStep | None:
        """Return what the step shall be; `None`: nothing is changed any more.

        Args:
            now: [s].
            dcm: ξ as it is, `(3,)` [m].
        """
        step = self._step
        remaining = step.down - now
        if remaining <= self._latest:
            return None
        planned = step.plan.at(now - step.began).dcm
        return adapted_step(
            SupportTimes(step.plan.omega, step.double_support),
            step.stance.seen(dcm - step.stance.position),
            step.stance.seen(planned - step.stance.position),
            SOLE_SHARE * self._room.half_size,
            StepGoal(self._place, self._end, remaining),
            self._window(now),
        )

    def _window(self, now: float) -> StepWindow:
        """Return what the step may become; what was planned is always within."""
        step, room = self._step, self._room
        ahead, aside = np.abs(self._place).tolist()
        near = min(self.closest.value, aside)
        far = max(room.width + room.limits.outward, aside)
        sideways = (near, far) if step.target.side.value > 0 else (-far, -near)
        forward = max(room.limits.forward, ahead)
        lower, upper = np.array([[-forward, sideways[0]], [forward, sideways[1]]])
        remaining = step.down - now
        shortest = max(self.shortest.value - (now - step.lifted), self._latest)
        return StepWindow(lower, upper, min(shortest, remaining), remaining)

    def is_worth(self, step: AdaptedStep, target: Footstep, remaining: float) -> bool:
        """Return whether a step differs from what the foot does now."""
        place = self._step.stance.seen(target.position - self._step.stance.position)
        way, time = WORTH
        moved = float(np.abs(step.place - place).max())
        return moved > way or abs(step.remaining - remaining) > time

    def target(self, step: AdaptedStep) -> Footstep:
        """Return where the foot goes."""
        planned = self._step.target
        place = self._step.stance.from_here(*step.place.tolist())
        place[2] = planned.position[2]
        return planned._replace(position=place)

    def press(self, step: AdaptedStep) -> Array:
        """Return where the sole presses, from its middle, in the world, `(3,)` [m]."""
        stance = self._step.stance
        offset: Array = stance.from_here(*step.pressed.tolist()) - stance.position
        return offset
