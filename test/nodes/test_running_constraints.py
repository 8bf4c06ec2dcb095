"""Constraints that come and go while a controller moves its robot, in simulated time."""

import numpy as np
import pytest
from test_running_parts import FAST, Controller

from controlit_ros.client.explanations import explanation_of
from controlit_ros.configuration import load_configuration
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.nodes.building import build_stack
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.thorough

HELD = 1e5  # [N m s/rad] damping of a joint that is held externally
HOLD = "{name: Hold, type: PointContact, body: right_wrist_yaw}"


class Constrained(Controller):
    """Dreamer with joints that can be held externally."""

    def constraints(self):
        answer = self.call(
            "diagnostics/getConstraintParameters", "controlit/srv/GetConstraintParameters"
        )
        return dict(zip(answer.constraints, answer.states, strict=True))

    def model(self):
        return self.node.coordinator.model_updater.active

    def wrench(self, number):
        """Return what the servo takes for the wrench of a contact of the file."""
        return self.node.coordinator.robot_state.contact_wrench[number].copy()

    def hold(self):
        """Hold the robot externally, so that the contact is real."""
        self.physics.model.dof_damping[:] = HELD

    @property
    def physics(self):
        return self.stack.robot_interface.simulation

    def overspeed(self, duration):
        """Return the largest true speed meanwhile, in velocity limits."""
        limits = JointLimits.of(self.stack.robot).velocity
        found = 0.0
        for _ in range(round(duration / 0.002)):
            self.advance(0.002)
            speeds = np.abs(self.physics.data.qvel[self.physics._drive_velocities])
            found = max(found, (speeds / limits).max())
        return found

    def refused_constraint(self, name="addConstraint", **fields):
        before = self.constraints(), sorted(self.stack.directory)
        message = self.refused(name, **fields)
        assert (self.constraints(), sorted(self.stack.directory)) == before
        return message


@pytest.fixture
def make(hands_yaml, started):
    def start(**overrides):
        controller = started(Constrained(hands_yaml, {**FAST, **overrides}))
        controller.advance(0.3)
        return controller

    return start


@pytest.fixture
def controller(make):
    return make()


def offline(controller):
    """Return the model that the saved file makes of the state the servo computed with."""
    text = controller.change("saveConfiguration").configuration
    controller.advance(0.004)
    stack = build_stack(load_configuration(text))
    model = ConstrainedModel(stack.robot, stack.constraints)
    model.update(controller.model().robot_model.state)
    return model


def test_it_holds_and_leaves(controller):
    """The oracle is a controller that is built anew from the saved file."""
    controller.hold()
    free = controller.model()
    before = free.rank, free.task_map.shape, controller.constraints()
    assert controller.change("addConstraint", definition=HOLD).constraint == "Hold"
    assert controller.constraints() == {**before[2], "Hold": "enable"}
    controller.advance(0.3)
    assert controller.model().rank == before[0] + 3
    other = offline(controller)
    held = controller.model()  # after the last cycle: models change places
    np.testing.assert_allclose(held.Jc, other.Jc, atol=1e-9)
    np.testing.assert_allclose(held.bias_effort, other.bias_effort, atol=1e-6)
    np.testing.assert_allclose(held.UNc_bar, other.UNc_bar, atol=1e-6)
    controller.change("setConstraintState", constraint="Hold", state="disable")
    controller.advance(0.3)
    assert controller.model().rank == before[0]
    controller.change("removeConstraint", constraint="Hold")
    controller.advance(0.3)
    assert (controller.model().rank, controller.model().task_map.shape) == before[:2]
    assert controller.constraints() == before[2]
    assert not [name for name in controller.stack.directory if name.startswith("Hold.")]
    assert "Hold" not in controller.change("saveConfiguration").configuration
    assert "unknown constraint 'Hold'" in controller.refused_constraint(
        "removeConstraint", constraint="Hold"
    )
    assert controller.state is CoordinatorState.ACTIVE


