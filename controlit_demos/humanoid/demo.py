"""HumanoidDemo: Talos keeps its balance when pushed, shifts its weight and lifts a foot."""

from contextlib import ExitStack

import numpy as np

from controlit_demos.humanoid.cued_plan import Action, Check, Cue, CuedPlan, PushCue, Switch
from controlit_demos.humanoid.pusher import pusher
from controlit_demos.programs.goal_plan import PlanBuilder
from controlit_demos.programs.goal_program import GoalProgram
from controlit_demos.running.demo import Demo
from controlit_ros.arrays import Array
from controlit_ros.bindings import Conversion, Direction, conversion
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.transport import COMMAND, Publisher, Transport

COM, FOOT = "CenterOfMass", "RightFootPosition"
RIGHT_HAND, LEFT_HAND = "RightHandPosition", "LeftHandPosition"
TASKS = (COM, FOOT, RIGHT_HAND, LEFT_HAND)
LABELS = {
    COM: "centre of mass",
    RIGHT_HAND: "right hand position",
    LEFT_HAND: "left hand position",
}
"""Names of the tasks whose errors count, and how they are shown."""

BOUNDS = {
    COM: 1.0,
    RIGHT_HAND: 0.5,
    LEFT_HAND: 0.5,
}
"""What mean errors must not exceed, in cm and degrees."""

CHEST = "torso_2_link"
PUSH_TIME = 0.1  # [s]
OVER_BOTH = 0.055  # [m] to the left: most weight on the left foot, the right one still presses
OVER_LEFT = 0.085  # [m] to the left: above the left ankle
AHEAD = 0.004  # [m] to the front, from where it stands: to the middle of the left sole
LIFT = (0.05, 0.0, 0.08)  # [m] of the right foot
REACH = (0.08, 0.0, 0.12)  # [m] of both hands
LEAST_HEIGHT = 0.8  # [-] of the centre of mass: below that it has fallen
LEAST_LIFT = 0.06  # [m] that the foot must have been off the ground

ON_ONE_FOOT = {
    "RightSole.operational_state": "disable",
    "RightFootPosition.operational_state": "enable",
    "RightFootOrientation.operational_state": "enable",
    "RightPressure.operational_state": "disable",
    "LeftPressure.operational_state": "sense",
    "Tension.operational_state": "disable",
}
ON_TWO_FEET = {
    "RightSole.operational_state": "enable",
    "RightFootPosition.operational_state": "sense",
    "RightFootOrientation.operational_state": "sense",
    "RightPressure.operational_state": "enable",
    "LeftPressure.operational_state": "enable",
    "Tension.operational_state": "enable",
}


class HumanoidDemo(Demo):
    """Talos keeps its balance when pushed, shifts its weight and lifts a foot.

    Pushes from three sides, both hands, one foot off the ground and back, all on 16 tasks.
    """

    name = "humanoid"
    title = "Talos on its feet"
    configuration_name = "talos/stand.yaml"
    labels = LABELS
    bounds = BOUNDS

    def program(self, stack: ControllerStack, seed: int) -> GoalProgram:  # noqa: ARG002 - the same for every seed
        """Return the plan; it is the same for every seed."""
        return humanoid_plan(stack)

    def equip(
        self, stack: ControllerStack, program: GoalProgram, node: Transport, exits: ExitStack
    ) -> None:
        """Give the plan hands: topics to switch on, and somebody who pushes."""
        assert isinstance(program, CuedPlan)
        outlets = _outlets(stack, node)
        hand = pusher(stack)
        exits.callback(hand.close)

        def perform(action: Action) -> None:
            if isinstance(action, PushCue):
                hand.push(action.link, action.force, action.duration)
            else:
                publisher, form = outlets[action.parameter]
                publisher.publish(form.to_message(action.value, 0.0))

        program.perform = perform


