"""The whole-body controller, or what chooses from several; the compensation of friction."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from controlit_ros.configuration import KeyPath, PluginKind, WholeBodyControllerEntry
from controlit_ros.constraints import ConstraintSet
from controlit_ros.controllers import (
    AccelerationLimits,
    ExchangeableController,
    FrictionCompensation,
    WholeBodyController,
)
from controlit_ros.inequalities import Inequality
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.controller_stack import ALTERNATIVES, SINGLE
from controlit_ros.servo import GuardSettings
from controlit_ros.tasks import CompoundTask, Task


def build_controller(
    builder: SectionBuilder,
    robot: RobotDescription,
    tasks: CompoundTask,
    guard: GuardSettings,
    inequalities: tuple[Inequality, ...],
) -> WholeBodyController:
    """Return the configured controller.

    Args:
        builder: Of the configuration.
        robot: Its structure.
        tasks: What it shall reach.
        guard: Which limits are enforced.
        inequalities: What its commands shall keep.

    Raises:
        ConfigurationError: There is none of that type.
    """
    stated = builder.configuration.whole_body_controller
    rows = tasks.task_set.rows + builder.configuration.parameters.added_task_rows
    make = partial(_configured, builder, robot, tasks, rows, guard, inequalities)
    if not builder.configuration.whole_body_controllers:
        single = WholeBodyControllerEntry(name=SINGLE)
        return builder.required(make(single, stated, (SINGLE,)))
    built = []
    for i, entry in enumerate(builder.configuration.whole_body_controllers):
        before = len(builder.problems.problems)
        controller = make(entry, entry.parameters, (ALTERNATIVES, i))
        if controller is None or len(builder.problems.problems) > before:
            builder.unbuilt.update((entry.name, SINGLE))
        if controller is not None:
            built.append(controller)
    if SINGLE in builder.unbuilt:
        return builder.required(built[0] if built else None)
    exchange = ExchangeableController(robot, rows, built)
    builder.fill(exchange, stated, (SINGLE,))
    builder.configure(exchange, (ALTERNATIVES,), tasks)
    return exchange


def build_friction(
    builder: SectionBuilder,
    robot: RobotDescription,
    constraints: ConstraintSet,
    tasks: Sequence[Task],
    delay: float,
) -> FrictionCompensation | None:
    """Return what overcomes friction; `None`: there is no such section.

    Args:
        builder: Of the configuration.
        robot: Its structure.
        constraints: Of the robot.
        tasks: All there are.
        delay: Of the round trip to the robot [s].
    """
    values = builder.configuration.friction_compensation
    if values is None:
        return None
    period = 1.0 / builder.configuration.parameters.servo_frequency
    friction = FrictionCompensation(robot, constraints.couplings, period, delay)
    if builder.fill(friction, values, (friction.name,)):
        builder.configure(friction, (friction.name,), tasks)
    return friction


def _configured(
    builder: SectionBuilder,
    robot: RobotDescription,
    tasks: CompoundTask,
    rows: int,
    guard: GuardSettings,
    inequalities: tuple[Inequality, ...],
    entry: WholeBodyControllerEntry,
    values: Mapping[str, Any],
    path: KeyPath,
) -> WholeBodyController | None:
    """Return a configured controller, or `None` if there is no such type."""
    parameters = builder.configuration.parameters
    controller: WholeBodyController | None = builder.create(
        PluginKind.WHOLE_BODY_CONTROLLER,
        entry.type or parameters.whole_body_controller_type,
        (*path, "type") if entry.type else ("parameters", "whole_body_controller_type"),
        robot,
        rows,
    )
    if controller is None:
        return None
    controller.rename(entry.name)
    builder.fill(controller, values, path)
    projector = _chosen(builder, PluginKind.NULL_SPACE_PROJECTOR, entry, path)
    if projector is not None:
        controller.null_space_projector = projector
    solver = _chosen(builder, PluginKind.QP_SOLVER, entry, path)
    if solver is not None:
        controller.qp_solver = solver
    prioritisation = _chosen(builder, PluginKind.PRIORITISATION, entry, path)
    if prioritisation is not None:
        controller.prioritisation = prioritisation
    limits = guard.limits(robot)
    controller.limits = limits._replace(effort=np.minimum(limits.effort, guard.max_effort))
    controller.servo_limits = AccelerationLimits(limits, guard.frequency)
    if inequalities and not controller.keeps_inequalities:
        builder.problems.add(
            ("inequalities",),
            f"{controller.name} of type {type(controller).__name__} keeps no inequalities: "
            "expected whole_body_controller_type WholeBodyQP, or, instead of inequalities, "
            "JointLimit tasks and the limits of the servo (max_effort_rate, "
            "enforce_position_limits, enforce_velocity_limits)",
        )
    controller.inequalities = inequalities
    controller.period = 1.0 / parameters.servo_frequency
    builder.configure(controller, path, tasks)
    return controller


def _chosen(
    builder: SectionBuilder, kind: PluginKind, entry: WholeBodyControllerEntry, path: KeyPath
) -> Any:
    """Make the plugin that an entry names for itself, or else `parameters` for all."""
    key = f"{kind.name.lower()}_type"
    own = getattr(entry, key)
    chosen = own or getattr(builder.configuration.parameters, key)
    return builder.create(kind, chosen, (*(path if own else ("parameters",)), key))
