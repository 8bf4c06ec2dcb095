"""Putting a controller's node together, the same for those who run it and those who check it."""

from collections.abc import Iterator

from controlit_ros.configuration import Configuration, ConfigurationError, KeyPath
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.process_layout import ProcessLayout
from controlit_ros.nodes.servo_node import NODE_NAME, ServoNode
from controlit_ros.transport import DeferredTransport, TransportError
from controlit_ros.transport.qos_overrides import QosOverrides
from controlit_ros.transport.remapping import own_name


def assemble(
    stack: ControllerStack,
    layout: ProcessLayout | None = None,
    qos: QosOverrides | None = None,
) -> ServoNode:
    """Return the node of a controller, whose transports are not open and nothing of which runs.

    What is refused from here on is the machine's and not the file's: memory, ports, processes.

    Args:
        stack: What to run; a stack serves one node.
        layout: Where the servo runs; in this process if not given.
        qos: What a user chose instead of the quality that topics have.

    Raises:
        ConfigurationError: Topics break the rules of names, or one has two types.
    """
    configuration = stack.configuration
    try:
        name = own_name(NODE_NAME, configuration.name)
        network = DeferredTransport(name.name, name.namespace, qos=qos)
        return ServoNode(stack, network, layout)
    except ControlItError as error:
        collector = configuration.collector()
        collector.add(_place(configuration, error), str(error))
        raise ConfigurationError(configuration.source, collector.problems) from None


def _place(configuration: Configuration, error: BaseException) -> KeyPath:
    """Return which key of the file names the topic that an error is about."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, TransportError):
        cause = cause.__cause__
    if cause is None or cause.name is None:
        return ("name",)
    for path, topic in _topics(configuration):
        if cause.name in (topic, _absolute(configuration, topic)):
            return path
    return ("name",)


def _topics(configuration: Configuration) -> Iterator[tuple[KeyPath, str]]:
    for i, binding in enumerate(configuration.bindings):
        yield ("bindings", i, "topic"), binding.topic
    for key, value in configuration.robot_interface.items():
        for topic in value if isinstance(value, list) else [value]:
            yield ("robot_interface", key), str(topic)
    yield ("parameters", "odometry_topic"), configuration.parameters.odometry_topic


def _absolute(configuration: Configuration, topic: str) -> str:
    try:
        return own_name(NODE_NAME, configuration.name).resolve(topic)
    except TransportError:
        return topic
