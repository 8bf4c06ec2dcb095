"""ControllerStack: a controller built from its configuration, not yet running."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.bindings import BindingConfig, Direction, default_bindings
from controlit_ros.configuration import (
    EVERY_JOINT,
    Configuration,
    ConfigurationError,
    ControllerParameters,
    PluginKind,
    ProblemCollector,
    WholeBodyControllerEntry,
    format_path,
    load_configuration,
    load_plugin,
)
from controlit_ros.configuration.robot_description import is_inline
from controlit_ros.constraints import (
    ConstrainedModel,
    Constraint,
    ConstraintSet,
    slaves_of,
    with_coupled_limits,
)
from controlit_ros.controllers import (
    ExchangeableController,
    FrictionCompensation,
    WholeBodyController,
)
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.model import (
    LockedJointError,
    ModelError,
    ModelOptions,
    RobotDescription,
    RobotState,
    UrdfError,
    moving_joints,
)
from controlit_ros.model.footprint import Footprint
from controlit_ros.nodes.contact_checks import contact_warnings, pressure_problems
from controlit_ros.nodes.coupling_warnings import coupling_warnings
from controlit_ros.nodes.force_warnings import force_warnings
from controlit_ros.nodes.gain_warnings import gain_warnings
from controlit_ros.nodes.goal_warnings import goal_warnings
from controlit_ros.nodes.gravity_warnings import gravity_warnings
from controlit_ros.nodes.loop_warnings import loop_warnings
from controlit_ros.nodes.margin_warnings import margin_warnings
from controlit_ros.nodes.prediction_checks import prediction_problems
from controlit_ros.nodes.quaternion_warnings import quaternion_warnings
from controlit_ros.nodes.remote_access import access_warnings, remote_access
from controlit_ros.nodes.robot_warnings import robot_warnings
from controlit_ros.nodes.round_trip_delay import round_trip_delay
from controlit_ros.nodes.standing_warnings import standing_warnings
from controlit_ros.nodes.start_state import rest_state
from controlit_ros.parameters import (
    Event,
    ExpressionError,
    ParameterDirectory,
    ParameterReflection,
)
from controlit_ros.parameters.mailbox import check_assignable
from controlit_ros.robots import RobotInterface, RobotSetup
from controlit_ros.servo import (
    Fallback,
    GuardSettings,
    Odometry,
    OnDivergence,
    OnTruncation,
    OscillationSettings,
    OverrunPolicy,
    OverrunSettings,
    Prediction,
    ServoClock,
    ServoSettings,
    StalenessBound,
    TruncationSettings,
)
from controlit_ros.servo.plausibility import PlausibilitySettings
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.tasks import CompoundTask, Task

KeyPath = tuple[str | int, ...]
FIXED_DIMENSION = 6
# A model is two periods old as a rule. Ten are no matter to a slow servo, twenty milliseconds none
# to a robot.
STALENESS_PERIODS = 10  # [periods]
SHORTEST_STALENESS_AGE = 0.02  # [s]
SINGLE, ALTERNATIVES = "whole_body_controller", "whole_body_controllers"
"""Sections of the configuration: the controller, or which is active; those it chooses from."""
SIMULATOR = "MuJoCo"
"""The robot interface whose parameters stand in the section `simulator`."""


@dataclass(frozen=True)
class BoundParameter:
    """A binding of the configuration and the transport type that shall carry it."""

    config: BindingConfig
    transport_type: str


@dataclass(frozen=True)
class ControllerStack:
    """Everything a servo node runs, in the order of dependence.

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
        friction: What overcomes friction of the joints; `None`: nothing.
        start: Where the simulated robot begins; `None`: the file describes none.
        warnings: What is legal but probably not meant, each with its line.
    """

    configuration: Configuration
    robot: RobotDescription
    constraints: ConstraintSet
    tasks: CompoundTask
    controller: WholeBodyController
    robot_interface: RobotInterface
    clock: ServoClock
    events: tuple[Event, ...]
    directory: ParameterDirectory
    bindings: tuple[BoundParameter, ...]
    guard: GuardSettings
    servo: ServoSettings
    odometry: Odometry | None = None
    friction: FrictionCompensation | None = None
    start: RobotState | None = None
    warnings: tuple[str, ...] = ()

    def create_model(self) -> ConstrainedModel:
        """Return a new constrained model of this robot."""
        return ConstrainedModel(self.robot, self.constraints)


def load_stack(path: str | Path, overrides: Mapping[str, Any] | None = None) -> ControllerStack:
    """Load a configuration file and build its controller.

    Raises:
        ConfigurationError: Holds every problem found, each with its line.
    """
    return build_stack(load_configuration(path, overrides or {}))


def build_stack(configuration: Configuration) -> ControllerStack:
    """Build the controller a configuration describes.

    Raises:
        ConfigurationError: Holds every problem found, each with its line.
    """
    return _StackBuilder(configuration).build()


class _StackBuilder:
    """Builds part after part and collects problems instead of stopping at the first."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.problems: ProblemCollector = configuration.collector()
        self._unbuilt: set[str] = set()  # owners whose parameters are not known for that reason
        self._delay = 0.0  # [s] of the round trip to the robot
        self._simulated: RobotInterface | None = None  # the robot interface, or its simulator

    def build(self) -> ControllerStack:
        configuration = self.configuration
        robot = self._robot()
        constraints = self._constraints(robot)
        robot = robot.with_slaves(slaves_of(constraints.couplings))
        robot = with_coupled_limits(robot, constraints.couplings)
        robot = robot.with_contacts([contact.site for contact in constraints.contacts])
        tasks = self._tasks(robot)
        if not self.problems.problems:  # or the numbers of tasks are not those of the file
            for place, text in pressure_problems(tasks):
                self.problems.add(place, text)
        constraints.with_reactions = any(task.needs_reactions for task in tasks)
        compound_task = CompoundTask(tasks)
        guard = self._guard(robot)
        controller = self._controller(robot, compound_task, guard)
        interface, start = self._robot_interface(robot, constraints)
        clock = self._clock()
        owners: list[ParameterReflection] = [
            *tasks, *constraints.constraints, *controller.parts, interface, clock
        ]  # fmt: skip
        odometry = self._odometry(interface)
        if odometry is not None:
            owners.append(odometry)
        if configuration.parameters.state_prediction != Prediction.NONE.value:
            for text in prediction_problems(interface.setup, controller, tasks):
                self.problems.add(("parameters", "state_prediction"), text)
        friction = self._friction(robot, constraints, tasks)
        if friction is not None:
            owners.append(friction)
        events = self._events(ParameterDirectory(owners))
        directory = ParameterDirectory([*owners, *events])
        bindings = self._bindings(directory, tasks)
        self.problems.raise_if_any()
        simulated = self._simulated or interface
        loops = loop_warnings(
            configuration,
            tasks,
            constraints,
            controller,
            self._servo(),
            simulated,
            start or rest_state(robot),
        )
        stack = ControllerStack(
            configuration=configuration,
            robot=robot,
            constraints=constraints,
            tasks=compound_task,
            controller=controller,
            robot_interface=interface,
            clock=clock,
            events=events,
            directory=directory,
            bindings=bindings,
            guard=guard,
            servo=self._servo(),
            odometry=odometry,
            friction=friction,
            start=start,
        )
        warnings = (*configuration.warnings, *self._warnings(stack, loops))
        return replace(stack, warnings=warnings)

    def _warnings(
        self, stack: ControllerStack, loops: Iterable[tuple[KeyPath, str]]
    ) -> Iterable[str]:
        robot, constraints, tasks = stack.robot, stack.constraints, stack.tasks.tasks
        start = stack.start or rest_state(robot)
        simulated = None if stack.start is None else self._simulated
        stated = stack.bindings[: len(self.configuration.bindings)]
        found: list[tuple[KeyPath, str]] = [
            *((("robot_description",), text) for text in robot_warnings(robot, stack.guard)),
            *coupling_warnings(robot, constraints.couplings),
            *standing_warnings(robot, constraints, stack.robot_interface, simulated, start),
            *goal_warnings(robot, constraints, tasks, start),
            *gain_warnings(tasks),
            *gravity_warnings(robot, constraints, start),
            *margin_warnings(tasks),
            *self._quaternion_warnings(tasks),
            *force_warnings(robot, constraints, tasks, stack.guard, start),
            *contact_warnings(
                robot.urdf,
                constraints.constraints,
                [entry.name for entry in self.configuration.constraints],
                tasks,
            ),
            *loops,
            *access_warnings(
                remote_access(self.configuration.parameters, stack.tasks.tasks),
                stack.directory,
                dict(enumerate((bound.config, bound.transport_type) for bound in stated)),
            ),
        ]
        for path, text in found:
            place = self.configuration.locate(path)
            yield f"{place.line}:{place.column}: {format_path(path)}: {text}"

    def _quaternion_warnings(self, tasks: Sequence[Task]) -> Iterable[tuple[KeyPath, str]]:
        configuration = self.configuration
        for i, (task, entry) in enumerate(zip(tasks, configuration.tasks, strict=True)):
            yield from quaternion_warnings(task, entry.parameters, ("tasks", i))
        if self._simulated is not None:
            for section in ("simulator", "robot_interface"):
                stated = getattr(configuration, section)
                yield from quaternion_warnings(self._simulated, stated, (section,))

    def _robot(self) -> RobotDescription:
        parameters = self.configuration.parameters
        try:
            text = self.configuration.read_robot_description().urdf
            joints = moving_joints(text)
        except ControlItError as error:
            locked = isinstance(error, LockedJointError)
            raise self._no_robot(error, "locked_joints" if locked else "") from None
        for key in ("gravity_compensation_mask", "passive_joints"):
            for i, joint in enumerate(getattr(parameters, key)):
                self._check_joint(joints, joint, ("parameters", key, i))
        inertia = dict(parameters.rotor_inertia)
        others = inertia.pop(EVERY_JOINT, 0.0)
        for joint in inertia:
            self._check_joint(joints, joint, ("parameters", "rotor_inertia", joint))
        known = set(joints)
        options = ModelOptions(
            coupled_joint_groups=parameters.coupled_joint_groups,
            world_gravity=parameters.world_gravity,
            gravity_compensation_mask=tuple(
                j for j in parameters.gravity_compensation_mask if j in known
            ),
            passive_joints=tuple(j for j in parameters.passive_joints if j in known),
            rotor_inertia={j: inertia.get(j, others) for j in joints},
        )
        try:
            robot = RobotDescription(text, options)
        except ControlItError as error:
            key = "coupled_joint_groups" if "coupled" in str(error) else ""
            raise self._no_robot(error, key) from None
        if not robot.actuable_joints:
            none = ModelError("no joint of the robot can be moved, expected one at least")
            raise self._no_robot(none, "")
        return robot

    def _no_robot(self, error: ControlItError, key: str) -> ConfigurationError:
        """Return everything found so far; without a robot nothing else can be looked at."""
        path: KeyPath = ("parameters", key) if key else ("robot_description",)
        if isinstance(error, UrdfError):
            for problem in error.problems:
                self.problems.add(path, f"{self._urdf_name()}{problem}")
        else:
            self.problems.add(path, str(error))
        return ConfigurationError(self.problems.origin.source, self.problems.problems)

    def _urdf_name(self) -> str:
        """Return how messages about lines of the robot description begin."""
        reference = self.configuration.robot_description
        return "" if is_inline(reference) else f"{PurePath(reference).name} "

    def _check_joint(self, joints: Sequence[str], joint: str, path: KeyPath) -> None:
        if joint not in joints:
            self.problems.add(path, f"unknown joint {joint!r}{did_you_mean(joint, joints)}")

    def _constraints(self, robot: RobotDescription) -> ConstraintSet:
        states = {
            entry.name: entry.operational_state for entry in self.configuration.constraint_set
        }
        built: list[Constraint] = []
        for i, entry in enumerate(self.configuration.constraints):
            path: KeyPath = ("constraints", i)
            constraint = self._create(PluginKind.CONSTRAINT, entry.type, path, entry.name, robot)
            if constraint is not None and self._fill(constraint, entry.parameters, path):
                constraint.operational_state.set(states[entry.name])
                if self._configure(constraint, path):
                    built.append(constraint)
                    continue
            self._unbuilt.add(entry.name)
        return ConstraintSet(built)

    def _tasks(self, robot: RobotDescription) -> tuple[Task, ...]:
        places = {entry.name: entry for entry in self.configuration.compound_task}
        built: list[Task] = []
        for i, entry in enumerate(self.configuration.tasks):
            path: KeyPath = ("tasks", i)
            task = self._create(PluginKind.TASK, entry.type, path, entry.name, robot)
            if (
                task is not None
                and self._choose_law(task, entry.parameters, path)
                and self._fill(task, entry.parameters, path)
            ):
                task.priority.set(places[entry.name].priority)
                task.operational_state.set(places[entry.name].operational_state)
                if self._configure(task, path):
                    built.append(task)
                    continue
            self._unbuilt.add(entry.name)
        return tuple(built)

    def _choose_law(self, task: Task, parameters: Mapping[str, Any], path: KeyPath) -> bool:
        """Give the task the control law its entry asks for, before its parameters are set."""
        name = parameters.get("control_law")
        if not isinstance(name, str):
            return True  # none, or `_fill` tells what is wrong
        try:
            task.use_law(name, load_plugin(PluginKind.CONTROL_LAW, name))
        except ControlItError as error:
            self.problems.add((*path, "control_law"), str(error))
            return False
        return True

    def _controller(
        self, robot: RobotDescription, tasks: CompoundTask, guard: GuardSettings
    ) -> Any:
        entries = self.configuration.whole_body_controllers
        stated = self.configuration.whole_body_controller
        if not entries:
            return self._required(
                self._whole_body_controller(
                    WholeBodyControllerEntry(name=SINGLE), stated, (SINGLE,), robot, tasks, guard
                )
            )
        built = []
        for i, entry in enumerate(entries):
            path: KeyPath = (ALTERNATIVES, i)
            before = len(self.problems.problems)
            controller = self._whole_body_controller(
                entry, entry.parameters, path, robot, tasks, guard
            )
            if controller is None or len(self.problems.problems) > before:
                self._unbuilt.update((entry.name, SINGLE))
            if controller is not None:
                built.append(controller)
        if SINGLE in self._unbuilt:
            return self._required(built[0] if built else None)
        exchange = ExchangeableController(robot, _rows(tasks), built)
        self._fill(exchange, stated, (SINGLE,))
        self._configure(exchange, (ALTERNATIVES,), tasks)
        return exchange

    def _whole_body_controller(
        self,
        entry: WholeBodyControllerEntry,
        values: Mapping[str, Any],
        path: KeyPath,
        robot: RobotDescription,
        tasks: CompoundTask,
        guard: GuardSettings,
    ) -> Any:
        """Return a configured controller, or `None` if there is no such type."""
        parameters = self.configuration.parameters
        type_path: KeyPath = ("parameters", "whole_body_controller_type")
        controller = self._create(
            PluginKind.WHOLE_BODY_CONTROLLER,
            entry.type or parameters.whole_body_controller_type,
            (*path, "type") if entry.type else type_path,
            robot,
            _rows(tasks),
        )
        if controller is None:
            return None
        controller.rename(entry.name)
        self._fill(controller, values, path)
        own = entry.null_space_projector_type
        projector = self._create(
            PluginKind.NULL_SPACE_PROJECTOR,
            own or parameters.null_space_projector_type,
            (*(path if own else ("parameters",)), "null_space_projector_type"),
        )
        if projector is not None:
            controller.null_space_projector = projector
        limits = guard.limits(robot)
        controller.limits = limits._replace(effort=np.minimum(limits.effort, guard.max_effort))
        controller.period = 1.0 / parameters.servo_frequency
        self._configure(controller, path, tasks)
        return controller

    def _robot_interface(
        self, robot: RobotDescription, constraints: ConstraintSet
    ) -> tuple[Any, RobotState | None]:
        """Return the interface, and where the simulated robot begins if the file has one."""
        parameters = self.configuration.parameters
        setup = RobotSetup(
            name=self.configuration.name,
            urdf=robot.urdf,
            joint_names=robot.real_joints,
            command_names=robot.command_joints,
            couplings=constraints.couplings,
            fixed_base=_is_fixed(robot, constraints),
            reflected_inertia=tuple(robot.rotor_inertia.tolist()),
            gravity=parameters.world_gravity,
            servo_frequency=parameters.servo_frequency,
            folder=str(self.configuration.folder.absolute()),
            sensors=robot.sensors,
            real_time=parameters.realtime_priority > 0,
            footprints=_footprints(robot, constraints),
            rest_position=tuple(rest_state(robot).position.tolist()),
        )
        path: KeyPath = ("parameters", "robot_interface_type")
        simulator = self.configuration.simulator
        interface = self._create(
            PluginKind.ROBOT_INTERFACE, parameters.robot_interface_type, path, setup
        )
        simulated, where = interface, ("robot_interface",)
        before = len(self.problems.problems)
        if interface is not None:
            fits = True
            if parameters.robot_interface_type == SIMULATOR:
                fits = self._fill(interface, simulator, ("simulator",))
            if self._fill(interface, self.configuration.robot_interface, where) and fits:
                self._configure(interface, where)
        if parameters.robot_interface_type != SIMULATOR:
            simulated, where = None, ("simulator",)
            if simulator:
                simulated = self._create(PluginKind.ROBOT_INTERFACE, SIMULATOR, path, setup)
            if simulated is not None:
                self._fill(simulated, simulator, where)
        self._simulated = simulated or interface
        if self._simulated is not None:
            self._delay = round_trip_delay(parameters, self._simulated)
        start = None
        if simulated is not None and len(self.problems.problems) == before:
            try:
                start = simulated.start_state()
            except ControlItError as error:
                self.problems.add(where, str(error))
        return self._required(interface), start

    def _odometry(self, interface: RobotInterface) -> Odometry | None:
        parameters = self.configuration.parameters
        if parameters.odometry_source == "robot":
            return None
        if interface.setup.fixed_base:
            self.problems.add(
                ("parameters", "odometry_source"),
                "found 'topic', but a contact bolts the root link to the world, which needs none",
            )
        return Odometry(parameters.odometry_timeout)

    def _friction(
        self, robot: RobotDescription, constraints: ConstraintSet, tasks: Sequence[Task]
    ) -> FrictionCompensation | None:
        values = self.configuration.friction_compensation
        if values is None:
            return None
        period = 1.0 / self.configuration.parameters.servo_frequency
        friction = FrictionCompensation(robot, constraints.couplings, period, self._delay)
        if self._fill(friction, values, (friction.name,)):
            self._configure(friction, (friction.name,), tasks)
        return friction

    def _clock(self) -> Any:
        parameters = self.configuration.parameters
        path: KeyPath = ("parameters", "servo_clock_type")
        clock = self._create(
            PluginKind.SERVO_CLOCK,
            parameters.servo_clock_type,
            path,
            parameters.servo_frequency,
            _real_time(parameters),
        )
        if clock is not None:
            self._fill(clock, self.configuration.servo_clock, ("servo_clock",))
        return self._required(clock)

    def _events(self, directory: ParameterDirectory) -> tuple[Event, ...]:
        built = []
        for i, entry in enumerate(self.configuration.events):
            until = entry.until or ""
            if self._unbuilt.intersection(
                re.findall(r"[A-Za-z_]\w*(?=\.)", f"{entry.expression} {until}")
            ):
                continue  # what is wrong with the owner is told already
            try:
                event = Event(entry.name, entry.expression, directory, until)
            except ExpressionError as error:
                key = "expression" if error.expression == entry.expression else "until"
                self.problems.add(("events", i, key), str(error))
            else:
                event.enabled.set(entry.enabled)
                event.hold.set(entry.hold)
                built.append(event)
        return tuple(built)

    def _bindings(
        self, directory: ParameterDirectory, tasks: Iterable[Task]
    ) -> tuple[BoundParameter, ...]:
        stated = []
        for i, entry in enumerate(self.configuration.bindings):
            properties = entry.properties
            config = BindingConfig(
                parameter=entry.parameter,
                direction=Direction(entry.direction),
                topic=entry.topic,
                publish_rate=properties.publish_rate or 0.0,
                queue_size=properties.queue_size,
                latched=properties.latched,
                message_type=properties.message_type or "",
            )
            stated.append(BoundParameter(config, entry.transport_type))
            if entry.parameter.partition(".")[0] not in self._unbuilt:
                self._check_binding(directory, stated[-1], ("bindings", i))
        if not self.configuration.parameters.default_bindings:
            return tuple(stated)
        defaults = default_bindings(tuple(tasks), [bound.config for bound in stated])
        return (*stated, *(BoundParameter(config, "topic") for config in defaults))

    def _check_binding(
        self, directory: ParameterDirectory, bound: BoundParameter, path: KeyPath
    ) -> None:
        config = bound.config
        try:
            parameter = directory[config.parameter]
            if config.direction is Direction.INPUT:
                check_assignable(parameter)
        except ControlItError as error:
            self.problems.add((*path, "parameter"), str(error))
            return
        try:
            load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type).check(config, parameter)
        except ControlItError as error:
            self.problems.add((*path, "properties"), str(error))

    def _guard(self, robot: RobotDescription) -> GuardSettings:
        parameters = self.configuration.parameters
        return GuardSettings(
            enforce_effort=self._flags(robot, "enforce_effort_limits"),
            enforce_position=self._flags(robot, "enforce_position_limits"),
            enforce_velocity=self._flags(robot, "enforce_velocity_limits"),
            max_effort=self._bounds(robot, "max_effort_command"),
            max_effort_rate=self._bounds(robot, "max_effort_rate"),
            frequency=parameters.servo_frequency,
        )

    def _bounds(self, robot: RobotDescription, key: str) -> Array:
        value = getattr(self.configuration.parameters, key)
        return self._for_joints(robot, key, np.inf if value is None else value, default=np.inf)

    def _flags(self, robot: RobotDescription, key: str) -> Flags:
        value = getattr(self.configuration.parameters, key)
        return self._for_joints(robot, key, value, default=True).astype(np.bool_)

    def _for_joints(
        self, robot: RobotDescription, key: str, value: Any, *, default: float
    ) -> Array:
        """Return a value for each command joint from one for all, a list or a map."""
        joints = robot.command_joints
        result = np.full(len(joints), default, dtype=float)
        path: KeyPath = ("parameters", key)
        if isinstance(value, Mapping):
            for joint, entry in value.items():
                if joint in joints:
                    result[joints.index(joint)] = entry
                else:
                    hint = did_you_mean(joint, joints)
                    self.problems.add((*path, joint), f"unknown command joint {joint!r}{hint}")
        elif isinstance(value, tuple) and len(value) != len(joints):
            self.problems.add(
                path, f"found {len(value)} entries, expected one for each of {len(joints)} joints"
            )
        else:
            result[:] = value
        return result

    def _servo(self) -> ServoSettings:
        parameters = self.configuration.parameters
        return ServoSettings(
            frequency=parameters.servo_frequency,
            single_threaded_model=parameters.single_threaded_model,
            single_threaded_tasks=parameters.single_threaded_tasks,
            state_timeout=parameters.state_timeout,
            soft_start_time=parameters.soft_start_time,
            reconfiguration_time=parameters.reconfiguration_time,
            recovery_time=parameters.recovery_time,
            fallback=Fallback(parameters.fallback),
            fallback_damping=parameters.fallback_damping,
            fallback_kp=parameters.fallback_kp,
            staleness=_staleness(parameters),
            updater_timeout=parameters.updater_timeout,
            measurements=PlausibilitySettings(
                jump=parameters.measurement_jump,
                speed=parameters.measurement_speed,
                base_speed=parameters.measurement_base_speed,
                limit=parameters.measurement_limit,
                patience=parameters.measurement_patience,
                stamp=parameters.measurement_stamp,
            ),
            overruns=OverrunSettings(
                policy=OverrunPolicy(parameters.overrun_policy),
                limit=parameters.overrun_limit,
                pause_limit=parameters.pause_limit,
            ),
            round_trip_delay=self._delay,
            state_prediction=Prediction(parameters.state_prediction),
            oscillations=OscillationSettings(
                OnDivergence(parameters.on_divergence), parameters.chatter_limit
            ),
            truncations=TruncationSettings(
                OnTruncation(parameters.on_truncation), parameters.truncation_time
            ),
        )

    def _create(self, kind: PluginKind, name: str, path: KeyPath, *arguments: Any) -> Any:
        try:
            return load_plugin(kind, name)(*arguments)
        except ControlItError as error:
            self.problems.add(path, str(error))
        except Exception as error:  # noqa: BLE001 - a third party's constructor may fail in any way
            self.problems.add(path, f"{name} cannot be built: {type(error).__name__}: {error}")
        return None

    def _fill(self, owner: ParameterReflection, values: Mapping[str, Any], path: KeyPath) -> bool:
        """Set parameters; return whether all fitted."""
        before = len(self.problems.problems)
        for key, value in values.items():
            where = (*path, key)
            if key in ("priority", "operational_state"):
                section = "compound_task" if isinstance(owner, Task) else "constraint_set"
                self.problems.add(where, f"{key} of {owner.name!r} belongs into {section}")
                continue
            try:
                owner.parameter(key).set(value)
            except ControlItError as error:
                self.problems.add(where, str(error))
        return len(self.problems.problems) == before

    def _configure(self, owner: Any, path: KeyPath, *arguments: Any) -> bool:
        try:
            owner.configure(*arguments)
        except ControlItError as error:
            self.problems.add(self._place(owner, path, str(error)), str(error))
        except Exception as error:  # noqa: BLE001 - a third party's part may fail in any way
            text = f"{owner.name} cannot be configured: {type(error).__name__}: {error}"
            self.problems.add(path, text)
        else:
            return True
        return False

    def _place(self, owner: Any, section: KeyPath, text: str) -> KeyPath:
        """Return what a message is about, which begins with a parameter and may name an entry."""
        head, separator, _ = text.removeprefix(f"{owner.name}.").partition(":")
        key, _, entry = head.partition(".")
        if separator and head == "robot_description":
            return (head,)
        if not separator or key not in owner.parameters:
            return section
        configuration = self.configuration
        if section == ("robot_interface",) and key not in configuration.robot_interface:
            is_simulated = configuration.parameters.robot_interface_type == SIMULATOR
            section = ("simulator",) if is_simulated else section
        return (*section, key, entry) if entry else (*section, key)

    def _required(self, part: Any) -> Any:
        """Stop here if a part that others need could not be built."""
        if part is None:
            self.problems.raise_if_any()
        return part


