"""What the coordinator does about pauses, overruns, hung threads, stale models and round trips."""

import numpy as np
import pytest
from rig import Rig, gravity, unlimited

from controlit_ros.servo import CoordinatorState, OverrunPolicy, OverrunSettings, StalenessBound

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz


def let_pass(rig, seconds):
    """Let time pass without cycles."""
    rig.clock._ticks += round(seconds * rig.clock.frequency)
    rig.clock._now = rig.clock._ticks / rig.clock.frequency


class TestPause:
    @pytest.mark.parametrize("policy", OverrunPolicy)
    def test_the_robot_is_held_with_a_new_model_and_control_returns_softly(self, policy):
        overruns = OverrunSettings(policy=policy)
        rig = Rig(soft_start_time=0.5, fallback_damping=0.0, overruns=overruns)
        rig.tasks[0].goal.set(2.0)
        rig.activate(3000)
        let_pass(rig, 1.0)
        rig.robot.position -= 1.0
        rig.robot.velocity[:] = 0.0
        (effort,) = rig.run(1)
        assert rig.state is SAFE
        (text,) = rig.errors
        assert text == "the servo stood still for 1.001 s"
        np.testing.assert_allclose(effort, gravity(rig.coordinator.robot_state.position))
        efforts = rig.run(RECOVERY + 600)
        assert rig.state is ACTIVE
        # kp * error = 100 N m would jump at once
        assert np.abs(np.diff(np.vstack([effort, efforts]), axis=0)).max() < 1.0
        assert rig.errors == []

    def test_nothing_is_commanded_from_a_model_that_cannot_be_renewed(self):
        rig = Rig(soft_start_time=0.0)
        rig.activate(50)
        for model in (rig.models.active, rig.models.inactive):
            model.error = lambda: ValueError("singular")
        let_pass(rig, 1.0)
        rig.run(500)
        assert rig.state is SAFE
        for model in (rig.models.active, rig.models.inactive):
            model.error = None
        rig.run(RECOVERY + 2)
        assert rig.state is ACTIVE


class TestOverruns:
    def overrun(self, rig, cycles):
        for _ in range(cycles):
            let_pass(rig, 0.001)
            rig.run(1)

    def test_policy_warn_goes_on_and_says_so(self):
        rig = Rig(overruns=OverrunSettings(OverrunPolicy.WARN, limit=20))
        rig.activate(50)
        self.overrun(rig, 60)
        assert rig.state is ACTIVE
        rig.outbox.deliver_all()
        texts = [notice.text for notice in rig.notices if notice.topic == "overruns"]
        assert texts == ["21 deadlines missed in a row, expected at most 20"]
        assert rig.coordinator.overruns.missed == 60

    def test_policy_safe_stops_until_the_servo_keeps_up(self):
        rig = Rig(overruns=OverrunSettings(OverrunPolicy.SAFE, limit=20))
        rig.activate(50)
        self.overrun(rig, 20)
        assert rig.state is ACTIVE
        self.overrun(rig, 1)
        assert rig.state is SAFE
        assert rig.errors == ["21 deadlines missed in a row, expected at most 20"]
        self.overrun(rig, 300)
        assert rig.state is SAFE
        rig.run(RECOVERY + 2)
        assert rig.state is ACTIVE

    def test_single_misses_are_forgiven(self):
        rig = Rig(overruns=OverrunSettings(OverrunPolicy.SAFE, limit=2))
        rig.activate(50)
        for _ in range(20):
            self.overrun(rig, 2)
            rig.run(1)
        assert rig.state is ACTIVE


class TestKeepInside:
    @pytest.fixture
    def guard(self):
        yes = np.ones(2, dtype=bool)
        return unlimited(2)._replace(enforce_position=yes, enforce_velocity=yes)

    @pytest.mark.thorough
    def test_goals_out_of_range_end_at_the_limit(self, guard):
        rig = Rig(guard=guard)
        for task in rig.tasks:
            task.controller.kp.assign(np.full(2, 400.0))
        rig.activate(1100)  # a soft start would blend the braking in, too
        rig.tasks[0].goal.set(4.0)
        for _ in range(4000):
            rig.run(1)
            # gravity is compensated as it was a cycle or two ago
            assert rig.robot.position.max() <= 3.0 + 2e-3
        np.testing.assert_allclose(rig.robot.position, 3.0, atol=1e-2)
        assert rig.state is ACTIVE
        rig.outbox.deliver_all()
        texts = [notice.text for notice in rig.notices if notice.topic == "position limit"]
        assert texts
        assert all(text.endswith("limit 3") for text in texts)

    def test_a_joint_too_fast_at_activation_is_braked_with_what_its_motor_has(self, guard):
        yes = np.ones(2, dtype=bool)
        rig = Rig(
            guard=guard._replace(enforce_effort=yes), fallback_damping=0.0, soft_start_time=0.5
        )
        rig.robot.position[:] = -2.0
        rig.robot.effort[:] = gravity(rig.robot.position)
        rig.run(5)
        rig.robot.velocity[:] = 11.0  # the limit is 10
        efforts = rig.activate(40)  # in the first part of the soft start
        assert np.abs(efforts).max() <= 50.0
        assert (np.diff(np.abs(efforts - gravity(rig.robot.position)), axis=0) <= 2.0).all()
        assert np.abs(rig.robot.velocity).max() <= 10.0 * 1.01


