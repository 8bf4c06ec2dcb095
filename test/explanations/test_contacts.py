"""What soles bear and what they do not, explained."""

import json

import numpy as np
import pytest
from contact_oracles import FOOT, biped
from ruamel.yaml import YAML
from standing_biped import write_biped

from controlit_ros.explanations.explanation import CauseKind
from controlit_ros.model import RobotModel
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.explaining import explain_cycle
from controlit_ros.nodes.offline import Latch, start_of

SOLE = {"friction": 0.5, "half_size": [FOOT[0] / 2, FOOT[1] / 2]}
SOLES = {"left_sole", "right_sole"}
TASKS = [
    {"name": "Com", "type": "CenterOfMass", "kp": 25, "kd": 8},
    {"name": "Posture", "type": "JointPosition", "kp": 64, "kd": 16},
]


@pytest.fixture
def lean(tmp_path):
    """Explain a biped whose centre of mass shall go elsewhere."""
    path = write_biped(tmp_path)
    content = YAML(typ="safe").load(path.read_text())

    def explain(way, controller, *, state="enable", effort=500, **sole):
        urdf = tmp_path / "biped.urdf"
        urdf.write_text(biped().replace('effort="500"', f'effort="{effort}"'))
        if controller == "WholeBodyQP":
            content["whole_body_controller"] = {"regularisation": 1e-3, "level_weight": 1e3}
        content["parameters"]["whole_body_controller_type"] = controller
        content["constraint_set"] = [
            {"name": name, "operational_state": state} for name in sorted(SOLES)
        ]
        for constraint in content["constraints"]:
            constraint.update({**SOLE, **sole})
        content["tasks"] = TASKS
        content["compound_task"] = [
            {"name": "Com", "priority": 1},
            {"name": "Posture", "priority": 0},
        ]
        content["bindings"] = content["events"] = []
        path.write_text(json.dumps(content))
        stack = load_stack(path)
        start = start_of(stack)
        model = RobotModel(stack.robot)
        model.update(start)
        stack.tasks.tasks[0].goal.set((model.center_of_mass().position + way).tolist())
        return explain_cycle(stack, start, Latch.START)

    return explain


def of(explanation, kind):
    return [cause for cause in explanation.causes if cause.kind is kind]


def test_friction_forbids_a_push_of_the_program(lean):
    explanation = lean(np.array([0.4, 0.0, 0.0]), "WholeBodyQP", friction=0.05)
    found = [c for c in explanation.task("Com").causes if c.kind is CauseKind.LIMIT]
    assert {cause.name for cause in found} == SOLES
    assert all("friction of contact" in cause.text and cause.value > 0.0 for cause in found)
    account = explanation.task("Com")
    assert account.got[0] < 0.1 * account.asked[0]


def test_feet_that_only_together_hold_back_are_named(lean):
    explanation = lean(np.array([0.0, 0.4, 0.0]), "WholeBodyQP", friction=0.05)
    found = [c for c in explanation.task("Com").causes if c.kind is CauseKind.LIMIT]
    assert {cause.name for cause in found} == SOLES


def test_the_edge_of_a_sole_holds_back(lean):
    small = [0.01, FOOT[1] / 2]
    explanation = lean(np.array([0.1, 0.0, 0.0]), "WholeBodyQP", friction=5.0, half_size=small)
    found = [c for c in explanation.task("Com").causes if c.kind is CauseKind.LIMIT]
    assert {cause.name for cause in found} == SOLES
    assert all("sole of contact" in cause.text for cause in found)


@pytest.mark.parametrize(
    ("way", "limit"),
    [(0.4, {"greatest_normal_force": 190.0}), (-0.4, {"least_normal_force": 150.0})],
)
def test_a_limit_of_the_normal_force_holds_back(lean, way, limit):
    """Soles bear 172 N each at rest."""
    explanation = lean(np.array([0.0, 0.0, way]), "WholeBodyQP", **limit)
    found = [c for c in explanation.task("Com").causes if c.kind is CauseKind.LIMIT]
    assert {cause.name for cause in found} == SOLES
    name = next(iter(limit)).replace("_", " ")
    assert all(f"{name} of contact" in cause.text for cause in found)


def test_a_sole_that_bears_more_than_it_shall_under_projections(lean):
    explanation = lean(
        np.array([0.0, 0.0, 0.4]), "WBOSC", half_size=[3.0, 3.0], greatest_normal_force=190.0
    )
    found = of(explanation, CauseKind.CONTACT)
    assert {cause.name for cause in found} == SOLES
    for cause in found:
        assert "more than it shall" in cause.text
        assert cause.tasks == ("Com",)


def test_soles_that_would_slip_under_projections(lean):
    explanation = lean(np.array([0.4, 0.0, 0.0]), "WBOSC", half_size=[3.0, 3.0])
    found = of(explanation, CauseKind.CONTACT)
    assert {cause.name for cause in found} == SOLES
    for cause in found:
        assert "slip" in cause.text
        assert cause.value > 0.0
        assert cause.tasks == ("Com",)


def test_soles_that_would_lift_under_projections(lean):
    found = of(lean(np.array([0.0, 0.0, -0.8]), "WBOSC"), CauseKind.CONTACT)
    assert {cause.name for cause in found} == SOLES
    assert all("pulls" in cause.text for cause in found)


def test_soles_that_bear_what_is_asked(lean):
    assert not of(lean(np.array([0.0, 0.0, 0.1]), "WBOSC"), CauseKind.CONTACT)


def test_a_robot_in_the_air_has_nothing_to_push_against(lean):
    explanation = lean(np.array([0.1, 0.0, 0.0]), "WBOSC", state="disable")
    account = explanation.task("Com")
    (cause,) = (c for c in account.causes if c.kind is CauseKind.UNDERACTUATION)
    assert "x" in cause.name.split(" of ")[0]
    np.testing.assert_allclose(account.got, [0.0, 0.0, -9.81], atol=1e-2)


def test_contacts_that_miss_force_are_a_conflict_and_control_goes_on(lean):
    rest, small = np.zeros(3), [0.03, 0.02]
    explanation = lean(rest, "WholeBodyQP", effort=2, friction=0.05, half_size=small)
    texts = [cause.text for cause in explanation.conflict]
    assert any("of contact" in text for text in texts)
    assert any("effort limit of" in text for text in texts)
    assert not of(explanation, CauseKind.STATE)
    assert any(cause.name in SOLES for cause in explanation.causes)
