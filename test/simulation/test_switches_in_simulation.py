"""More than fifty kinds of switches on two simulated robots: the effort never jumps."""

from typing import NamedTuple

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

CONFIG = REPOSITORY / "config"
RAMP = 40  # [cycles] at 1 kHz
PAUSE = 50  # [cycles] from switch to switch, so that most ramps end
WARM_UP = 200  # [cycles]
SHORT = 10  # [cycles] from switch to switch during a running ramp

UNEVEN = {"name": "Uneven", "null_space_projector_type": "Kinematic"}
DAMPED = {"name": "Damped", "damping_threshold": 0.5}
STIFF = {"name": "Stiff", "type": "WBOSCImpedance", "stiffness": 40.0, "damping": 4.0}
LIMITED = {"name": "Limited", "type": "WholeBodyQP", "level_weight": 100.0}
"""Whole-body controllers to be exchanged for the usual one, WBOSC."""


class Switch(NamedTuple):
    """A change of the configuration: values by full name of the parameter."""

    name: str
    values: dict
    cycles: int = PAUSE


def task_switches(task):
    """Every change of state, both ends of the priorities, and steps of the gains."""
    state, priority = f"{task.name}.operational_state", f"{task.name}.priority"
    kp, kd = (task.parameter(name) for name in ("kp", "kd"))
    for first, last in (("disable", "enable"), ("sense", "enable")):
        yield Switch(f"{first} {task.name}", {state: first})
        yield Switch(f"{last} {task.name} after {first}", {state: last})
    for number in (100, 0, task.priority.value):
        yield Switch(f"priority {number} for {task.name}", {priority: number})
    for factor in (3.0, 1.0):
        gains = {f"{task.name}.kp": factor * kp.value, f"{task.name}.kd": factor * kd.value}
        yield Switch(f"gains of {task.name} times {factor}", gains)


