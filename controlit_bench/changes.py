"""Tasks that many clients add and remove at once while Talos moves; in simulated time."""

import gc
import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from controlit_bench.section import Section
from controlit_ros.arrays import Array
from controlit_ros.interfaces import new
from controlit_ros.nodes.simulated_controller import SimulatedController

FILE = "package://controlit/config/talos/stand.yaml"
FREQUENCY = 500  # [Hz]
CLIENTS = 10
ROUNDS, QUICK_ROUNDS = 100, 2  # [-] additions and removals of each client
WARM_UP, UNDISTURBED = 1.0, 3.0  # [s]; the second is more than a half of a swing
SWING, RATE = 0.03, 2.0  # [m], [rad/s] of the hand
PATIENCE = 600.0  # [s] of the wall for one answer
RAMP = 0.2  # [s]
ENTRY = """
name: Extra{0}
type: CartesianPosition
body: arm_left_4_link
kp: 25
kd: 10
goal_position: [0.1, 0.5, 1.2]
"""
KIND = "controlit/srv"


class _MovingTalos:
    """A Talos that moves a hand to and fro, and how much its efforts change from cycle to cycle."""

    def __init__(self, controller: SimulatedController) -> None:
        self._controller = controller
        self._home = controller.task("RightHandPosition").goal.value.copy()
        self._last = self._effort
        self.largest = 0.0  # [N m]

    @property
    def _effort(self) -> Array:
        return np.array(self._controller.node.coordinator.command.effort)

    def pass_cycle(self) -> None:
        """Let one cycle pass."""
        along = SWING * np.sin(RATE * self._controller.time)
        goal = self._home + np.array([0.0, 0.0, along])
        self._controller.set("RightHandPosition.goal_position", goal)
        self._controller.advance(1.0 / FREQUENCY)
        effort = self._effort
        self.largest = max(self.largest, float(np.abs(effort - self._last).max()))
        self._last = effort

    def pass_time(self, duration: float) -> float:
        """Let a time pass [s]; return the largest change of an effort in a cycle [N m]."""
        self.largest = 0.0
        for _ in range(round(duration * FREQUENCY)):
            self.pass_cycle()
        return self.largest


class _AddingClient:
    """Adds a task of its own and removes it, over and over."""

    def __init__(self, controller: SimulatedController, number: int) -> None:
        self._number = number
        client = controller.transport.client
        self._add = client("control/addTask", f"{KIND}/AddTask")
        self._remove = client("control/removeTask", f"{KIND}/RemoveTask")

    def live(self, rounds: int) -> None:
        """Make so many additions and removals.

        Raises:
            RuntimeError: One was refused.
        """
        name, definition = f"Extra{self._number}", ENTRY.format(self._number)
        for _ in range(rounds):
            for answer in (
                self._add.call(
                    new(f"{KIND}/AddTask_Request", definition=definition, priority=1), PATIENCE
                ),
                self._remove.call(new(f"{KIND}/RemoveTask_Request", task=name), PATIENCE),
            ):
                if not answer.success:
                    raise RuntimeError(answer.message)


def measure_changes(*, quick: bool) -> Section:
    """Add and remove tasks from ten clients at once, and see what the robot feels of it."""
    return Section(
        name="changes",
        title=f"Talos moves a hand while {CLIENTS} clients at once add and remove tasks",
        columns=(
            "ramp [s]",
            "additions and removals [-]",
            "simulated [s]",
            "largest change of an effort in a cycle [N m]",
            "without them [N m]",
            "objects more [-]",
            "memory more [MB]",
            "tasks left [-]",
            "state",
        ),
        rows=(_changed(RAMP, QUICK_ROUNDS if quick else ROUNDS), _changed(0.0, QUICK_ROUNDS)),
    )


def _changed(ramp: float, rounds: int) -> tuple[Any, ...]:
    """Return a row of the table; without a ramp it shows what the changes would do."""
    settings = {"servo_frequency": FREQUENCY, "reconfiguration_time": ramp}
    with SimulatedController(FILE, settings) as controller:
        moving = _MovingTalos(controller)
        moving.pass_time(WARM_UP)
        alone = moving.pass_time(UNDISTURBED)
        clients = [_AddingClient(controller, number) for number in range(CLIENTS)]
        _let_live(clients, 1, moving)
        before, began = _held(), controller.time
        moving.largest = 0.0
        _let_live(clients, rounds, moving)
        changed, after = moving.largest, _held()
        duration, state = controller.time - began, controller.state.value
        left = sum(task.name.startswith("Extra") for task in controller.stack.tasks.tasks)
    more = (after[0] - before[0], (after[1] - before[1]) / 1e6)
    return (ramp, CLIENTS * rounds, duration, changed, alone, *more, left, state)


def _let_live(clients: list[_AddingClient], rounds: int, moving: _MovingTalos) -> None:
    """Let cycles pass until all clients have done what they do."""
    with ThreadPoolExecutor(len(clients)) as pool:
        lives = [pool.submit(client.live, rounds) for client in clients]
        while not all(life.done() for life in lives):
            moving.pass_cycle()
        for life in lives:
            life.result()


def _held() -> tuple[int, int]:
    """Return how many objects there are, and the memory of this process [bytes]."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return len(gc.get_objects()), pages * resource.getpagesize()
