"""Tasks and events that come and go while a controller moves its robot, in simulated time."""

import gc
import math
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import pytest

from controlit_ros.bindings.conversion import conversion
from controlit_ros.client.explanations import explanation_of
from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.explaining import explain_cycle
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport import ServiceTimeoutError
from controlit_ros.transport.local.service import LocalService

FAST = {"servo_frequency": 500, "soft_start_time": 0.0}
EXTRA = """
- name: Extra
  type: CartesianPosition
  body: right_wrist_yaw
  kp: 30
  kd: 10
"""
NEAR = "{name: Near, expression: Extra.error_norm < 0.1}"


class Controller(SimulatedController):
    """Dreamer, and what its services say."""

    def ask(self, name, **fields):
        return self.call(f"control/{name}", f"controlit/srv/{name[0].upper()}{name[1:]}", **fields)

    def change(self, name, **fields):
        answer = self.ask(name, **fields)
        assert answer.success, answer.message
        return answer

    def refused(self, name, **fields):
        before = [task.name for task in self.stack.tasks.tasks], len(self.stack.directory)
        answer = self.ask(name, **fields)
        assert not answer.success
        assert ([t.name for t in self.stack.tasks.tasks], len(self.stack.directory)) == before
        return answer.message

    @staticmethod
    def at_each_cycle():
        """Move a goal, for example."""

    def advance(self, duration):
        """Let time pass cycle by cycle, and keep the efforts of each."""
        period = 1.0 / self._clock.frequency
        for _ in range(round(duration / period)):
            self.at_each_cycle()
            super().advance(period)
            self.efforts.append(self.node.coordinator.command.effort.copy())

    @cached_property
    def efforts(self):
        return []

    def steps(self):
        """Return the largest change of an effort in each cycle so far, and forget these."""
        found = np.abs(np.diff(self.efforts, axis=0)).max(axis=1)
        del self.efforts[:-1]
        return found


@pytest.fixture
def make(hands_yaml, started):
    def made(file=hands_yaml, **overrides):
        return started(Controller(file, {**FAST, **overrides}))

    return made


@pytest.fixture
def controller(make):
    return make()


def test_a_task_holds_moves_and_leaves(controller):
    answer = controller.change("addTask", definition=EXTRA, priority=2)
    assert answer.task == "Extra"
    assert controller.stack.tasks.levels[0].priority == 2
    controller.advance(0.5)
    task = controller.task("Extra")
    assert task.error_norm.value < 1e-3  # it holds what was there
    goal = task.goal.value + np.array([0.03, 0.0, 0.03])
    controller.set("Extra.goal_position", goal)
    controller.advance(2.0)
    np.testing.assert_allclose(task.actual.value, goal, atol=2e-3)
    controller.change("removeTask", task="Extra")
    controller.advance(1.0)
    assert controller.state is CoordinatorState.ACTIVE
    assert "Extra" not in [task.name for task in controller.stack.tasks.tasks]
    assert not [name for name in controller.stack.directory if name.startswith("Extra.")]
    assert "unknown task 'Extra'" in controller.refused("removeTask", task="Extra")


def test_topics_tell_of_tasks_that_came_what_is_so(controller):
    """They are there before a task has its place in memory, and others leave from beside it."""
    told = {}

    def compare(*names):
        for _ in range(50):
            told.clear()
            controller.advance(1.0 / controller.stack.clock.frequency)
            for name, message in told.items():
                assert message.data == controller.task(name).error_norm.value > 0.0
                compared.add(name)
        assert compared >= set(names)

    def listen(name):
        controller.transport.subscribe(
            f"{name}/error_norm", "std_msgs/msg/Float64", partial(told.__setitem__, name)
        )

    compared = set()
    listen("RightHandPosition")
    for name in ("Extra", "Other"):
        definition = EXTRA.replace("Extra", name)
        controller.change("addTask", definition=definition, priority=2)
        listen(name)
        controller.advance(0.2)
        goal = controller.task(name).goal
        controller.set(goal.full_name, goal.value + np.array([0.03, 0.0, 0.03]))
        compare("RightHandPosition", name)
    controller.change("removeTask", task="Extra")
    compared.clear()
    compare("RightHandPosition", "Other")


