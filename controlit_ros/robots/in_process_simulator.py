"""InProcessSimulator: a robot in simulated time, in the servo's own process."""

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup
from controlit_ros.robots.simulation_options import SimulationOptions

TOLERANCE = 1e-6  # [-] of a timestep: how exactly the servo period must be a number of them


def steps_per_cycle(setup: RobotSetup, options: SimulationOptions) -> int:
    """Return the number of timesteps in a servo period.

    Raises:
        RobotInterfaceError: It is not whole.
    """
    steps = 1.0 / (setup.servo_frequency * options.timestep)
    whole = round(steps)
    if whole < 1 or abs(steps - whole) > TOLERANCE:
        raise RobotInterfaceError(
            f"timestep: found {options.timestep:g} s, expected a whole fraction of the servo "
            f"period, {1.0 / setup.servo_frequency:g} s"
        )
    return whole


class InProcessSimulator:
    """Advances by one servo period in every cycle: time passes as fast as the controller.

    Before the first command the robot is held, and no time passes.

    Args:
        setup: The robot.
        options: How to simulate it.

    Attributes:
        simulation: The physics.

    Raises:
        RobotInterfaceError: The robot cannot be simulated so, or the servo period is not a whole
            number of timesteps.
    """

    def __init__(self, setup: RobotSetup, options: SimulationOptions) -> None:
        self._steps = steps_per_cycle(setup, options)
        self._is_commanded = False
        self._has_passed = True  # the period since the state was read
        self.simulation = Simulation(setup, options)

    def activate(self) -> None:
        """Continue from where the simulation stands."""

    def read(self, state: RobotState) -> bool:
        """Report the robot as it is now, at the simulated time; always a fresh measurement.

        A cycle that ended without a command, since control did, lets its period pass here.

        Raises:
            RobotInterfaceError: The simulation diverged.
        """
        if not self._has_passed:
            self._pass()
        self._has_passed = not self._is_commanded
        self.simulation.state(state)
        return True

    def explain(self) -> str:
        """Say nothing: what runs in this process does not go astray."""
        return ""

    def write(self, command: Command) -> None:
        """Apply a command and let one servo period pass.

        Raises:
            RobotInterfaceError: The simulation diverged.
        """
        self.simulation.apply(command)
        self._is_commanded = True
        self._pass()

    def deactivate(self) -> None:
        """Do nothing: without cycles no time passes."""

    def _pass(self) -> None:
        self._has_passed = True
        for _ in range(self._steps):
            self.simulation.step()
