"""Modes of a pendulum through its services, in simulated time."""

import random

import numpy as np
import pytest
from modal_pendulum import MODES, modal_pendulum
from patience import wait_for_servos

from controlit_ros.configuration import load_configuration
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.parameters import Outcome
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

FAST = {"soft_start_time": 0.0, "reconfiguration_time": 0.1}
PERIOD = 0.002  # [s]


class Modal(SimulatedController):
    """A pendulum, and what its services say."""

    def told(self):
        answer = self.call("diagnostics/getModes", "controlit/srv/GetModes")
        assert answer.success, answer.message
        return answer

    def ask(self, mode, *, wait=True):
        return self.call("control/setMode", "controlit/srv/SetMode", mode=mode, wait=wait)

    def enter(self, mode):
        answer = self.ask(mode)
        assert answer.success, answer.message
        assert answer.confirmed == mode

    def refused(self, mode):
        before = self.value("modes.mode")
        answer = self.ask(mode)
        assert not answer.success
        assert self.value("modes.mode") == before
        return answer.message

    def set_parameter(self, name, value):
        kind = "controlit/srv/SetParameter"
        return self.call("control/setParameter", kind, name=name, value=str(value))

    def be_safe(self):
        """Let something go wrong for one cycle."""
        self.node.coordinator.states.be_unwell()
        self.advance(PERIOD)
        assert self.node.coordinator.state is CoordinatorState.SAFE

    def recover(self):
        self.until(lambda: self.node.coordinator.state is CoordinatorState.ACTIVE)

    def value(self, name):
        return self.stack.directory[name].value

    def until(self, condition, longest=5.0):
        for _ in range(round(longest / PERIOD)):
            if condition():
                return
            self.advance(PERIOD)
        raise AssertionError("it did not come")


@pytest.fixture
def make(tmp_path, monkeypatch):
    wait_for_servos(monkeypatch)
    made = []

    def start(modes=MODES, **overrides):
        path = modal_pendulum(tmp_path, modes)
        controller = Modal(path, {**FAST, **overrides}).__enter__()
        made.append(controller)
        return controller

    yield start
    for controller in made:
        controller.__exit__(None, None, None)


@pytest.fixture
def pendulum(make):
    return make()


def test_a_mode_is_what_it_says(pendulum):
    assert pendulum.told().state.confirmed == "rest"
    task = pendulum.task("Posture")
    pendulum.enter("home")
    pendulum.until(lambda: not pendulum.value("modes.leading"))
    pendulum.enter("soft")
    assert task.controller.kp.value == 1
    pendulum.enter("rest")
    assert task.controller.kp.value == 64
    pendulum.enter("work")
    assert task.active.valid


def test_what_a_mode_does_not_take_is_refused_with_the_reason(pendulum):
    answer = pendulum.set_parameter("Posture.goal_position", 0.5)
    assert not answer.success
    assert answer.message == (
        "Posture.goal_position is not taken in mode rest, which takes no commands; expected one of "
        "the modes work"
    )
    assert (
        "operational_state" in pendulum.set_parameter("Posture.operational_state", "sense").message
    )
    pendulum.enter("work")
    assert pendulum.set_parameter("Posture.goal_position", 0.5).success
    assert not pendulum.set_parameter("Posture.operational_state", "sense").success
    assert not pendulum.set_parameter("Posture.kp", 3).success  # modes set it
    assert pendulum.set_parameter("Posture.kd", 15).success  # none does


def test_the_servo_refuses_what_slipped_by(pendulum):
    """A goal that was taken by the front while the mode was another already."""
    before = pendulum.value("Posture.goal_position").copy()
    receipt = pendulum.node.mailbox.post({pendulum.stack.directory["Posture.goal_position"]: 1.0})
    pendulum.advance(PERIOD)
    assert receipt.outcome is Outcome.REFUSED
    assert (pendulum.value("Posture.goal_position") == before).all()


