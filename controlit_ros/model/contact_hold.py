"""Whether a contact bears what it is asked to: it neither pulls, slips, tips nor twists."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.contact_cone import ContactBound, ContactCone

AXES = ("x", "y")
SHORTEST = 1e-4  # [m]
LARGEST_FRICTION = 1e3
EDGE = 0.99  # [-] of the half size: pressure that is sensed gets no farther than the edge


class ContactHold(NamedTuple):
    """What a contact can bear.

    Attributes:
        friction: Largest tangential force in parts of the normal one.
        torsional_friction: Largest moment about the normal in parts of the normal force [m]; 0:
            nobody knows.
        half_size: Half length and half width of the touching surface [m]; 0: nobody knows.
        least_force: Below this one nobody looks closer [N].
        normal_force: Least and greatest force square to the ground that it shall bear [N].
        rolls: Whether it bears along x alone, as a wheel does whose rollers slide along y.
    """

    friction: float
    torsional_friction: float
    half_size: tuple[float, float]
    least_force: float
    normal_force: tuple[float, float] = (0.0, math.inf)
    rolls: bool = False

    def cone(self, sides: int, margin: float = 0.0) -> ContactCone:
        """Return the wrenches that the contact bears.

        With m one side of a polygon within the circle of friction, X, Y the half sizes and f_min,
        f_max the normal forces:

            m · (fx, fy) ≤ μ cos(π / sides) fz        |mx| ≤ Y fz,  |my| ≤ X fz
            |mz| ≤ μ_t fz, or without it  |mz ...| ≤ μ (X + Y) fz − |Y fx ± μ mx| − |X fy ± μ my|
            f_min ≤ fz ≤ f_max

        those of mz being the eight rows of a rectangle that rests on its corners (Caron, Pham,
        Nakamura, Stability of surface contacts for humanoid robots, 2015, equation 16), and
        |fx| ≤ μ fz in place of the polygon where it rolls. Each is divided by a length so that it
        is a force. Lengths below `SHORTEST` count as that, friction above `LARGEST_FRICTION`
        likewise.

        Args:
            sides: Of the polygon, at least 3.
            margin: Part of friction and sizes that is left free.
        """
        bounds, rows, limits = zip(*self._bounds(sides, margin), strict=True)
        return ContactCone(np.array(rows), np.array(limits), bounds)

    def _bounds(
        self, sides: int, margin: float
    ) -> Iterator[tuple[ContactBound, list[float], float]]:
        mu = (1.0 - margin) * min(self.friction, LARGEST_FRICTION)
        for row in _friction_rows(mu, 2 if self.rolls else sides):
            yield ContactBound.FRICTION, row, 0.0
        for bound, row in self._moment_rows(mu, margin):
            yield bound, row, 0.0
        least, greatest = self.normal_force
        if least > 0.0:
            yield ContactBound.LEAST, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0], -least
        yield ContactBound.GREATEST, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], greatest

    def _moment_rows(self, mu: float, margin: float) -> Iterator[tuple[ContactBound, list[float]]]:
        X, Y, twist = (
            (1.0 - margin) * max(length, SHORTEST) if length > 0.0 else 0.0
            for length in (*self.half_size, self.torsional_friction)
        )
        for sign in (1.0, -1.0):
            if Y > 0.0:
                yield ContactBound.SOLE, [0.0, 0.0, -1.0, sign / Y, 0.0, 0.0]
            if X > 0.0:
                yield ContactBound.SOLE, [0.0, 0.0, -1.0, 0.0, sign / X, 0.0]
            if twist > 0.0:
                yield ContactBound.TWIST, [0.0, 0.0, -1.0, 0.0, 0.0, sign / twist]
            elif X > 0.0 and Y > 0.0:
                yield from ((ContactBound.TWIST, row) for row in _yaw_rows(mu, X, Y, sign))

    def complaint(self, force: Array, moment: Array) -> str:
        """Tell what it cannot bear; nothing: it holds, or nobody knows what it bears.

        Args:
            force: `(3,)` of the world on the robot; along the ground, along it, square to it [N].
            moment: `(3,)` about the contact point, in the same axes [N m].
        """
        normal, along = float(force[2]), math.hypot(force[0], force[1])
        if not (math.isfinite(normal) and math.isfinite(along)):
            return ""
        if normal < -self.least_force:
            return (
                f"it pulls at the world with {-normal:.3g} N, which no contact does: it would lift"
            )
        found = [*self._pressing(normal)]
        if max(normal, along) >= self.least_force:
            found += [*self._slipping(normal, along), *self._turning(normal, moment)]
        return "; ".join(found)

    def _pressing(self, normal: float) -> list[str]:
        least, greatest = self.normal_force
        if least - self.least_force <= normal <= greatest + self.least_force:
            return []
        what, limit = ("least", least) if normal < least else ("greatest", greatest)
        side = "less" if normal < least else "more"
        text = (
            f"it bears {side} than it shall: {normal:.3g} N square to the ground, found "
            f"{what}_normal_force: {limit:g}"
        )
        return [text]

    def _slipping(self, normal: float, along: float) -> list[str]:
        if along <= self.friction * max(normal, 0.0):
            return []
        needed = along / normal if normal > 0.0 else math.inf
        text = (
            f"it would slip: {along:.3g} N along the ground with {normal:.3g} N upon it need a "
            f"friction of {needed:.3g}, found friction: {self.friction:g}"
        )
        return [text]

    def _turning(self, normal: float, moment: Array) -> list[str]:
        if normal <= self.least_force:
            return []
        told = []
        for axis, half, about in zip(AXES, self.half_size, (-moment[1], moment[0]), strict=True):
            center = float(about) / normal
            if half > 0.0 and abs(center) > EDGE * half:
                told.append(
                    f"it tips, or is about to: the centre of pressure is at {axis} = "
                    f"{center:.3g} m, found half_size: {half:g} m"
                )
        twist = abs(float(moment[2])) / normal
        if 0.0 < self.torsional_friction < twist:
            told.append(
                f"it would twist: {abs(float(moment[2])):.3g} N m about its normal need a "
                f"torsional friction of {twist:.3g} m, found torsional_friction: "
                f"{self.torsional_friction:g}"
            )
        return told


def _friction_rows(mu: float, sides: int) -> Iterator[list[float]]:
    """Yield the sides of a polygon within the circle of friction; two: a line along x."""
    within = mu * math.cos(math.pi / sides) if sides > len(AXES) else mu
    for number in range(sides):
        angle = 2.0 * math.pi * number / sides
        yield [math.cos(angle), math.sin(angle), -within, 0.0, 0.0, 0.0]


def _yaw_rows(mu: float, X: float, Y: float, sign: float) -> list[list[float]]:
    """Return the four rows that bound the yaw moment of a sole from one side."""
    across, along, turning = Y / (X + Y), X / (X + Y), sign / (X + Y)
    return [
        [first * across, second * along, -mu, first * mu * turning, second * mu * turning, turning]
        for first in (1.0, -1.0)
        for second in (1.0, -1.0)
    ]
