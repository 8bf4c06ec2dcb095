"""The simulator process: a robot in real time, for a servo in another process.

`python -m controlit_ros.nodes.simulator [FILE]` reads a `SimulatorDescription` from a file or
from the standard input, and prints nothing unless it fails.
"""

import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

import mujoco

from controlit_ros.errors import ControlItError
from controlit_ros.nodes.clock_topic import ClockTopic
from controlit_ros.nodes.name_claim import claim_name
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.push_channel import PushReader
from controlit_ros.robots.robot_interface import RobotSetup
from controlit_ros.robots.scene_channel import SceneWriter
from controlit_ros.robots.simulation_server import SimulationServer
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.servo.real_time import RealTimeSettings, enter_real_time
from controlit_ros.transport import Transport, open_transport

NODE_NAME = "simulator"
PRIORITY = 20  # [-] SCHED_FIFO, below the servo
SUCCESS = 0
FAILURE = 1


def run_simulator(
    simulator: MuJoCo,
    link: Link,
    parent: int | None = None,
    network: Transport | None = None,
    duration: float | None = None,
) -> int:
    """Simulate a robot until SIGINT, SIGTERM, the end of the parent process or of a duration.

    Runs in the main thread. Controllers come and go as they like; see `Simulation` for what the
    robot does without one.

    Args:
        simulator: Says how to simulate the robot.
        link: To the servo; is closed at the end.
        parent: Process whose end ends the simulator; `None` to outlive whoever started it.
        network: Where `/clock` is published, if the simulator shall.
        duration: How long at most [s]; `None`: for ever.

    Returns:
        Exit code of the process.

    Raises:
        ControlItError: An option does not fit, the link is taken, or the simulation diverged.
    """
    simulation = Simulation(simulator.setup, simulator.options())
    scene = SceneWriter(simulation, simulator.channel) if simulation.scene_bodies else None
    server = SimulationServer(
        simulation,
        link,
        real_time_factor=simulator.real_time_factor,
        lock_step=simulator.steps_per_cycle if simulator.lock_step else 0,
        parent=parent,
        tell_time=ClockTopic(network).tell if network and simulator.publishes_clock else None,
        scene=scene,
        pushes=PushReader(simulation, simulator.channel),
    )

    def stop(_number: int = 0, _frame: FrameType | None = None) -> None:
        server.stopped = True

    previous = {number: signal.signal(number, stop) for number in _endings()}
    # a robot keeps time whatever else the machine does, where that is permitted
    enter_real_time(RealTimeSettings(PRIORITY if simulator.setup.real_time else 0, ()))
    mujoco.set_mju_user_warning(lambda _: None)  # a divergence is reported once, as an error
    end = None if duration is None else threading.Timer(duration, stop)
    try:
        if end is not None:
            end.start()
        server.run()
    finally:
        if end is not None:
            end.cancel()
        if scene is not None:
            scene.close()
        for number, handler in previous.items():
            signal.signal(number, handler)
    return SUCCESS


def _endings() -> list[signal.Signals]:
    """Return the signals that end a simulator; a terminal that goes only where nohup says not."""
    is_kept = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if is_kept else [signal.SIGHUP])]


def simulator_with(setup: RobotSetup, options: Mapping[str, Any]) -> MuJoCo:
    """Return the interface `MuJoCo` with values of its parameters by name.

    Raises:
        ParameterError: A value does not fit, or there is no such parameter.
    """
    simulator = MuJoCo(setup)
    for name, value in options.items():
        simulator.parameter(name).set(value)
    return simulator


def shared_memory_link(simulator: MuJoCo) -> ChannelLink:
    """Return the robot's end of the shared memory of the interface `MuJoCo`."""
    setup = simulator.setup
    return ChannelLink(simulator.channel, command_layout(setup), state_layout(setup))


def main() -> int:
    """Run the simulator described in the file named on the command line or on standard input."""
    try:
        text = Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else sys.stdin.read()
        description = SimulatorDescription.from_json(text)
        simulator = simulator_with(description.setup, description.options)
        with ExitStack() as opened:
            network = None
            if simulator.publishes_clock:  # CONTROLIT_TRANSPORT says which transport
                namespace = f"/{simulator.setup.name}"
                opened.enter_context(claim_name(NODE_NAME, namespace))
                network = opened.enter_context(open_transport(NODE_NAME, namespace))
            link = shared_memory_link(simulator)
            return run_simulator(simulator, link, description.parent, network)
    except (ControlItError, OSError) as error:
        print(f"simulator: {error}", file=sys.stderr)
        return FAILURE


if __name__ == "__main__":
    sys.exit(main())
