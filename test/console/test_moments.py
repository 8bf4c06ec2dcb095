"""Moments: the robot stands where its own root link is said to be, whatever else is on tf."""

from collections import deque
from types import SimpleNamespace

import numpy as np

from controlit_console.moments import Moments
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


def moments(tf=None, fixed=()):
    newest = {"joints": None, "tf": tf}
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
