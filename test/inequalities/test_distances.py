"""Obstacles, self-collision and planes: distances and rows against geometry written out."""

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from robots_for_tests import SEEDS, moved
from scipy.spatial import ConvexHull
from shaped_robots import PERIOD, RADIUS, kept, link_position, shaped, written

from controlit_ros.inequalities.gap import RESERVE, SPARE
from controlit_ros.inequalities.keep_out_plane import KeepOutPlane
from controlit_ros.inequalities.obstacle import Obstacle
from controlit_ros.inequalities.self_collision import SelfCollision
from controlit_ros.kernels import least_gap_acceleration
from controlit_ros.model import FramePoint
from controlit_ros.parameters import ParameterError

FAR = 100.0  # [m]
STEP = 1e-6  # [s] of finite differences
BRAKING, REACTION, MARGIN = 3.0, 0.02, 0.01
MANNERS = {
    "deceleration": BRAKING,
    "reaction_time": REACTION,
    "margin": MARGIN,
    "range": FAR,
}


def to_segment(point, center, direction, length):
    along = np.clip((point - center) @ direction, -length / 2, length / 2)
    return np.linalg.norm(point - center - along * direction)


def to_box(point, center, axes, edges):
    inside = axes.T @ (point - center)
    return np.linalg.norm(inside - np.clip(inside, -edges / 2, edges / 2))


def rotation(q):
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


SHAPES = {
    "sphere": ([0.2], lambda p, o, R: np.linalg.norm(p - o) - 0.2),
    "capsule": ([0.1, 0.6], lambda p, o, R: to_segment(p, o, R[:, 2], 0.6) - 0.1),
    "box": ([0.3, 0.4, 0.2], lambda p, o, R: to_box(p, o, R, np.array([0.3, 0.4, 0.2]))),
    "half_space": ([], lambda p, o, R: (p - o) @ R[:, 2]),
}


def placed(rng, setup, shape):
    """Draw where an obstacle is, not around a body: (position, orientation)."""
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    around = link_position(setup, 0) + rng.uniform(-1.5, 1.5, 3)
    if shape == "half_space":
        lowest = min((link_position(setup, i) @ rotation(q)[:, 2]) for i in range(7))
        around = rotation(q)[:, 2] * (lowest - RADIUS - rng.uniform(0.01, 0.3))
    return around, q


def expected_rows(setup, link, normal, distance, approach):
    """Return the row and bound of one body: `n` from it to what it keeps clear of."""
    point = FramePoint(setup.robot.nv)
    frame = setup.robot.frame_id(f"link_{link}")
    offset = setup.model.robot_model.placement(frame).rotation.T @ (RADIUS * normal)
    point.update(setup.model.robot_model, frame, offset)
    least = np.zeros(1)
    rate = normal @ (approach - point.velocity)
    least_gap_acceleration(
        np.array([distance - MARGIN - RESERVE]),
        np.array([rate]),
        np.array([BRAKING]),
        SPARE,
        REACTION,
        PERIOD,
        least,
    )
    return normal @ point.jacobian, -normal @ point.bias - least[0]


@pytest.mark.parametrize("shape", SHAPES)
@given(seed=SEEDS)
def test_rows_keep_the_nearest_bodies_from_coming_nearer(shape, seed):
    rng = np.random.default_rng(seed)
    setup = shaped(rng)
    size, distance = SHAPES[shape]
    position, q = placed(rng, setup, shape)
    R = rotation(q)
    gaps = [distance(link_position(setup, i), position, R) - RADIUS for i in range(1, 7)]
    assume(min(gaps) > 1e-3)  # where two overlap the normal is another one
    velocity = rng.normal(size=3)
    part = kept(
        Obstacle, setup, shape=shape, size=size, position=position, orientation=q,
        velocity=velocity, pairs=3, **MANNERS,
    )  # fmt: skip
    found = written(part, setup.model, setup.robot.nv)
    order = np.argsort(gaps)
    assert part.parameters["distance"].value == pytest.approx(gaps[order[0]], abs=1e-6)
    for i, number in enumerate(order[:3]):
        link = int(number) + 1
        center = link_position(setup, link)
        gradient = np.array(
            [
                (distance(center + d, position, R) - distance(center - d, position, R)) / 2e-6
                for d in 1e-6 * np.eye(3)
            ]
        )
        row, bound = expected_rows(setup, link, -gradient, gaps[number], velocity)
        np.testing.assert_allclose(found.A[i], row, atol=2e-4)
        assert found.b[i] == pytest.approx(bound, abs=5e-3 * (1.0 + abs(bound)))


