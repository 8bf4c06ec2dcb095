"""Run the simulator of a controller in a process of its own."""

from contextlib import ExitStack
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import (
    DurationOption,
    FileArgument,
    SetOption,
    TransportOption,
    interface_type,
    overrides,
)
from controlit_ros.cli.ros_start import start_of
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.name_claim import claim_name
from controlit_ros.nodes.robot_topics import robot_link
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.nodes.simulator import NODE_NAME, run_simulator, shared_memory_link
from controlit_ros.robots.link import Link
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.ros_arguments import RosArguments
from controlit_ros.transport import Transport, open_transport

INTERFACE_KEY = "robot_interface_type"


def command(
    context: typer.Context,
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
    duration: DurationOption = None,
    transport: TransportOption = None,
) -> None:
    """Run the simulator of a controller in a process of its own.

    It speaks the robot interface of the file. `controlit run` with the same file joins it instead
    of starting one, and may be stopped and started while the simulated robot lives on.
    """
    changes = overrides(settings)
    if interface is not None:
        changes[INTERFACE_KEY] = interface_type(interface)
    start = start_of(file, NODE_NAME, changes, context.ensure_object(RosArguments))
    for text in start.warnings:
        output.note(text)
    stack = load_stack(file, start.overrides)
    simulator = simulated_robot(stack)
    with ExitStack() as opened:
        network = None
        if simulator.publishes_clock or stack.robot_interface.topics is not None:
            namespace = f"/{stack.configuration.name}"
            opened.enter_context(claim_name(NODE_NAME, namespace, transport))
            network = opened.enter_context(open_transport(NODE_NAME, namespace, name=transport))
        link, where = _link(stack, simulator, network)
        limit = "" if duration is None else f", for {duration:g} s at most"
        output.note(f"simulating {simulator.setup.name} {where} until Ctrl-C{limit}")
        raise typer.Exit(run_simulator(simulator, link, network=network, duration=duration))


def _link(stack: ControllerStack, simulator: MuJoCo, network: Transport | None) -> tuple[Link, str]:
    """Return the robot's end of the link to the servo, and where that is, in words."""
    interface = stack.robot_interface
    if interface.topics is not None and network is not None:
        return robot_link(interface.topics, network), f"over {interface.place}"
    if isinstance(interface, RemoteRobot):
        return interface.robot_end(), f"over {interface.place}"
    return shared_memory_link(simulator), f"on channel {simulator.channel}"