def test_goals_on_topics_are_refused_with_a_warning(pendulum):
    warnings = []
    pendulum.transport.subscribe(
        "diagnostics/warnings", "std_msgs/msg/String", lambda m: warnings.append(str(m.data))
    )
    binding = next(
        b for b in pendulum.node.bindings.of("Posture") if "goal_position" in b.config.topic
    )
    publisher = pendulum.transport.publisher(binding.config.topic, binding.message_type)
    publisher.publish(new(binding.message_type, name=["hinge"], position=[1.0]))
    pendulum.until(lambda: binding.rejected)
    assert "is not taken in mode rest" in binding.last_rejection
    pendulum.until(lambda: any("is not taken in mode rest" in text for text in warnings))


def test_an_action_is_refused_and_one_under_way_ends(pendulum):
    leads = pendulum.node.arbitration.leads
    with pytest.raises(Exception, match=r"Posture\.goal_position is not taken in mode rest"):
        leads.check("Posture")
    pendulum.enter("work")
    ended = []

    class Lead:
        def give_way(self, task, _now, why):
            ended.append((task, why))

    leads.take("Posture", Lead(), 0.0)
    pendulum.enter("rest")
    assert ended == [("Posture", "mode rest does not take goals of Posture")]


def test_two_steps_follow_each_other(pendulum):
    seen = []
    pendulum.transport.subscribe(
        "events", "std_msgs/msg/String", lambda m: seen.append(str(m.data))
    )
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 0.9)
    pendulum.advance(1.0)
    pendulum.enter("rest")
    answer = pendulum.ask("soft")  # the first step leads goals, so that the second is not open
    assert not answer.success
    assert answer.message == "mode soft is refused: found that not modes.leading does not hold"
    assert answer.confirmed == "home"
    pendulum.enter("rest")
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.8)
    pendulum.until(lambda: pendulum.value("modes.mode") == "limp")
    pendulum.enter("soft")
    expected = [
        "modes.work",
        "modes.rest",
        "modes.home",
        "modes.rest",
        "modes.work",
        "modes.limp",
        "modes.work",
        "modes.soft",
    ]
    pendulum.until(lambda: seen == expected)


def test_a_fall_comes_by_itself(pendulum):
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.8)
    pendulum.until(lambda: pendulum.value("modes.mode") == "limp")
    assert pendulum.told().state.reason == "by itself: Posture.actual_position[0] > 1.5 for 0.01 s"
    assert pendulum.value("Posture.operational_state") == "disable"
    assert pendulum.refused("home").endswith(
        "no transition leads from limp to home: expected rest, work, soft"
    )


def test_goals_return_within_the_speed_that_is_stated(pendulum):
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.2)
    pendulum.advance(3.0)
    pendulum.enter("rest")
    pendulum.enter("home")
    fastest, goal = 0.0, pendulum.task("Posture").goal
    while pendulum.value("modes.leading"):
        before = goal.value[0]
        pendulum.advance(PERIOD)
        fastest = max(fastest, abs(goal.value[0] - before) / PERIOD)
    assert 0.5 < fastest <= 0.02 * 50.0 * 1.001  # [rad/s] a share of the joint's limit
    assert goal.value[0] == pytest.approx(0.3)


def test_a_stop_in_mid_motion_makes_no_jump(pendulum):
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.2)
    pendulum.advance(0.15)
    assert abs(pendulum.node.coordinator.robot_state.velocity[0]) > 1.0
    efforts = []

    def keep():
        efforts.append(pendulum.node.coordinator.command.effort.copy())
        pendulum.advance(PERIOD)

    for _ in range(5):
        keep()
    pendulum.ask("rest", wait=False)
    for _ in range(150):
        keep()
    steps = np.abs(np.diff(efforts, axis=0)).max(axis=1)
    smooth_before = steps[:4].max()
    # the ramp spreads what would be a jump over 50 cycles
    assert steps.max() < max(3.0 * smooth_before, 0.1 * np.abs(efforts).max())
    assert abs(pendulum.node.coordinator.robot_state.velocity[0]) < 1.0


