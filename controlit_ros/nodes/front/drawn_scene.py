"""The robot, its goals and what surrounds it, as displays draw them."""

from functools import partial

from controlit_ros.introspection import (
    BegunApart,
    InteractiveMarkers,
    MarkerTopic,
    RobotMirror,
    SceneSource,
)
from controlit_ros.introspection.interactive_markers import NAMESPACE
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.scene_sight import scene_sight
from controlit_ros.servo import CoordinatorState


def draw_scene(crossing: Crossing, arbitration: Arbitration) -> SceneSource:
    """Publish markers while somebody looks, and take the goals that are dragged there."""
    stack, coordinator, transport = crossing.stack, crossing.coordinator, crossing.transport
    return SceneSource(
        RobotMirror(stack.robot, coordinator.robot_state, stack.constraints.constraints),
        stack.tasks.tasks,
        coordinator.command,
        lambda: coordinator.status.state is CoordinatorState.ACTIVE,
        crossing.outbox,
        (
            MarkerTopic(
                stack.robot, transport, crossing.clock_offset, stack.frames, scene_sight(stack)
            ),
            InteractiveMarkers(
                arbitration.remote,
                partial(crossing.complain, NAMESPACE),
                transport,
                stack.frames,
            ),
        ),
        (*stack.controller.inequalities, *stack.behaviours),
        BegunApart("first scene"),
    )
