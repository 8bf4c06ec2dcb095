"""The topics on which a controller shows the state of robot and servo."""

from controlit_ros.introspection import BaseTransform, DiagnosticsTopics, JointStates
from controlit_ros.nodes.front.crossing import Crossing


def publish_state(crossing: Crossing) -> None:
    """Publish joints, base and the servo's numbers while somebody listens."""
    stack, coordinator = crossing.stack, crossing.coordinator
    transport, outbox, offset = crossing.transport, crossing.outbox, crossing.clock_offset
    DiagnosticsTopics(coordinator, transport, outbox, offset)
    JointStates(coordinator, stack.robot.urdf, transport, outbox, offset)
    BaseTransform(
        coordinator.robot_state,
        stack.robot.root_link,
        is_fixed=stack.robot_interface.setup.fixed_base,
        transport=transport,
        outbox=outbox,
        clock_offset=offset,
        frames=stack.frames,
    )
