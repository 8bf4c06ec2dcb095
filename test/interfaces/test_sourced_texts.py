"""Types that another distribution of ROS 2 defines otherwise, as its installed files say."""

import numpy as np
import pytest

from controlit_ros.interfaces.sourced_texts import sourced_text
from controlit_ros.interfaces.type_book import TypeBook

ACTION = "control_msgs/action/FollowJointTrajectory"
LATER = """
trajectory_msgs/JointTrajectory trajectory
---
int32 error_code
string error_string
---
string[] joint_names
control_msgs/Extra extra  # of a type that nobody else has
# the currently used point
int32 index
"""


@pytest.fixture
def sourced(tmp_path, monkeypatch):
    first, second = tmp_path / "overlay", tmp_path / "underlay"
    files = {
        second / "share/control_msgs/action/FollowJointTrajectory.action": LATER,
        second / "share/control_msgs/msg/Extra.msg": "float64 more",
        second / "share/std_srvs/srv/Trigger.srv": "---\nbool underlay",
        first / "share/std_srvs/srv/Trigger.srv": "---\nbool overlay",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{first}:{second}")


def test_the_sourced_definition_counts(sourced, monkeypatch):
    book = TypeBook()
    feedback = book.new(f"{ACTION}_Feedback", joint_names=["a"], extra={"more": 2.5}, index=7)
    data = book.encode(f"{ACTION}_Feedback", feedback)
    # CDR by hand: header, one name of two bytes, a double where eight bytes end, an integer
    parts = [np.array([0, 1, 0, 0], np.uint8), np.array([1, 2], np.uint32)]
    ends = [
        np.frombuffer(b"a\0\0\0" + bytes(4), np.uint8),
        np.array([2.5]),
        np.array([7], np.int32),
    ]
    expected = b"".join(part.tobytes() for part in (*parts, *ends))
    assert bytes(data)[: len(expected)] == expected
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    assert book.type_hash(f"{ACTION}_Feedback") != TypeBook().type_hash(f"{ACTION}_Feedback")
    assert list(book.definition("std_srvs/srv/Trigger_Response").fields) == ["overlay"]


def test_what_is_not_sourced_is_as_it_was(monkeypatch):
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    assert sourced_text(ACTION) is None
    assert "error" in TypeBook().definition(f"{ACTION}_Feedback").fields
