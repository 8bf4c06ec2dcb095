"""Product disassembly: it succeeds with noise, and failures are seen."""

import json

import numpy as np
import pytest

from controlit_demos.disassembly.demo import BOUNDS, DisassemblyDemo
from controlit_demos.disassembly.evaluator import HEAD_MIDDLE, DisassemblyEvaluator
from controlit_demos.disassembly.placement import NOMINAL
from controlit_demos.disassembly.states import LEFT_AWAY
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack

pytestmark = pytest.mark.simulation

STATES = [
    "ready",
    "grab tube",
    "grab valve",
    "remove valve",
    "retract left",
    "store tube",
    "retract right",
    "idle",
]
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


SEED = 3


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run as the user starts it, for all tests that look at what came of it."""
    folder = tmp_path_factory.mktemp("disassembly")
    code = DisassemblyDemo(DemoOptions(simulated_time=True, folder=folder, seed=SEED)).run()
    return code, json.loads((folder / "report.json").read_text())


@pytest.mark.release
def test_succeeds_with_sensor_noise_and_errors_of_perception(run):
    code, report = run
    assert report["problems"] == []
    assert code == 0


def test_the_valve_is_off_and_the_tube_is_stored(run):
    findings = run[1]["findings"]
    assert findings["valve pulled off by [m]"] > 0.3
    assert findings["tube carried [m]"] > 0.25
    assert findings["tube from its store [m]"] < 0.01


def test_hands_follow_within_half_a_centimetre_and_two_degrees(run):
    for name, bound in BOUNDS.items():
        assert run[1]["errors"][name]["mean"] <= bound
        assert run[1]["errors"][name]["highest"] > 0.0


def test_has_the_states_of_the_paper(config):
    stack = load_stack(
        config / "dreamer" / "disassembly.yaml",
        {"robot_interface.mode": "in_process", "servo_clock_type": "Simulated"},
    )
    program = DisassemblyDemo(DemoOptions()).program(stack, 0)
    names = list(program.machine.states)
    assert names == [*STATES, "failed"]
    for state in program.states:
        moves = [stage for stage in state.stages if any("Hand" in task for task in stage.paths)]
        assert all(3.0 <= stage.duration <= 7.0 for stage in moves)


class Scripted:
    """A scene that moves as a test says."""

    def __init__(self, rows):
        self.rows = list(rows)

    def read(self):
        return self.rows.pop(0) if self.rows else None

    def close(self):
        pass


def poses(tube, valve, turn=UPRIGHT):
    return {"tube": np.array([*tube, *turn]), "valve": np.array([*valve, *UPRIGHT])}


START = np.array(NOMINAL.tube.position)
STORED = np.array(NOMINAL.store.position)
PLUG = np.array([0.0, 0.1105, 0.0])
PLUGGED = START + PLUG
HELD = np.array(LEFT_AWAY) - HEAD_MIDDLE
LIFTED = np.array([0.0, 0.0, 0.04])


def verdict(*rows):
    evaluator = DisassemblyEvaluator(Scripted(rows), NOMINAL)
    for number in range(len(rows)):
        evaluator.look(2.0 * number)
    return evaluator.verdict().problems


def test_the_evaluator_is_content_with_a_success():
    rows = [
        poses(START, PLUGGED),
        poses(START + LIFTED, PLUGGED + LIFTED),
        poses(STORED, HELD),
    ]
    assert verdict(*rows) == ()


@pytest.mark.parametrize(
    ("end", "complaint"),
    [
        (poses(STORED, STORED + PLUG), "the valve is still in the tube"),
        (poses(STORED, [0.4, 0.3, 0.91]), "the left hand lost the valve"),
        (poses(STORED, [0.4, 0.3, 0.91]), "something was dropped"),
        (poses(START, HELD), "the tube is not in its store"),
        (poses(STORED, HELD, (np.sin(0.1), 0.0, 0.0, np.cos(0.1))), "the tube lies askew"),
    ],
)
def test_the_evaluator_sees_what_went_wrong(end, complaint):
    lifted = poses(START + LIFTED, PLUGGED + LIFTED)
    assert complaint in verdict(poses(START, PLUGGED), lifted, end)


def test_a_tube_that_was_pushed_there_was_not_carried():
    assert "the tube was never lifted off its stand" in verdict(
        poses(START, PLUGGED), poses(STORED, HELD)
    )


def test_a_blind_evaluator_is_no_success():
    assert verdict() == ("nothing was seen of tube and valve",)
