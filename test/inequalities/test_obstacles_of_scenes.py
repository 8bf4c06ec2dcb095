"""Bodies of a simulator's scene as obstacles: distances against geometry written out."""

import numpy as np
import pytest
from hypothesis import given
from robots_for_tests import SEEDS
from shaped_robots import RADIUS, kept, link_position, shaped, written
from test_distances import rotation, to_box, to_segment

from controlit_ros.inequalities.obstacle import Obstacle
from controlit_ros.parameters import ParameterError

SCENE = """<mujoco><compiler angle="radian"/>
  <asset><mesh name="pyramid" vertex="0 0 0  0.3 0 0  0.3 0.3 0  0 0.3 0  0.1 0.1 0.4"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 0.1" pos="0 0 -9"/>
    <body name="shelf" pos="0.2 -0.4 0.3" quat="0.8 0 0.6 0">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.05" pos="0.3 0 0" quat="0.6 0.8 0 0"/>
      <geom type="sphere" size="0.1" pos="0 0.4 0.2"/>
      <geom type="capsule" size="0.05 0.25" pos="-0.3 0 0"/>
      <geom type="box" size="3 3 3" contype="0" conaffinity="0"/>
      <body name="drawer"><geom type="box" size="2 2 2"/></body>
    </body>
    <body name="bare"/>
    <body name="roof"><geom type="mesh" mesh="pyramid"/></body>
  </worldbody></mujoco>"""
START = np.array([0.2, -0.4, 0.3]), np.array([0.0, 0.6, 0.0, 0.8])


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    file = tmp_path_factory.mktemp("scene") / "scene.xml"
    file.write_text(SCENE)
    return str(file)


def to_shelf(point, place, q):
    """Return how far a point is from the shelf at a place."""
    R = rotation(q)
    p = R.T @ (point - place)
    return min(
        to_box(p, np.array([0.3, 0.0, 0.0]), rotation([0.8, 0, 0, 0.6]), np.array([0.2, 0.4, 0.1])),
        np.linalg.norm(p - [0.0, 0.4, 0.2]) - 0.1,
        to_segment(p, np.array([-0.3, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), 0.5) - 0.05,
    )


def shelf(setup, scene, **parameters):
    return kept(
        Obstacle, setup, shape="scene", scene=scene, scene_body="shelf", range=100.0, pairs=1,
        bodies=["link_3"], **parameters,
    )  # fmt: skip


@given(seed=SEEDS)
def test_a_body_has_all_its_shapes_where_it_is(scene, seed):
    rng = np.random.default_rng(seed)
    setup = shaped(rng)
    part = shelf(setup, scene)
    ball = link_position(setup, 3)
    for place, turn in (START, (rng.uniform(-1.0, 1.0, 3), rng.normal(size=4))):
        q = turn / np.linalg.norm(turn)
        part.position.assign(place)
        part.orientation.assign(q)
        part.restart()
        written(part, setup.model, setup.robot.nv)
        expected = to_shelf(ball, place, q) - RADIUS
        if expected > 1e-3:  # inside, distances are of another kind
            assert part.parameters["distance"].value == pytest.approx(expected, abs=1e-5)


def test_it_stands_where_the_scene_has_it_unless_the_file_says_where(scene):
    setup = shaped(np.random.default_rng(1))
    found = shelf(setup, scene)
    np.testing.assert_allclose(found.position.value, START[0])
    np.testing.assert_allclose(found.orientation.value, START[1], atol=1e-12)
    told = shelf(setup, scene, position=[1.0, 2.0, 3.0])
    np.testing.assert_allclose(told.position.value, [1.0, 2.0, 3.0])


def test_a_mesh_and_the_floor_of_a_scene_are_shapes_too(scene):
    setup = shaped(np.random.default_rng(2))
    manners = {"shape": "scene", "scene": scene, "range": 100.0, "bodies": ["link_3"]}
    floor = kept(Obstacle, setup, **manners)  # of the world
    written(floor, setup.model, setup.robot.nv)
    height = link_position(setup, 3)[2] + 9.0 - RADIUS
    assert floor.parameters["distance"].value == pytest.approx(height, abs=1e-6)
    roof = kept(Obstacle, setup, scene_body="roof", position=[0.0, 0.0, 50.0], **manners)
    written(roof, setup.model, setup.robot.nv)
    assert 45.0 < roof.parameters["distance"].value < 53.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scene": ""}, r"kept\.scene: found '', expected the file of a scene"),
        ({"scene": "/no/such.xml"}, r"kept\.scene: the scene '/no/such.xml' cannot be read"),
        ({"scene_body": "shelv"}, r"kept\.scene_body: found 'shelv'.*shelf"),
        ({"scene_body": "bare"}, r"kept\.scene_body: found body 'bare'.*without a shape"),
        ({"size": [0.1]}, r"kept\.size: found 1 numbers, expected 0 for a scene"),
    ],
)
def test_what_is_no_body_of_a_scene_is_refused(scene, parameters, message):
    setup = shaped(np.random.default_rng(3))
    with pytest.raises(ParameterError, match=message):
        kept(Obstacle, setup, **{"shape": "scene", "scene": scene, **parameters})
