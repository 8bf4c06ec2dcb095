"""Condition numbers of the levels on their topic, and as outputs that events can use."""

import pytest

pytestmark = pytest.mark.processes


def test_condition_numbers_are_published(make_node, peer, poll):
    node = make_node()
    seen = []
    peer.subscribe("diagnostics/conditionNumbers", "std_msgs/msg/Float64MultiArray", seen.append)
    node.start()
    message = poll(lambda: seen and seen[-1].data[0] >= 1.0 and seen[-1])
    controller = node.stack.controller
    assert len(message.data) == len(node.stack.tasks.tasks)
    assert "whole_body_controller.condition_numbers" in node.stack.directory
    assert controller.condition_numbers.value.base is not None  # a view, nothing is copied


def test_a_projector_is_chosen_by_name(make_node):
    node = make_node(null_space_projector_type="Kinematic")
    assert type(node.stack.controller.null_space_projector).__name__ == "Kinematic"