def test_no_effort_jumps_whatever_comes_or_goes(make):
    """Without a ramp the same change is a step."""
    jumps = {}
    for ramp in (0.0, 0.2):  # [s]
        controller = make(reconfiguration_time=ramp)
        controller.advance(1.0)
        for name, fields in (
            ("addConstraint", {"definition": HOLD}),
            ("removeConstraint", {"constraint": "Hold"}),
        ):
            controller.steps()
            controller.change(name, **fields)
            controller.advance(0.02)
            jumps[name, ramp] = controller.steps().max()
    for name in ("addConstraint", "removeConstraint"):
        assert jumps[name, 0.0] > 0.5  # [N m]
        assert jumps[name, 0.2] < 0.1 * jumps[name, 0.0]


def test_what_shows_constraints_follows(controller):
    controller.hold()

    def jacobians():
        answer = controller.call(
            "diagnostics/getConstraintJacobianMatrices",
            "controlit/srv/GetConstraintJacobianMatrices",
        )
        assert answer.success, answer.message
        return {c.name: np.reshape(c.jacobian, (c.rows, c.columns)) for c in answer.constraints}

    def explained():
        answer = controller.call("diagnostics/getExplanation", "controlit/srv/GetExplanation")
        assert answer.success, answer.message
        return explanation_of(answer.explanation)

    heard = []
    controller.transport.subscribe("markers", "visualization_msgs/msg/MarkerArray", heard.append)
    before = jacobians()
    controller.change("addConstraint", definition=HOLD)
    controller.advance(0.3)
    shown = jacobians()
    assert set(shown) == {*before, "Hold"}
    np.testing.assert_allclose(shown["Hold"], controller.model().Jc[-3:], atol=5e-3)
    goal = controller.task("RightHandPosition").goal.value + np.array([0.0, 0.0, 0.1])
    controller.set("RightHandPosition.goal_position", goal)
    controller.advance(0.1)
    causes = explained().task("RightHandPosition").causes
    assert "Hold" in [cause.name for cause in causes if cause.kind.value == "constraint"]
    contacts = {m.id for message in heard for m in message.markers if m.ns == "robot/contacts"}
    assert len(contacts) == 2
    controller.change("removeConstraint", constraint="Hold")
    controller.advance(0.1)
    assert set(jacobians()) == set(before)
    causes = explained().task("RightHandPosition").causes
    assert "Hold" not in [cause.name for cause in causes]


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (HOLD.replace("Hold", "Base"), "the name 'Base' is taken by one of the constraints"),
        (HOLD.replace("wrist", "wrst"), "<text>:1:34: body: Hold.body: unknown"),
        (HOLD.replace("PointContact", "PointContct"), "did you mean 'PointContact'"),
        (HOLD.replace("}", ", friction: 0.7}"), "found friction, but forces are known"),
        (HOLD.replace("}", ", wrench_sensor: true}"), "found wrench_sensor, but forces are known"),
        (
            "{name: Elbows, type: Coactuation, master: left_elbow, slave: right_elbow}",
            "which joints have an actuator of their own",
        ),
        ("name: [", "YAML syntax"),
    ],
)
def test_refusals_say_why_and_change_nothing(controller, definition, expected):
    message = controller.refused_constraint(definition=definition)
    assert expected in message, message
    assert controller.state is CoordinatorState.ACTIVE


def test_what_is_needed_stays(controller):
    message = controller.refused_constraint("removeConstraint", constraint="Torso")
    assert "which joints have an actuator of their own" in message
    event = "{name: Held, expression: Hold.operational_state == 'enable'}"
    assert "Hold" in controller.refused("addEvent", definition=event)
    controller.change("addConstraint", definition=HOLD, state="disable")
    controller.change("addEvent", definition=event)
    message = controller.refused_constraint("removeConstraint", constraint="Hold")
    assert "the event 'Held' looks at it" in message
    controller.change("setConstraintState", constraint="Hold", state="enable")
    controller.advance(0.1)
    assert controller.stack.directory["Held.count"].value == 1


