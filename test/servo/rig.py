"""A small robot of unit masses, its servo and a simulated clock; nothing waits, nothing sleeps."""

import math
from types import SimpleNamespace

import numpy as np

from controlit_ros.controllers import WholeBodyController
from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.parameters import Access, Event, Mailbox, ParameterReflection, Reader
from controlit_ros.servo import (
    CommandGuard,
    Control,
    Coordinator,
    GuardSettings,
    ModelUpdater,
    NoticeBoard,
    NoticeLevel,
    Outbox,
    ServoPorts,
    ServoSettings,
)
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.tasks import CompoundTask, PIDController, Task

FREQUENCY = 1000.0


def describe(count):
    joints = tuple(f"joint_{i}" for i in range(count))
    return SimpleNamespace(
        real_joints=joints,
        contacts=(),
        sensors=(),
        imu=None,
        create_state=lambda memory=bytearray: RobotState(joints, memory),
        command_joints=joints,
        command_indices=np.arange(count),
        command_dofs=np.arange(count),
        nv=count,
        effort_limits=np.full(count, 50.0),
        velocity_limits=np.full(count, 10.0),
        is_sliding=np.zeros(count, dtype=bool),
        lower_limits=np.full(count, -3.0),
        upper_limits=np.full(count, 3.0),
    )


def gravity(position):
    return 5.0 * np.cos(position)


class UnitModel:
    """Unit masses under gravity, in the form of a constrained model."""

    is_one_call = False  # but by its thread

    def __init__(self, description):
        count = description.nv
        self.robot_model = SimpleNamespace(
            state=RobotState(description.real_joints),
            v=np.zeros(count),
            A=np.eye(count),
            description=description,
        )
        self.Phi = np.eye(count)
        self.bias_effort = np.zeros(count)
        self.drift = np.zeros(count)
        self.constraints = SimpleNamespace(with_reactions=False, contacts=())
        self.revision = 0
        self.error = None

    def update(self, state, _then=None):
        self.update_dynamics(state)
        self.update_projections()

    def update_dynamics(self, state):
        model = self.robot_model
        if state is not model.state:
            model.state.copy_from(state)
        np.copyto(model.v, model.state.velocity)

    def update_projections(self):
        self.bias_effort.fill(math.nan)  # what a failing update leaves behind is unusable
        constraint_error = self.error() if self.error else None
        if constraint_error is not None:
            raise constraint_error
        np.copyto(self.bias_effort, gravity(self.robot_model.state.position))


class JointTask(Task):
    """Drives every joint to a goal."""

    def __init__(self, name, robot):
        super().__init__(name, robot, robot.nv)
        vector = {"shape": (robot.nv,), "broadcast": True}
        self.goal = self.declare("goal", 0.0, **vector)
        self.goal_velocity = self.declare("goal_velocity", 0.0, **vector)
        self.actual = self.declare("actual", 0.0, access=Access.OUTPUT, **vector)
        self.offset = self.declare("offset", 0.0, reader=Reader.TASK_UPDATER, **vector)
        self.controller = PIDController(self, robot.nv)
        self.update_error = None
        self.latch_error = None
        self.poison = 0.0

    def _update(self, model, state):
        if self.update_error is not None:
            state.actual.fill(math.nan)
            raise self.update_error
        np.copyto(state.actual, model.state.position)
        state.actual += self.offset.value
        state.jacobian[:] = np.eye(self.dimension)

    def _error(self, state, error):
        np.subtract(self.goal.value, state.actual, out=error)
        error += self.poison

    def latch_goal(self):
        if self.latch_error is not None:
            raise self.latch_error
        super().latch_goal()


class SumController(WholeBodyController):
    """Sum of the tasks' commands, plus gravity."""

    def __init__(self, robot, **fields):
        ParameterReflection.__init__(self, "whole_body_controller")
        self.robot = robot
        self.fields = fields
        self.offset = self.declare("offset", 0.0, description="of all efforts", unit="N m")
        self.error = None
        self.after_write = None

    def create_command(self):
        return Command(self.robot.command_joints, **self.fields)

    def compute_command(self, model, tasks, command):
        effort = command.effort
        effort.fill(0.0)
        for level in tasks.levels:
            effort += tasks.jacobian[level.rows].T @ tasks.command[level.rows]
        effort += model.bias_effort + self.offset.value
        if command.position is not None:
            np.copyto(command.position, model.robot_model.state.position)
            command.position += 0.1
        if command.stiffness is not None:
            command.stiffness.fill(100.0)
            command.damping.fill(10.0)
        if self.after_write is not None:
            self.after_write(command)
        if self.error is not None:
            raise self.error