def test_no_mode_while_control_is_not_active(pendulum):
    pendulum.enter("work")
    pendulum.node.coordinator.request_deactivation()
    pendulum.advance(5 * PERIOD)
    assert pendulum.value("modes.mode") == "rest"
    assert pendulum.refused("work") == "mode work is refused: control is not active"


def test_unknown_modes_are_refused_with_the_nearest(pendulum):
    assert pendulum.refused("wrok") == "unknown mode 'wrok' (did you mean 'work'?)"


def test_parts_that_modes_need_stay(pendulum):
    pendulum.enter("work")
    answer = pendulum.call("control/removeTask", "controlit/srv/RemoveTask", task="Posture")
    assert answer.message == "'Posture' cannot be removed: the modes of the file need it"


def test_a_flood_of_requests_is_answered_and_harmless(pendulum):
    asked = pendulum.stack.directory["modes.asked"]
    for number in range(2000):
        pendulum.node.mailbox.post({asked: ("work", "rest", "limp")[number % 3]})
        if number % 7 == 0:
            pendulum.advance(PERIOD)
    pendulum.advance(20 * PERIOD)
    pendulum.enter("work")
    assert pendulum.node.coordinator.status.state.value == "active"


def test_a_saved_configuration_keeps_the_modes(pendulum, tmp_path):
    task = pendulum.task("Posture")
    pendulum.enter("home")
    pendulum.until(lambda: not pendulum.value("modes.leading"))
    pendulum.enter("soft")
    assert task.controller.kp.value == 1
    assert pendulum.set_parameter("Posture.kd", 15).success  # no mode sets it
    target = tmp_path / "saved.yaml"
    answer = pendulum.call(
        "control/saveConfiguration", "controlit/srv/SaveConfiguration", path=str(target)
    )
    assert answer.success, answer.message
    again = load_configuration(target)
    assert again.modes == load_configuration(tmp_path / "pendulum.yaml").modes
    stack = build_stack(again)
    law = stack.tasks.tasks[0].controller
    assert (law.kp.value, law.kd.value) == (64, 15)
    orders = [
        [dict(m.order.assignments) for m in s.modes.modes.values()] for s in (stack, pendulum.stack)
    ]
    told = [
        [
            {p.full_name: p.after(value) if p.is_array else value for p, value in order.items()}
            for order in of
        ]
        for of in orders
    ]
    assert told[0] == told[1]


def test_in_the_safe_state_the_mode_stays_and_requests_are_refused(pendulum):
    pendulum.enter("work")
    pendulum.be_safe()
    assert pendulum.refused("soft") == ("mode soft is refused: the controller is in its safe state")
    pendulum.recover()
    assert pendulum.value("modes.mode") == "work"
    assert pendulum.set_parameter("Posture.goal_position", 0.2).success


def test_what_a_mode_refuses_it_refuses_in_the_safe_state_and_after(pendulum):
    pendulum.be_safe()
    assert "in mode rest" in pendulum.set_parameter("Posture.goal_position", 0.5).message
    pendulum.recover()
    assert "in mode rest" in pendulum.set_parameter("Posture.goal_position", 0.5).message


def test_a_request_that_waits_ends_with_the_safe_state(make):
    pendulum = make(MODES.replace("wait: 0", "wait: 60"))
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.2)
    pendulum.advance(1.0)
    pendulum.enter("rest")
    pendulum.enter("home")
    assert pendulum.ask("soft", wait=False).success
    assert pendulum.value("modes.leading")
    pendulum.be_safe()
    state = pendulum.told().state
    assert (state.outcome, state.reason) == (
        "refused",
        "the controller is in its safe state",
    )
    pendulum.recover()
    pendulum.until(lambda: not pendulum.value("modes.leading"))
    pendulum.advance(0.5)
    assert pendulum.value("modes.mode") == "home"


