"""`controlit simulate`: the simulator of a controller in a process of its own."""

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import FileArgument, SetOption, overrides
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import load_stack
from controlit_ros.nodes.simulator import run_simulator
from controlit_ros.robots.mujoco import MuJoCo


def command(file: FileArgument, *, settings: SetOption = None) -> None:
    """Run the simulator of a controller in a process of its own.

    `controlit run` with the same file joins it instead of starting one, and may be stopped and
    started while the simulated robot lives on.
    """
    stack = load_stack(file, overrides(settings))
    interface = stack.robot_interface
    if not isinstance(interface, MuJoCo):
        raise ControlItError(
            f"{file}: found the robot interface {type(interface).__name__}, "
            "expected MuJoCo: nothing else can be simulated"
        )
    options = {name: parameter.snapshot() for name, parameter in interface.parameters.items()}
    output.note(f"simulating {interface.setup.name} on channel {interface.channel} until Ctrl-C")
    raise typer.Exit(run_simulator(interface.setup, options))
