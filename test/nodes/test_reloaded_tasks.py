"""Tasks whose Python file is edited while the controller moves the robot, in simulated time."""

import sys

import numpy as np
import pytest
from patience import GENEROUS
from test_running_parts import FAST, Controller

from controlit_ros import installed
from controlit_ros.client.explanations import explanation_of
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.nodes.servo_parts import ServoParts
from controlit_ros.parameters import Outcome
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.thorough

CODE = '''
import numpy as np
from controlit_ros.plugins import Access, FramePoint, PIDController, Task

class EditedHeight(Task):
    """Keeps a body at a height."""

    def __init__(self, name, robot):
        super().__init__(name, robot, dimension=1)
        self.body = self.declare_body()
        self.goal = self.declare("goal_height", (1.0,), shape=(1,), unit="m")
        self.actual = self.declare("actual_height", (0.0,), shape=(1,), access=Access.OUTPUT)
        self.controller = PIDController(self, 1)
        self._point = FramePoint(robot.nv)

    def configure(self):
        super().configure()
        self._frame = self.resolve_frame(self.body)

    def _update(self, model, state):
        self._point.update(model, self._frame, np.zeros(3))
        state.actual[:] = self._point.position[2:]
        state.jacobian[:] = self._point.jacobian[2:]
        state.bias[:] = self._point.bias[2:]
'''
LIFTED = CODE.replace("position[2:]", "position[2:] - 0.02")
ENTRY = "{name: Up, type: EditedHeight, body: right_wrist_yaw, kp: 30, kd: 10}"
NEAR = "{name: Near, expression: 'Up.actual_height[0] > 0.0 and Up.kp[0] > 40'}"


class Edited(Controller):
    """Dreamer with a task of a file of its own."""

    def write(self, code):
        self.file.write_text(code)

    def reload(self, task="Up"):
        self.change("reloadTask", task=task)

    def heights(self):
        """Return what the task takes for the height, and the true one [m]."""
        body = self.node.coordinator.model_updater.active.robot_model
        placement = body.placement(body.description.frame_id("right_wrist_yaw"))
        return self.task("Up").actual.value.item(), placement.translation[2]


