"""Link shapes, posture and joint limits: what a robot looks like, and where it is."""

import math

import coal
import numpy as np
import pinocchio as pin
import pytest

from controlit_console.joint_row import joint_limits
from controlit_console.link_shapes import GREY, are_turned, bones, link_shapes, load_mesh
from controlit_console.posture import Posture
from controlit_console.stl_file import TRIANGLE, read_stl

URDF = """
<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base">
    <visual><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/>
      <geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
    <visual><geometry><sphere radius="0.2"/></geometry></visual>
  </link>
  <link name="upper">
    <visual><geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name=""><color rgba="0 1 0 1"/></material></visual>
  </link>
  <link name="lower">
    <visual><geometry><mesh filename="package://nowhere/arm.stl" scale="2 2 2"/></geometry></visual>
  </link>
  <link name="tool"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit effort="10" velocity="2"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="lower"/>
    <origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="20" velocity="1"/></joint>
  <joint name="fix" type="fixed"><parent link="lower"/><child link="tool"/>
    <origin xyz="0 0 0.25"/></joint>
</robot>
"""


def test_shapes_come_with_place_colour_and_size():
    box, sphere, cylinder, mesh = link_shapes(URDF)
    assert (box.link, box.kind, box.size, box.color) == ("base", "box", (0.1, 0.2, 0.3), (1, 0, 0))
    np.testing.assert_allclose(box.position, [0.0, 0.0, 0.5])
    np.testing.assert_allclose(box.orientation, [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)])
    assert (sphere.kind, sphere.size) == ("sphere", (0.2,))
    assert (cylinder.kind, cylinder.size, cylinder.color) == ("cylinder", (0.05, 0.4), (0, 1, 0))
    assert (mesh.kind, mesh.size, mesh.file) == ("mesh", (2, 2, 2), "package://nowhere/arm.stl")


def test_what_is_wholly_black_is_grey():
    _, _, cylinder, _ = link_shapes(URDF.replace("0 1 0 1", "0 0 0 1"))
    assert cylinder.color == GREY


def test_a_mesh_that_is_elsewhere_is_none():
    assert load_mesh(list(link_shapes(URDF))[-1]) is None


def test_a_mesh_is_read_with_its_scale(tmp_path):
    path = tmp_path / "corner.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n")
    *_, shape = link_shapes(URDF.replace("package://nowhere/arm.stl", f"file://{path}"))
    mesh = load_mesh(shape)
    assert len(mesh.faces) == 1
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [2.0, 4.0, 0.0])


UP = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 0.1 0 1 -0.1 0 1</float_array>
<technique_common><accessor source="#a" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


@pytest.mark.parametrize(("mass", "turned"), [("0 0 0.5", False), ("0 -0.5 0", True)])
def test_which_way_is_up_is_told_by_the_mass(tmp_path, mass, turned):
    path = tmp_path / "arm.dae"
    path.write_text(UP)
    urdf = URDF.replace("package://nowhere/arm.stl", f"file://{path}").replace(
        '<link name="lower">',
        f'<link name="lower"><inertial><origin xyz="{mass}"/><mass value="1"/></inertial>',
    )
    shapes = list(link_shapes(urdf))
    assert are_turned(urdf, shapes) is turned
    corners = load_mesh(shapes[-1], are_turned=turned).vertices
    up = [0.0, -2.0, 0.0] if turned else [0.0, 0.0, 2.0]
    np.testing.assert_allclose(corners.max(axis=0) + corners.min(axis=0), up, atol=1e-6)


def test_links_follow_joints_and_base():
    posture = Posture(URDF)
    posture.set_base(np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    posture.set_joints(["turn", "slide", "unknown"], np.array([math.pi / 2, 0.5, 1.0]))
    posture.update()
    np.testing.assert_allclose(posture.link("tool").translation, [0.0, 1.5, 3.25], atol=1e-12)


def test_a_joint_that_could_not_be_drawn_is_told_again():
    posture = Posture(URDF)
    since = posture.nowhere()
    everything = list(posture.moved(since))
    assert everything == [1, 2, 3]
    assert not list(posture.moved(since))
    posture.set_joints(["turn", "slide"], np.array([0.5, 0.5]))
    next(posture.moved(since))  # and then something fails
    assert list(posture.moved(since)) == [2, 3]
    assert not list(posture.moved(since))


def test_nonsense_moves_nothing():
    posture = Posture(URDF)
    posture.set_base(np.full(3, np.nan), np.zeros(4))
    posture.set_joints(["slide"], np.array([np.nan]))
    posture.update()
    np.testing.assert_allclose(posture.link("lower").translation, [1.0, 0.0, 1.0])


def test_bones_join_the_joints():
    posture = Posture(URDF)
    names = list(posture.model.names)
    assert [(names[a], names[b]) for a, b in bones(posture.model)] == [("turn", "slide")]


def test_limits_are_those_of_the_description():
    limits = joint_limits(URDF)
    assert limits["slide"] == (-0.5, 0.5, 1.0, 20.0, True)
    assert limits["turn"][:4] == (-math.inf, math.inf, 2.0, 10.0)
    assert "fix" not in limits


def test_dreamer_stands_where_its_model_says(dreamer_description):
    posture = Posture(dreamer_description.urdf)
    model = pin.buildModelFromXML(dreamer_description.urdf)
    rng = np.random.default_rng(1)
    q = rng.uniform(-0.3, 0.3, model.nq)
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    posture.set_joints([str(name) for name in model.names[1:]], q)
    posture.update()
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY:
            place = data.oMf[model.getFrameId(frame.name, pin.BODY)]
            np.testing.assert_allclose(
                posture.link(frame.name).homogeneous, place.homogeneous, atol=1e-12
            )


@pytest.mark.parametrize("robot", ["dreamer.urdf", "trikey.urdf"])
def test_our_robots_have_shapes(config, robot):
    text = (config.parent / "urdf" / robot).read_text()
    assert len(list(link_shapes(text))) >= 4


def binary_stl(path, triangles):
    """Write a file that a general reader and the own one know."""
    rows = np.zeros(len(triangles), TRIANGLE)
    rows["corners"] = triangles
    path.write_bytes(bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes())


def test_an_stl_is_read_as_a_general_reader_does(tmp_path, rng):
    corners = rng.uniform(-1.0, 1.0, (12, 3)).astype(np.float32)
    triangles = corners[rng.permuted(np.tile(np.arange(12), (30, 1)), axis=1)[:, :3]]
    binary_stl(tmp_path / "part.stl", triangles)
    read, faces = read_stl(tmp_path / "part.stl")
    assert len(read) == 12  # corners that triangles share are one
    np.testing.assert_array_equal(read[faces], triangles)
    *_, shape = link_shapes(
        URDF.replace("package://nowhere/arm.stl", f"file://{tmp_path}/part.stl")
    )
    mesh = load_mesh(shape)
    general = coal.MeshLoader().load(str(tmp_path / "part.stl"), np.full(3, 2.0))
    found = [[general.tri_indices(i)[k] for k in range(3)] for i in range(general.num_tris)]
    np.testing.assert_allclose(mesh.vertices[mesh.faces], general.vertices()[found], atol=1e-6)


@pytest.mark.parametrize("data", [b"", b"solid part\n", bytes(80) + b"\2\0\0\0" + bytes(50)])
def test_what_is_no_binary_stl_is_left_to_others(tmp_path, data):
    (tmp_path / "part.stl").write_bytes(data)
    assert read_stl(tmp_path / "part.stl") is None
