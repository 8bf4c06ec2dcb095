"""Rows that are kept free for tasks and constraints that come later."""

from pathlib import Path

import pytest
from simulated_hands import DETERMINISTIC

from controlit_ros.configuration import ConfigurationError, extended
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.building.additions import build_added_constraint, build_added_task

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
ROWS = 3  # of a point: each of the parts below
PARTS = {
    "constraints": (
        build_added_constraint,
        "{name: Added, type: PointContact, body: left_wrist_yaw}",
        {},
    ),
    "tasks": (
        build_added_task,
        "{name: Added, type: CartesianPosition, body: left_wrist_yaw}",
        {"priority": 1, "operational_state": "disable"},
    ),
}


@pytest.mark.parametrize("missing", [0, 1])
def test_a_part_is_accepted_if_it_has_no_more_rows_than_are_free(missing):
    room = ROWS - missing
    stack = load_stack(
        HAND, {**DETERMINISTIC, "added_task_rows": room, "added_constraint_rows": room}
    )
    for section, (build, text, place) in PARTS.items():
        extension = extended(stack.configuration, section, text, place)
        if not missing:
            assert build(extension, stack).name == "Added"
            continue
        with pytest.raises(ConfigurationError, match=f"found {ROWS} rows.* expected at most"):
            build(extension, stack)