class Held:
    """Lets the threads of a rig begin an update and keeps them there."""

    def __init__(self, rig, updater):
        self.rig = rig
        self.updater = updater
        self.steps = None

    def run(self, cycles):
        for _ in range(cycles):
            self.rig.clock.advance()
            for updater in self.rig.coordinator.updaters:
                if updater is self.updater:
                    if self.steps is None and updater._wake.acquire(blocking=False):
                        self.steps = updater.steps()
                        next(self.steps)
                elif updater._wake.acquire(blocking=False):
                    for _ in updater.steps():
                        pass

    def release(self):
        for _ in self.steps:
            pass


class TestHungThread:
    @pytest.mark.parametrize("which", ["model_updater", "task_updater"])
    def test_it_is_noticed_and_control_returns_on_a_new_model(self, which):
        rig = Rig(updater_timeout=0.2, soft_start_time=0.1)
        rig.tasks[0].goal.set(0.5)
        rig.activate(50)
        held = Held(rig, getattr(rig.coordinator, which))
        held.run(205)
        assert rig.state is SAFE
        (text,) = rig.errors
        assert text.startswith(f"the thread {which} has been at one update for 0.20")
        assert text.endswith("expected at most 0.2 s")
        held.run(1500)
        assert rig.state is SAFE
        held.release()
        rig.errors.clear()
        rig.run(RECOVERY + 5)
        assert rig.state is ACTIVE
        rig.run(2000)
        np.testing.assert_allclose(rig.robot.position, 0.5, atol=1e-3)


class TestStaleness:
    def starve(self, rig, cycles):
        """Play cycles while no updater thread gets to run."""
        for _ in range(cycles):
            rig.clock.advance()

    def test_the_servo_takes_over_from_threads_that_do_not_run(self):
        rig = Rig(staleness=StalenessBound(distance=0.01, age=10.0))
        rig.activate(50)
        rig.robot.velocity[:] = 2.0
        self.starve(rig, 3)
        assert rig.coordinator.staleness.inline_updates == 0
        for _ in range(200):
            self.starve(rig, 1)
            state = rig.coordinator.robot_state
            model = rig.models.active.robot_model.state
            assert np.abs(state.position - model.position).max() <= 0.01
            np.testing.assert_array_equal(rig.tasks[0].active.actual, model.position)
        assert rig.coordinator.staleness.inline_updates > 10
        assert rig.state is ACTIVE
        assert rig.errors == []

    def test_a_robot_at_rest_needs_no_model_but_for_its_age(self):
        rig = Rig(staleness=StalenessBound(distance=0.01, age=0.05))
        rig.activate(50)
        self.starve(rig, 40)
        assert rig.coordinator.staleness.cycles == 0
        self.starve(rig, 100)
        assert rig.coordinator.staleness.inline_updates in (2, 3)

    def test_a_thread_at_work_is_waited_for(self):
        rig = Rig(staleness=StalenessBound(distance=0.01, age=0.01))
        rig.activate(50)
        held = Held(rig, rig.models)
        held.run(50)
        staleness = rig.coordinator.staleness
        assert staleness.inline_updates == 0
        assert staleness.cycles > 30
        held.release()
        rig.run(1)
        assert staleness.inline_updates == 1
        assert rig.models.active.robot_model.state.sequence == rig.robot.sequence

    @pytest.mark.parametrize("flags", [(True, False), (True, True), (False, True)])
    def test_what_is_updated_inline_is_never_stale(self, flags):
        rig = Rig(
            single_threaded_model=flags[0],
            single_threaded_tasks=flags[1],
            staleness=StalenessBound(distance=1e-3, age=0.005),
        )
        rig.activate(50)
        rig.robot.velocity[:] = 0.3
        rig.run(100)
        assert rig.coordinator.staleness.cycles == 0


class TestRoundTrip:
    def test_it_is_timed_through_the_robot(self):
        rig = Rig()
        sent = []
        write = rig.robot.write

        def keep(command):
            sent.append(command.sequence)
            write(command)

        def reflect(state):
            state.reflected_sequence = sent[-5] if len(sent) >= 5 else 0

        rig.robot.write = keep
        rig.robot.corrupt = reflect
        rig.activate(4)
        assert np.isnan(rig.coordinator.round_trip.latency)
        rig.run(10)
        assert rig.coordinator.round_trip.latency == pytest.approx(0.005)
        assert len(set(sent)) == len(sent)

    def test_a_reflection_of_a_former_life_is_no_matter(self):
        rig = Rig()
        rig.robot.corrupt = lambda state: setattr(state, "reflected_sequence", 12345)
        rig.activate(50)
        assert np.isnan(rig.coordinator.round_trip.latency)
        assert rig.errors == []
