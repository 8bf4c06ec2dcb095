"""No measurement of a robot that behaves is refused: started, moved, pushed, reset, noisy, late."""

import os

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.servo import CoordinatorState

EVERY = sorted(
    str(path.relative_to(REPOSITORY / "config"))
    for path in (REPOSITORY / "config").glob("*/*.yaml")
    if path.stem != "benchmark"
)
FEW = [f"{name}.yaml" for name in ("dreamer/hands", "talos/stand", "panda/reach", "trikey/drive")]
CONFIGURATIONS = EVERY if "CONTROLIT_EVERY_ROBOT" in os.environ else FEW
PUSH = 150.0  # [N] for a fifth of a second


def run(in_step, name, cycles=250, **settings):
    """Play a configuration; return the servo and the highest speed met, in believed speeds."""
    played = in_step(REPOSITORY / "config" / name, "MuJoCo", **settings)
    coordinator, worst = played.node.coordinator, 0.0
    fastest = coordinator.intake._plausibility._bounds[2]
    simulation = played.stack.robot_interface.simulation
    rng = np.random.default_rng(5)
    bodies = [simulation.model.body(i).name for i in range(1, simulation.model.nbody)]
    links = [body for body in bodies if body in played.stack.robot.link_names]
    for cycle in range(cycles):
        if cycle and cycle % 100 == 0:
            force = rng.normal(size=3)
            force *= PUSH / np.linalg.norm(force)
            simulation.push(str(rng.choice(links)), force, 0.2)
            for task in played.stack.tasks.tasks:
                goal = task.goal.value
                task.goal.assign(goal + 0.05 * np.sign(rng.normal(size=goal.shape)))
        played.stack.clock.advance()
        worst = max(worst, float(np.abs(coordinator.robot_state.velocity / fastest).max()))
    return played, worst


@pytest.mark.thorough
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_shipped_robots(in_step, name):
    played, worst = run(in_step, name)
    assert played.node.coordinator.status.refused == 0
    assert worst < 0.7


NOISY = {"simulator.position_noise": 1e-3, "simulator.communication_delay": 0.005}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "noise"),
    [
        ("dreamer/hands.yaml", 0.1),  # [rad/s]
        ("panda/reach.yaml", 0.02),  # [m/s] of fingers, a tenth of their velocity limit
    ],
)
def test_noise_and_delay(in_step, name, noise):
    played, _ = run(in_step, name, **NOISY, **{"simulator.velocity_noise": noise})
    assert played.node.coordinator.status.refused == 0


def test_a_simulator_that_is_reset(in_step):
    played, _ = run(in_step, "panda/reach.yaml", 150)
    node, interface = played.node, played.stack.robot_interface
    interface.simulation.data.qpos[:3] += 0.5
    interface.simulation.reset()
    played.stack.clock.advance(200)
    assert node.coordinator.status.refused == 0
    assert node.state is CoordinatorState.ACTIVE


class Liar:
    """Stands between a robot and its link and spoils what it measures."""

    def __init__(self, played):
        server = played.server
        send, state = server._link.send, played.stack.robot_interface.setup.create_state()
        self.spoil = None
        self.lies = 0

        def lie(vector):
            np.copyto(state.vector, vector)
            spoil = self.spoil
            if spoil is not None:
                spoil(state)
                self.lies += 1
            send(state.vector)

        server._link.send = lie


def throw(state):
    state.position[0] += 1.0


def rush(state):
    state.velocity[1] = 1e4


@pytest.mark.processes
@pytest.mark.parametrize("spoil", [throw, rush])
@pytest.mark.parametrize("interface", ["SharedMemory", "UDP", "Topic"])
def test_a_lie_is_found_over_every_interface(in_step, interface, spoil):
    file = REPOSITORY / "config" / "panda" / "reach.yaml"
    played = in_step(file, interface)
    status, clock = played.node.coordinator.status, played.stack.clock
    liar = Liar(played)
    clock.advance(50)
    assert status.state is CoordinatorState.ACTIVE
    before = played.node.coordinator.robot_state.position.copy()
    liar.spoil = spoil
    clock.advance(2)  # one lie more or less: a measurement may be under way already
    liar.spoil = None
    clock.advance(2)
    assert 1 <= status.refused <= liar.lies
    assert status.state is CoordinatorState.ACTIVE
    np.testing.assert_allclose(played.node.coordinator.robot_state.position, before, atol=1e-2)
    liar.spoil = spoil
    clock.advance(7)
    assert status.state is CoordinatorState.SAFE