@given(SEEDS)
def test_the_rate_is_that_of_the_distance(seed):
    """Finite differences over a motion of the robot and of the obstacle."""
    rng = np.random.default_rng(seed)
    setup = shaped(rng)
    position, velocity = rng.uniform(-2.0, 2.0, 3), rng.normal(size=3)
    part = kept(Obstacle, setup, size=[0.1], position=position, pairs=1, **MANNERS)
    written(part, setup.model, setup.robot.nv)
    before, model = part.parameters["distance"].value, setup.model.robot_model
    assume(before > 1e-3)
    rate = part._near.gap.rate[0] + part._near._normal @ velocity
    later = moved(setup.robot, setup.state, STEP * model.v, model.v)
    setup.model.update(later)
    part.position.set(position + STEP * velocity)
    written(part, setup.model, setup.robot.nv)
    assert (part.parameters["distance"].value - before) / STEP == pytest.approx(rate, abs=1e-3)


@given(SEEDS)
def test_bodies_of_two_arms_stay_apart(seed):
    rng = np.random.default_rng(seed)
    setup = shaped(rng)
    left, right = [f"link_{i}" for i in (1, 2, 3)], [f"link_{i}" for i in (4, 5, 6)]
    part = kept(SelfCollision, setup, bodies=left, others=right, pairs=2, **MANNERS)
    found = written(part, setup.model, setup.robot.nv)
    gaps = {
        (i, j): np.linalg.norm(link_position(setup, i) - link_position(setup, j)) - 2 * RADIUS
        for i in (1, 2, 3)
        for j in (4, 5, 6)
    }
    nearest = sorted(gaps, key=gaps.__getitem__)[:2]
    assume(gaps[nearest[0]] > 1e-3)
    assert part.parameters["distance"].value == pytest.approx(gaps[nearest[0]], abs=1e-6)
    for row, (i, j) in zip(found.A, nearest, strict=True):
        normal = link_position(setup, j) - link_position(setup, i)
        normal /= np.linalg.norm(normal)
        first, _ = expected_rows(setup, i, normal, 1.0, np.zeros(3))
        second, _ = expected_rows(setup, j, -normal, 1.0, np.zeros(3))
        np.testing.assert_allclose(row, first + second, atol=1e-4)


def test_what_is_out_of_range_bounds_nothing(rng):
    setup = shaped(rng)
    part = kept(Obstacle, setup, size=[0.1], position=[50.0, 0.0, 0.0], range=1.0)
    assert len(written(part, setup.model, setup.robot.nv).b) == 0
    assert part.parameters["distance"].value > 40.0


