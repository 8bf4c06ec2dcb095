"""Panda is stopped and frozen from every mode while it moves."""

from contextlib import ExitStack

import numpy as np
import pytest
from patience import wait_for_servos
from robots_for_tests import REPOSITORY

from controlit_ros.nodes.simulated_controller import SimulatedController

pytestmark = pytest.mark.simulation

FILE = REPOSITORY / "config" / "panda" / "modes.yaml"
OFFSET = np.array([0.0, 0.1, -0.1])  # [m]
FAST = {"servo_frequency": 500, "soft_start_time": 0.0}
RAMP = 0.2  # [s] reconfiguration_time
ENTERING = 6  # [cycles] for a mode to be entered and for its tasks to act
SHORT = 100  # [cycles] in which efforts change most
SETTLED = 750  # [cycles] for an arm of the gains of the file to come to rest
AT_REST = 0.02  # [rad/s]
NOISE = 0.01  # [N m] of an arm at rest
MODES = {
    "idle": ("idle",),
    "hold": ("hold",),
    "ready": ("hold", "ready"),
    "work": ("hold", "ready", "work"),
    "freeze_wrist": ("hold", "ready", "work", "freeze_wrist"),
}
"""Which modes lead to each, from idle on."""


class Arm(SimulatedController):
    """Panda, and what its efforts and joints did."""

    def enter(self, mode):
        answer = self.call("control/setMode", "controlit/srv/SetMode", mode=mode)
        assert answer.success, answer.message

    def watch(self, cycles):
        """Let cycles pass; return the efforts and velocities of each."""
        coordinator, efforts, velocities = self.node.coordinator, [], []
        for _ in range(cycles):
            self.advance(0.002)
            efforts.append(coordinator.command.effort.copy())
            velocities.append(coordinator.robot_state.velocity.copy())
        return np.array(efforts), np.array(velocities)

    def move(self, mode):
        """Let the arm move in a mode; in those that take no goals by what it did before."""
        if mode in ("work", "freeze_wrist"):
            hand = self.task("HandPosition")
            self.set("HandPosition.goal_position", hand.actual.value + OFFSET)
        self.advance(0.1)

    def stopped(self, mode, stop, cycles):
        """Go into a mode, move, stop; return efforts, from the cycle before on, and velocities."""
        for step in ("hold", "idle", *MODES[mode]):
            self.enter(step)
        self.move(mode)
        before, _ = self.watch(1)
        self.call("control/setMode", "controlit/srv/SetMode", mode=stop, wait=False)
        efforts, velocities = self.watch(cycles)
        assert self.stack.directory["modes.mode"].value == stop
        return np.vstack([before, efforts]), velocities


@pytest.fixture(scope="module")
def arms():
    """The arm with a ramp, and without."""
    with ExitStack() as stack:
        wait_for_servos(stack.enter_context(pytest.MonkeyPatch.context()))
        yield [
            stack.enter_context(Arm(FILE, {**FAST, "reconfiguration_time": time}))
            for time in (RAMP, 0.0)
        ]


@pytest.mark.parametrize("stop", ["soft_stop", "freeze"])
@pytest.mark.parametrize("mode", list(MODES))
def test_it_is_stopped_from_every_mode_while_it_moves(arms, mode, stop):
    arm, bare = arms
    efforts, velocities = arm.stopped(mode, stop, SETTLED)
    jumps = np.abs(np.diff(bare.stopped(mode, stop, SHORT)[0], axis=0)).max(axis=1)
    # the ramp spreads what jumps without it on its cycles; the rest is the law at work
    spread = jumps[:ENTERING].sum() / (RAMP * FAST["servo_frequency"])
    steps = np.abs(np.diff(efforts, axis=0)).max(axis=1)
    assert steps.max() <= 1.5 * (spread + jumps[ENTERING:].max()) + NOISE
    limits, joints = arm.stack.guard.limits(arm.stack.robot), arm.stack.robot.command_indices
    assert (np.abs(velocities[:, joints]) <= limits.velocity).all()
    assert (np.abs(efforts) <= limits.effort + 1e-9).all()
    assert np.abs(velocities[-1]).max() < AT_REST


def test_the_ramp_is_needed(arms):
    """Without it the effort jumps, so that the bound above means something."""
    _, bare = arms
    jumps = np.abs(np.diff(bare.stopped("work", "freeze", SHORT)[0], axis=0)).max(axis=1)
    assert jumps[:ENTERING].max() > 3.0 * jumps[ENTERING:].max()
