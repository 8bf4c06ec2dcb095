"""ControllerStack: a controller built from its configuration, not yet running."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from controlit_ros.bindings import BindingConfig, Direction, conversion, default_bindings
from controlit_ros.configuration import (
    Configuration,
    PluginKind,
    ProblemCollector,
    load_configuration,
    load_plugin,
)
from controlit_ros.constraints import ConstrainedModel, Constraint, ConstraintSet, slaves_of
from controlit_ros.controllers import WholeBodyController
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.model import ModelError, ModelOptions, RobotDescription
from controlit_ros.parameters import Event, ParameterDirectory, ParameterReflection
from controlit_ros.parameters.mailbox import check_assignable
from controlit_ros.robots import RobotInterface, RobotSetup
from controlit_ros.servo import Fallback, GuardSettings, ServoClock, ServoSettings
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.tasks import CompoundTask, Task

KeyPath = tuple[str | int, ...]
FIXED_DIMENSION = 6


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
        controller: The whole-body controller.
        robot_interface: Configured, not connected.
        clock: Not started.
        events: In the order of the file.
        directory: Every parameter by full name.
        bindings: Default and stated ones.
        guard: Which limits are enforced.
        servo: Settings of the coordinator.
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
    return _Builder(configuration).build()


class _Builder:
    """Builds part after part and collects problems instead of stopping at the first."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.problems: ProblemCollector = configuration.collector()
        self._unbuilt: set[str] = set()  # owners whose parameters are not known for that reason

    def build(self) -> ControllerStack:
        configuration = self.configuration
        robot = self._robot()
        constraints = self._constraints(robot)
        robot = robot.with_slaves(slaves_of(constraints.couplings))
        tasks = self._tasks(robot)
        compound_task = CompoundTask(tasks)
        controller = self._controller(robot, tasks)
        interface = self._robot_interface(robot, constraints)
        clock = self._clock()
        owners: list[ParameterReflection] = [
            *tasks, *constraints.constraints, controller, interface, clock
        ]  # fmt: skip
        events = self._events(ParameterDirectory(owners))
        directory = ParameterDirectory([*owners, *events])
        bindings = self._bindings(directory, tasks)
        guard = self._guard(robot)
        self.problems.raise_if_any()
        return ControllerStack(
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
        )

    def _robot(self) -> RobotDescription:
        parameters = self.configuration.parameters
        options = ModelOptions(
            coupled_joint_groups=parameters.coupled_joint_groups,
            world_gravity=parameters.world_gravity,
        )
        try:
            text = self.configuration.read_robot_description().urdf
            robot = RobotDescription(text, options)
        except ControlItError as error:
            path = "coupled_joint_groups" if "coupled" in str(error) else ""
            where: KeyPath = ("parameters", path) if path else ("robot_description",)
            self.problems.add(where, str(error))
            self.problems.raise_if_any()
            raise
        for key in ("gravity_compensation_mask", "passive_joints"):
            for i, joint in enumerate(getattr(parameters, key)):
                self._check_joint(robot, joint, ("parameters", key, i))
        for joint in parameters.rotor_inertia:
            self._check_joint(robot, joint, ("parameters", "rotor_inertia", joint))
        known = set(robot.real_joints)
        return RobotDescription(
            text,
            options._replace(
                gravity_compensation_mask=tuple(
                    j for j in parameters.gravity_compensation_mask if j in known
                ),
                passive_joints=tuple(j for j in parameters.passive_joints if j in known),
                rotor_inertia={k: v for k, v in parameters.rotor_inertia.items() if k in known},
            ),
        )

    def _check_joint(self, robot: RobotDescription, joint: str, path: KeyPath) -> None:
        try:
            robot.joint_index(joint)
        except ModelError as error:
            self.problems.add(path, str(error))

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
            if task is not None and self._fill(task, entry.parameters, path):
                task.priority.set(places[entry.name].priority)
                task.operational_state.set(places[entry.name].operational_state)
                if self._configure(task, path):
                    built.append(task)
                    continue
            self._unbuilt.add(entry.name)
        return tuple(built)

    def _controller(self, robot: RobotDescription, tasks: Iterable[Task]) -> Any:
        name = self.configuration.parameters.whole_body_controller_type
        rows = sum(task.dimension for task in tasks)
        path: KeyPath = ("parameters", "whole_body_controller_type")
        controller = self._create(PluginKind.WHOLE_BODY_CONTROLLER, name, path, robot, rows)
        if controller is not None:
            section = self.configuration.whole_body_controller
            self._fill(controller, section, ("whole_body_controller",))
        return self._required(controller)

    def _robot_interface(self, robot: RobotDescription, constraints: ConstraintSet) -> Any:
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
        )
        path: KeyPath = ("parameters", "robot_interface_type")
        interface = self._create(
            PluginKind.ROBOT_INTERFACE, parameters.robot_interface_type, path, setup
        )
        if interface is not None:
            section: KeyPath = ("robot_interface",)
            if self._fill(interface, self.configuration.robot_interface, section):
                self._configure(interface, section)
        return self._required(interface)

    def _clock(self) -> Any:
        parameters = self.configuration.parameters
        path: KeyPath = ("parameters", "servo_clock_type")
        clock = self._create(
            PluginKind.SERVO_CLOCK,
            parameters.servo_clock_type,
            path,
            parameters.servo_frequency,
            RealTimeSettings(parameters.realtime_priority, parameters.cpu_affinity),
        )
        if clock is not None:
            self._fill(clock, self.configuration.servo_clock, ("servo_clock",))
        return self._required(clock)

    def _events(self, directory: ParameterDirectory) -> tuple[Event, ...]:
        built = []
        for i, entry in enumerate(self.configuration.events):
            if self._unbuilt.intersection(re.findall(r"[A-Za-z_]\w*(?=\.)", entry.expression)):
                continue  # what is wrong with the owner is told already
            try:
                event = Event(entry.name, entry.expression, directory)
            except ControlItError as error:
                self.problems.add(("events", i, "expression"), str(error))
            else:
                event.enabled.set(entry.enabled)
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
                self._check_binding(directory, config, ("bindings", i))
        if not self.configuration.parameters.default_bindings:
            return tuple(stated)
        defaults = default_bindings(tuple(tasks), [bound.config for bound in stated])
        return (*stated, *(BoundParameter(config, "topic") for config in defaults))

    def _check_binding(
        self, directory: ParameterDirectory, config: BindingConfig, path: KeyPath
    ) -> None:
        try:
            parameter = directory[config.parameter]
            if config.direction is Direction.INPUT:
                check_assignable(parameter)
        except ControlItError as error:
            self.problems.add((*path, "parameter"), str(error))
            return
        try:
            conversion(parameter, config.message_type)
        except ControlItError as error:
            self.problems.add((*path, "properties"), str(error))

    def _guard(self, robot: RobotDescription) -> GuardSettings:
        parameters = self.configuration.parameters
        limit = parameters.max_effort_command
        maximum = self._for_joints(
            robot, "max_effort_command", np.inf if limit is None else limit, default=np.inf
        )
        return GuardSettings(
            enforce_effort=self._flags(robot, "enforce_effort_limits"),
            enforce_position=self._flags(robot, "enforce_position_limits"),
            enforce_velocity=self._flags(robot, "enforce_velocity_limits"),
            max_effort=maximum,
        )

    def _flags(self, robot: RobotDescription, key: str) -> npt.NDArray[np.bool_]:
        value = getattr(self.configuration.parameters, key)
        return self._for_joints(robot, key, value, default=True).astype(np.bool_)

    def _for_joints(
        self, robot: RobotDescription, key: str, value: Any, *, default: float
    ) -> npt.NDArray[np.float64]:
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
            fallback=Fallback(parameters.fallback),
            fallback_damping=parameters.fallback_damping,
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

    def _configure(self, owner: Any, path: KeyPath) -> bool:
        try:
            owner.configure()
        except ControlItError as error:
            text = str(error)
            key = text.removeprefix(f"{owner.name}.").split(":", 1)[0]
            self.problems.add((*path, key) if key in owner.parameters else path, text)
            return False
        return True

    def _required(self, part: Any) -> Any:
        """Stop here if a part that others need could not be built."""
        if part is None:
            self.problems.raise_if_any()
        return part


def _is_fixed(robot: RobotDescription, constraints: ConstraintSet) -> bool:
    """Tell whether a contact bolts the root link to the world from the start."""
    root_joint = robot.pinocchio.names[1]
    return any(
        contact.is_enabled
        and contact.dimension == FIXED_DIMENSION
        and contact.parent_joint == root_joint
        for contact in constraints.contacts
    )