@given(SEEDS)
def test_a_plane_is_a_half_space(seed):
    rng = np.random.default_rng(seed)
    setup = shaped(rng)
    position, q = placed(rng, setup, "half_space")
    manners = {name: value for name, value in MANNERS.items() if name != "range"}
    space = kept(
        Obstacle, setup, shape="half_space", position=position, orientation=q, bodies=["link_3"],
        **MANNERS,
    )  # fmt: skip
    plane = kept(
        KeepOutPlane, setup, body="link_3", radius=RADIUS, plane_point=position,
        normal=rotation(q)[:, 2], **manners,
    )  # fmt: skip
    found, expected = (written(part, setup.model, setup.robot.nv) for part in (plane, space))
    assert plane.parameters["distance"].value == pytest.approx(
        space.parameters["distance"].value, abs=1e-6
    )
    # the obstacle's row is of the ball's lowest material, which turns; along n that is the same
    np.testing.assert_allclose(expected.A, found.A, atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (Obstacle, {"size": [0.1, 0.2]}, r"kept\.size: found 2 numbers, expected 1 for a sphere"),
        (Obstacle, {"shape": "box", "size": [1.0]}, r"found 1 numbers, expected 3 for a box"),
        (Obstacle, {"shape": "mesh"}, r"kept\.mesh: found '', expected the file of a mesh"),
        (Obstacle, {"shape": "mesh", "mesh": "/no/such.stl"}, r"kept\.mesh: the mesh '/no/such"),
        (
            Obstacle,
            {"size": [0.1], "bodies": ["link_33"]},
            r"kept\.bodies: found 'link_33'.*link_3",
        ),
        (Obstacle, {"size": [0.1], "bodies": ["link_0"]}, r"kept\.bodies: found no body that a"),
        (Obstacle, {"size": [0.1], "reaction_time": 1e-3}, r"reaction_time: found 0.001.*5 servo"),
        (SelfCollision, {"bodies": ["link_1"], "others": ["link_2"]}, r"found no pair of bodies"),
        (KeepOutPlane, {"body": "hand"}, r"kept\.body: unknown body 'hand'"),
    ],
)
def test_what_does_not_fit_is_refused(kind, parameters, message, rng):
    with pytest.raises(ParameterError, match=message):
        kept(kind, shaped(rng), **parameters)


CORNERS = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]]  # a pyramid
READS = """
import pathlib, sys
from controlit_ros.model.body_shapes import read_mesh
read_mesh(pathlib.Path(sys.argv[1]))
"""


@pytest.mark.processes  # what is wrong here ends a process
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": [1.0, 1.0, 0.0]}, r"found a mesh 0 m thick, expected corners that are not all"),
        ({"scale": [1.0, 1.0, 1e-9]}, r"found a mesh 1e-09 m thick"),
        ({"corner": "nan"}, r"found corners farther off than 100000 m, or not numbers"),
        ({"corner": "1e38"}, r"found corners farther off"),
        ({"faces": 0}, r"cannot be read: "),
        ({"name": "no.obj"}, r"no\.obj' cannot be read: there is no such file"),
    ],
)
def test_a_mesh_without_a_hull_is_refused(change, message, tmp_path):
    corners = np.multiply(CORNERS, change.get("scale", 1.0)).tolist()
    corners[-1][0] = change.get("corner", corners[-1][0])
    faces = [(1, 2, 3), (1, 3, 4), (1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += [f"f {a} {b} {c}" for a, b, c in faces[: change.get("faces", 6)]]
    (tmp_path / "shape.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = tmp_path / change.get("name", "shape.obj")
    program = [sys.executable, "-c", READS, str(path)]
    ended = subprocess.run(program, check=False, capture_output=True, text=True)
    assert ended.returncode == 1, ended.returncode
    told = ended.stderr.splitlines()[-1]
    assert re.search(message, told), told
    assert "function" not in told


def test_a_mesh_counts_as_its_hull(rng, tmp_path):
    setup = shaped(rng)
    corners = 0.2 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    path = tmp_path / "box.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in ConvexHull(corners).simplices]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    position = np.add(link_position(setup, 6), [0.0, 0.0, 0.6])
    manners = {**MANNERS, "bodies": ["link_6"], "position": position}
    mesh = kept(Obstacle, setup, shape="mesh", mesh=str(path), **manners)
    box = kept(Obstacle, setup, shape="box", size=[0.4, 0.4, 0.4], **manners)
    found, expected = (written(part, setup.model, setup.robot.nv) for part in (mesh, box))
    np.testing.assert_allclose(found.A, expected.A, atol=1e-6)
    np.testing.assert_allclose(found.b, expected.b, atol=1e-5)
