"""OneFootStand: a robot stays on the foot that bears it, where no step helps after a push."""

from math import exp

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.flying_foot import FlyingFoot
from controlit_ros.locomotion.reactive_steps import FootGoal, SteadyStep, StepRoom
from controlit_ros.locomotion.step_adaptation import AdaptedStep
from controlit_ros.locomotion.stride import SOLE_SHARE

BACK = 0.3  # [of half a sole] outward at most, before the foot that waits comes down
WAITS = 0.6  # [s] at least: a push is over by then
SPREADS = 1.2  # [-] of the distance of the feet: how much farther the foot that waits goes off
SWINGS = 0.25  # [s] at least, to go there: the faster the more it turns the robot back
SETTLES = 0.4  # [s] at least, to come down
ROUNDS = 4  # [-] of place and time


class OneFootStand:
    """Decides whether the other foot waits in the air, beside the one that stands.

    After a push to the outside of the foot that stands, legs would have to cross to catch the
    robot: a step makes it worse, as the sole lets go of the edge that brings ξ back. It needs none
    as long as ξ is above the sole (zero steps of capturability; Koolen, de Boer, Rebula, Goswami,
    Pratt 2012): pressed beyond ξ the sole stops it; what is missing at its edge the trunk, the arms
    and the leg that waits do, which turn: the leg swings outward on its side. When ξ has come back
    the other foot comes down, and the robot rests.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._has_ended = False

    @property
    def is_on(self) -> bool:
        """Whether the other foot waits."""
        return self._since is not None

    def has_ended(self) -> bool:
        """Return whether the foot that waited comes down."""
        return self._has_ended

    def aim(self, step: SteadyStep, room: StepRoom) -> None:
        """Remember a step that begins."""
        self._stance, self._room = step.stance, room
        self._since, self._has_ended = None, False

    def stays(self, now: float, dcm: Array, step: AdaptedStep | None) -> bool:
        """Return whether it stays on one foot, or begins to.

        It begins where the best step leaves ξ farther outward than the next sole mends.

        Args:
            now: [s].
            dcm: ξ, `(3,)` [m].
            step: The best; `None`: it is too late to change any.
        """
        half = self._room.half_size
        ahead, outward = self._seen(dcm)
        if abs(ahead) > half[0] or (self._since is None and not self._is_lost(step)):
            self._since = None
            return False
        if self._since is None:
            self._since = now
        self._has_ended = now - self._since >= WAITS and outward <= BACK * half[1]
        return not self._has_ended

    def _is_lost(self, step: AdaptedStep | None) -> bool:
        """Return whether a step leaves ξ farther outward than the next sole mends."""
        if step is None:
            return False
        missed = self._stance.side.value * float(step.missed[1])
        return missed > SOLE_SHARE * float(self._room.half_size[1])

    def _seen(self, dcm: Array) -> tuple[float, float]:
        """Return how far ξ is ahead and outward of the foot that stands [m]."""
        ahead, aside = self._stance.seen(dcm - self._stance.position)[:2].tolist()
        return ahead, self._stance.side.value * aside

    def waiting(self, dcm: Array, foot: FlyingFoot) -> FootGoal:
        """Return where a foot waits: far beside the other one, and as far ahead as ξ."""
        reach = self._reach
        ahead = float(np.clip(self._seen(dcm)[0], -reach[0], reach[0]))
        place = self._beside(ahead, spread=SPREADS * self._room.width)
        needed = max(foot.time_to(place, np.zeros(2)), foot.sinking, SWINGS)
        return FootGoal(place, needed)

    def landing(self, dcm: Array, foot: FlyingFoot, omega: float) -> FootGoal:
        """Return where it comes down: so far ahead that ξ comes to the middle between both.

        Args:
            dcm: ξ, `(3,)` [m].
            foot: In the air.
            omega: ω [1/s].
        """
        reach, limit = self._reach, self._room.limits.forward
        ahead = self._seen(dcm)[0]
        pressed = float(np.clip(ahead, -reach[0], reach[0]))
        goal = FootGoal(foot.place, SETTLES)
        for _ in range(ROUNDS):
            goes = pressed + (ahead - pressed) * exp(omega * goal.remaining)
            place = self._beside(min(max(2.0 * goes, -limit), limit))
            goal = FootGoal(place, max(foot.time_to(place, reach), foot.sinking, SETTLES))
        return goal

    @property
    def _reach(self) -> Array:
        reach: Array = SOLE_SHARE * self._room.half_size
        return reach

    def _beside(self, ahead: float, spread: float = 0.0) -> Array:
        aside = self._room.width + min(spread, self._room.limits.outward)
        place: Array = np.array([ahead, -self._stance.side.value * aside])
        return place