def test_a_change_in_the_cycle_after_control_began_moves_nothing(controller):
    """What was computed before the goals were latched is nothing to ramp from."""
    assert len(controller.efforts) == 1
    controller.change("addTask", definition=EXTRA, priority=2)
    controller.advance(0.1)
    assert controller.steps().max() < 0.1  # [N m] it has to hold still
    assert np.abs(controller.node.coordinator.robot_state.velocity).max() < 1e-3


@pytest.mark.parametrize(
    "entry",
    [
        "type: CartesianPose, body: right_wrist_yaw, kp: 30, kd: 10, weight: 2",
        "type: CartesianImpedance, body: right_elbow, axes: [x, z], stiffness: 100, damping: 20",
        "type: CentroidalMomentum, axes: [angular_z], kp: 5",
        "type: JointEffort, axes: [right_elbow], kd: 1",
    ],
)
@pytest.mark.parametrize(
    "file", ["hands.yaml", pytest.param("hands_qp.yaml", marks=pytest.mark.thorough)]
)
def test_every_kind_joins_and_leaves(make, config, entry, file):
    controller = make(config / "dreamer" / file)
    controller.change("addTask", definition=f"{{name: Extra, {entry}}}", priority=2)
    controller.advance(0.3)
    assert controller.state is CoordinatorState.ACTIVE
    assert np.isfinite(controller.task("Extra").command.value).all()
    assert controller.stack.tasks.levels[0].priority == 2
    controller.change("removeTask", task="Extra")
    controller.advance(0.1)
    assert controller.state is CoordinatorState.ACTIVE


def test_a_pose_comes_by_its_topic_and_what_is_none_is_dropped(controller):
    pose = "geometry_msgs/msg/PoseStamped"
    entry = "{name: Extra, type: CartesianPose, body: right_wrist_yaw, kp: 30, kd: 10}"
    controller.change("addTask", definition=entry, priority=2)
    sender = controller.transport.publisher("Extra/goal_pose", "geometry_msgs/msg/Pose")
    controller.advance(0.3)
    task = controller.task("Extra")
    goal = task.goal.value.copy()
    goal[2] += 0.02
    way = conversion(task.goal)
    sender.publish(way.to_message(goal, 0.0))
    controller.advance(1.0)
    np.testing.assert_allclose(task.goal.value, goal, atol=1e-12)
    for wrong in (np.full(7, np.nan), np.full(7, 1e300), np.zeros(7)):
        sender.publish(way.to_message(wrong, 0.0))
        controller.advance(0.1)
    np.testing.assert_allclose(task.goal.value, goal, atol=1e-12)
    assert controller.state is CoordinatorState.ACTIVE
    assert conversion(task.goal, pose).type_name == pose
    sender.close()


@pytest.mark.thorough
def test_no_effort_jumps_whatever_comes_or_goes(controller):
    """A ramp takes the difference of two configurations apart, over its 0.2 s."""
    hand = controller.task("RightHandPosition")
    goal = hand.goal.value + np.array([0.05, 0.0, 0.05])
    controller.set("RightHandPosition.goal_position", goal)
    controller.advance(0.3)
    moving = controller.steps()[-50:].max()
    far = "{name: Extra, type: CartesianPosition, body: right_wrist_yaw, kp: 100, kd: 20,"
    far += " goal_position: [0.1, -0.3, 0.9]}"
    for name, fields in (
        ("addTask", {"definition": far, "priority": 2}),
        ("removeTask", {"task": "Extra"}),
    ):
        begin = len(controller.efforts)
        controller.change(name, **fields)
        controller.advance(0.3)
        seen = np.array(controller.efforts[begin - 1 :])
        size = np.abs(seen - seen[0]).max()
        assert size > 1.0  # [N m] it does something, and all of it in the time of a ramp
        assert controller.steps().max() < 2.0 * size / (0.2 * 500) + 2.0 * moving