def controller_switches(controller):
    """Every parameter of the controller there and back."""
    for name, other in {
        "velocity_bias": not controller.velocity_bias.value,
        "reach_lower_levels": not controller.reach_lower_levels.value,
        "damping_threshold": 0.1,
        "singularity_handling": "truncate",
    }.items():
        parameter = controller.parameter(name)
        yield Switch(f"{name} {other}", {parameter.full_name: other}, RAMP // 2)
        yield Switch(f"{name} back", {parameter.full_name: parameter.value})


def combined_switches(tasks):
    """Several at once, and then again and again during a running ramp."""
    states = {f"{task.name}.operational_state": "sense" for task in tasks}
    enabled = dict.fromkeys(states, "enable")
    turned = {f"{task.name}.priority": i for i, task in enumerate(tasks)}
    before = {f"{task.name}.priority": task.priority.value for task in tasks}
    yield Switch("sense several", states)
    yield Switch("enable several", enabled)
    yield Switch("turn priorities round", turned)
    yield Switch("turn them back and triple the gains", {**before, f"{tasks[0].name}.kp": 200.0})
    for i in range(3):
        yield Switch(f"sense several, ramp running {i}", states, SHORT)
        yield Switch(f"enable several, ramp running {i}", enabled, SHORT)
        yield Switch(f"priorities, ramp running {i}", turned, SHORT)
        yield Switch(f"priorities back, ramp running {i}", before, SHORT)
    yield Switch("end", {}, 2 * RAMP)


def exchanges(controller):
    """Every other controller and back, one after the other, and again during a running ramp."""
    usual, *others = controller.active.choices
    name = controller.active.full_name
    for other in others:
        yield Switch(f"{other} computes", {name: other})
        yield Switch(f"{usual} computes after {other}", {name: usual})
    for i, other in enumerate((*others, *others[-2::-1], usual)):
        yield Switch(f"{other} computes, ramp running {i}", {name: other}, SHORT)
    yield Switch("end of exchanges", {}, 2 * RAMP)


def torso_switches():
    for state in ("force_disable", "enable"):
        yield Switch(f"{state} Torso", {"Torso.operational_state": state})


def foot_switches():
    """Release a foot and put it down again before the robot, its weight on both, has moved."""
    for state, cycles in (("disable", SHORT), ("enable", PAUSE)):
        yield Switch(f"{state} LeftSole", {"LeftSole.operational_state": state}, cycles)


def with_alternatives(others, folder):
    """Return an edit that puts controllers beside the one of a configuration in a folder."""

    def edit(data):
        # truncating, a level may lose a rank at any moment: a jump that no switch causes
        usual = {**data.pop("whole_body_controller", {}), "singularity_handling": "damp"}
        data["whole_body_controllers"] = [
            {"name": "Usual", **usual},
            *(other if other is LIMITED else {**usual, **other} for other in others),
        ]
        if "scene" in data["simulator"]:
            data["simulator"]["scene"] = str(folder / data["simulator"]["scene"])

    return edit


class Run:
    """A robot that moves its right hand to and fro while it is switched."""

    def __init__(self, path, others, time):
        self.robot = SimulatedHands(
            path,
            with_alternatives(others, path.parent),
            {
                "reconfiguration_time": time,
                "soft_start_time": 0.0,
                # a guard that sees a joint leave its limits acts at once, which is its purpose
                "enforce_velocity_limits": False,
                "enforce_position_limits": False,
            },
        )
        self.hand = self.robot.tasks["RightHandPosition"]
        self.robot.advance(WARM_UP)
        self.center = self.hand.active.actual.copy()
        self.cycle = 0
        self.last = self.effort()

    def effort(self):
        """Return what the joints make of the command where they are now."""
        command, state = self.robot.coordinator.command, self.robot.coordinator.robot_state
        joints = self.robot.stack.robot.command_indices
        return (
            command.effort
            + command.stiffness * (command.position - state.position[joints])
            + command.damping * (command.velocity - state.velocity[joints])
        )

    def largest_step(self, cycles):
        """Return the largest change of effort from one cycle to the next."""
        largest = 0.0
        for _ in range(cycles):
            self.cycle += 1
            phase = np.pi * self.cycle / 1000.0
            self.hand.goal.set(self.center + 0.02 * np.array([0.0, np.sin(phase), np.sin(phase)]))
            self.robot.advance(1)
            effort = self.effort()
            largest = max(largest, np.abs(effort - self.last).max())
            self.last = effort
        return largest

    def motion(self):
        """Return the largest change while the hand goes to a goal, the cycle it was set left out.

        That is how fast efforts change when nothing is switched.
        """
        largest = self.largest_step(300)
        for step in (0.05, -0.05):
            self.center[2] += step
            self.largest_step(1)
            largest = max(largest, self.largest_step(300))
        return largest

    def play(self, switch):
        directory = self.robot.stack.directory
        self.robot.mailbox.post(
            {directory[name]: directory[name].validate(v) for name, v in switch.values.items()}
        )
        return self.largest_step(switch.cycles)


def switches(run, several):
    tasks = [t for t in run.robot.tasks.values() if t.operational_state.value == "enable"]
    chosen = [run.robot.tasks[name] for name in several]
    result = [s for task in tasks[:3] for s in task_switches(task)]
    controller = run.robot.stack.controller
    result += controller_switches(controller.chosen)
    return result + list(combined_switches(chosen)) + list(exchanges(controller))


def compare(path, others, several, constraints):
    """Play all switches with and without ramps; return steps of both and those of mere motion."""
    runs = Run(path, others, 0.0), Run(path, others, RAMP / 1000.0)
    played = switches(runs[1], several) + constraints
    motion = max(run.motion() for run in runs)
    steps = [[run.play(switch) for run in runs] for switch in played]
    assert runs[1].robot.coordinator.reconfiguration.alpha == 0.0
    return played, np.array(steps), motion


def check(played, steps, motion):
    jumps, ramps = steps.T
    assert len(played) >= 50
    large = jumps > 10.0 * motion
    assert np.count_nonzero(large) >= 10  # there is something to smooth
    for switch, jump, ramp in zip(played, jumps, ramps, strict=True):
        # the part of the ramp in a cycle and mere motion, both with a margin: the robot answers
        assert ramp < 5.0 * motion + 6.0 * jump / RAMP, (switch.name, jump, ramp)
    assert np.median(ramps[large] / jumps[large]) < 2.5 / RAMP
    return {switch.name for switch, is_large in zip(played, large, strict=True) if is_large}


def test_fifty_switches_on_dreamer():
    hands = ("RightHandPosition", "LeftHandPosition", "RightHandOrientation")
    others = (UNEVEN, DAMPED, STIFF, LIMITED)
    large = check(
        *compare(CONFIG / "dreamer" / "hands.yaml", others, hands, list(torso_switches()))
    )
    assert len([name for name in large if "computes" in name]) >= 4


@needs_example_robots
def test_fifty_switches_on_a_humanoid():
    tasks = ("Chest", "RightHandPosition", "RightHandOrientation")
    path = CONFIG / "talos" / "stand.yaml"
    check(*compare(path, (UNEVEN, DAMPED, STIFF), tasks, list(foot_switches())))