def _real_time(parameters: ControllerParameters) -> RealTimeSettings:
    priority = parameters.realtime_priority
    awake = priority > 0 and parameters.keep_processors_awake
    return RealTimeSettings(priority, parameters.cpu_affinity, awake)


def _staleness(parameters: ControllerParameters) -> StalenessBound:
    age = parameters.staleness_age
    if age is None:
        age = max(SHORTEST_STALENESS_AGE, STALENESS_PERIODS / parameters.servo_frequency)
    return StalenessBound(parameters.staleness_bound, age)


def _rows(tasks: CompoundTask) -> int:
    return sum(task.rows for task in tasks.tasks)


def _footprints(robot: RobotDescription, constraints: ConstraintSet) -> tuple[Footprint, ...]:
    """Return where feet touch, whether their contacts hold from the start or later."""
    if _is_fixed(robot, constraints):
        return ()
    found = (contact.simulated_footprint() for contact in constraints.contacts)
    return tuple(footprint for footprint in found if footprint is not None)


def _is_fixed(robot: RobotDescription, constraints: ConstraintSet) -> bool:
    """Tell whether a contact bolts the root link to the world from the start."""
    root_joint = robot.pinocchio.names[1]
    return any(
        contact.is_enabled
        and contact.dimension == FIXED_DIMENSION
        and contact.parent_joint == root_joint
        for contact in constraints.contacts
    )
