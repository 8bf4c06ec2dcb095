"""A controller stack in words: what would run, and its configuration as text."""

from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from controlit_ros.bindings import Direction
from controlit_ros.bindings.conversion import conversion
from controlit_ros.constraints import holding_effort
from controlit_ros.nodes.controller_stack import BoundParameter, ControllerStack
from controlit_ros.nodes.offline import start_of
from controlit_ros.parameters import Access, ParameterReflection


def describe(stack: ControllerStack) -> dict[str, Any]:
    """Return the compiled stack as plain values: what `controlit describe --json` prints."""
    configuration = stack.configuration
    namespace = configuration.name
    return {
        "name": configuration.name,
        "robot": {
            "degrees_of_freedom": stack.robot.nv,
            "real_joints": list(stack.robot.real_joints),
            "actuable_joints": list(stack.robot.actuable_joints),
            "command_joints": list(stack.robot.command_joints),
            "links": list(stack.robot.link_names),
            **_efforts(stack),
        },
        "controller": _part(stack.controller),
        "whole_body_controllers": {part.name: _part(part) for part in stack.controller.parts[1:]},
        "robot_interface": _part(stack.robot_interface),
        "servo_clock": {**_part(stack.clock), "frequency": stack.clock.frequency},
        "estimation": None if stack.estimator is None else _part(stack.estimator),
        "levels": _levels(stack),
        "tasks": {task.name: _part(task) for task in stack.tasks.tasks},
        "constraints": {
            constraint.name: {**_part(constraint), "rows": constraint.dimension}
            for constraint in stack.constraints.constraints
        },
        "inequalities": {
            inequality.name: {**_part(inequality), "rows": inequality.rows}
            for inequality in stack.controller.inequalities
        },
        "behaviours": {behaviour.name: _part(behaviour) for behaviour in stack.behaviours},
        "bindings": [_binding(stack, bound, namespace) for bound in stack.bindings],
        "events": {
            event.name: {
                "expression": event.expression.text,
                "until": event.until.text if event.until else None,
                "hold": event.hold.value,
                "enabled": event.enabled.value,
            }
            for event in stack.events
        },
    }


def configuration_text(stack: ControllerStack) -> str:
    """Return the configuration as YAML, defaults included."""
    yaml = YAML()  # the round-trip dumper keeps the order of keys
    yaml.default_flow_style = False
    stream = StringIO()
    yaml.dump(stack.configuration.model_dump(mode="json"), stream)
    return stream.getvalue()


def _efforts(stack: ControllerStack) -> dict[str, list[float]]:
    """Return the limits of the command joints and what of them gravity takes at the start."""
    robot = stack.robot
    return {
        "effort_limit": robot.effort_limits[robot.command_indices].tolist(),
        "holding_effort": holding_effort(robot, stack.constraints, start_of(stack)).tolist(),
    }


def _part(part: ParameterReflection) -> dict[str, Any]:
    return {
        "type": type(part).__name__,
        "parameters": {
            name: parameter.snapshot()
            for name, parameter in part.parameters.items()
            if parameter.access is not Access.OUTPUT
        },
    }


def _levels(stack: ControllerStack) -> list[dict[str, Any]]:
    tasks = [task for task in stack.tasks.tasks if not task.is_disabled]
    priorities = sorted({task.priority.value for task in tasks}, reverse=True)
    return [
        {
            "priority": priority,
            "tasks": [task.name for task in tasks if task.priority.value == priority],
            "rows": sum(task.rows for task in tasks if task.priority.value == priority),
        }
        for priority in priorities
    ]


def _binding(stack: ControllerStack, bound: BoundParameter, namespace: str) -> dict[str, Any]:
    config = bound.config
    type_name = None
    if bound.transport_type == "topic":
        type_name = conversion(stack.directory[config.parameter], config.message_type).type_name
    return {
        "parameter": config.parameter,
        "direction": config.direction.value,
        "topic": _absolute(config.topic, namespace),
        "transport_type": bound.transport_type,
        "type": type_name,
        "rate": config.publish_rate if config.direction is Direction.OUTPUT else None,
    }


def _absolute(topic: str, namespace: str) -> str:
    return topic if topic.startswith(("/", "~")) else f"/{namespace}/{topic}"
