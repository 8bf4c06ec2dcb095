"""Diagnostics: what a controller measures of itself, and what goes over its topics."""

from collections.abc import Callable
from threading import Lock

from controlit_ros.bindings import BindingManager
from controlit_ros.introspection import (
    DiagnosticsArray,
    DiagnosticsServices,
    Inspected,
    Traffic,
)
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.goal_actions import GoalActions


def publish_diagnostics(
    crossing: Crossing, bindings: BindingManager, actions: GoalActions
) -> DiagnosticsArray:
    """Return what publishes `/diagnostics` once it is started."""
    return DiagnosticsArray(
        crossing.transport.namespace.strip("/"),
        crossing.coordinator,
        crossing.liveliness,
        lambda: crossing.lifecycle.is_running,
        crossing.stack.clock,
        lambda: _traffic(crossing, bindings, actions),
        crossing.transport,
        crossing.outbox,
        crossing.complain,
    )


def _traffic(crossing: Crossing, bindings: BindingManager, actions: GoalActions) -> Traffic:
    takers = (*bindings.bindings, *actions.offered)
    rejections = [taker.last_rejection for taker in takers if taker.last_rejection]
    outbox = crossing.outbox
    return Traffic(
        dropped=outbox.dropped + crossing.mailbox.dropped,
        received=sum(binding.received for binding in bindings.bindings),
        rejected=sum(taker.rejected for taker in takers),
        last_rejection=rejections[-1] if rejections else "",
        failures=outbox.failures,
        last_failure=outbox.last_failure,
        health=crossing.transport.health(),
    )


def inspect(
    crossing: Crossing, present: Callable[[], ControllerStack], changing: Lock
) -> DiagnosticsServices:
    """Answer those who look at robot, tasks, constraints and parameters.

    Args:
        crossing: To the servo.
        present: Returns what runs now.
        changing: Held while a part comes or goes.
    """
    stack = crossing.stack
    return DiagnosticsServices(
        Inspected(
            stack.robot,
            stack.tasks.tasks,
            stack.constraints.constraints,
            stack.controller,
            (
                *stack.controller.inequalities,
                *stack.behaviours,
                stack.robot_interface,
                stack.clock,
            ),
            stack.configuration.parameters,
            lambda: configuration_text(present()),
        ),
        crossing.coordinator.robot_state,
        changing,
        crossing.outbox,
        crossing.clock_offset,
        crossing.transport,
    )
