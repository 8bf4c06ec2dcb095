"""Markers of things that are no part of the robot."""

from collections.abc import Iterator

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import CUBE, CYLINDER, SPHERE, Color, Key, Marker
from controlit_ros.introspection.views import SolidView

PART_IDS = 5  # [#] for each part of a solid
FAINT = 0.25  # [-] opacity of it
BELOW = 1e-3  # [m] by which it is below, where a display has its own ground
PLANE = (4.0, 4.0, 0.002)  # [m] what is drawn of a plane that has no end


def solid_markers(key: Key, solid: SolidView, color: Color) -> Iterator[Marker]:
    """Draw a solid, part by part; a capsule takes three markers."""
    x, y, z, w = solid.pose.orientation
    place = pin.SE3(pin.Quaternion(w, x, y, z), solid.pose.position)
    for number, (shape, inside) in enumerate(solid.parts):
        mine = key.after(PART_IDS * number)
        yield from _part(mine, shape, place * inside, color)


def _part(
    key: Key, shape: coal.CollisionGeometry, place: pin.SE3, color: Color
) -> Iterator[Marker]:
    position, turn = place.translation.copy(), pin.Quaternion(place.rotation).coeffs()
    if isinstance(shape, coal.Box):
        x, y, z = (2.0 * shape.halfSide).tolist()
        yield marker.solid(key, CUBE, (x, y, z), position, turn, color)
    elif isinstance(shape, coal.Sphere):
        yield marker.sphere(key, position, color, 2.0 * shape.radius)
    elif isinstance(shape, coal.Ellipsoid):
        x, y, z = (2.0 * shape.radii).tolist()
        yield marker.solid(key, SPHERE, (x, y, z), position, turn, color)
    elif isinstance(shape, coal.Cylinder | coal.Capsule):
        across, along = 2.0 * shape.radius, 2.0 * shape.halfLength
        yield marker.solid(key, CYLINDER, (across, across, along), position, turn, color)
        if isinstance(shape, coal.Capsule):
            yield from _caps(key, shape, place, color)
    elif isinstance(shape, coal.Halfspace):
        below = place.act(shape.n * (shape.d - 0.5 * PLANE[2] - BELOW))
        yield marker.solid(key, CUBE, PLANE, below, turn, color._replace(a=FAINT))
    elif isinstance(shape, coal.Convex):
        yield marker.triangles(key, _corners(shape), position, turn, color)


def _caps(key: Key, shape: coal.Capsule, place: pin.SE3, color: Color) -> Iterator[Marker]:
    for number, end in ((1, -shape.halfLength), (2, shape.halfLength)):
        there = place.act(np.array([0.0, 0.0, end]))
        yield marker.sphere(key.after(number), there, color, 2.0 * shape.radius)


def _corners(shape: coal.Convex) -> Array:
    """Return the corners of all triangles of a convex shape, `(3 k, 3)` [m]."""
    faces = [shape.polygons(i) for i in range(shape.num_polygons)]
    corners: Array = shape.points()[[face[i] for face in faces for i in range(3)]]
    return corners