def test_the_saved_file_has_what_came_and_not_what_left(controller):
    controller.change("addTask", definition=EXTRA, priority=2, state="sense")
    controller.change("addEvent", definition=NEAR)
    controller.change("removeEvent", event="LeftHandConverged")
    controller.change("removeTask", task="LeftHandPosition")
    controller.set("Extra.kp", [10.0, 20.0, 30.0])
    controller.advance(0.1)
    text = controller.change("saveConfiguration").configuration
    stack = build_stack(load_configuration(text))
    running = controller.stack
    assert [task.name for task in stack.tasks.tasks] == [t.name for t in running.tasks.tasks]
    assert [event.name for event in stack.events] == [event.name for event in running.events]
    for full_name in ("Extra.kp", "Extra.kd", "Extra.body", "Extra.priority", "Posture.kp"):
        ours, theirs = (s.directory[full_name].snapshot() for s in (running, stack))
        assert ours == theirs, full_name
    assert stack.directory["Extra.operational_state"].value == "sense"
    assert not [name for name in stack.directory if name.startswith("LeftHandPosition.")]
    told = controller.call(
        "diagnostics/getControllerConfiguration", "controlit/srv/GetControllerConfiguration"
    ).configuration
    assert "Extra" in told
    assert "LeftHandPosition" not in told


@pytest.mark.thorough
def test_bindings_come_and_go_with_a_task(controller):
    def bound():
        answer = controller.call("diagnostics/getBindings", "controlit/srv/GetBindings")
        return {binding.topic for binding in answer.bindings if "Extra" in binding.topic}

    def topics():
        found = controller.transport.graph().topics
        return {topic.name.rpartition("/")[2] for topic in found if "/Extra/" in topic.name}

    assert not bound()
    controller.change("addTask", definition=EXTRA, priority=2)
    assert "Extra/goal_position" in bound()
    assert {"goal_position", "error_norm", "reference_position"} <= topics()
    point = "geometry_msgs/msg/Point"
    heard = []
    listening = controller.transport.subscribe("Extra/actual_position", point, heard.append)
    sender = controller.transport.publisher("Extra/goal_position", point)
    controller.advance(0.3)
    goal = controller.task("Extra").goal.value + np.array([0.0, 0.0, 0.02])
    sender.publish(new(point, x=goal[0], y=goal[1], z=goal[2]))
    controller.advance(1.5)
    np.testing.assert_array_equal(controller.task("Extra").goal.value, goal)
    assert abs(heard[-1].z - goal[2]) < 3e-3
    listening.close()
    sender.close()
    controller.change("removeTask", task="Extra")
    assert not bound()
    assert not topics()
    # the same name for another type is another topic, and nobody minds
    other = "{name: Extra, type: Orientation3D, body: right_wrist_yaw}"
    controller.change("addTask", definition=other, priority=2)
    assert "Extra/goal_orientation" in bound()


@pytest.mark.parametrize("delay", [0.0, 0.02])
def test_a_call_takes_the_time_that_the_servo_needs(controller, monkeypatch, delay):
    """However long the machine computes the answer."""
    answer = LocalService._answer

    def late(self, request, take):
        threading.Event().wait(delay)
        answer(self, request, take)

    monkeypatch.setattr(LocalService, "_answer", late)
    begin, spent = controller.time, []
    for _ in range(3):
        controller.change("addTask", definition=EXTRA, priority=2)
        controller.change("saveConfiguration")
        controller.change("removeTask", task="Extra")
        spent.append(round((controller.time - begin) * FAST["servo_frequency"]))
    assert spent == [2, 4, 6]  # [-] cycles: each change has one, and what is told has none