@pytest.fixture
def make_edited(hands_yaml, tmp_path, monkeypatch):
    package = tmp_path / "edited_package"
    package.mkdir()
    (package / "__init__.py").write_text("from edited_package.height import EditedHeight\n")
    (package / "height.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(installed, "_registered", [])
    import edited_package  # noqa: PLC0415 - it is written here

    installed.register("controlit.tasks", edited_package.EditedHeight)
    made = []

    def make(**overrides):
        controller = Edited(hands_yaml, {**FAST, **overrides})
        made.append(controller)
        controller.file = package / "height.py"
        controller.write(CODE)
        controller.start()
        controller.change("addTask", definition=ENTRY, priority=2)
        if len(made) > 1:
            controller.reload()  # what an earlier one left in use
        controller.advance(3.0 if len(made) > 1 else 0.5)
        controller.steps()
        return controller

    yield make
    for controller in made:
        controller.stop()
    for name in ("edited_package", "edited_package.height"):
        sys.modules.pop(name)


@pytest.fixture
def edited(make_edited):
    return make_edited()


def test_new_code_takes_over_and_everything_else_stays(edited):
    topics = [
        b.topic
        for b in edited.call("diagnostics/getBindings", "controlit/srv/GetBindings").bindings
        if b.topic.startswith("Up/")
    ]
    edited.change("addEvent", definition=NEAR)
    before = edited.task("Up")
    goal = before.goal.value + 0.02
    edited.set("Up.goal_height", goal)
    edited.set("Up.kp", [50.0])
    edited.advance(2.0)
    told, true = edited.heights()
    assert told == pytest.approx(true, abs=1e-3)
    assert edited.stack.directory["Near.count"].value == 1
    edited.write(LIFTED)
    edited.reload()
    task = edited.task("Up")
    assert type(task) is not type(before)
    assert type(task) is sys.modules["edited_package"].EditedHeight
    assert type(task) is load_plugin(PluginKind.TASK, "EditedHeight")
    np.testing.assert_array_equal(task.goal.value, goal)
    assert task.controller.kp.value == [50.0]
    edited.advance(2.0)
    told, true = edited.heights()
    assert told == pytest.approx(true - 0.02, abs=1e-3)
    assert told == pytest.approx(goal.item(), abs=2e-3)  # so the hand went up by as much
    assert edited.state is CoordinatorState.ACTIVE
    again = edited.call("diagnostics/getBindings", "controlit/srv/GetBindings").bindings
    assert sorted(b.topic for b in again if b.topic.startswith("Up/")) == sorted(topics)
    edited.set("Up.kp", [30.0])
    edited.advance(0.1)
    edited.set("Up.kp", [60.0])
    edited.advance(0.1)
    assert edited.stack.directory["Near.count"].value == 2  # it looks at the new parameters
    answer = edited.call("diagnostics/getExplanation", "controlit/srv/GetExplanation")
    (error,) = explanation_of(answer.explanation).task("Up").error
    assert error == pytest.approx(goal.item() - told, abs=2e-3)


def test_a_goal_nobody_stated_is_not_latched_anew(edited):
    task = edited.task("Up")
    held = task.goal.value.copy()
    edited.write(LIFTED)
    edited.reload()
    edited.advance(0.1)
    np.testing.assert_array_equal(edited.task("Up").goal.value, held)
    assert not edited.task("Up").goal.stated


@pytest.mark.parametrize("applied", [True, False])
def test_what_is_set_meanwhile_goes_on(edited, monkeypatch, applied):
    """Values to the old code and to the new one, before the servo takes this over and with it."""
    put, former = ServoParts.put, edited.task("Up")
    goal = former.goal.value + 0.01

    def late_put(parts, *arguments):
        posted = [
            edited.node.mailbox.post({former.goal: goal}),
            edited.node.mailbox.post({edited.stack.directory["Up.kp"]: [55.0]}),
            edited.node.mailbox.post({edited.stack.directory["Up.weight"]: [2.0]}),
        ]
        if applied:
            assert all(p.settle(GENEROUS) is Outcome.APPLIED for p in posted)
        put(parts, *arguments)

    monkeypatch.setattr(ServoParts, "put", late_put)
    edited.write(LIFTED)
    edited.reload()
    task = edited.task("Up")
    assert task is not former
    edited.node.mailbox.post({former.controller.kd: [12.0]})  # who looked it up before
    edited.advance(0.1)
    np.testing.assert_array_equal(task.goal.value, goal)
    assert task.goal.stated
    assert task.controller.kp.value == [55.0]
    assert task.controller.kd.value == [12.0]
    assert task.weight.value == [2.0]


def test_what_is_set_while_new_code_fails_is_set_to_the_old_one(edited, monkeypatch):
    task = edited.task("Up")
    found = []

    def no_put(_parts, *_arguments):
        found.append(edited.stack.directory["Up.kp"])
        edited.node.mailbox.post({found[0]: [55.0]})
        raise installed.ControlItError("no")

    with monkeypatch.context() as patch:
        patch.setattr(ServoParts, "put", no_put)
        assert edited.refused("reloadTask", task="Up") == "no"
    assert found[0] is not task.controller.kp
    edited.advance(0.1)
    assert task.controller.kp.value == [55.0]
    edited.node.mailbox.post({found[0]: [56.0]})
    edited.advance(0.1)
    assert task.controller.kp.value == [56.0]


def test_no_effort_jumps(make_edited):
    """The same code again changes nothing; other code ramps in."""
    jumps = []
    for ramp in (0.0, 0.2):  # [s]
        controller = make_edited(reconfiguration_time=ramp)
        controller.reload()
        controller.advance(0.2)
        assert controller.steps().max() < 1e-3  # [N m]
        controller.write(CODE.replace("position[2:]", "position[2:] - 0.02"))
        controller.reload()
        controller.advance(0.1)
        jumps.append(controller.steps().max())
    assert jumps[0] > 1.0  # [N m]
    assert jumps[1] < 0.2 * jumps[0]


def test_it_is_reloaded_again_and_again(edited):
    """Two edits within a second and of one length, which caches of byte code take for one."""
    for lift in ("0.01", "0.03", "0.02", "0.04"):
        edited.write(CODE.replace("position[2:]", f"position[2:] - {lift}"))
        edited.reload()
        edited.advance(0.1)
        told, true = edited.heights()
        assert true - told == pytest.approx(float(lift), abs=1e-3)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (CODE.replace("self.declare_body()", "self.declare_body("), "height.py:10: '(' was never"),
        ("import nowhere_to_be_found\n" + CODE, "height.py:1: ModuleNotFoundError"),
        (CODE.replace("class EditedHeight", "class Height"), "found no EditedHeight"),
        (CODE.replace("(Task)", "(object)"), "expected a Task of that name"),
        (CODE + "EditedHeight = None\n", "found no EditedHeight"),
        (
            CODE.replace("dimension=1", "dimension=2").replace(
                "PIDController(self, 1)", "PIDController(self, 2)"
            ),
            "found 2 rows, expected 1 as before",
        ),
        (
            CODE.replace('(1.0,), shape=(1,), unit="m")', '(1.0, 1.0), shape=(2,), unit="m")'),
            "Up.goal_height: found 2 finite numbers [m], expected a finite number [m] as before",
        ),
        (CODE.replace("super().configure()", "raise ValueError(3)"), "ValueError: 3"),
        (
            CODE.replace("state.actual[:] =", "raise RuntimeError('no'); state.actual[:] ="),
            "failed when it was tried: RuntimeError('no')",
        ),
        (CODE.replace("position[2:]", "position[2:] * np.nan"), "actual value is not finite"),
        (CODE.replace("bias[2:]", "bias[2:] * np.inf"), "is not finite"),
        (CODE.replace("self.declare_body()", 'self.declare("link", "a")'), "no parameter 'body'"),
    ],
)
def test_the_old_code_stays_and_the_error_says_why(edited, code, expected):
    before, known = edited.task("Up"), sys.modules["edited_package.height"]
    parameters = dict(edited.stack.directory)
    edited.write(code)
    message = edited.refused("reloadTask", task="Up")
    assert expected in message, message
    assert edited.task("Up") is before
    assert sys.modules["edited_package.height"] is known
    assert load_plugin(PluginKind.TASK, "EditedHeight") is type(before)
    assert dict(edited.stack.directory) == parameters
    edited.advance(0.1)
    told, true = edited.heights()
    assert told == pytest.approx(true, abs=1e-3)
    assert edited.state is CoordinatorState.ACTIVE
    edited.write(LIFTED)
    edited.reload()  # once it is mended


