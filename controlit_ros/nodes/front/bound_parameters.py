"""Parameters tied to topics and shared memory, as a configuration has it."""

from controlit_ros.bindings import BindingContext, BindingFactory, BindingManager
from controlit_ros.bindings.odometry_input import OdometryInput
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing


def bind_parameters(crossing: Crossing, arbitration: Arbitration) -> BindingManager:
    """Make the bindings of a controller, and that of its odometry; none is started.

    Args:
        crossing: To the servo.
        arbitration: What comes over topics passes all of it, shared memory comes from the robot's
            own computer.
    """
    stack = crossing.stack
    context = BindingContext(
        crossing.transport,
        crossing.mailbox,
        crossing.outbox,
        crossing.complaints,
        crossing.clock_offset,
        stack.frames,
        crossing.refresh,
    )
    factories: dict[str, BindingFactory] = {}
    bindings = BindingManager(stack.directory, factories)
    for bound in stack.bindings:
        if bound.transport_type not in factories:
            plugin = load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type)
            mailbox = arbitration.remote if plugin.is_remote else arbitration.goals
            factories[bound.transport_type] = plugin(context._replace(mailbox=mailbox))
        bindings.bind(bound.config, bound.transport_type)
    if stack.odometry is not None:
        topic = stack.configuration.parameters.odometry_topic
        source = OdometryInput(stack.odometry, stack.robot.root_link, topic, context)
        bindings.bindings.append(source.binding)
    return bindings