def test_a_service_that_nobody_has_is_told_at_once_with_the_nearest(controller):
    begin = controller.time
    with pytest.raises(ServiceTimeoutError, match="control/addTask"):
        controller.call("control/adTask", "controlit/srv/AddTask")
    assert controller.time == begin


def test_events_look_at_what_is_there(controller):
    refused = controller.refused("addEvent", definition=NEAR)
    assert "<text>:1:14: expression:" in refused
    assert "Extra" in refused
    controller.change("addTask", definition=EXTRA, priority=2)
    controller.change("addEvent", definition=NEAR)
    controller.advance(0.1)
    assert controller.stack.directory["Near.count"].value == 1
    assert "the event 'Near' looks at it" in controller.refused("removeTask", task="Extra")
    controller.change("setEventEnabled", event="Near", enabled=False)
    controller.change("removeEvent", event="Near")
    controller.change("removeTask", task="Extra")
    assert "unknown event 'Near'" in controller.refused("removeEvent", event="Near")


@pytest.mark.parametrize(
    ("definition", "priority", "expected"),
    [
        (EXTRA.replace("Extra", "Posture"), 1, "the name 'Posture' is taken by one of the tasks"),
        (EXTRA.replace("right_wrist", "right_wrst"), 1, "<text>:4:3: body: Extra.body: unknown"),
        (EXTRA.replace("kp: 30", "kp: -1"), 1, "<text>:5:3: kp: Extra.kp: found -1"),
        (EXTRA.replace("kp: 30", "kp: .nan"), 1, "<text>:5:3: kp: Extra.kp: found nan"),
        (EXTRA.replace("kp:", "kpp:"), 1, "Extra has no parameter 'kpp' (did you mean 'kp'"),
        (EXTRA + "  control_law: PIDD", 1, "<text>:7:3: control_law:"),
        (EXTRA, 1001, "priority: found 1001, expected a number <= 1000"),
        ("{name: Foot, type: CenterOfPressure, contact: Base}", 1, "forces at the contacts"),
        ("name: [", 1, "YAML syntax"),
    ],
)
def test_refusals_say_why_and_change_nothing(controller, definition, priority, expected):
    assert expected in controller.refused("addTask", definition=definition, priority=priority)
    assert controller.state is CoordinatorState.ACTIVE


def test_rows_are_kept_free_for_so_many_tasks(make):
    controller = make(added_task_rows=4)
    controller.change("addTask", definition=EXTRA, priority=1)
    another = EXTRA.replace("Extra", "Another")
    message = controller.refused("addTask", definition=another, priority=1)
    assert "start with a larger added_task_rows" in message
    controller.change("removeTask", task="Extra")
    controller.change("addTask", definition=another, priority=1)


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [(["goals", "gains"], "configuration"), (["configuration"], "goals"), ([], "goals")],
)
def test_access_is_checked(make, allowed, refused):
    controller = make(remote_access=allowed)
    message = controller.refused("addTask", definition=EXTRA, priority=1)
    assert f"it belongs to {refused}" in message
    if "configuration" not in allowed:
        message = controller.refused("removeTask", task="Posture")
        assert "it belongs to configuration" in message
        assert "belongs to" in controller.refused("addEvent", definition=NEAR)
        assert "belongs to" in controller.refused("removeEvent", event="LeftHandConverged")