def test_goals_go_on_within_bounds_after_the_safe_state(pendulum):
    """Time that passed meanwhile is no time in which the goal moved."""
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 1.2)
    pendulum.advance(3.0)
    pendulum.enter("rest")
    pendulum.enter("home")
    pendulum.advance(0.1)
    assert pendulum.value("modes.leading")
    pendulum.be_safe()
    pendulum.advance(0.5 * pendulum.stack.servo.recovery_time)
    goal = pendulum.task("Posture").goal
    pendulum.recover()
    fastest, before = 0.0, pendulum.node.coordinator.robot_state.position[0]
    for _ in range(round(1.0 / PERIOD)):
        pendulum.advance(PERIOD)
        fastest = max(fastest, abs(goal.value[0] - before) / PERIOD)
        before = goal.value[0]
    assert fastest <= 0.02 * 50.0 * 1.001  # [rad/s] a share of the joint's limit
    pendulum.until(lambda: not pendulum.value("modes.leading"))
    assert goal.value[0] == pytest.approx(0.3)


def test_the_initial_mode_begins_as_it_says(make):
    """It leads or keeps the robot although the file states another goal."""
    leading = make(MODES.replace("initial: rest", "initial: home"))
    assert leading.told().state.confirmed == "home"
    leading.until(lambda: not leading.value("modes.leading"))
    assert leading.task("Posture").goal.value[0] == pytest.approx(0.3)
    leading.node.coordinator.request_deactivation()
    leading.advance(5 * PERIOD)
    leading.node.coordinator.request_activation()
    leading.until(lambda: leading.value("modes.leading"))


def test_the_initial_mode_keeps_the_robot_where_it_is(pendulum):
    pendulum.enter("work")
    pendulum.set("Posture.goal_position", 0.4)
    pendulum.advance(2.0)
    pendulum.set("Posture.goal_position", 1.0)  # stated, and not reached
    pendulum.advance(0.05)
    coordinator = pendulum.node.coordinator
    coordinator.request_deactivation()
    pendulum.advance(2 * PERIOD)
    coordinator.request_activation()
    pendulum.until(lambda: coordinator.state is CoordinatorState.ACTIVE)
    pendulum.advance(2 * PERIOD)
    goal, actual = pendulum.task("Posture").goal.value[0], coordinator.robot_state.position[0]
    assert abs(goal - actual) < 0.1
    assert pendulum.value("modes.mode") == "rest"


def test_what_was_fed_forward_ends_where_nobody_may_lead(pendulum):
    pendulum.enter("work")
    pendulum.set("Posture.goal_timeout", 0.0)
    pendulum.set("Posture.goal_velocity", 0.5)
    pendulum.set("Posture.goal_acceleration", 0.5)
    pendulum.advance(2 * PERIOD)
    assert pendulum.value("Posture.goal_velocity")[0] == 0.5
    pendulum.enter("halt")
    assert pendulum.value("Posture.goal_velocity")[0] == 0.0
    assert pendulum.value("Posture.goal_acceleration")[0] == 0.0


TIP = "- {name: Tip, type: CartesianPosition, body: arm, kp: 30, kd: 10}"


def add_task(pendulum, definition=TIP):
    return pendulum.call(
        "control/addTask",
        "controlit/srv/AddTask",
        definition=definition,
        priority=0,
        state="enable",
    )


def test_parts_come_and_go_only_where_commands_are_taken(pendulum):
    answer = add_task(pendulum)
    assert answer.message == ("adding a task is not taken in mode rest, which takes nothing")
    pendulum.enter("work")
    assert add_task(pendulum).success
    pendulum.enter("halt")
    answer = pendulum.call("control/removeTask", "controlit/srv/RemoveTask", task="Tip")
    assert "is not taken in mode halt" in answer.message
    assert [task.name for task in pendulum.stack.tasks.tasks] == ["Posture", "Idle", "Tip"]