class UnitRobot:
    """Unit masses that obey the effort they were last told."""

    senses_wrenches = True

    def __init__(self, count):
        self.position = np.linspace(0.2, 0.8, count)
        self.velocity = np.zeros(count)
        self.effort = gravity(self.position)
        self.written = []
        self.has_state = True
        self.read_error = None
        self.write_error = None
        self.corrupt = None
        self.sequence = 0
        self.now = 0.0
        self.refused = 0
        self.reason = ""

    def explain(self):
        return self.reason

    def read(self, state):
        if self.read_error is not None:
            raise self.read_error
        self._move()
        if not self.has_state:
            return False
        np.copyto(state.position, self.position)
        np.copyto(state.velocity, self.velocity)
        for rest in (state.acceleration, state.effort, state.base_position, state.base_velocity):
            rest.fill(0.0)
        state.base_orientation[:] = (0.0, 0.0, 0.0, 2.0)
        state.stamp = self.now - 1.0 / FREQUENCY
        self.sequence += 1
        state.sequence = self.sequence
        if self.corrupt is not None:
            self.corrupt(state)
        return True

    def write(self, command):
        if self.write_error is not None:
            raise self.write_error
        np.copyto(self.effort, command.effort)
        self.written.append(command.effort.copy())

    def _move(self):
        self.now += 1.0 / FREQUENCY
        self.velocity += (self.effort - gravity(self.position)) / FREQUENCY
        self.position += self.velocity / FREQUENCY


class Rig:
    """Everything of a servo; `run` plays cycles and, between them, the updaters to the end."""

    def __init__(
        self,
        *,
        count=2,
        tasks=("task",),
        guard=None,
        events=(),
        fields=None,
        odometry=None,
        behaviours=lambda _tasks: (),
        **settings,
    ):
        self.robot = UnitRobot(count)
        robot = self.description = describe(count)
        self.tasks = [JointTask(name, robot) for name in tasks]
        for task in self.tasks:
            task.controller.kp.assign(np.full(count, 100.0))
            task.controller.kd.assign(np.full(count, 20.0))
            task.configure()
        self.models = ModelUpdater(UnitModel(robot), UnitModel(robot))
        self.controller = SumController(robot, **(fields or {}))
        self.outbox = Outbox()
        self.notices = []
        self.fired = []
        notice_queue = self.outbox.add_queue(self.notices.append)
        board = NoticeBoard(notice_queue)
        self.mailbox = Mailbox()
        directory = {p.full_name: p for t in self.tasks for p in t.parameters.values()}
        self.events = [Event(f"event {i}", text, directory) for i, text in enumerate(events)]
        self.guard = CommandGuard(robot, guard or unlimited(count), board)
        self.coordinator = Coordinator(
            robot=self.robot,
            control=Control(self.models, CompoundTask(self.tasks), self.controller),
            guard=self.guard,
            events=self.events,
            ports=ServoPorts(
                self.outbox, self.mailbox, board, self.outbox.add_queue(self.fired.append)
            ),
            settings=ServoSettings(frequency=FREQUENCY, **settings),
            odometry=odometry,
            behaviours=behaviours(self.tasks),
        )
        self.clock = SimulatedClock(FREQUENCY)
        self.clock.start(self.coordinator)

    @property
    def state(self):
        return self.coordinator.state

    @property
    def errors(self):
        """Texts of the errors so far, and forget all notices."""
        self.outbox.deliver_all()
        texts = [n.text for n in self.notices if n.level is NoticeLevel.ERROR]
        self.notices.clear()
        return texts

    def activate(self, cycles=1):
        self.coordinator.request_activation()
        return self.run(cycles)

    def run(self, cycles=1):
        """Play cycles; return the efforts written, one row a cycle in which there was one."""
        before = len(self.robot.written)
        for _ in range(cycles):
            self.clock.advance()
            for updater in self.coordinator.updaters:
                if updater._wake.acquire(blocking=False):
                    for _ in updater.steps():
                        pass
        return np.array(self.robot.written[before:])


def unlimited(count):
    no = np.zeros(count, dtype=bool)
    return GuardSettings(no, no, no, np.full(count, np.inf))