def test_goals_of_a_new_task_are_goals(make):
    controller = make()
    controller.change("addTask", definition=EXTRA, priority=1)
    access = controller.node.arbitration.access
    parameter = controller.stack.directory["Extra.goal_position"]
    assert access.kind_of(parameter) == "goals"
    assert access.kind_of(controller.stack.directory["Extra.kp"]) == "gains"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("clients", "at_once", "times"), [(10, 10, 3), pytest.param(20, 1, 1, id="in turn")]
)
def test_several_clients(controller, clients, at_once, times):
    """They add and remove what is theirs; time passes meanwhile, and nothing is lost."""

    def live(number):
        client = controller.transport.client
        kind = "controlit/srv"
        for _ in range(times):
            add = client("control/addTask", f"{kind}/AddTask")
            text = EXTRA.replace("Extra", f"Extra{number}")
            answer = add.call(new(f"{kind}/AddTask_Request", definition=text, priority=number), 60)
            assert answer.success, answer.message
            remove = client("control/removeTask", f"{kind}/RemoveTask")
            answer = remove.call(new(f"{kind}/RemoveTask_Request", task=f"Extra{number}"), 60)
            assert answer.success, answer.message
        return number

    before = [task.name for task in controller.stack.tasks.tasks]
    with ThreadPoolExecutor(at_once) as pool:
        lives = [pool.submit(live, number) for number in range(clients)]
        while not all(life.done() for life in lives):
            controller.advance(0.002)
    assert [life.result() for life in lives] == list(range(clients))
    assert [task.name for task in controller.stack.tasks.tasks] == before
    assert controller.state is CoordinatorState.ACTIVE


