"""ControllerStack: a controller built from its configuration, not yet running."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from controlit_ros.bindings import BindingConfig
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.configuration import Configuration
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.controllers import FrictionCompensation, WholeBodyController
from controlit_ros.estimation import BaseEstimator
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.modes import Modes
from controlit_ros.nodes.tried_parts import trying
from controlit_ros.parameters import Event, ParameterDirectory, Roster
from controlit_ros.robots import RobotInterface
from controlit_ros.servo import (
    Behaviour,
    CommandGuard,
    Control,
    Coordinator,
    GuardSettings,
    ModelUpdater,
    Odometry,
    ServoClock,
    ServoPorts,
    ServoSettings,
)
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviours import CyclePart
from controlit_ros.servo.constraint_watch import ConstraintWatch
from controlit_ros.servo.members import Members
from controlit_ros.servo.shared_memory import Memory, private_memory
from controlit_ros.tasks import CompoundTask

SINGLE, ALTERNATIVES = "whole_body_controller", "whole_body_controllers"
"""Sections of the configuration: the controller, or which is active; those it chooses from."""


@dataclass(frozen=True)
class BoundParameter:
    """A binding of the configuration and the transport type that shall carry it."""

    config: BindingConfig
    transport_type: str


@dataclass(frozen=True)
class ControllerStack:
    """Everything a servo node runs, in the order of dependence.

    Tasks, events and directory are those there are at any time; a configuration and bindings that
    follow them come with a new stack.

    Attributes:
        configuration: What it was built from.
        robot: Structure of the robot.
        constraints: The constraint set.
        tasks: The compound task.
        controller: The whole-body controller, or what chooses from several.
        robot_interface: Configured, not connected.
        clock: Not started.
        events: In the order of the file.
        directory: Every parameter by full name.
        bindings: Default and stated ones.
        guard: Which limits are enforced.
        servo: Settings of the coordinator.
        odometry: Where the base is told to be; `None`: the robot interface knows.
        estimator: What tells where the base is from what the robot feels; `None`: nothing.
        friction: What overcomes friction of the joints; `None`: nothing.
        modes: What is on when, and who may command it; `None`: everything always.
        behaviours: What leads tasks and contacts, in the order of the file.
        start: Where the simulated robot begins; `None`: the file describes none.
        check: Finds what is legal but probably not meant, each with its line.
    """

    configuration: Configuration
    robot: RobotDescription
    constraints: ConstraintSet
    tasks: CompoundTask
    controller: WholeBodyController
    robot_interface: RobotInterface
    clock: ServoClock
    events: Roster[Event]
    directory: ParameterDirectory
    bindings: tuple[BoundParameter, ...]
    guard: GuardSettings
    servo: ServoSettings
    odometry: Odometry | None = None
    estimator: BaseEstimator | None = None
    friction: FrictionCompensation | None = None
    modes: Modes | None = None
    behaviours: tuple[Behaviour, ...] = ()
    start: RobotState | None = None
    check: Callable[[], Iterable[str]] = tuple

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What is legal but probably not meant, each with its line; found when first asked for.

        Raises:
            RehearsalError: A part raises what no part should.
        """
        with trying(*self.computing_parts):
            return tuple(self.check())

    @property
    def computing_parts(self) -> tuple[Any, ...]:
        """What cycles compute and a third party may have written."""
        controller = self.controller
        return (
            *self.tasks.tasks,
            *self.constraints.constraints,
            *controller.alternatives,
            *controller.inequalities,
            *self.behaviours,
        )

    @property
    def members(self) -> Members:
        """The parts that come and go, as they are now."""
        return Members(tuple(self.tasks.tasks), tuple(self.constraints.constraints))

    @property
    def frames(self) -> FrameNames:
        """What frames are called in messages."""
        return FrameNames(self.configuration.parameters.frame_prefix)

    def create_model(self) -> ConstrainedModel:
        """Return a new constrained model of this robot."""
        return ConstrainedModel(self.robot, self.constraints)

    def behaving(self) -> Behaving:
        """Return what gives the behaviours their turn in each cycle."""
        return Behaving(self.behaviours, (*self.tasks.tasks, *self.constraints.constraints))

    def create_coordinator(
        self,
        ports: ServoPorts,
        *,
        behaviours: Sequence[CyclePart] | None = None,
        memory: Memory = private_memory,
    ) -> Coordinator:
        """Return a servo that runs these parts; one runs them at a time.

        Args:
            ports: What others hear of it, and what they tell it.
            behaviours: What has its turn in each cycle, in place of the stack's own.
            memory: Where it keeps what others look at.
        """
        coordinator = Coordinator(
            robot=self.robot_interface,
            control=Control(
                ModelUpdater(self.create_model(), self.create_model()),
                self.tasks,
                self.controller,
                self.friction,
            ),
            guard=CommandGuard(self.robot, self.guard, ports.notices),
            events=self.events,
            ports=ports,
            settings=self.servo,
            odometry=self.odometry,
            estimator=self.estimator,
            behaviours=(
                *((self.behaving(),) if behaviours is None else behaviours),
                ConstraintWatch(self.constraints),
            ),
            memory=memory,
        )
        for controller in self.controller.alternatives:
            if controller.servo_limits is not None:
                controller.servo_limits.round_trip = coordinator.round_trip.believed
        return coordinator
