"""Markers of the robot as a whole: centre of mass, contacts, support polygon, contact forces."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ContactConstraint
from controlit_ros.introspection import marker, stroke
from controlit_ros.introspection.marker import BLUE, GREY, RED, YELLOW, Key
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.scene import Scene
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.views import ShapeView
from controlit_ros.kernels import placed_points
from controlit_ros.tasks import Shape, ShapeKind

CENTER_OF_MASS = "robot/center_of_mass"
CONTACTS = "robot/contacts"
FORCES = "robot/contact_forces"
SENSED_FORCES = "robot/sensed_forces"
CONES = "robot/friction_cones"
POLYGON = "robot/support_polygon"
DISC = 0.08  # [m] across
IDS = 10  # [#] for each contact
SIDES = 24  # [#] of a cone's rim
RIBS = 8  # [#] lines from its tip to the rim
HIGHEST = 1.2  # [m] of a cone: an impact shall not hide the robot


class RobotMarkers:
    """Draws what is known of the robot without its tasks.

    Args:
        weight: Force that is drawn as an arrow of one metre [N].
    """

    def __init__(self, weight: float) -> None:
        self._weight = weight
        self._mirror: RobotMirror | None = None

    def draw(self, scene: Scene) -> Iterator[Sketch]:
        """Draw the robot in a scene; its dynamics are updated."""
        if scene.mirror is not self._mirror:
            self._follow(scene.mirror)
        touches = [touch for touch in self._touches if touch.is_seen]
        enabled = [touch for touch in touches if touch.contact.is_enabled]
        for touch in touches:
            touch.look()
        for touch in enabled:
            yield touch.disc
        revision = scene.mirror.model.constraints.revision
        soles = np.vstack([touch.corners(revision) for touch in enabled]) if enabled else None
        yield from self._center.sketches(soles)
        if soles is not None and len(soles) > 1 and np.isfinite(soles).all():
            yield Sketch.of([marker.line(Key(POLYGON, 0), support_polygon(soles), YELLOW)])
        for touch in touches:
            if touch.contact.wrench_is_sensed.value:
                yield from touch.sensed(scene.mirror.model)
        expecting = [touch for touch in enabled if not touch.contact.wrench_is_sensed.value]
        if scene.effort is not None and expecting:
            yield from self._expected(scene.mirror.model, scene.effort, expecting)

    def _follow(self, mirror: RobotMirror) -> None:
        model = mirror.model
        contacts = model.constraints.contacts
        self._mirror = mirror
        self._wrenches: Array = np.zeros((len(contacts), 6))
        self._touches = [
            _Touch(i, contact, model, wrench, self._weight)
            for i, (contact, wrench) in enumerate(zip(contacts, self._wrenches, strict=True))
        ]
        self._center = _CenterOfMass(model)

    def _expected(
        self, model: ConstrainedModel, effort: Array, touches: Sequence["_Touch"]
    ) -> Iterator[Sketch]:
        model.update_projections()
        self._wrenches.fill(0.0)
        model.write_contact_wrenches(effort, self._wrenches)
        for touch in touches:
            yield from touch.expected(model)


class _Touch:
    """A contact, drawn again and again.

    Attributes:
        contact: Itself.
        disc: It, where it touches.
    """

    def __init__(
        self,
        number: int,
        contact: ContactConstraint,
        model: ConstrainedModel,
        expected: Array,
        weight: float,
    ) -> None:
        site, robot_model = contact.site, model.robot_model
        shape = Shape(ShapeKind.POINT, None, None, site.frame, None, site.frame, site.point)
        self._view = ShapeView(shape, {id(site.point): site.point}, robot_model)
        self._place = self._view.place.copy() if site.radius else self._view.place
        self._lift: Array = np.zeros(3)  # from there to the middle of what rolls there
        self._site = site
        self._body = robot_model.body(site.frame)
        self._revision = -1
        self._weight = weight
        self._cone_key = Key(CONES, number)
        self._expected, self._sensed = expected, contact.wrench.value
        self.contact = contact
        upright = self._view.frame.orientation
        disc = marker.disc(Key(CONTACTS, number), self._place, upright, YELLOW, DISC)
        self.disc = Sketch.standing([disc])
        self._expected_arrows, self._sensed_arrows = (
            stroke.arrows(Key(topic, IDS * number), self._place, wrench, 1.0 / weight, RED)
            for topic, wrench in ((FORCES, self._expected), (SENSED_FORCES, self._sensed))
        )

    @property
    def is_seen(self) -> bool:
        """Whether it acts, or a sensor tells what it bears."""
        return bool(self.contact.is_enabled or self.contact.wrench_is_sensed.value)

    def look(self) -> None:
        """Find out where it is in the scene at hand."""
        self._view.look()
        if self._site.radius:
            np.multiply(self._site.normal, self._site.radius, out=self._lift)
            np.subtract(self._view.place, self._lift, out=self._place)

    def corners(self, revision: int) -> Array:
        """Return where the corners of the sole are in the world, `(k, 3)` [m].

        Args:
            revision: Of the constraints.
        """
        if revision != self._revision:
            self._revision = revision
            self._footprint = self.contact.footprint()
        body, placed = self._body, np.empty(self._footprint.shape)
        placed_points(body.rotation, body.translation, body.frame, self._footprint, placed)
        placed -= self._lift
        return placed

    def sensed(self, model: ConstrainedModel) -> Iterator[Sketch]:
        """Draw what a sensor tells."""
        yield from self._sensed_arrows.sketches()
        yield from self._cone(model, self._sensed)

    def expected(self, model: ConstrainedModel) -> Iterator[Sketch]:
        """Draw what it bears as the model has it."""
        yield from self._expected_arrows.sketches()
        yield from self._cone(model, self._expected)

    def _cone(self, model: ConstrainedModel, wrench: Array) -> Iterator[Sketch]:
        """Draw the friction cone up to where the arrow of the force ends, seen from its side.

        The arrow ends within the rim while the contact does not slip, or leaves a cone that would
        be too high through it; the cone is red where it does slip.
        """
        contact = self.contact
        if not contact.needs_reactions:
            return
        assert contact.friction is not None
        axes = contact.axes(model.robot_model)
        *along, height = axes.T @ (wrench[:3] / self._weight)
        if not height > 0.0:  # nothing is borne, or it is not known
            return
        slips = np.hypot(*along) > contact.friction.value * height
        height = min(height, HIGHEST)
        radius = contact.friction.value * height
        angles = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
        circle = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0.0 * angles + height])
        rim = self._place + (axes @ circle).T
        ribs = [(self._place, rim[i]) for i in range(0, SIDES, SIDES // RIBS)]
        pairs = np.array([*itertools.pairwise(rim), *ribs])
        yield Sketch.of([marker.lines(self._cone_key, pairs, RED if slips else YELLOW)])


class _CenterOfMass:
    """The centre of mass, and where it is above the soles, drawn again and again."""

    def __init__(self, model: ConstrainedModel) -> None:
        self._model = model.robot_model
        self._place = self._model.center_of_mass().position
        self._below: Array = np.zeros(3)
        self._line: Array = np.zeros((2, 3))  # seen beside bodies
        level = np.array([0.0, 0.0, 0.0, 1.0])
        ball = marker.sphere(Key(CENTER_OF_MASS, 0), self._place, BLUE, 1.5 * marker.POINT_SIZE)
        disc = marker.disc(Key(CENTER_OF_MASS, 1), self._below, level, GREY, marker.POINT_SIZE)
        line = marker.lines(Key(CENTER_OF_MASS, 2), self._line, BLUE)
        self._above_nothing = Sketch.standing([ball])
        self._above_soles = Sketch.standing([ball, disc, line])

    def sketches(self, soles: Array | None) -> Iterator[Sketch]:
        """Draw it above soles `(k, 3)` [m], if there are some."""
        self._model.center_of_mass()
        if soles is None:
            yield self._above_nothing
            return
        self._below[:] = self._place
        self._below[2] = soles[:, 2].min()
        self._line[0], self._line[1] = self._place, self._below
        yield self._above_soles


def support_polygon(places: Array) -> list[Array]:
    """Return the hull of places as seen from above, closed, at the height of the lowest.

    Args:
        places: `(k, 3)` in the world, at least two [m].

    Returns:
        Corners counterclockwise, the first once more at the end; places in a row give a line.
    """
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415 - as slow to import as numba

    flat = places.copy()
    flat[:, 2] = places[:, 2].min()
    try:
        order = ConvexHull(flat[:, :2]).vertices
    except QhullError:  # fewer than three, or all in a row
        order = np.lexsort((flat[:, 1], flat[:, 0]))[[0, -1]]
    return [flat[i] for i in (*order, order[0])]
