"""ReactiveSteps: the step in the air comes down elsewhere, or earlier, after a push."""

from typing import NamedTuple

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array
from controlit_ros.locomotion.dcm_plan import DcmPlan
from controlit_ros.locomotion.flying_foot import FlyingFoot
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
from controlit_ros.locomotion.swing import Swing
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.parameters import ParameterReflection

LATEST = 0.1  # [s] before a foot is down it changes its way no more,
LATEST_PART = 1.0 / 6.0  # [-] or so much of the step, where that is less
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
        stance, motion, target = self._step.stance, swing.at(time), swing.target.position
        ways = np.empty((3, 2))
        kernels.seen_from(stance.position, stance.yaw, motion, target, ways)
        height = float(motion[0, 2] - target[2])
        return FlyingFoot(ways, swing.duration - time, height, self.acceleration.value)

    def aim(self, step: SteadyStep, room: StepRoom) -> None:
        """Remember a step that begins."""
        self._step = step
        self._latest = min(LATEST, LATEST_PART * (step.down - step.lifted))
        self._end = step.stance.seen(
            step.plan.at(step.down - step.began).dcm - step.stance.position
        )
        self._place = step.stance.seen(step.target.position - step.stance.position)
        self._reach = SOLE_SHARE * room.half_size
        self._has_sole = bool(self._reach.any())
        self._bounds = self._bounds_of(step, room)

    def look(self, now: float, dcm: Array, foot: FlyingFoot) -> AdaptedStep | None:
        """Return what the step shall be; `None`: nothing is changed any more.

        Args:
            now: [s].
            dcm: ξ as it is, `(3,)` [m].
            foot: In the air.
        """
        step = self._step
        if not self._has_sole:
            dcm = dcm + self._drift.look(now, dcm, step.stance, step.plan.omega)
        if foot.remaining <= self._latest:
            return None
        due = min(now, step.down - self._latest)  # a step that was put off is to be down soon
        planned = step.plan.at(due - step.began).dcm
        measured, meant = (step.stance.seen(at - step.stance.position) for at in (dcm, planned))
        return adapted_step(
            SupportTimes(step.plan.omega, step.double_support),
            measured,
            meant,
            self._reach,
            StepGoal(self._place, self._end, step.down - due),
            self._window(now, foot.sinking),
            foot,
        )

    def _window(self, now: float, least: float) -> StepWindow:
        """Return what the step may become, in some time at least; what was planned is within."""
        step = self._step
        remaining = step.down - now
        if remaining < self._latest:
            remaining = max(self._latest, least)
        shortest = max(self.shortest.value - (now - step.lifted), self._latest, least)
        return StepWindow(self._bounds, min(shortest, remaining), remaining)

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
        (x, y), (aims_x, aims_y) = step.place.tolist(), foot.target.tolist()
        moved = max(abs(x - aims_x), abs(y - aims_y))
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
