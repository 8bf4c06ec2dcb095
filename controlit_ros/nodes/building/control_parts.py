"""What computes: robot, constraints, tasks, controller."""

from typing import NamedTuple

from controlit_ros.configuration import Configuration
from controlit_ros.constraints import ConstraintSet, slaves_of, with_coupled_limits
from controlit_ros.controllers import WholeBodyController
from controlit_ros.explanations.twin import Twin
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building.controller import build_controller
from controlit_ros.nodes.building.declared import (
    build_constraints,
    build_inequalities,
    build_tasks,
)
from controlit_ros.nodes.building.estimation import unit_of
from controlit_ros.nodes.building.robot import build_robot
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.building.servo import guard_settings
from controlit_ros.servo import GuardSettings
from controlit_ros.tasks import CompoundTask


class ControlParts(NamedTuple):
    """The parts of a controller that need neither robot nor clock.

    Attributes:
        robot: Structure of the robot.
        constraints: The constraint set.
        tasks: The compound task.
        guard: Which limits are enforced.
        controller: The whole-body controller, or what chooses from several.
    """

    robot: RobotDescription
    constraints: ConstraintSet
    tasks: CompoundTask
    guard: GuardSettings
    controller: WholeBodyController


def build_control_parts(builder: SectionBuilder) -> ControlParts:
    """Build the parts that compute; what is wrong with them is among the builder's problems."""
    robot = build_robot(builder)
    constraints = build_constraints(builder, robot)
    robot = robot.with_slaves(slaves_of(constraints.couplings))
    robot = with_coupled_limits(robot, constraints.couplings)
    robot = robot.with_contacts([contact.site for contact in constraints.contacts])
    robot = robot.with_imu(unit_of(builder, robot))
    tasks = build_tasks(builder, robot)
    constraints.with_reactions = any(task.needs_reactions for task in tasks) or any(
        contact.needs_reactions for contact in constraints.contacts
    )
    compound_task = CompoundTask(tasks, robot.nv)
    guard = guard_settings(builder, robot)
    inequalities = build_inequalities(builder, robot, constraints)
    controller = build_controller(builder, robot, compound_task, guard, inequalities)
    return ControlParts(robot, constraints, compound_task, guard, controller)


def build_twin(configuration: Configuration) -> Twin:
    """Build the parts of a controller once more.

    Raises:
        ConfigurationError: Holds every problem found, each with its line.
    """
    builder = SectionBuilder(configuration)
    parts = build_control_parts(builder)
    builder.problems.raise_if_any()
    return Twin(
        parts.robot,
        parts.constraints,
        tuple(parts.tasks.tasks),
        parts.controller,
        parts.guard.limits(parts.robot),
        parts.guard,
        1.0 / configuration.parameters.servo_frequency,
    )
