"""Markers of the robot as a whole: centre of mass, contacts, support polygon, contact forces."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ContactConstraint
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import BLUE, GREY, RED, YELLOW, Key, Marker
from controlit_ros.introspection.scene import Scene
from controlit_ros.introspection.task_markers import wrench_markers

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


class _Touch(NamedTuple):
    """Where a contact touches.

    Attributes:
        number: Of the contact among all of the robot.
        contact: Itself.
        placement: Of its frame in the world.
        place: `(3,)` the touching point in the world [m].
        lift: `(3,)` from there to the middle of what rolls there, in the world [m].
    """

    number: int
    contact: ContactConstraint
    placement: pin.SE3
    place: Array
    lift: Array


def robot_markers(scene: Scene, weight: float) -> Iterator[Marker]:
    """Draw what is known of the robot without its tasks.

    Args:
        scene: Its dynamics are updated.
        weight: Force that is drawn as an arrow of one metre [N].
    """
    model = scene.mirror.model
    contacts = model.constraints.contacts
    touches = [_touch(i, contact, model) for i, contact in enumerate(contacts) if _is_seen(contact)]
    enabled = [touch for touch in touches if touch.contact.is_enabled]
    corners = [_corners(touch) for touch in enabled]
    for touch in enabled:
        upright = pin.Quaternion(touch.placement.rotation).coeffs()
        yield marker.disc(Key(CONTACTS, touch.number), touch.place, upright, YELLOW, DISC)
    soles = np.vstack(corners) if corners else None
    yield from _center_of_mass(model, soles)
    if soles is not None and len(soles) > 1:
        yield marker.line(Key(POLYGON, 0), support_polygon(soles), YELLOW)
    for touch in touches:
        if not touch.contact.wrench_is_sensed.value:
            continue
        wrench = touch.contact.wrench.value
        key = Key(SENSED_FORCES, IDS * touch.number)
        yield from wrench_markers(key, wrench, touch.place, RED, weight)
        yield from _cone(touch, model, touch.place, wrench / weight)
    unsensed = [touch for touch in enabled if not touch.contact.wrench_is_sensed.value]
    if scene.effort is not None and unsensed:
        model.update_projections()
        wrenches = np.zeros((len(contacts), 6))
        model.write_contact_wrenches(scene.effort, wrenches)
        for touch in unsensed:
            place = touch.contact.update_point(model.robot_model).position
            wrench = wrenches[touch.number]
            key = Key(FORCES, IDS * touch.number)
            yield from wrench_markers(key, wrench, place, RED, weight)
            yield from _cone(touch, model, place, wrench / weight)


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


def _cone(touch: _Touch, model: ConstrainedModel, place: Array, arrow: Array) -> Iterator[Marker]:
    """Draw the friction cone up to where the arrow of the force `(6,)` ends, seen from its side.

    The arrow ends within the rim while the contact does not slip, or leaves a cone that would be
    too high through it; the cone is red where it does slip.
    """
    contact = touch.contact
    if not contact.needs_reactions:
        return
    assert contact.friction is not None
    axes = contact.axes(model.robot_model)
    *along, height = axes.T @ arrow[:3]
    if not height > 0.0:  # nothing is borne, or it is not known
        return
    slips = np.hypot(*along) > contact.friction.value * height
    height = min(height, HIGHEST)
    radius = contact.friction.value * height
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
    circle = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0.0 * angles + height])
    rim = place + (axes @ circle).T
    ribs = [(place, rim[i]) for i in range(0, SIDES, SIDES // RIBS)]
    pairs = np.array([*itertools.pairwise(rim), *ribs])
    yield marker.lines(Key(CONES, touch.number), pairs, RED if slips else YELLOW)


def _is_seen(contact: ContactConstraint) -> bool:
    return bool(contact.is_enabled or contact.wrench_is_sensed.value)


def _touch(number: int, contact: ContactConstraint, model: ConstrainedModel) -> _Touch:
    site = contact.site
    placement = model.robot_model.placement(site.frame)
    lift = site.radius * site.normal
    return _Touch(number, contact, placement, placement.act(site.point) - lift, lift)


def _corners(touch: _Touch) -> Array:
    """Return where the corners of the sole are in the world, `(k, 3)` [m]."""
    placement = touch.placement
    corners: Array = touch.contact.footprint() @ placement.rotation.T + placement.translation
    return corners - touch.lift


def _center_of_mass(model: ConstrainedModel, soles: Array | None) -> Iterator[Marker]:
    place = model.robot_model.center_of_mass().position.copy()
    yield marker.sphere(Key(CENTER_OF_MASS, 0), place, BLUE, 1.5 * marker.POINT_SIZE)
    if soles is not None:
        below = np.array([*place[:2], soles[:, 2].min()])
        level = np.array([0.0, 0.0, 0.0, 1.0])
        yield marker.disc(Key(CENTER_OF_MASS, 1), below, level, GREY, marker.POINT_SIZE)
        yield marker.line(Key(CENTER_OF_MASS, 2), [place, below], BLUE)  # seen beside bodies
