"""One cycle of a controller without robot, clock or transport."""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.configuration.yaml_reader import MAX_LENGTH, read_yaml
from controlit_ros.constraints import ConstrainedModel, Coupling, holding_effort
from controlit_ros.constraints.coupled_state import (
    CoupledStateError,
    complete_state,
    follow_masters,
)
from controlit_ros.controllers import Command
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.explanations.shaping import shaped
from controlit_ros.explanations.situation import Shaping
from controlit_ros.finite import is_finite
from controlit_ros.model import BASE_DOFS, RobotState
from controlit_ros.nodes.building.robot_interface import rest_state
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Parameter
from controlit_ros.regular_file import UnreadableFileError, read_text


class StateFileError(ControlItError):
    """A state file cannot be used; the text names file, entry and what was expected."""


class Latch(Enum):
    """Which goals are where the robot is."""

    NONE = "none"
    """Goals that the file leaves out are zero."""
    START = "start"
    """Those that the file leaves out, as when control begins."""
    ALL = "all"
    """Every goal, so that what is left is what it takes to stay."""


def read_state(
    path: str | Path, start: RobotState, couplings: Sequence[Coupling] = ()
) -> RobotState:
    """Read a robot state from a YAML or JSON file.

    The file maps `positions` and `velocities` to numbers by joint name and `base` to `position`
    `[x, y, z]` and `orientation` `[x, y, z, w]`; what is missing is as in `start`, but for joints
    that transmissions determine from those that are given.

    Args:
        path: The file.
        start: Where the robot begins.
        couplings: Of its transmissions.

    Raises:
        StateFileError: The file cannot be read or does not fit the robot.
    """
    try:
        text = read_text(path, MAX_LENGTH)
    except UnreadableFileError as error:
        raise StateFileError(f"{path}: {error}") from None
    document = read_yaml(text)
    if document.problems:
        raise StateFileError("\n".join(f"{path}:{problem}" for problem in document.problems))
    content = document.data
    try:
        return state_from_mapping({} if content is None else content, start, couplings)
    except ControlItError as error:
        raise StateFileError(f"{path}: {error}") from None


def state_from_mapping(
    content: Any, start: RobotState, couplings: Sequence[Coupling] = ()
) -> RobotState:
    """Return the robot state a mapping describes; see `read_state`.

    Raises:
        CoupledStateError: Two joints of a transmission contradict each other.
        StateFileError: An entry is unknown.
        ParameterError: A value does not fit.
    """
    joint_names = start.joint_names
    state = RobotState(joint_names)
    for part in ("position", "velocity", "base_position", "base_orientation"):
        np.copyto(getattr(state, part), getattr(start, part))
    sections = ("positions", "velocities", "base")
    for key, value in _mapping(content, "the state", sections).items():
        if key == "base":
            for part, entry in _mapping(value, "base", ("position", "orientation")).items():
                _assign(getattr(state, f"base_{part}"), f"base.{part}", entry)
        else:
            array = state.position if key == "positions" else state.velocity
            _mapping(value, key, joint_names)
            _assign(array, key, value, labels=joint_names)
            _complete(array, key, [joint_names.index(joint) for joint in value], state, couplings)
    follow_masters(state.position, joint_names, couplings)
    follow_masters(state.velocity, joint_names, _without_offsets(couplings))
    return state


def _complete(
    array: Array, key: str, given: Sequence[int], state: RobotState, couplings: Sequence[Coupling]
) -> None:
    """Set the joints that transmissions determine from those that are given."""
    joints = state.joint_names
    ways = couplings if key == "positions" else _without_offsets(couplings)
    try:
        found = complete_state({joints[i]: float(array[i]) for i in given}, ways)
    except CoupledStateError as error:
        raise CoupledStateError(f"{key}: {error}") from None
    for joint, number in found.items():
        array[joints.index(joint)] = number


def _without_offsets(couplings: Sequence[Coupling]) -> list[Coupling]:
    return [coupling._replace(offset=0.0) for coupling in couplings]