def resident():
    """Return the memory of this process [bytes]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.simulation
def test_additions_and_removals_leave_nothing_behind(make):
    """A hand goes to and fro meanwhile, and no effort jumps because of them."""
    controller = make(servo_frequency=250)
    home = controller.task("RightHandPosition").goal.value.copy()
    names = [task.name for task in controller.stack.tasks.tasks]

    def swing():
        along = 0.03 * np.sin(2.0 * controller.time)
        controller.set("RightHandPosition.goal_position", home + np.array([0.0, 0.0, along]))

    def round_trip():
        controller.change("addTask", definition=EXTRA, priority=2)
        controller.advance(0.05)
        controller.change("removeTask", task="Extra")
        controller.advance(0.05)

    controller.at_each_cycle = swing
    controller.advance(3.0)
    controller.steps()
    controller.advance(3.0)
    undisturbed = controller.steps().max()
    for _ in range(30):
        round_trip()
    gc.collect()
    before = resident(), len(gc.get_objects()), len(controller.stack.directory)
    largest = 0.0
    for _ in range(200):
        round_trip()
        largest = max(largest, controller.steps().max())
    gc.collect()
    size, objects, parameters = resident(), len(gc.get_objects()), len(controller.stack.directory)
    assert [task.name for task in controller.stack.tasks.tasks] == names
    assert parameters == before[2]
    assert objects - before[1] < 1000  # a task has 500
    assert size - before[0] < 12_000_000  # [bytes] a task with its topics takes 100 000; 8 seen
    assert controller.state is CoordinatorState.ACTIVE
    assert largest < 3.0 * undisturbed  # [N m] without a ramp nine times as much


ELBOW = "{name: Elbow, type: CartesianPosition, body: arm_left_4_link, kp: 30, kd: 10}"
POINT = "{name: Point, type: PointContact, body: left_sole_link}"


@pytest.mark.simulation
def test_talos_stands_and_moves_whatever_comes_and_goes(config):
    """Tasks of every level and a contact, while a hand goes to and fro; thousands are as these."""
    controller = Controller(config / "talos" / "stand.yaml", {"servo_frequency": 500})
    try:
        controller.start()
        home = controller.task("RightHandPosition").goal.value.copy()

        def swing():
            along = 0.03 * np.sin(2.0 * controller.time)
            goal = home + np.array([0.0, 0.0, along])
            controller.set("RightHandPosition.goal_position", goal)

        def round_trip(number):
            changes = (
                ("addTask", {"definition": ELBOW, "priority": number % 4}),
                ("addConstraint", {"definition": POINT}),
                ("removeTask", {"task": "Elbow"}),
                ("removeConstraint", {"constraint": "Point"}),
            )
            for name, fields in changes:
                controller.change(name, **fields)
                controller.advance(0.02)

        controller.at_each_cycle = swing
        controller.advance(1.0)
        controller.steps()
        controller.advance(2.0)
        undisturbed = controller.steps().max()
        for number in range(2):
            round_trip(number)
        gc.collect()
        before = len(gc.get_objects())
        for number in range(8):
            round_trip(number)
        gc.collect()
        assert len(gc.get_objects()) - before < 1000
        assert controller.state is CoordinatorState.ACTIVE
        assert controller.steps().max() < 3.0 * undisturbed + 0.05  # [N m]
    finally:
        controller.stop()


def explained(controller):
    answer = controller.call("diagnostics/getExplanation", "controlit/srv/GetExplanation")
    assert answer.success, answer.message
    return explanation_of(answer.explanation)


FAR = EXTRA + "  goal_position: [1.5, -0.3, 0.9]\n"  # [m] beyond its reach


@pytest.mark.thorough
def test_what_came_is_explained_as_the_saved_file_is(controller):
    """The other way: everything built anew from the file, at the state the servo computed with."""
    controller.advance(0.2)
    names = [account.name for account in explained(controller).tasks]
    controller.change("addTask", definition=FAR, priority=2)
    controller.change("removeEvent", event="LeftHandConverged")
    controller.change("removeTask", task="LeftHandPosition")
    controller.advance(3.0)
    found = explained(controller)
    assert sorted(account.name for account in found.tasks) == sorted(
        {*names, "Extra"} - {"LeftHandPosition"}
    )
    text = controller.change("saveConfiguration").configuration
    state = controller.node.coordinator.model_updater.active.robot_model.state
    other = explain_cycle(build_stack(load_configuration(text)), state)
    for field in ("error", "asked", "got"):  # the file is saved some cycles later
        ours, theirs = (getattr(e.task("Extra"), field) for e in (found, other))
        np.testing.assert_allclose(ours, theirs, rtol=0.05, atol=0.005)
    assert np.linalg.norm(found.task("Extra").asked) > 0.1
    # the same name for another task is another task
    controller.change("removeTask", task="Extra")
    turned = "{name: Extra, type: Orientation2D, body: right_wrist_yaw}"
    controller.change("addTask", definition=turned, priority=2)
    controller.advance(0.1)
    assert len(explained(controller).task("Extra").error) == 3
    controller.change("removeTask", task="Extra")
    assert "Extra" not in [account.name for account in explained(controller).tasks]


def test_nothing_waits_for_a_servo_that_was_stopped(controller, monkeypatch):
    monkeypatch.setattr("controlit_ros.parameters.applied.PATIENCE", math.inf)
    controller.node.lifecycle.stop()
    with pytest.raises(ControlItError, match="took no changes"):
        controller.node.parts.add_task(EXTRA, 2, "enable")
    assert "Extra" not in [task.name for task in controller.stack.tasks.tasks]


def test_a_removal_that_fails_leaves_the_actions_their_task(controller, monkeypatch):
    controller.change("addTask", definition=EXTRA, priority=2)
    monkeypatch.setattr("controlit_ros.parameters.applied.PATIENCE", 0.0)
    with pytest.raises(ControlItError, match="took no changes"):
        controller.node.parts.remove_task("Extra")
    assert "Extra" in controller.node.actions.tasks._tasks
    assert controller.node.arbitration.leads._tasks[controller.task("Extra").goal] == "Extra"


def test_actions_forget_what_left(controller):
    leads = controller.node.arbitration.leads
    before = len(leads._tasks)
    controller.change("addTask", definition=EXTRA, priority=2)
    assert len(leads._tasks) == before + 4
    controller.change("removeTask", task="Extra")
    assert len(leads._tasks) == before
    assert "Extra" not in controller.node.actions.tasks._tasks
