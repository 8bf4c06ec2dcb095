"""All warnings about a controller that could be built."""

from collections.abc import Iterator

from controlit_ros.configuration import format_path
from controlit_ros.nodes.building.robot_interface import RobotSide, rest_state
from controlit_ros.nodes.checks.access import access_warnings
from controlit_ros.nodes.checks.contacts import contact_warnings
from controlit_ros.nodes.checks.couplings import coupling_warnings
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.nodes.checks.forces import force_warnings
from controlit_ros.nodes.checks.gains import gain_warnings
from controlit_ros.nodes.checks.goals import goal_warnings
from controlit_ros.nodes.checks.gravity import gravity_warnings
from controlit_ros.nodes.checks.loops import loop_warnings
from controlit_ros.nodes.checks.margins import margin_warnings
from controlit_ros.nodes.checks.modes import mode_warnings
from controlit_ros.nodes.checks.quaternions import quaternion_warnings
from controlit_ros.nodes.checks.robot import robot_warnings
from controlit_ros.nodes.checks.standing import standing_warnings
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.remote_access import remote_access


def stack_warnings(stack: ControllerStack, side: RobotSide) -> Iterator[str]:
    """Yield what is legal but probably not meant, each with its line."""
    configuration = stack.configuration
    yield from configuration.warnings
    for path, text in _found(stack, side):
        place = configuration.locate(path)
        yield f"{place.line}:{place.column}: {format_path(path)}: {text}"


def _found(stack: ControllerStack, side: RobotSide) -> Findings:
    configuration = stack.configuration
    robot, constraints, tasks = stack.robot, stack.constraints, stack.tasks.tasks
    start = stack.start or rest_state(robot)
    simulated = None if stack.start is None else side.simulated
    stated = stack.bindings[: len(configuration.bindings)]
    yield from ((("robot_description",), text) for text in robot_warnings(robot, stack.guard))
    yield from coupling_warnings(robot, constraints.couplings)
    yield from standing_warnings(robot, constraints, stack.robot_interface, simulated, start)
    yield from goal_warnings(robot, constraints, tasks, start)
    yield from gain_warnings(tasks)
    yield from gravity_warnings(robot, constraints, start)
    yield from margin_warnings(tasks)
    yield from _quaternion_warnings(stack, side)
    yield from force_warnings(robot, constraints, tasks, stack.guard, start)
    names = [entry.name for entry in configuration.constraints]
    yield from contact_warnings(robot.urdf, constraints.constraints, names, tasks)
    yield from loop_warnings(
        configuration, tasks, constraints, stack.controller, stack.servo, side.simulated, start
    )
    if stack.modes is not None:
        yield from mode_warnings(stack.modes)
    yield from access_warnings(
        remote_access(configuration.parameters, tasks),
        stack.directory,
        dict(enumerate((bound.config, bound.transport_type) for bound in stated)),
    )


def _quaternion_warnings(stack: ControllerStack, side: RobotSide) -> Findings:
    configuration = stack.configuration
    for i, (task, entry) in enumerate(zip(stack.tasks.tasks, configuration.tasks, strict=True)):
        yield from quaternion_warnings(task, entry.parameters, ("tasks", i))
    for section in ("simulator", "robot_interface"):
        stated = getattr(configuration, section)
        yield from quaternion_warnings(side.simulated, stated, (section,))