def _mapping(value: Any, name: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise StateFileError(f"{name}: found {value!r}, expected a map with {', '.join(keys[:3])}")
    for key in value:
        if key not in keys:
            raise StateFileError(f"{name}: unknown entry {key!r}{did_you_mean(str(key), keys)}")
    return value


def _assign(array: np.ndarray, name: str, value: Any, **properties: Any) -> None:
    is_orientation = name.endswith("orientation")
    default = array.copy()
    parameter = Parameter(
        name, default, shape=array.shape, unit_length=is_orientation, **properties
    )
    parameter.set(value)
    array[:] = parameter.value


def start_of(stack: ControllerStack) -> RobotState:
    """Return where the simulated robot begins, or else joints nearest to zero."""
    if stack.start is not None:
        return stack.start
    state = rest_state(stack.robot)
    follow_masters(state.position, state.joint_names, stack.constraints.couplings)
    return state


def compute_cycle(
    stack: ControllerStack, state: RobotState, latch: Latch = Latch.NONE
) -> dict[str, Any]:
    """Compute one cycle and return what `controlit compute --json` prints.

    Raises:
        ControlItError: There is no command, or it is not finite.
    """
    model = update_tasks(stack, state, latch)
    command = stack.controller.create_command()
    stack.controller.compute_command(model, stack.tasks, command)
    computed = command.effort.copy()
    if not is_finite(computed):
        raise ControlItError("the computed command is not finite")
    shape(stack, model, command)
    return {**_result(stack, model, command), "computed_effort": computed.tolist()}


def shape(stack: ControllerStack, model: ConstrainedModel, command: Command) -> Shaping:
    """Do to a computed command what the servo does before it sends it; return what that was.

    Friction compensation, then limits, as when ramps and soft start have ended: nothing of the
    fallback, no earlier effort that limits the rate of change. A friction observer adds nothing,
    since it has seen no motion.

    Args:
        stack: The controller.
        model: Updated; the stamp of its state is lost.
        command: As the controller computed it; becomes what is sent.
    """
    friction, computed = stack.friction, command.effort.copy()
    if friction is not None:
        friction.skip_ramp()
        friction.compensate(command, model.robot_model.state, model)
    added = command.effort - computed
    command.effort[:] = computed
    return shaped(stack.robot, stack.guard, model, command, stack.servo.round_trip_delay, added)


def update_tasks(stack: ControllerStack, state: RobotState, latch: Latch) -> ConstrainedModel:
    """Compute what the tasks command at a state; return the model."""
    model = stack.create_model()
    model.update(state)
    for task in stack.tasks.tasks:
        if not task.is_disabled:
            task.update(model.robot_model, task.inactive)
            task.swap()
            if latch is Latch.ALL:
                task.latch_goal()
            elif latch is Latch.START or task.goal.stated:
                task.start_goal()
    stack.tasks.compute(1.0 / stack.servo.frequency)
    return model


def _result(stack: ControllerStack, model: ConstrainedModel, command: Command) -> dict[str, Any]:
    robot, robot_model = stack.robot, model.robot_model
    gravity = robot_model.G[BASE_DOFS:].tolist()
    holding = holding_effort(robot, stack.constraints, robot_model.state)
    return {
        "joints": list(command.joint_names),
        "effort": command.effort.tolist(),
        "position": None if command.position is None else command.position.tolist(),
        "velocity": None if command.velocity is None else command.velocity.tolist(),
        "tasks": {
            task.name: {
                "error": task.error.snapshot(),
                "command": task.command.snapshot(),
                "priority": task.priority.value,
                "state": task.operational_state.value,
            }
            for task in stack.tasks.tasks
        },
        "gravity": dict(zip(robot.real_joints, gravity, strict=True)),
        "frames": {name: _frame(model, name) for name in robot.frame_names},
        "com": robot_model.center_of_mass().position.tolist(),
        "effort_limit": robot.effort_limits[robot.command_indices].tolist(),
        "holding_effort": holding.tolist(),
        "state": _state(robot_model.state),
    }


def _state(state: RobotState) -> dict[str, Any]:
    """Return a state in the form that `read_state` reads."""
    return {
        "positions": dict(zip(state.joint_names, state.position.tolist(), strict=True)),
        "velocities": dict(zip(state.joint_names, state.velocity.tolist(), strict=True)),
        "base": {
            "position": state.base_position.tolist(),
            "orientation": state.base_orientation.tolist(),
        },
    }


def _frame(model: ConstrainedModel, name: str) -> dict[str, list[float]]:
    robot_model = model.robot_model
    placement = robot_model.placement(robot_model.description.frame_id(name))
    return {
        "position": placement.translation.tolist(),
        "orientation": pin.Quaternion(placement.rotation).coeffs().tolist(),
    }
