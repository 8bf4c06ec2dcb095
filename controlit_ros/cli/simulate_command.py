"""`controlit simulate`: the simulator of a controller in a process of its own."""

from contextlib import ExitStack
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import FileArgument, SetOption, TransportOption, overrides
from controlit_ros.configuration import PluginKind, available
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.nodes.controller_stack import ControllerStack, load_stack
from controlit_ros.nodes.robot_topics import robot_link
from controlit_ros.nodes.simulator import (
    NODE_NAME,
    run_simulator,
    shared_memory_link,
    simulator_with,
)
from controlit_ros.robots.link import Link
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.robots.topic import Topic
from controlit_ros.transport import Transport, open_transport

INTERFACE_KEY = "robot_interface_type"


def command(
    file: FileArgument,
    *,
    interface: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            help="Speak shared_memory, udp or topic instead of what the file says.",
            show_default=False,
        ),
    ] = None,
    settings: SetOption = None,
    transport: TransportOption = None,
) -> None:
    """Run the simulator of a controller in a process of its own.

    It speaks the robot interface of the file. `controlit run` with the same file joins it instead
    of starting one, and may be stopped and started while the simulated robot lives on.
    """
    changes = overrides(settings)
    if interface is not None:
        changes[INTERFACE_KEY] = _interface_type(interface)
    stack = load_stack(file, changes)
    simulator = _simulator(stack)
    with ExitStack() as opened:
        network = None
        if simulator.publishes_clock or isinstance(stack.robot_interface, Topic):
            namespace = f"/{stack.configuration.name}"
            network = opened.enter_context(open_transport(NODE_NAME, namespace, name=transport))
        link, where = _link(stack, simulator, network)
        output.note(f"simulating {simulator.setup.name} {where} until Ctrl-C")
        raise typer.Exit(run_simulator(simulator, link, network=network))


def _interface_type(name: str) -> str:
    """Return the plugin a user means: `shared_memory`, `sharedmemory` or `SharedMemory`."""
    known = available(PluginKind.ROBOT_INTERFACE)
    plain = {type_name.lower(): type_name for type_name in known}
    try:
        return plain[name.replace("_", "").lower()]
    except KeyError:
        hint = did_you_mean(name, known)
        raise ControlItError(f"found the interface {name!r}, expected another{hint}") from None


def _simulator(stack: ControllerStack) -> MuJoCo:
    """Return what to simulate."""
    interface = stack.robot_interface
    if isinstance(interface, MuJoCo):
        return interface
    if not isinstance(interface, RemoteRobot):
        raise ControlItError(
            f"{stack.configuration.source}: found the robot interface "
            f"{type(interface).__name__}, expected MuJoCo, SharedMemory, UDP or Topic: nothing "
            "else can be simulated"
        )
    return simulator_with(interface.setup, stack.configuration.simulator)


def _link(stack: ControllerStack, simulator: MuJoCo, network: Transport | None) -> tuple[Link, str]:
    """Return the robot's end of the link to the servo, and where that is, in words."""
    interface = stack.robot_interface
    if isinstance(interface, Topic) and network is not None:
        return robot_link(interface.topics, network), f"over {interface.place}"
    if isinstance(interface, RemoteRobot):
        return interface.robot_end(), f"over {interface.place}"
    return shared_memory_link(simulator), f"on channel {simulator.channel}"
