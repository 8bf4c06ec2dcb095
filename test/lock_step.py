"""A controller whose time passes only while its client waits."""

from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

CONTROLLERS = Path(__file__).parent / "cli" / "controllers"
LET = 0.001  # [s] for an answer that needs no more cycles
PERIOD = 0.01  # [s] of goals, and of what the servo publishes
IN_STEP = {
    "servo_clock_type": "Simulated",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "soft_start_time": 0.0,
    "log_level": "WARN",
}
IN_PROCESS = {"robot_interface.mode": "in_process"}  # for a robot that is simulated


class LockStep:
    """A servo, and the beat of its clients: they take turns, so a run depends on no machine."""

    def __init__(self, file, name, domain, **overrides):
        self.stack = load_stack(file, {**IN_STEP, **overrides})
        self.server = LocalTransport("servo", f"/{name}", domain=domain)
        self.network = LocalTransport("client", domain=domain)
        self.node = ServoNode(self.stack, self.server)
        self.tasks = {task.name: task for task in self.stack.tasks.tasks}
        self.runs = True
        self._cycles = round(PERIOD * self.stack.clock.frequency)
        self._actions = []
        self.node.start()
        self.node.outbox.stop()  # from here on delivered between cycles, by this thread
        while self.node.state.value != "active":
            self.step()

    def now(self):
        return self.stack.clock.now

    def begin(self, _period, action):
        if action not in self._actions:
            self._actions.append(action)

    def wait(self, condition, timeout):
        deadline = self.now() + timeout
        while not condition():
            if self.now() >= deadline:
                return False
            self.step()
        return True

    def call(self, action):
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(action)
            while not wait((answer,), LET).done:  # cycles would only take time from who answers
                self.step()
            return answer.result()

    def notify(self):
        pass

    def close(self):
        pass  # who leaves lets motions end, and with them the calls

    def step(self):
        """Send goals, let time pass until the next ones, and hear what the servo says."""
        self._actions = [action for action in self._actions if action(self.now())]
        self.server.settle()
        if self.runs:
            self.stack.clock.advance(self._cycles)
            self.node.outbox.ask_for_interest()
            self.node.outbox.deliver_all()
        self.network.settle()

    def stop(self):
        self.node.stop()
        self.network.close()
