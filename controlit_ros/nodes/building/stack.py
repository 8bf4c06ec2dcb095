"""A controller from its configuration, section after section."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlit_ros.configuration import Configuration, load_configuration
from controlit_ros.nodes.building.connections import build_bindings, build_events
from controlit_ros.nodes.building.control_parts import build_control_parts
from controlit_ros.nodes.building.controller import build_friction
from controlit_ros.nodes.building.robot_interface import build_robot_interface
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.building.servo import (
    build_clock,
    build_odometry,
    servo_settings,
)
from controlit_ros.nodes.building.warnings import stack_warnings
from controlit_ros.nodes.checks.prediction import prediction_problems
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.node_parameters import NodeParameters
from controlit_ros.parameters import ParameterDirectory, ParameterReflection, Roster
from controlit_ros.servo import Prediction


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
    builder = SectionBuilder(configuration)
    robot, constraints, compound_task, guard, controller = build_control_parts(builder)
    tasks = compound_task.tasks
    side = build_robot_interface(builder, robot, constraints)
    clock = build_clock(builder)
    odometry = build_odometry(builder, side.interface)
    if configuration.parameters.state_prediction != Prediction.NONE.value:
        for text in prediction_problems(side.interface.setup, controller, tasks):
            builder.problems.add(("parameters", "state_prediction"), text)
    friction = build_friction(builder, robot, constraints, tasks, side.delay)
    parts = (
        *tasks,
        *constraints.constraints,
        *controller.inequalities,
        *controller.parts,
        side.interface,
        clock,
    )
    owners: list[ParameterReflection] = [
        owner for owner in (*parts, odometry, friction) if owner is not None
    ]
    events = build_events(builder, ParameterDirectory(owners))
    node = NodeParameters(uses_sim_time=clock.time_feed is not None)
    directory = ParameterDirectory([*owners, *events, node])
    bindings = build_bindings(builder, directory, tasks, constraints.contacts)
    builder.problems.raise_if_any()
    stack = ControllerStack(
        configuration=configuration,
        robot=robot,
        constraints=constraints,
        tasks=compound_task,
        controller=controller,
        robot_interface=side.interface,
        clock=clock,
        events=Roster(events),
        directory=directory,
        bindings=bindings,
        guard=guard,
        servo=servo_settings(
            configuration.parameters,
            side.delay,
            is_bolted=side.interface.setup.fixed_base,
        ),
        odometry=odometry,
        friction=friction,
        start=side.start,
    )
    return replace(stack, warnings=tuple(stack_warnings(stack, side)))
