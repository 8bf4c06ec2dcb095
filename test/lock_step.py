"""A controller whose time passes only while its clients wait."""

from pathlib import Path

from controlit_ros.client import SimulatedBeat
from controlit_ros.scripting import SimulatedController

CONTROLLERS = Path(__file__).parent / "cli" / "controllers"
PERIOD = 0.01  # [s] of goals, and of what the servo publishes
AT_ONCE = {"soft_start_time": 0.0, "log_level": "WARN"}


class LockStep(SimulatedBeat):
    """A started controller, and the beat of its clients: a run depends on no machine."""

    def __init__(self, file, domain, **overrides):
        self.controller = SimulatedController(file, {**AT_ONCE, **overrides}, domain=domain)
        self.controller.start()
        super().__init__(self.controller)
        self.node = self.controller.node
        self.stack = self.controller.stack
        self.tasks = {task.name: task for task in self.stack.tasks.tasks}
        self.network = self.controller.transport

    def close(self):
        """Go on for the others: who leaves lets motions end, and with them the calls."""

    def stop(self):
        self.controller.stop()