def test_a_task_that_came_is_stopped_with_the_others(pendulum):
    """No mode can name it: where nothing is taken it stays where the robot is."""
    pendulum.enter("work")
    assert add_task(pendulum).success
    assert pendulum.set_parameter("Tip.goal_position", [0.1, 0.0, 0.1]).success
    pendulum.enter("halt")
    tip = pendulum.task("Tip")
    pendulum.until(lambda: np.abs(tip.goal.value - tip.actual.value).max() < 0.1)
    assert not np.allclose(tip.goal.value, [0.1, 0.0, 0.1])
    for name in ("Tip.goal_position", "Tip.operational_state", "Tip.priority", "Tip.tare"):
        value = {"goal_position": [0, 0, 0], "priority": 1, "tare": True}
        answer = pendulum.set_parameter(name, value.get(name.partition(".")[2], "disable"))
        assert "is not taken in mode halt" in answer.message
    receipt = pendulum.node.mailbox.post({tip.goal: [0.0, 0.0, 0.0]})
    pendulum.advance(PERIOD)
    assert receipt.outcome is Outcome.REFUSED


def test_a_task_that_was_reloaded_is_judged_as_the_one_of_the_file(pendulum, tmp_path):
    modes = pendulum.stack.modes
    again = {t.name: t for t in load_stack(tmp_path / "pendulum.yaml").tasks.tasks}
    for task in again.values():
        modes.newcomers.enroll(task)
    assert not modes.refuses("work", again["Posture"].goal)
    assert modes.refuses("work", again["Posture"].priority)
    assert modes.refuses("work", again["Idle"].goal)  # it acts in no mode
    assert modes.refuses("rest", again["Posture"].goal)
    for task in again.values():
        modes.newcomers.dismiss(task)
    assert not modes.newcomers.tasks
    assert not modes.refuses("rest", again["Posture"].goal)  # nobody's any more


def test_the_point_that_a_task_leads_is_a_command(make):
    pendulum = make()
    pendulum.enter("work")
    assert add_task(pendulum).success
    assert pendulum.set_parameter("Tip.control_point", [0, 0, 0.1]).success
    pendulum.enter("halt")
    answer = pendulum.set_parameter("Tip.control_point", [0, 0, 0.2])
    assert "is not taken in mode halt" in answer.message


def test_a_report_that_was_lost_is_told_again(pendulum):
    deliver, lost = pendulum.node.modes.deliver, []
    pendulum.node.modes.deliver = lost.append
    pendulum.node.mailbox.post({pendulum.stack.directory["modes.asked"]: "work"})
    pendulum.until(lambda: lost)
    pendulum.until(lambda: lost[-1].confirmed == "work")
    pendulum.node.modes.deliver = deliver
    assert pendulum.told().state.confirmed == "rest"
    pendulum.until(lambda: pendulum.told().state.confirmed == "work")


@pytest.mark.thorough
def test_random_requests_through_the_servo_follow_transitions_alone(pendulum):
    draw, ways = (
        random.Random(5),
        {(w.source, w.target) for w in pendulum.stack.modes.graph.transitions},
    )
    asked, names = pendulum.stack.directory["modes.asked"], pendulum.stack.modes.graph.names
    entered, before = 0, pendulum.value("modes.mode")
    for _ in range(1000):
        pendulum.node.mailbox.post({asked: draw.choice(names)})
        for _ in range(draw.randrange(1, 4)):
            pendulum.advance(PERIOD)
            mode = pendulum.value("modes.mode")
            assert mode == before or (before, mode) in ways
            entered, before = entered + (mode != before), mode
    assert entered > 100
    assert pendulum.node.coordinator.status.state.value == "active"
