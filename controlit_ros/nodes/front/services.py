"""The services of a controller that change it, and those that say where its bodies are."""

from controlit_ros.bindings import BindingManager
from controlit_ros.introspection import (
    BindingServices,
    Controlled,
    ControlServices,
    FrameServices,
    LifecycleServices,
    ParameterEvents,
    ParameterServices,
    PartServices,
    SaveConfiguration,
)
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.nodes.running_parts import RunningParts


def offer_services(
    crossing: Crossing, arbitration: Arbitration, bindings: BindingManager, parts: RunningParts
) -> None:
    """Offer all services of a controller but those of modes, explanations and diagnostics."""
    stack, transport, clock = crossing.stack, crossing.transport, crossing.stack.clock
    access, remote = arbitration.access, arbitration.remote
    events = ParameterEvents(stack.directory, transport, lambda: clock.now + crossing.clock_offset)
    BindingServices(bindings.bindings, transport)
    ControlServices(
        Controlled(
            stack.tasks.tasks,
            stack.constraints.constraints,
            stack.controller,
            stack.events,
            stack.directory,
            remote,
            events.changed,
        ),
        transport,
    )
    folders = [folder.absolute() for folder in stack.configuration.save_folders]
    SaveConfiguration(lambda folder: running_text(parts.stack, folder), folders, transport, access)
    ParameterServices(stack.directory, remote, events, transport)
    PartServices(parts, access, arbitration.gate.check_free, events.renew, transport)
    FrameServices(
        stack.robot,
        crossing.coordinator.robot_state,
        crossing.outbox,
        crossing.clock_offset,
        transport,
    )
    LifecycleServices(
        crossing.lifecycle.machine, lambda: crossing.liveliness.is_well, transport, access
    )
