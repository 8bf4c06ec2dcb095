"""`controlit explain FILE`: what would hold back the tasks of a controller."""

import json

import pytest

FAR = "tasks.RightHandPosition.goal_position=[2.0, 0.0, 0.0]"


@pytest.fixture
def explain(controlit, controllers):
    def run(*options):
        return controlit("explain", controllers / "hand.yaml", *options)

    return run


def test_words(explain):
    code, out, err = explain("--set", FAR)
    assert code == 0, err
    assert "(WBOSC), offline" in out
    assert "reach: no posture was found that brings RightHandPosition nearer" in out
    assert "priority: RightHandPosition of the level above" in out


def test_numbers(explain):
    code, out, err = explain("--set", FAR, "--json")
    assert code == 0, err
    content = json.loads(out, parse_constant=pytest.fail)
    assert list(content) == [
        "stamp", "state", "controller", "controller_type", "causes", "conflict", "tasks",
    ]  # fmt: skip
    hand = next(task for task in content["tasks"] if task["name"] == "RightHandPosition")
    assert hand["components"] == ["x", "y", "z"]
    assert len(hand["asked"]) == len(hand["got"]) == len(hand["missing"]) == 3
    assert {cause["kind"] for cause in hand["causes"]} >= {"reach"}


def test_one_task_component_by_component(explain):
    code, out, _ = explain("--task", "RightHandPosition")
    assert code == 0
    assert "Posture" not in out
    rows = [line.split() for line in out.splitlines()]
    assert [row[0] for row in rows if len(row) == 5 and row[0] in "xyz"] == ["x", "y", "z"]


def test_staying_takes_nothing(explain):
    code, out, _ = explain("--latch")
    assert code == 0
    assert out.count("nothing holds it back") == 2


def test_an_unknown_task(explain):
    code, _, err = explain("--task", "Postur")
    assert code == 1
    assert "did you mean 'Posture'" in err


def test_options_of_a_file_without_one(controlit):
    code, _, err = controlit("explain", "--latch")
    assert code == 2
    assert "expect a FILE" in err