def test_rows_are_kept_free_for_so_many_constraints(make):
    controller = make(added_constraint_rows=4)
    controller.change("addConstraint", definition=HOLD)
    another = HOLD.replace("Hold", "Another").replace("right", "left")
    message = controller.refused_constraint(definition=another)
    assert "start with a larger added_constraint_rows" in message
    controller.change("removeConstraint", constraint="Hold")
    controller.change("addConstraint", definition=another)
    controller.advance(0.1)
    assert controller.model().rank == len(controller.model().Jc)


def test_the_last_contact_stays(make):
    controller = make()
    controller.hold()
    message = controller.refused_constraint("removeConstraint", constraint="Base")
    assert "no other contact holds the robot; add one first" in message
    controller.change("addConstraint", definition=HOLD)
    controller.advance(0.3)
    message = controller.refused_constraint("removeConstraint", constraint="Base")
    assert "it is physical" in message
    message = controller.refused_constraint(
        "setConstraintState", constraint="Base", state="disable"
    )
    assert "expected 'force_disable'" in message
    controller.change("setConstraintState", constraint="Base", state="force_disable")
    controller.change("removeConstraint", constraint="Base")


@pytest.mark.parametrize("kind", ["PointContact", "FlatContact"])
@pytest.mark.parametrize("is_safe", [False, True], ids=["moving", "safe"])
def test_a_contact_that_nothing_holds_is_dropped_by_name(make, caplog, kind, is_safe):
    """The hand is in free air; without the watch a joint has 2 to 22 times its velocity limit."""
    controller = make()
    hand = controller.stack.directory["RightHandPosition.goal_position"]
    controller.set(hand.full_name, hand.value + np.array([0.2, 0.1, 0.2]))
    assert controller.overspeed(0.25) < 1.05
    if is_safe:
        controller.stack.controller.compute_command = lambda *_: 1 / 0
        controller.advance(0.004)
        assert controller.state is CoordinatorState.SAFE
    rank = controller.model().rank
    definition = HOLD.replace("PointContact", kind)
    controller.change("addConstraint", definition=definition)
    for state in (None, "disable", "enable", "disable", "enable"):
        if state is not None:
            controller.change("setConstraintState", constraint="Hold", state=state)
        assert controller.overspeed(0.06) < 1.05
        assert controller.model().rank == rank
        assert controller.constraints()["Hold"] == "disable"
    assert "contact 'Hold' is not relied on and was disabled" in caplog.text
    assert controller.overspeed(1.0) < 1.05


@pytest.mark.parametrize("service", ["addConstraint", "removeConstraint"])
def test_access_is_checked(make, service):
    controller = make(remote_access=["goals", "gains"])
    field = "definition" if service == "addConstraint" else "constraint"
    assert "belongs to configuration" in controller.refused(service, **{field: "Base"})


def test_a_contact_leaves_and_the_load_goes_elsewhere(config):
    """Talos on two sensed soles; a point on one of them repeats what holds already."""
    controller = Constrained(config / "talos" / "stand.yaml")
    point = "{name: Point, type: PointContact, body: left_sole_link}"
    try:
        controller.start()
        controller.advance(0.5)
        message = controller.refused_constraint("removeConstraint", constraint="LeftSole")
        assert "the task 'LeftPressure' names it" in message
        controller.steps()
        rank, wrench = controller.model().rank, controller.wrench(1)
        controller.change("addConstraint", definition=point)
        controller.advance(0.3)
        assert controller.model().rank == rank
        assert len(controller.model().Jc) == 15
        # what repeats each other shares the load
        np.testing.assert_allclose(2.0 * controller.wrench(1)[2], wrench[2], rtol=0.01)
        controller.change("removeConstraint", constraint="Point")
        controller.advance(0.3)
        assert controller.steps().max() < 1.0  # [N m]
        for task in ("LeftPressure", "RightPressure", "Tension"):
            controller.change("removeTask", task=task)
        controller.advance(0.3)
        controller.steps()
        controller.change("removeConstraint", constraint="LeftSole")
        controller.advance(0.1)
        assert len(controller.model().Jc) == 6
        assert controller.steps().max() < 10.0  # [N m] the other leg bears 900 N from now on
        assert np.isnan(controller.wrench(1)).all()
    finally:
        controller.stop()
