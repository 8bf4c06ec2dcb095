"""Moments: the robot stands where its own root link is said to be, whatever else is on tf."""

from collections import deque
from types import SimpleNamespace

import numpy as np

from controlit_console.moments import PATIENCE, Moments
from controlit_console.posture import Posture
from controlit_ros.interfaces import new

TF = "tf2_msgs/msg/TFMessage"
URDF = """
<robot name="arm">
  <link name="base"/><link name="hand"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="hand"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


def told(child, x):
    transform = {"translation": {"x": x}, "rotation": {"w": 1.0}}
    return new(TF, transforms=[{"child_frame_id": child, "transform": transform}])


def moments(tf=None, fixed=(), joints=None):
    newest = {"joints": joints, "tf": tf}
    topics = {name: SimpleNamespace(news=lambda m=message: m) for name, message in newest.items()}
    return Moments(SimpleNamespace(newest=topics, bases=deque(fixed)))


def place(posture):
    posture.update()
    return posture.link("base").translation[0]


def test_the_root_link_is_where_tf_says():
    posture = Posture(URDF)
    assert moments(told("base", 2.0)).pose(posture)
    np.testing.assert_allclose(place(posture), 2.0)


def test_a_robot_bolted_to_the_world_is_where_tf_static_says():
    posture = Posture(URDF)
    assert moments(fixed=[told("base", 3.0), told("camera", 1.0)]).pose(posture)
    np.testing.assert_allclose(place(posture), 3.0)


def test_other_links_and_other_robots_do_not_move_it():
    posture = Posture(URDF)
    assert not moments(told("hand", 2.0), [told("other/base", 4.0)]).pose(posture)
    assert place(posture) == 0.0


def turned(name, angle):
    return new("sensor_msgs/msg/JointState", name=[name], position=[angle])


def test_a_robot_is_shown_once_it_is_told_where_its_base_is():
    posture, fixed = Posture(URDF), deque()
    seen = moments(joints=turned("turn", 0.5))
    seen._feed.bases = fixed
    assert not seen.pose(posture)
    fixed.append(told("base", 3.0))
    assert seen.pose(posture)
    np.testing.assert_allclose(place(posture), 3.0)
    assert seen.pose(posture)  # by its joints alone


def test_a_robot_of_whose_base_nobody_tells_is_shown_after_a_while(monkeypatch):
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("controlit_console.moments.time", clock)
    posture = Posture(URDF)
    seen = moments(joints=turned("turn", 0.5))
    assert not seen.pose(posture)
    now[0] = 0.9 * PATIENCE
    assert not seen.pose(posture)
    now[0] = 1.1 * PATIENCE
    assert seen.pose(posture)


def test_a_robot_whose_root_is_the_world_is_shown_at_once():
    assert moments(joints=turned("turn", 0.5)).pose(Posture(URDF.replace('"base"', '"world"')))