def test_what_an_event_looks_at_must_stay(edited):
    wide = CODE.replace('"actual_height"', '"actual_z"')
    edited.change("addEvent", definition=NEAR)
    edited.write(wide)
    message = edited.refused("reloadTask", task="Up")
    assert "Up.actual_height" in message


def test_what_belongs_to_controlit_is_not_reloaded(edited):
    for name, kind, file in (
        ("RightHandPosition", "CartesianPosition", "cartesian_position.py"),
        ("Posture", "JointPosition", "joint_position.py"),
    ):
        message = edited.refused("reloadTask", task=name)
        assert message.startswith(f"'{name}' cannot be reloaded: found the class {kind} in /")
        assert f"{file}, which is a part of controlit" in message
        assert "expected a class of another package" in message
    assert "unknown task 'Upp'" in edited.refused("reloadTask", task="Upp")


def test_a_servo_that_takes_no_changes_keeps_the_old_code(edited, monkeypatch):
    before, known = edited.task("Up"), sys.modules["edited_package.height"]
    edited.write(LIFTED)
    with monkeypatch.context() as patch:
        patch.setattr("controlit_ros.parameters.applied.PATIENCE", 0.0)
        with pytest.raises(installed.ControlItError, match="took no changes"):
            edited.node.parts.reload_task("Up")
    assert edited.task("Up") is before
    assert sys.modules["edited_package.height"] is known
    assert edited.stack.directory["Up.kp"] is before.controller.kp
    edited.set("Up.kp", [44.0])
    edited.advance(0.1)
    assert before.controller.kp.value == [44.0]
    edited.reload()
