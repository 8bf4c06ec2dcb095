"""PushReaction: what a robot that walks does after a push."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.dcm_plan import PendulumMotion
from controlit_ros.locomotion.flying_foot import FlyingFoot
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.one_foot_stand import OneFootStand
from controlit_ros.locomotion.reactive_steps import (
    FootGoal,
    ReactiveSteps,
    SteadyStep,
    StepRoom,
)
from controlit_ros.locomotion.step_adaptation import AdaptedStep
from controlit_ros.locomotion.stepping_leg import SteppingLeg
from controlit_ros.locomotion.stride import (
    SOLE_SHARE,
    Landing,
    RemainingPress,
    StepTimes,
    Stride,
    StridePlanner,
)
from controlit_ros.locomotion.support_area import is_between
from controlit_ros.locomotion.swing import Swing
from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.servo.behaviour import Moment

AT_ONCE = 0.03  # [s] shift of the weight where more than a sole is to be mended
BARE = 0.1  # [s] for which a foot that bears nothing counts as standing


class StepInAir(NamedTuple):
    """A step whose foot is in the air.

    Attributes:
        swing: Of the foot.
        lifted: When it left [s].
        planned: Returns the motion planned for a time [s].
        times: Returns those of a step.
        after: Returns the steps after one.
    """

    swing: Swing
    lifted: float
    planned: Callable[[float], PendulumMotion]
    times: Callable[[], StepTimes]
    after: Callable[[Footstep], list[Footstep]]


class PushReaction:
    """Changes the step in the air or lets it wait, hurries the next one, puts down a bare foot.

    Args:
        owner: Receives the parameters.
        touch_force: Force from which a foot bears something [N].

    Attributes:
        steps: Decides whether a step changes.
        is_changed: Whether the last step was.
        may_hurry: Whether the weight, on its way to the next foot, may come over it at once.
    """

    def __init__(self, owner: ParameterReflection, touch_force: Parameter) -> None:
        self.steps = ReactiveSteps(owner)
        self._stand = OneFootStand()
        self._touch_force = touch_force

    def begin(self, planner: StridePlanner, legs: Mapping[Side, SteppingLeg], now: float) -> None:
        """Forget what was, at a time [s]."""
        self._planner, self._legs = planner, legs
        self.is_changed = self.may_hurry = False
        self.steps.begin()
        self._bare_since = now

    def aim(self, step: SteadyStep, room: StepRoom) -> None:
        """Remember a step that begins."""
        self.is_changed = False
        self.steps.aim(step, room)
        self._stand.aim(step, room)

    def react(self, moment: Moment, step: StepInAir) -> Stride | None:
        """Let a foot come down where and when it keeps the robot from falling, or wait.

        Returns:
            What is to be followed from now on; `None`: what is.
        """
        if self._stand.has_ended():
            return None
        now, swing, dcm = moment.now, step.swing, self._planner.dcm(moment.model)
        foot = self.steps.flying(swing, now - step.lifted)
        found = self.steps.look(now, dcm, foot)
        begins = not self._stand.is_on
        if self._stand.stays(now, dcm, found):
            target = self._redirect(now, step, self._stand.waiting(dcm, foot))
            return self._stay(moment, step, target) if begins else None
        if self._stand.has_ended():
            return self._end_stand(moment, step, foot)
        if found is not None and self.steps.is_worth(found, foot):
            return self._changed(moment, step, found)
        return None

    def _stay(self, moment: Moment, step: StepInAir, target: Footstep) -> Stride:
        """Stay on the foot that stands while the other one waits."""
        measured = self._planner.measured(moment.model)
        return self._planner.stay(measured, self._stance(moment, step), target)

    def _stance(self, moment: Moment, step: StepInAir) -> Footstep:
        """Return where the foot stands that is not in the air."""
        return self._legs[step.swing.target.side.other].place(moment.model)

    def _changed(self, moment: Moment, step: StepInAir, found: AdaptedStep) -> Stride:
        """Let the foot come down elsewhere, or at another time."""
        target = self._redirect(moment.now, step, FootGoal(found.place, found.remaining))
        planned = step.planned(moment.now)
        position = self._planner.measured(moment.model).position
        position[2] = planned.position[2]
        height = float(planned.repellent_point[2])
        press = RemainingPress(found.remaining, self.steps.press(found), height)
        steps = [target, *step.after(target)]
        feet = (self._stance(moment, step), step.swing.start)
        return self._planner.adapt(position, press, feet, steps, step.times())

    def _redirect(self, now: float, step: StepInAir, goal: FootGoal) -> Footstep:
        """Send the foot in the air elsewhere; return the place."""
        target, time = self.steps.target(goal.place), now - step.lifted
        step.swing.redirect(time, target, time + goal.remaining)
        self.is_changed = True
        return target

    def _end_stand(self, moment: Moment, step: StepInAir, foot: FlyingFoot) -> Stride:
        """Put down the foot that waited, and come to rest between both."""
        measured = self._planner.measured(moment.model)
        goal = self._stand.landing(measured.dcm, foot, self._planner.omega)
        target = self._redirect(moment.now, step, goal)
        feet, double = (self._stance(moment, step), target), step.times().double_support
        return self._planner.come_down(measured, feet, goal.remaining, double)

    def rest(self, moment: Moment, landing: Landing, shift: float) -> Stride | None:
        """Return how the robot rests before it sets off anew, where a push made it come down so.

        Args:
            moment: Now.
            landing: Of the foot.
            shift: Time to come to rest in [s].
        """
        if self._stand.has_ended():
            return self._planner.rest(landing)
        if self._stand.is_on or self._has_caught_itself(moment, landing):
            motion = self._planner.measured(moment.model)
            return self._planner.stop(motion, landing.feet, shift)
        return None

    def _has_caught_itself(self, moment: Moment, landing: Landing) -> bool:
        """Return whether, after a push, both feet can hold ξ, but one could not go on from it."""
        feet = landing.feet
        if not self.is_changed or not self.is_off(moment, landing.motion, feet[0]):
            return False
        return is_between(self._planner.dcm(moment.model), feet, self._reach)

    def hurried(
        self, moment: Moment, planned: PendulumMotion, feet: tuple[Footstep, Footstep]
    ) -> Landing | None:
        """Shift the weight at once where a push on both feet is more than a sole mends.

        Args:
            moment: Now.
            planned: The motion planned for now.
            feet: The one that the weight goes to, and the one that leaves.

        Returns:
            From where it goes on; `None`: it need not.
        """
        if not self.is_off(moment, planned, feet[0]):
            return None
        self.may_hurry = False
        return Landing(planned, feet, (), AT_ONCE)

    @property
    def catches(self) -> bool:
        """Whether a step is made at rest where the soles, if they have a size, do not hold ξ."""
        steps = self.steps
        return bool(steps.adapts.value and steps.catches.value and self._reach.all())

    def catching_foot(self, moment: Moment, feet: tuple[Footstep, Footstep]) -> Footstep | None:
        """Return the foot to stand on while the other one steps, where both cannot hold ξ.

        It is the one that ξ is nearer to, which bears more already.

        Args:
            moment: Now.
            feet: Both, which stand.

        Returns:
            `None`: no step is needed, or none would help: the foot bears nothing, as those of a
            robot that is lifted.
        """
        dcm = self._planner.dcm(moment.model)
        if is_between(dcm, feet, self._reach):
            return None
        here, there = (float(np.hypot(*foot.seen(dcm - foot.position))) for foot in feet)
        stance = feet[0] if here <= there else feet[1]
        leg = self._legs[stance.side]
        is_bare = leg.contact.wrench_sensor.value and not leg.feels(self._touch_force.value)
        return None if is_bare else stance

    @property
    def _reach(self) -> Array:
        """How far from its middle each sole presses, `(2,)` [m]."""
        left, right = (leg.half_size for leg in self._legs.values())
        reach: Array = SOLE_SHARE * np.minimum(left, right)
        return reach

    def is_off(self, moment: Moment, planned: PendulumMotion, stance: Footstep) -> bool:
        """Return whether ξ is farther off its plan than the sole of a foot mends."""
        off = self._planner.dcm(moment.model) - planned.dcm
        reach = SOLE_SHARE * self._legs[stance.side].half_size
        return bool(reach.all() and (np.abs(stance.seen(off)) > reach).any())

    def bare_leg(self, moment: Moment) -> SteppingLeg | None:
        """Return the leg that, after a push, bears nothing for too long: its foot only drifts."""
        leg = self._bearing_nothing(moment) if self.is_changed else None
        if leg is None:
            self._bare_since = moment.now
        return leg if moment.now - self._bare_since > BARE else None

    def put_down(self, now: float) -> None:
        """Give a foot that is put down anew time to bear something."""
        self._bare_since = now

    def _bearing_nothing(self, moment: Moment) -> SteppingLeg | None:
        """Return the leg that bears nothing, where ξ is above the other sole."""
        force = self._touch_force.value
        bare = [
            leg
            for leg in self._legs.values()
            if leg.contact.wrench_sensor.value and not leg.feels(force)
        ]
        is_one = len(bare) == 1 and self._is_above(moment, bare[0].side.other)
        return bare[0] if is_one else None

    def _is_above(self, moment: Moment, side: Side) -> bool:
        """Return whether ξ is above a sole."""
        leg = self._legs[side]
        place = leg.place(moment.model)
        off = place.seen(self._planner.dcm(moment.model) - place.position)
        return bool((np.abs(off) <= leg.half_size).all())
