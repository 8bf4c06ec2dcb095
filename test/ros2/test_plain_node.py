"""A node of rclpy against nodes of ours."""

import json

from patience import GENEROUS
from ros2_commands import start


def test_plain_node_talks_to_the_arm(arm):
    output, _ = start("plain_node.py", arm.namespace).communicate(timeout=GENEROUS)
    learned = json.loads(output)
    assert learned["names"] == ["a", "b"]
    assert learned["about"] == "kept for those who come late"
    assert learned["sums"] == [number + 1000 for number in range(20)]
    successful, reason = learned["refused"]
    assert not successful
    assert "hand.kp" in reason
    assert "5000" in reason
    assert learned["goal"] == [0.1, 0.2, 0.3]
