"""Every parameter of every part begins a ramp when it reaches the command, whoever reads it."""

import pytest
from robots_for_tests import REPOSITORY
from standing_biped import write_biped

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import start_of
from controlit_ros.parameters import Access, Reader
from controlit_ros.servo.reconfiguration import Reconfiguration

PERIOD = 0.001  # [s]
RAMP = 1.5 * PERIOD


class Loop:
    """A controller whose updaters come to an end when they are told to."""

    def __init__(self, file):
        self.stack = stack = load_stack(file)
        self.tasks, self.controller = stack.tasks, stack.controller
        self.model, self.state = stack.create_model(), start_of(stack)
        self.command = stack.controller.create_command()
        self.ramps = Reconfiguration(RAMP, stack.tasks, stack.controller, self.command)
        self.now = 0.0
        for _ in range(4):
            self.cycle()

    def cycle(self, *, updates=True):
        """Return what is left of the ramp."""
        self.now += PERIOD
        if updates:
            self.model.update(self.state)
            for task in self.tasks.tasks:
                if not task.is_disabled:
                    task.update(self.model.robot_model, task.inactive)
                    task.swap()
        self.tasks.compute(PERIOD)
        self.controller.compute_command(self.model, self.tasks, self.command)
        self.ramps.smooth(self.model, self.now, is_active=True)
        return self.ramps.alpha

    def settle(self):
        for _ in range(4):
            alpha = self.cycle()
        assert alpha == 0.0

    def parts(self):
        constraints = self.stack.constraints.constraints
        enabled = [task for task in self.tasks.tasks if not task.is_disabled]
        return [*enabled, *constraints, *self.controller.parts]


def changeable(part):
    return [
        p for p in part.parameters.values() if p.access not in (Access.OUTPUT, Access.CONFIGURATION)
    ]


def is_goal(part, parameter):
    goals = ("goal", "goal_velocity", "goal_acceleration")
    return any(getattr(part, name, None) is parameter for name in goals)


def is_rank(part, parameter):
    """Priorities and states of tasks, which switch something only where they change."""
    return parameter in (getattr(part, "priority", None), getattr(part, "operational_state", None))


@pytest.mark.parametrize("name", ["dreamer/hands", "trikey/drive", "biped"])
def test_all_parameters(name, tmp_path):
    file = write_biped(tmp_path) if name == "biped" else REPOSITORY / "config" / f"{name}.yaml"
    loop = Loop(file)
    readers = set()
    for part in loop.parts():
        is_constraint = part in loop.stack.constraints.constraints
        for parameter in changeable(part):
            loop.settle()
            parameter.assign(parameter.value)
            at_once = parameter.reader is Reader.SERVO and not is_constraint
            expected = (float(at_once), 1.0)
            if is_goal(part, parameter) or (is_rank(part, parameter) and not is_constraint):
                expected = (0.0, 0.0)
            readers.add(parameter.reader)
            first = loop.cycle(updates=False)
            assert first == expected[0], parameter.full_name
            assert at_once or loop.cycle() == expected[1], parameter.full_name
    assert Reader.SERVO in readers
    assert len(readers) > 1


@pytest.mark.parametrize("apart", [True, False])
def test_levels_that_become_one_are_ramped_and_so_are_those_that_part(apart):
    """The rows of their tasks stand where they were."""
    loop = Loop(REPOSITORY / "config" / "dreamer" / "hands.yaml")
    tasks = {task.name: task for task in loop.tasks.tasks}
    posture, hand = tasks["Posture"], tasks["RightHandPosition"]
    separate, together = posture.priority.value, hand.priority.value
    assert separate < together
    for priority in (together, separate) if apart else (together,):
        loop.settle()
        posture.priority.assign(priority)
        assert loop.cycle(updates=False) == 1.0
