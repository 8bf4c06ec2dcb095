"""What must begin anew at a transition does: recovery, controllers, watchdogs, ages, heartbeats."""

import time

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rig import Rig
from robots_for_tests import REPOSITORY
from test_servo_watches import Held, let_pass
from tries import tries

from controlit_ros.model import RobotState
from controlit_ros.nodes.building import load_stack
from controlit_ros.robots.channel import I_HEARTBEAT, ChannelReader, ChannelWriter
from controlit_ros.servo import CoordinatorState, StalenessBound
from controlit_ros.servo.staleness import Staleness

_, ACTIVE, SAFE = CoordinatorState
STILL = REPOSITORY / "test" / "cli" / "controllers" / "still.yaml"
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz


def fail_once(rig, kind):
    """Let one cycle fail in some way."""
    if kind == "compute":
        rig.controller.error = ValueError("no")
    elif kind == "read":
        rig.robot.read_error = OSError("no")
    elif kind == "write":
        rig.robot.write_error = OSError("no")
    elif kind == "cycle":
        rig.outbox.offer_all = None
    rig.run(1)
    rig.controller.error = rig.robot.read_error = rig.robot.write_error = None
    rig.outbox.__dict__.pop("offer_all", None)


class TestRecovery:
    @pytest.mark.thorough
    @settings(max_examples=tries(20), phases=(Phase.explicit, Phase.generate))
    @given(
        gap=st.integers(1, RECOVERY - 5),
        kind=st.sampled_from(["compute", "read", "write", "cycle"]),
    )
    def test_everything_must_be_well_for_the_whole_time(self, gap, kind):
        rig = Rig(soft_start_time=0.0)
        rig.activate(50)
        for _ in range(2 + 3 * RECOVERY // gap):
            fail_once(rig, kind)
            assert rig.state is SAFE
            rig.run(gap)
            assert rig.state is SAFE
        rig.run(RECOVERY + 2 - gap)
        assert rig.state is ACTIVE

    def test_an_activation_that_fails_counts_as_a_failure(self):
        rig = Rig(soft_start_time=0.0)
        rig.activate(50)
        fail_once(rig, "compute")
        rig.tasks[0].latch_error = ValueError("no")
        rig.run(RECOVERY + 1)
        rig.tasks[0].latch_error = None
        rig.run(RECOVERY - 3)
        assert rig.state is SAFE
        rig.run(5)
        assert rig.state is ACTIVE


class TestRestart:
    def test_the_controller_begins_anew_at_each_activation(self):
        rig = Rig(soft_start_time=0.0)
        calls = []
        rig.controller.restart = lambda: calls.append(rig.coordinator.latency.cycles)
        rig.activate(50)
        assert calls == [0]
        fail_once(rig, "compute")
        rig.run(RECOVERY + 20)
        assert rig.state is ACTIVE
        assert len(calls) == 2
        rig.coordinator.request_deactivation()
        rig.run(5)
        rig.activate(5)
        assert len(calls) == 3

    def test_an_integral_from_before_does_not_act(self):
        rig = Rig(soft_start_time=0.0)
        rig.tasks[0].controller.ki.assign(np.full(2, 50.0))
        rig.activate(10)
        rig.tasks[0].goal.assign(rig.robot.position + 0.2)
        rig.run(100)
        before = np.abs(rig.tasks[0].controller.integral).max()
        fail_once(rig, "compute")
        rig.run(RECOVERY + 2)
        assert rig.state is ACTIVE
        assert np.abs(rig.tasks[0].controller.integral).max() < 0.05 * before


class TestWatchdogs:
    @pytest.mark.parametrize("which", ["model_updater", "task_updater"])
    def test_a_pause_is_no_fault_of_a_thread(self, which):
        rig = Rig(updater_timeout=0.5)
        rig.activate(50)
        held = Held(rig, getattr(rig.coordinator, which))
        held.run(20)
        let_pass(rig, 3.0)
        held.run(1)
        assert all("stood still" in text for text in rig.errors)
        held.run(480)
        assert not any("at one update" in text for text in rig.errors)
        held.run(40)
        assert any("at one update" in text for text in rig.errors)
        held.release()

    @pytest.mark.parametrize("which", ["model_updater", "task_updater"])
    @pytest.mark.parametrize("jump", [-5.0, 5000.0])
    def test_time_that_begins_anew_is_no_fault_of_a_thread(self, which, jump):
        rig = Rig(updater_timeout=0.5)
        let_pass(rig, 10.0)
        rig.clock.start(rig.coordinator)
        rig.activate(50)
        held = Held(rig, getattr(rig.coordinator, which))
        held.run(20)
        assert rig.errors == []
        rig.clock.stop()
        let_pass(rig, jump)
        rig.clock.start(rig.coordinator)
        held.run(480)
        assert not any("at one update" in text for text in rig.errors)
        held.run(40)
        assert any("at one update" in text for text in rig.errors)
        held.release()


class TestAge:
    @pytest.mark.parametrize(
        ("frequency", "stated", "expected"),
        [(1000.0, None, 0.02), (5000.0, None, 0.02), (100.0, None, 0.1), (100.0, 0.03, 0.03)],
    )
    def test_of_the_model_by_default_and_as_stated(self, frequency, stated, expected):
        stack = load_stack(STILL, {"servo_frequency": frequency, "staleness_age": stated})
        assert stack.servo.staleness.age == pytest.approx(expected)

    @settings(max_examples=tries(50), phases=(Phase.explicit, Phase.generate))
    @given(bound=st.floats(1e-3, 10.0), share=st.floats(0.0, 3.0), start=st.floats(0.0, 1e6))
    def test_of_the_model_counts_from_its_stamp(self, bound, share, start):
        staleness = Staleness(StalenessBound(distance=1.0, age=bound))
        newest, model = RobotState(("a",)), RobotState(("a",))
        model.stamp, newest.stamp = start, start + share * bound
        found = newest.stamp - model.stamp
        assert staleness.is_passed(newest, model) is (found > bound)
        assert not staleness.is_passed(model, newest)  # a model from the future is not old
        assert staleness.cycles == (found > bound)


def test_a_new_channel_was_alive_when_it_was_made(channel_name):
    before = time.monotonic_ns()
    writer = ChannelWriter(channel_name, "layout", 2)
    try:
        after = time.monotonic_ns()
        assert before <= writer._header[I_HEARTBEAT] <= after
        reader = ChannelReader(channel_name, "layout", 2)
        assert reader.silence == float("inf")
        reader.attach()
        assert 0.0 <= reader.silence <= (time.monotonic_ns() - before) * 1e-9
        writer.write(np.zeros(2))
        assert writer._header[I_HEARTBEAT] >= after
    finally:
        writer.close()