def humanoid_plan(stack: ControllerStack) -> CuedPlan:
    """Return the goals, pushes and switches from where the robot stands."""
    place = _places(stack)
    com, foot = place[COM], place[FOOT]
    right, left = place[RIGHT_HAND], place[LEFT_HAND]
    builder = PlanBuilder([task for task in stack.tasks.tasks if task.name in TASKS])
    cues: list[Cue] = []

    def over(side: float) -> Array:
        return np.array([com[0] + AHEAD * side / OVER_LEFT, side, com[2]])

    def move(name: str, duration: float, pause: float, **goals: Array) -> None:
        place.update(goals)
        builder.add(name, duration, place, pause)

    def cue(action: Action, delay: float = 0.0) -> None:
        cues.append(Cue(builder.now + delay, action))

    def switch(states: dict[str, str]) -> None:
        for parameter, state in states.items():
            cue(Switch(parameter, state))

    move("stand", 0.0, 0.0)
    for side, force in (("left", (0.0, -80.0, 0.0)), ("back", (70.0, 0.0, 0.0)),
                        ("front", (-100.0, 0.0, 0.0))):  # fmt: skip
        cue(PushCue(CHEST, force, PUSH_TIME), delay=0.5)
        move(f"pushed from the {side}", 3.0, 0.0)
    reach = np.array(REACH)
    move("raise both hands", 2.0, 0.5, **{RIGHT_HAND: right + reach, LEFT_HAND: left + reach})
    move("lower both hands", 2.0, 0.5, **{RIGHT_HAND: right, LEFT_HAND: left})
    move("shift the weight to the left", 3.0, 0.5, **{COM: over(OVER_BOTH)})
    switch(ON_ONE_FOOT)
    move("leave the right foot", 1.5, 0.5, **{COM: over(OVER_LEFT)})
    move("lift the right foot", 2.0, 2.0, **{FOOT: foot + np.array(LIFT)})
    lifted = builder.now - 1.5, builder.now
    move("put the right foot down", 2.0, 0.5, **{FOOT: foot})
    move("lean on the right foot", 1.5, 0.5, **{COM: over(OVER_BOTH)})
    switch(ON_TWO_FEET)
    move("stand on both feet", 3.0, 0.0, **{COM: com})
    cue(PushCue(CHEST, (0.0, 80.0, 0.0), PUSH_TIME), delay=0.5)
    move("pushed from the right", 3.0, 1.0)
    checks = (
        Check(0.0, np.inf, COM, lambda c: bool(c[2] > LEAST_HEIGHT * com[2]), "it fell"),
        Check(*lifted, FOOT, lambda f: bool(f[2] > foot[2] + LEAST_LIFT), "the foot is down"),
    )
    return CuedPlan(builder, cues, checks)


def _places(stack: ControllerStack) -> dict[str, Array]:
    """Return what the tasks measure in the posture the simulation starts with."""
    robot = simulated_robot(stack)
    state = RobotState(stack.robot.real_joints)
    state.position[:] = robot.parameter("initial_position").value
    state.base_position[:] = robot.parameter("initial_base_position").value
    state.base_orientation[:] = robot.parameter("initial_base_orientation").value
    model = stack.create_model().robot_model
    model.update(state)
    places = {}
    for task in stack.tasks.tasks:
        if task.name in TASKS:
            task.update(model, task.inactive)
            places[task.name] = task.inactive.actual.copy()
    return places


def _outlets(stack: ControllerStack, node: Transport) -> dict[str, tuple[Publisher, Conversion]]:
    """Return a publisher for each parameter that the plan switches."""
    outlets = {}
    for bound in stack.bindings:
        config = bound.config
        if config.direction is Direction.INPUT and config.parameter in ON_ONE_FOOT:
            form = conversion(stack.directory[config.parameter], config.message_type)
            publisher = node.publisher(config.topic, form.type_name, COMMAND)
            outlets[config.parameter] = publisher, form
    return outlets
