"""The simulator process: a robot in real time, for a servo in another process.

`python -m controlit_ros.nodes.simulator [FILE]` reads a `SimulatorDescription` from a file or
from the standard input, and prints nothing unless it fails.
"""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import mujoco

from controlit_ros.errors import ControlItError
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.robot_interface import RobotSetup
from controlit_ros.robots.simulation_server import SimulationServer
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.servo.real_time import RealTimeSettings, enter_real_time

PRIORITY = 20  # [-] SCHED_FIFO, below the servo
SUCCESS = 0
FAILURE = 1


def run_simulator(setup: RobotSetup, options: Mapping[str, Any], parent: int | None = None) -> int:
    """Simulate a robot in real time until SIGINT, SIGTERM or the end of the parent process.

    Runs in the main thread. Controllers come and go as they like; see `Simulation` for what the
    robot does without one.

    Args:
        setup: The robot.
        options: Values of parameters of the interface `MuJoCo` by name; the others have their
            defaults.
        parent: Process whose end ends the simulator; `None` to outlive whoever started it.

    Returns:
        Exit code of the process.

    Raises:
        ControlItError: An option does not fit, the channel is taken, or the simulation diverged.
    """
    interface = MuJoCo(setup)
    for name, value in options.items():
        interface.parameter(name).set(value)
    server = SimulationServer(
        Simulation(setup, interface.options()),
        interface.channel,
        real_time_factor=interface.real_time_factor,
        parent=parent,
    )

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.stopped = True

    previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    # a robot keeps time whatever else the machine does, where that is permitted
    enter_real_time(RealTimeSettings(PRIORITY, ()))
    mujoco.set_mju_user_warning(lambda _: None)  # a divergence is reported once, as an error
    try:
        server.run()
    finally:
        server.close()
        for number, handler in previous.items():
            signal.signal(number, handler)
    return SUCCESS


def main() -> int:
    """Run the simulator described in the file named on the command line or on standard input."""
    try:
        text = Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else sys.stdin.read()
        description = SimulatorDescription.from_json(text)
        return run_simulator(description.setup, description.options, description.parent)
    except (ControlItError, OSError) as error:
        print(f"simulator: {error}", file=sys.stderr)
        return FAILURE


if __name__ == "__main__":
    sys.exit(main())
