"""Walking: takes a robot on two feet along at a velocity."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.errors import did_you_mean
from controlit_ros.locomotion import dcm_plan, step_adaptation, stepping_leg
from controlit_ros.locomotion.dcm_plan import PendulumMotion
from controlit_ros.locomotion.footstep import Footstep, Side, short_way
from controlit_ros.locomotion.given_steps import AS_LONG, GivenSteps, first_too_far, too_far
from controlit_ros.locomotion.heading import Heading
from controlit_ros.locomotion.led_goal import LedGoal
from controlit_ros.locomotion.push_reaction import AT_ONCE, PushReaction, StepInAir
from controlit_ros.locomotion.reactive_steps import SteadyStep, StepRoom
from controlit_ros.locomotion.sole_turn import LEAST_SLOPE, LEVEL
from controlit_ros.locomotion.stepping_leg import Ground, SteppingLeg
from controlit_ros.locomotion.stride import Landing, Roll, StepTimes, Stride, StridePlanner
from controlit_ros.locomotion.swing import RISES, Swing
from controlit_ros.locomotion.velocity_steps import StepLimits, VelocitySteps, first_side
from controlit_ros.locomotion.vrp_segment import VrpSegment
from controlit_ros.locomotion.wanted_velocity import WantedVelocity
from controlit_ros.model import BASE_DOFS, RobotDescription, RobotModel
from controlit_ros.parameters import Access, Kind, Parameter, ParameterError, Quantity
from controlit_ros.servo.behaviour import Behaviour, LedParts, Moment
from controlit_ros.tasks import ENABLE, AnyShape, DivergentShape, FootstepShape
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.orientation_3d import Orientation3D

_Part = TypeVar("_Part")
_Other = TypeVar("_Other")

STEPS_AHEAD = 3  # what comes after changes ξ by e^(−3 ω T), less than a millimetre
BESIDE = 0.01  # [m] and about as many radians: feet that stand so need no last step
APART = 0.03  # [m, rad] nor one after a last step that was changed, when the robot has come to rest
AT_REST = 0.05  # [m/s, rad/s] of the root link
MAY_TOUCH = 0.6  # [of a single support] before, a force is of the foot that leaves

SHORTEST_SHIFT = 0.5  # [of a double support] of the weight, to a foot that came down late

LONGEST = 3.0  # [s] plans of longer steps are rounded away: ξ grows by e^(ω T)
FARTHEST = 1.5  # [m, rad] no foot goes farther

BOTH = "both"


class Walking(Behaviour):
    """Steps towards a velocity: footsteps, motion of the centre of mass, swing feet, contacts.

    The centre of mass follows a linear pendulum over the steps to come (`DcmPlan`). Its task's
    gains are the feedback: with kp = k ω and kd = k + ω the error of ξ fades with e^(−kt), which is
    r = r_d + (1 + k/ω)(ξ − ξ_d). A contact leaves and comes in the cycle in which the plan, or the
    sole that feels the ground, says so; what somebody else switches is switched back. Every step is
    planned when the one before has come down, from where the feet are. Where control begins with a
    foot in the air, after a fault for example, that foot first comes down.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self._declare_parts()
        self._declare_gait()
        self._declare_steps()
        self.push = PushReaction(self, self.touch_force)
        self.velocity = WantedVelocity(self)
        self.given = GivenSteps(self)
        self._declare_outputs()

    def _declare_parts(self) -> None:
        def part(key: str, default: str, description: str) -> Parameter:
            return self.declare(key, default, access=Access.CONFIGURATION, description=description)

        self.center_of_mass = part("center_of_mass", "CenterOfMass", "task of the centre of mass")
        self.contacts = {
            Side.LEFT: part("left_contact", "LeftSole", "contact of the left sole"),
            Side.RIGHT: part("right_contact", "RightSole", "contact of the right sole"),
        }
        self.feet = {
            Side.LEFT: part("left_foot", "LeftFoot", "CartesianPose task of the left sole"),
            Side.RIGHT: part("right_foot", "RightFoot", "CartesianPose task of the right sole"),
        }
        self.turned = self.declare(
            "turned",
            (),
            kind=Kind.TEXT,
            shape=(None,),
            access=Access.CONFIGURATION,
            description="Orientation3D tasks of bodies that turn with the feet",
        )

    def _declare_gait(self) -> None:
        def time(key: str, default: float, least: float, description: str) -> Parameter:
            return self.declare(
                key, default, lower=least, upper=LONGEST, unit="s", description=description
            )

        self.times = (
            time("single_support", 0.6, 0.1, "time on one foot"),
            time("double_support", 0.15, 0.02, "time on both feet between two steps"),
            time("shift", 0.8, 0.1, "time on both feet before the first step"),
        )
        self.roll = self.declare(
            "roll",
            0.0,
            lower=0.0,
            upper=1.0,
            access=Access.CONFIGURATION,
            description="how far the repellent point goes on under the foot that stands, of the "
            "way of the other one; for robots with heavy legs",
        )
        self.inset = self.declare(
            "inset",
            0.0,
            lower=0.0,
            upper=0.5,
            unit="m",
            access=Access.CONFIGURATION,
            description="how far inside of the middle of the sole that stands alone the repellent "
            "point is: outward, where no foot can go after a push, there is more of the sole then",
        )
        self.swing_height = self.declare(
            "swing_height",
            0.05,
            lower=0.0,
            upper=0.5,
            unit="m",
            description="how far the sole rises above the higher of the places it goes between",
        )
        self.sinking_speed = self.declare(
            "sinking_speed",
            0.1,
            lower=0.0,
            upper=1.0,
            unit="m/s",
            description="speed with which a foot looks for the ground that was not there in time",
        )
        self.patience = self.declare(
            "patience",
            0.1,
            lower=0.0,
            upper=LONGEST,
            unit="s",
            description="time for which a foot looks for the ground before it counts as standing",
        )
        self.touch_force = self.declare(
            "touch_force",
            30.0,
            lower=0.0,
            unit="N",
            description="force square to the ground from which a foot in the air has come down; "
            "looked at where the contact has a wrench_sensor",
        )

    def _declare_steps(self) -> None:
        def limit(key: str, default: float, unit: str, description: str) -> Parameter:
            return self.declare(
                key, default, lower=0.0, upper=FARTHEST, unit=unit, description=description
            )

        self.limits = (
            limit("max_step_length", 0.4, "m", "how far a foot goes ahead of the other"),
            limit("max_step_outward", 0.25, "m", "how far a foot goes outward of its place"),
            limit("max_step_turn", 0.4, "rad", "how far a foot turns outward"),
        )
        self.keeps_stepping = self.declare(
            "keeps_stepping",
            default=False,
            description="whether it steps in place where it is asked for no velocity, as robots on "
            "point feet must",
        )
        self.foot_distance = limit(
            "foot_distance", 0.0, "m", "between the feet side by side; 0: as when walking began"
        )

    def _declare_outputs(self) -> None:
        def output(key: str, default: object, **properties: object) -> Parameter:
            return self.declare(key, default, access=Access.OUTPUT, **properties)

        self.support = output(
            "support",
            BOTH,
            choices=(BOTH, "left", "right"),
            description="on which feet the robot stands",
        )
        self.rests = output(
            "rests", True, description="whether it stands on both feet and goes nowhere"
        )
        self.steps_made = output(
            "steps", 0, kind=Kind.INTEGER, description="how many have come down"
        )
        self.steps_ahead = output(
            "steps_ahead",
            0,
            kind=Kind.INTEGER,
            description="how many of the footsteps that were given are not made yet",
        )
        self.changes = output(
            "step_changes",
            0,
            kind=Kind.INTEGER,
            description="how often a step changed its place or time in the air",
        )
        vector = {"shape": (3,), "quantity": Quantity.POINT, "unit": "m"}
        self.dcm = output(
            "dcm", (0.0,) * 3, description="divergent component of motion, c + ċ/ω", **vector
        )
        self.dcm_goal = output("dcm_goal", (0.0,) * 3, description="where it shall be", **vector)
        self.repellent_point = output(
            "repellent_point",
            (0.0,) * 3,
            description="planned point from which the centre of mass is repelled, above the soles",
            **vector,
        )
        self.next_step = output(
            "next_step", (0.0,) * 3, description="where the next foot comes down", **vector
        )
        self.next_step_yaw = output(
            "next_step_yaw",
            0.0,
            unit="rad",
            description="how it is turned about z; not a number while no step is planned",
        )
        self.next_step_yaw.value = np.nan
        self.next_step_slope = output(
            "next_step_slope",
            LEVEL,
            shape=(2,),
            description="how the ground rises there along x and y of the world",
        )

    def configure(self, parts: LedParts) -> None:
        """Find tasks and contacts.

        Raises:
            ParameterError: One is unknown, of another type, or not in the world.
        """
        self._com = _led(self.center_of_mass, parts.tasks, CenterOfMass)
        self._com_goal = LedGoal.of(self._com, self.center_of_mass)
        self._legs = {side: self._leg(side, parts) for side in Side}
        self._check_contacts()
        turned = [
            _named(self.turned, name, parts.tasks, Orientation3D) for name in self.turned.value
        ]
        self._heading = Heading(turned)
        dcm_plan.prepare()
        step_adaptation.prepare()
        stepping_leg.prepare()

    @property
    def commands(self) -> tuple[Parameter, ...]:
        """Where it walks."""
        return (self.velocity.wanted, self.given.given)

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return the divergent component, and the next step of soles, as large as the left one."""
        divergent = DivergentShape(self.dcm_goal, self.dcm)
        contact = self._legs[Side.LEFT].contact
        if not isinstance(contact, FlatContact):
            return (divergent,)
        return (
            divergent,
            FootstepShape(
                self.next_step, self.next_step_yaw, self.next_step_slope, contact.half_size
            ),
        )

    def _leg(self, side: Side, parts: LedParts) -> SteppingLeg:
        task = _led_either(self.feet[side], parts.tasks, CartesianPose, CartesianPosition)
        contact = _led_either(self.contacts[side], parts.constraints, FlatContact, PointContact)
        root = self.robot.frame_id(self.robot.root_link)
        goal = LedGoal.of(task, self.feet[side])
        leg = SteppingLeg(side, contact, contact.site, task, goal, root, Ground())
        leg.check(self.feet[side])
        return leg

    def _check_contacts(self) -> None:
        left, right = (self.contacts[side] for side in Side)
        bodies = {leg.contact.body.value for leg in self._legs.values()}
        if len(bodies) < len(self._legs):
            raise ParameterError(
                f"{left.full_name}, {right.full_name}: found {left.value!r} and {right.value!r} "
                f"on the same body, {bodies.pop()!r}; expected one of each foot"
            )

    def begin(self, moment: Moment) -> None:
        """Stand where the robot is, with its weight between the feet; put one down that is up."""
        model = moment.model
        self._look_at_ground(model)
        left, right = feet = self._places(model)
        up = [leg for leg in self._legs.values() if leg.is_up(self.touch_force.value)]
        standing = [foot for foot in feet if len(up) != 1 or foot.side is not up[0].side]
        height = model.center_of_mass().position[2] - _mean_height(standing)
        gravity = -float(self.robot.pinocchio.gravity.linear[2])
        self._planner = StridePlanner(float(height), gravity, self._roll)
        yaw = _middle(left.yaw, right.yaw)
        self._width = self.foot_distance.value or _apart(left, right, yaw)
        self._heading.begin(yaw)
        self.velocity.begin(moment.now)
        self.given.begin()
        self._swing: Swing | None = None
        self._left: Callable[[Moment], None] | None = None
        self.push.begin(self._planner, self._legs, moment.now)
        self._is_apart = False
        self._velocity: Array = np.zeros(3)
        self._hindered, self._was_listed, self._ends = "", False, False
        self.support.value = BOTH
        self._rest(moment)
        if len(standing) < len(feet):
            self._come_down(moment, standing[0])

    def step(self, moment: Moment) -> None:
        """Lead on by a cycle."""
        self.velocity.hear(moment.now)
        self.given.hear(lambda steps: self._objection(steps, moment))
        self.waits = False
        self._hindered = self._hindrance()
        self.complaint = self._hindered or self.given.refusal
        if self._keep(moment):
            self._proceed(moment)
        self.rests.value = self._is_at_rest(moment.now)
        self._lead(moment)

    def _is_at_rest(self, now: float) -> bool:
        """Return whether it stands on both feet, and its plan is at its end."""
        stride = self._stride
        has_come = self._swing is None and stride.step is None
        return has_come and now - self._began >= stride.plan.duration

    def _proceed(self, moment: Moment) -> None:
        """Go on to what comes next, once it is time.

        What contacts that change leave to be done is done in the next cycle, or in two: they cost
        enough.
        """
        if (left := self._left) is not None:
            self._left = None
            left(moment)
        elif self._swing is not None:
            self._go_down(moment, self._swing)
            if self._swing is not None:  # it has not come down
                self._react(moment, self._swing)
        elif self._stride.step is None:
            if not self._puts_down(moment) and not self._catches(moment):
                self._set_off(moment)
        elif moment.now - self._began >= self._stride.lift:
            self._lift(moment, self._stride.step)
        elif self.push.may_hurry and self.push.steps.adapts.value:
            self._hurry(moment, self._stride.step)
        elif self._sets_off:
            self._catches(moment)

    def _hindrance(self) -> str:
        """Return what keeps the robot from going where it is asked to go."""
        state = self._com.operational_state
        if state.value == ENABLE or self._first_side() is None:
            return ""
        return (
            f"no step is made: found {state.full_name} to be {state.value!r}, expected {ENABLE!r}, "
            "or nothing keeps the balance"
        )

    def _times(self) -> StepTimes:
        return StepTimes(*(time.value for time in self.times))

    @property
    def _roll(self) -> Roll:
        half_sizes = [leg.half_size for leg in self._legs.values()]
        return Roll(self.roll.value, np.min(half_sizes, axis=0), self.inset.value)

    @property
    def _steps(self) -> VelocitySteps:
        return VelocitySteps(self._width, StepLimits(*(limit.value for limit in self.limits)))

    def _look_at_ground(self, model: RobotModel) -> None:
        """Take what both soles agree on for the slope of the ground, if the robot is at rest."""
        left, right = (np.array(leg.tilt(model)) for leg in self._legs.values())
        is_agreed = np.hypot(*(left - right)) < LEAST_SLOPE
        is_at_rest = np.abs(model.v[:BASE_DOFS]).max() < AT_REST  # else it may stand on its heels
        x, y = (0.5 * (left + right)).tolist() if is_agreed and is_at_rest else LEVEL
        for leg in self._legs.values():
            leg.ground.slope = (x, y)

    def _places(self, model: RobotModel) -> tuple[Footstep, Footstep]:
        return self._legs[Side.LEFT].place(model), self._legs[Side.RIGHT].place(model)

    def _follow(self, stride: Stride, now: float) -> None:
        self._stride, self._began, self._sets_off = stride, now, False
        self.next_step_yaw.value = np.nan if stride.step is None else stride.step.yaw
        if stride.step is not None:
            self.next_step.value[:] = stride.step.position
            self.next_step_slope.value[:] = stride.step.slope

    def _motion(self, now: float) -> PendulumMotion:
        return self._stride.plan.at(now - self._began)

    def _keep(self, moment: Moment) -> bool:
        """Let the feet stand and swing as they shall; return whether they do."""
        swinging = None if self._swing is None else self._swing.target.side
        for side, leg in self._legs.items():
            swings = side is swinging
            if leg.is_switched(swings=swings):
                continue
            if self._waits(moment):
                return False
            leg.switch(swings=swings)
        return True

    def _rest(self, moment: Moment) -> None:
        """Come to rest on both feet, from the motion that the robot has."""
        motion = self._planner.measured(moment.model)
        feet = self._places(moment.model)
        self._follow(self._planner.stop(motion, feet, self._times().shift), moment.now)

    def _come_down(self, moment: Moment, stance: Footstep) -> None:
        """Put the other foot down where it is."""
        here = self._legs[stance.side.other].place(moment.model)
        x, y, _ = here.position.tolist()
        target = here._replace(position=stance.ground_at(x, y), slope=stance.slope)
        self._swing_to(moment, here, target, 0.0)
        self._lifted -= RISES * self._times().single_support

    def _waits(self, moment: Moment) -> bool:
        """Return whether contacts cannot change in this cycle; then they shall soon."""
        self.waits = not moment.may_switch
        return self.waits

    def _set_off(self, moment: Moment) -> None:
        """Begin to walk from rest, if that is asked for."""
        side = self._first_side()
        if not self._is_at_rest(moment.now) or side is None or self._hindered:
            return
        left, right = self._places(moment.model)
        stance, other = (right, left) if side is Side.LEFT else (left, right)
        steps = self._ahead(stance, other)
        self._is_apart = self.push.may_hurry = False
        if steps:
            stride = self._planner.begin(
                self._motion(moment.now), (stance, other), steps, self._times()
            )
            self._follow(stride, moment.now)
            self._sets_off = True

    def _first_side(self) -> Side | None:
        """Return which foot goes first; `None`: nothing is asked for."""
        if self.given.ahead:
            return self.given.ahead[0].side
        target = self.velocity.target
        is_asked = target.any() or self.keeps_stepping.value or self._is_apart
        return first_side(target) if is_asked else None

    def _ahead(self, stance: Footstep, other: Footstep) -> list[Footstep]:
        """Return the steps to come; the last of those to a velocity puts the feet side by side."""
        if self._hindered:
            self.given.drop()
        if self._is_listed(stance):
            self._ends = False
            return self._listed(stance, self.given.ahead)
        maker, times = self._steps, self._times()
        duration = times.single_support + times.double_support
        reach = np.zeros(3) if self._hindered else maker.reach(duration)
        velocity = self._velocity = self.velocity.next(reach)
        if velocity.any() or self.keeps_stepping.value:
            self._ends = False
            return self._from(stance, STEPS_AHEAD)
        if self._was_listed:
            return []
        # a last step that came down elsewhere was planned to end at rest there, too
        last, self._ends = maker.beside(stance), not self._ends
        return [last] if self._ends and not _is_beside(last, other, BESIDE) else []

    def _is_listed(self, stance: Footstep) -> bool:
        """Return whether steps that were given come next; if the first cannot be made none does."""
        steps = self.given.ahead
        if not steps or steps[0].side is stance.side:
            return bool(steps)
        slack = APART if self._was_listed else AS_LONG
        if why := too_far(steps[0], stance, self._width, self._steps.limits, slack):
            self.given.drop(f"{self.given.given.full_name}: no more steps are made: {why}")
        return not why

    def _objection(self, steps: Sequence[Footstep], moment: Moment) -> str:
        """Return why a list of steps cannot be made; empty: it can.

        The first step is compared with the foot that stands; of a robot that walks that is known
        only when it is due.
        """
        limits = self._steps.limits
        if steps and self._is_at_rest(moment.now):
            stance = self._legs[steps[0].side.other].place(moment.model)
            if why := too_far(steps[0], stance, self._width, limits):
                return f"step 1: {why}"
        return first_too_far(steps, self._width, limits)

    def _listed(self, stance: Footstep, steps: list[Footstep]) -> list[Footstep]:
        """Return the next of steps that were given, while a foot stands."""
        if steps and steps[0].side is stance.side:  # it comes after one beside the foot that stands
            return [self._steps.beside(stance), *steps[:STEPS_AHEAD]]
        return steps[: STEPS_AHEAD + 1]

    def _after(self, step: Footstep) -> list[Footstep]:
        """Return the steps after one that is under way."""
        ahead = self.given.ahead
        if ahead:
            first = int(self.given.is_next(self._lifted_for))
            return self._listed(step, ahead[first:])[:STEPS_AHEAD]
        return [] if self._ends else self._from(step, STEPS_AHEAD - 1)

    def _from(self, stance: Footstep, number: int) -> list[Footstep]:
        """Return a number of steps at the present velocity, and one beside the last."""
        maker, times = self._steps, self._times()
        steps = []
        for _ in range(number):
            stance = maker.next(stance, self._velocity, times.single_support + times.double_support)
            steps.append(stance)
        return [*steps, maker.beside(stance)]

    def _lift(self, moment: Moment, target: Footstep) -> None:
        if self._waits(moment):
            return
        leg, other = self._legs[target.side], self._legs[target.side.other]
        stance = other.place(moment.model)
        if not (other.contact.wrench_sensor.value or self.given.is_next(target)):
            # it came down unfelt: it may stand lower than when the step was planned from there
            target = target._replace(position=stance.ground_at(*target.position[:2].tolist()))
        self._swing_to(moment, leg.place(moment.model), target, self.swing_height.value)
        leg.switch(swings=True)
        self._heading.turn(_middle(stance.yaw, target.yaw))
        self._lifted_for = target
        now = moment.now
        self._left = lambda _: self._aim(now, stance, target)

    def _aim(self, now: float, stance: Footstep, target: Footstep) -> None:
        """Tell the reaction to pushes of a step that begins."""
        times, leg = self._times(), self._legs[stance.side]
        down = now + times.single_support
        step = SteadyStep(
            stance, target, self._stride.plan, self._began, now, down, times.double_support
        )
        room = StepRoom(leg.half_size, self._width, self._steps.limits)
        self.push.aim(step, room)

    def _react(self, moment: Moment, swing: Swing) -> None:
        """Let the foot come down where and when it keeps the robot from falling, or wait."""
        if self._stride.step is None or not self.push.steps.adapts.value:
            return
        step = StepInAir(swing, self._lifted, self._motion, self._times, self._after)
        changed = self.push.react(moment, step)
        if changed is not None:
            self._follow(changed, moment.now)
            self.changes.value += 1

    def _swing_to(self, moment: Moment, here: Footstep, target: Footstep, height: float) -> None:
        self._swing = Swing(
            here, target, self._times().single_support, height, self.sinking_speed.value
        )
        self._lifted = moment.now
        self.support.value = target.side.other.name.lower()

    def _go_down(self, moment: Moment, swing: Swing) -> None:
        """Let the foot stand if it has come down."""
        time = moment.now - self._lifted
        leg = self._legs[swing.target.side]
        if self._is_down(leg, swing, time) and not self._waits(moment):
            self._land(moment, leg, swing)

    def _is_down(self, leg: SteppingLeg, swing: Swing, time: float) -> bool:
        if not leg.contact.wrench_sensor.value:
            return time >= swing.duration
        touches = leg.feels(self.touch_force.value)
        may_touch = time > MAY_TOUCH * swing.duration
        return (touches and may_touch) or time > swing.duration + self.patience.value

    def _land(self, moment: Moment, leg: SteppingLeg, swing: Swing) -> None:
        leg.switch(swings=False)
        leg.ground.slope = swing.target.slope
        self._swing = None
        self.support.value = BOTH
        if self._stride.step is None:  # it was no step, the foot only came down
            self._rest(moment)
        else:
            self.steps_made.value += 1
            self._was_listed = self.given.made(self._lifted_for)
            # after a push the weight comes over the foot as soon as that stands
            due = moment.now if self.push.is_changed else self._lifted + swing.duration
            self._left = lambda then: self._go_on(then, leg, due)

    def _go_on(self, moment: Moment, leg: SteppingLeg, due: float) -> None:
        """Settle what comes after a foot that has come down; the plan is made in the next cycle."""
        feet = leg.place(moment.model), self._legs[leg.side.other].place(moment.model)
        landing = self._landing(moment.now, due, feet)
        rest = self.push.rest(moment, landing, self._times().shift)
        if rest is not None:
            self._settle(rest, moment.now)
            self._look_apart(feet)
        else:
            steps = self._ahead(*feet)
            self._left = lambda then: self._plan(then, due, feet, steps)

    def _plan(
        self, moment: Moment, due: float, feet: tuple[Footstep, Footstep], steps: list[Footstep]
    ) -> None:
        """Plan on, on a foot that has come down."""
        landing = self._landing(moment.now, due, feet)
        if steps:
            self._follow(self._planner.go_on(landing, steps, self._times()), moment.now)
            self.push.may_hurry = True
        else:
            self._follow(self._planner.rest(landing), moment.now)
        self._look_apart(feet)

    def _look_apart(self, feet: tuple[Footstep, Footstep]) -> None:
        """See whether the robot, after a push, comes to rest on feet that are not side by side."""
        stance, other = feet
        rests = self.push.is_changed and self._stride.step is None and not self._was_listed
        self._is_apart = rests and not _is_beside(self._steps.beside(stance), other, APART)

    def _settle(self, rest: Stride, now: float) -> None:
        """Rest after a push, before it sets off anew."""
        self.velocity.halt()
        self._ends = False
        self._follow(rest, now)

    def _hurry(self, moment: Moment, step: Footstep) -> None:
        """Shift the weight at once where a push on both feet asks for it."""
        stance = self._legs[step.side.other].place(moment.model)
        other = self._legs[step.side].place(moment.model)
        landing = self.push.hurried(moment, self._motion(moment.now), (stance, other))
        if landing is None:
            return
        self._lifted_for = step
        steps = [step, *self._after(step)]
        self._follow(self._planner.go_on(landing, steps, self._times()), moment.now)

    def _puts_down(self, moment: Moment) -> bool:
        """Return whether, after a push, a foot that bears nothing is put down anew."""
        leg = self.push.bare_leg(moment)
        if leg is None or self._waits(moment):
            return False
        self.push.put_down(moment.now)
        leg.switch(swings=True)
        self._come_down(moment, self._legs[leg.side.other].place(moment.model))
        return True

    def _catches(self, moment: Moment) -> bool:
        """Return whether a step is made at once, as both feet cannot hold what a push did."""
        if self._com.operational_state.value != ENABLE or not self.push.catches:
            return False
        feet = self._places(moment.model)
        stance = self.push.catching_foot(moment, feet)
        if stance is None:
            return False
        planned = self._motion(moment.now)
        if self._sets_off and not self.push.is_off(moment, planned, stance):
            return False
        other = next(foot for foot in feet if foot is not stance)
        landing = Landing(planned, (stance, other), (), AT_ONCE)
        self.velocity.halt()
        self._ends, self.push.may_hurry = True, False
        step = self._steps.beside(stance)
        self._follow(self._planner.go_on(landing, [step], self._times()), moment.now)
        return True

    def _landing(self, now: float, due: float, feet: tuple[Footstep, Footstep]) -> Landing:
        """Return how it goes on where a foot came down earlier or later than planned.

        The weight comes over it at the planned time, so that ξ goes on as planned.
        """
        motion, double = self._motion(now), self._times().double_support
        if now < due:
            point = self._motion(due).repellent_point
            remains = (VrpSegment(due - now, motion.repellent_point, point),)
            return Landing(motion, feet, remains, double)
        return Landing(motion, feet, (), max(double - (now - due), SHORTEST_SHIFT * double))

    def _lead(self, moment: Moment) -> None:
        """Give the tasks their goals."""
        motion = self._motion(moment.now)
        self._com_goal.assign(motion.position, motion.velocity, motion.acceleration)
        swing = self._swing
        if swing is not None:
            time = moment.now - self._lifted
            self._legs[swing.target.side].lead(swing.at(time))
            self._heading.lead(time / swing.duration)
        self._show(motion)

    def _show(self, motion: PendulumMotion) -> None:
        measured = self._com.active
        self.dcm.value[:] = measured.actual + measured.velocity / self._planner.omega
        self.dcm_goal.value[:] = motion.dcm
        self.repellent_point.value[:] = motion.repellent_point
        self.steps_ahead.value = len(self.given.ahead)


def _led(parameter: Parameter, parts: Mapping[str, object], kind: type[_Part]) -> _Part:
    return _named(parameter, parameter.value, parts, kind)


def _led_either(
    parameter: Parameter, parts: Mapping[str, object], one: type[_Part], other: type[_Other]
) -> _Part | _Other:
    found = _fitting(parameter, parameter.value, parts, (one, other))
    assert isinstance(found, (one, other))
    return found


def _named(
    parameter: Parameter, name: str, parts: Mapping[str, object], kind: type[_Part]
) -> _Part:
    found = _fitting(parameter, name, parts, (kind,))
    assert isinstance(found, kind)
    return found


def _fitting(
    parameter: Parameter, name: str, parts: Mapping[str, object], kinds: tuple[type, ...]
) -> object:
    """Return the part of a name and of one of some types, in the world.

    Raises:
        ParameterError: There is none; the text lists the nearest.
    """
    found = parts.get(name)
    if not isinstance(found, kinds):
        fitting = [key for key, part in parts.items() if isinstance(part, kinds)]
        raise ParameterError(
            f"{parameter.full_name}: found {name!r}, expected a "
            f"{' or '.join(kind.__name__ for kind in kinds)}{did_you_mean(name, fitting)}"
        )
    frame = getattr(found, "goal_frame", None)
    if frame is not None and not frame.is_world:
        raise ParameterError(
            f"{parameter.full_name}: found {name!r} with its goal in {frame.frame.value!r}, "
            "expected one in the world"
        )
    return found


def _is_beside(wanted: Footstep, found: Footstep, nearly: float) -> bool:
    """Return whether a foot is nearly where it is wanted, by so much [m, rad]."""
    is_near = float(np.linalg.norm(wanted.position[:2] - found.position[:2])) < nearly
    return is_near and abs(short_way(found.yaw, wanted.yaw)) < nearly


def _apart(left: Footstep, right: Footstep, yaw: float) -> float:
    """Return how far feet are from each other sideways, seen along a yaw [m]."""
    x, y, _ = left.position - right.position
    return float(abs(np.cos(yaw) * y - np.sin(yaw) * x))


def _mean_height(feet: Sequence[Footstep]) -> float:
    return float(np.mean([foot.position[2] for foot in feet]))


def _middle(one: float, other: float) -> float:
    """Return the yaw between two [rad]."""
    directions: Array = np.array([[np.cos(one), np.sin(one)], [np.cos(other), np.sin(other)]])
    x, y = directions.sum(axis=0)
    return float(np.arctan2(y, x))
