"""A controller from its configuration, section after section."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from controlit_ros.configuration import Configuration, load_configuration
from controlit_ros.nodes.building.connections import build_bindings, build_events
from controlit_ros.nodes.building.control_parts import build_control_parts
from controlit_ros.nodes.building.controller import build_friction
from controlit_ros.nodes.building.declared import build_behaviours
from controlit_ros.nodes.building.estimation import build_estimator, check_estimation
from controlit_ros.nodes.building.modes import build_mode_parameters, build_modes
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
    control = build_control_parts(builder)
    robot, constraints, compound_task, guard, controller = control
    tasks = compound_task.tasks
    estimator = build_estimator(builder, robot, constraints)
    side = build_robot_interface(builder, robot, constraints)
    clock = build_clock(builder)
    odometry = build_odometry(builder, side.interface)
    check_estimation(builder, side.interface, estimator)
    if configuration.parameters.state_prediction != Prediction.NONE.value:
        for text in prediction_problems(side.interface.setup, controller, tasks):
            builder.problems.add(("parameters", "state_prediction"), text)
    if side.interface.needs_motion and controller.create_command().position is None:
        builder.problems.add(
            ("parameters", "whole_body_controller_type"),
            f"commands are efforts alone, but {side.interface.place} takes motion; expected "
            "WBOSCImpedance, which integrates accelerations, or command_interface: effort",
        )
    friction = build_friction(builder, robot, constraints, tasks, side.delay)
    behaviours = build_behaviours(builder, robot, compound_task, constraints)
    parts = (
        *tasks,
        *constraints.constraints,
        *controller.inequalities,
        *behaviours,
        *controller.parts,
        side.interface,
        clock,
    )
    is_floating = not side.interface.setup.fixed_base
    mode_parameters = build_mode_parameters(builder, is_floating=is_floating)
    owners: list[ParameterReflection] = [
        owner
        for owner in (*parts, odometry, estimator, friction, mode_parameters)
        if owner is not None
    ]
    events = build_events(builder, ParameterDirectory(owners))
    node = NodeParameters(uses_sim_time=clock.time_feed is not None)
    directory = ParameterDirectory([*owners, *events, node])
    modes = build_modes(builder, control, directory, mode_parameters, behaviours)
    bindings = build_bindings(builder, directory, tasks, constraints.contacts)
    builder.problems.raise_if_any()
    if modes is not None:
        modes.modes[modes.graph.initial].order.assign()
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
        estimator=estimator,
        friction=friction,
        modes=modes,
        behaviours=behaviours,
        start=side.start,
    )
    return replace(stack, check=partial(stack_warnings, stack, side))
