"""Obstacle: bodies stay clear of a thing in the world, which may move."""

from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.inequalities.near_pairs import NearPairs
from controlit_ros.inequalities.tracked_motion import TrackedMotion
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.model.body_shapes import BodyShapes, read_mesh
from controlit_ros.model.scene_shapes import SceneShapes, load_scene
from controlit_ros.parameters import Access, Kind, ParameterError, Quantity, blaming
from controlit_ros.resource import resolve_resource
from controlit_ros.tasks import AnyShape, SolidShape

SPHERE, CAPSULE, BOX, HALF_SPACE, MESH = "sphere", "capsule", "box", "half_space", "mesh"
SCENE = "scene"
SIZES = {SPHERE: 1, CAPSULE: 2, BOX: 3, HALF_SPACE: 0, MESH: 0, SCENE: 0}
"""How many numbers say how large a shape is."""
MOST_OFF = 0.5  # [-] of the margin, by which a smooth motion may be off what is told
WORLD_JOINT, BASE_JOINT = 0, 1  # Pinocchio's numbers


class Obstacle(Inequality):
    """Keeps bodies of the robot apart from a shape in the world, by `NearPairs`.

    `position`, `orientation` and `velocity` may change at run time, through a binding from the
    servo's next cycle on. Between two messages it goes on as it moved (`TrackedMotion`), so that
    efforts do not follow the steps in which it is told.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.shape = self.declare(
            "shape",
            SPHERE,
            choices=tuple(SIZES),
            access=Access.CONFIGURATION,
            description="of the obstacle: a capsule lies along its z axis, a half_space is "
            "everything below the plane z = 0, of a mesh its convex hull counts, scene is a body "
            "of a simulator's scene",
        )
        self.size = self.declare(
            "size",
            (),
            kind=Kind.FLOAT,
            shape=(None,),
            lower=1e-4,
            unit="m",
            access=Access.CONFIGURATION,
            description="of a sphere the radius; of a capsule the radius and the length of its "
            "straight part; of a box the three edges; of others nothing",
        )
        self.mesh = self.declare(
            "mesh",
            "",
            access=Access.CONFIGURATION,
            description="file of a mesh: package://, file:// or an absolute path",
        )
        self.scene = self.declare(
            "scene",
            "",
            access=Access.CONFIGURATION,
            description="file of a simulator's scene (MJCF): package://, file:// or an absolute "
            "path",
        )
        self.scene_body = self.declare(
            "scene_body",
            "world",
            access=Access.CONFIGURATION,
            description="its body; world: what stands there for good, without other bodies",
        )
        self.position = self.declare(
            "position",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            description="of its centre, or of the origin of a mesh or a body, in the world; left "
            "with orientation as it is: where the scene has the body first",
        )
        self.orientation = self.declare(
            "orientation",
            (0.0, 0.0, 0.0, 1.0),
            shape=(4,),
            unit_length=True,
            quantity=Quantity.QUATERNION,
            description="quaternion xyzw in the world",
        )
        self.velocity = self.declare(
            "velocity",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m/s",
            quantity=Quantity.VECTOR,
            description="of its centre, in the world; found from its positions until one is told",
        )
        self.smoothing = self.declare(
            "smoothing",
            0.02,
            lower=0.0,
            unit="s",
            description="time constant with which it is found where it is told to be, by no more "
            "than half the margin off; 0: it is where the last message told",
        )
        self.bodies = self.declare(
            "bodies",
            (),
            kind=Kind.TEXT,
            shape=(None,),
            access=Access.CONFIGURATION,
            description="links that are kept clear of it; none: all that joints move",
        )
        self._near = NearPairs(self)
        self._numbers: tuple[int, ...] = ()
        self._made_of: tuple[tuple[coal.CollisionGeometry, pin.SE3], ...] = ()
        self._motion = TrackedMotion()

    @property
    def rows(self) -> int:
        """As many as pairs are looked at."""
        return self._near.rows

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Read the shapes.

        Raises:
            ParameterError: The size does not fit the shape, a mesh cannot be read, or a link has
                no shape.
        """
        super().configure(constraints, period)
        parts = self._parts()
        shapes = self._near.load()
        found = self._near.shapes_of(self.bodies)
        held = {joint for joint in (WORLD_JOINT, BASE_JOINT) if _is_held(joint, constraints)}
        moving = [shape for shape in found if shapes.joint(shape) not in held]
        if not moving:
            raise ParameterError(
                f"{self.bodies.full_name}: found no body that a joint moves and that has a "
                "collision shape, expected one"
            )
        self._shapes: BodyShapes = shapes
        self._made_of = parts
        self._numbers = tuple(shapes.add_obstacle(self.name, *part) for part in parts)
        self._near.watch([(shape, number) for shape in moving for number in self._numbers])

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write the rows of the nearest bodies."""
        motion, most = self._motion, MOST_OFF * self._near.gap.margin.value
        smoothing = self.smoothing.value
        motion.update(self.position.value, self.velocity.value, smoothing, most, self.period)
        for number in self._numbers:
            self._shapes.move(number, self.orientation.value, motion.position)
        self._near.update(model, rows, upper, motion.velocity)

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return the thing."""
        return (SolidShape(self.position, self.orientation, self._made_of),)

    def take_command(self, effort: Array) -> None:  # noqa: ARG002 - a cycle is over
        """Let it move on."""
        self._motion.go_on()
        self._near.end_cycle()

    def restart(self) -> None:
        """Forget how it moved."""
        self._motion.restart()
        self._near.restart()

    def _parts(self) -> tuple[tuple[coal.CollisionGeometry, pin.SE3], ...]:
        """Return its shapes, and where each is in it."""
        if self.shape.value != SCENE:
            return ((self._made(), pin.SE3.Identity()),)
        self._check_size()
        if not self.scene.value:
            raise ParameterError(f"{self.scene.full_name}: found '', expected the file of a scene")
        with blaming(self.scene):
            scene = load_scene(resolve_resource(self.scene.value, Path()))
        with blaming(self.scene_body):
            found = SceneShapes.of(scene, self.scene_body.value)
        if not self.position.value.any() and self.orientation.value[3] == 1.0:
            self.position.assign(found.position)
            self.orientation.assign(found.orientation)
        return found.parts

    def _check_size(self) -> None:
        shape, size = self.shape.value, self.size.value
        if len(size) != SIZES[shape]:
            raise ParameterError(
                f"{self.size.full_name}: found {len(size)} numbers, expected {SIZES[shape]} for "
                f"a {shape}"
            )

    def _made(self) -> coal.CollisionGeometry:
        self._check_size()
        shape, size = self.shape.value, self.size.value
        if shape == MESH:
            return self._read()
        if shape == HALF_SPACE:
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        return {SPHERE: coal.Sphere, CAPSULE: coal.Capsule, BOX: coal.Box}[shape](*size)

    def _read(self) -> coal.CollisionGeometry:
        if not self.mesh.value:
            raise ParameterError(f"{self.mesh.full_name}: found '', expected the file of a mesh")
        with blaming(self.mesh):
            return read_mesh(resolve_resource(self.mesh.value, Path()))


def _is_held(joint: int, constraints: ConstraintSet) -> bool:
    """Tell whether nothing moves the bodies at a joint: the world, and a base that is bolted."""
    return joint == WORLD_JOINT or any(
        contact.dimension == BASE_DOFS
        and contact.parent_joint == contact.robot.pinocchio.names[BASE_JOINT]
        for contact in constraints.contacts
    )
