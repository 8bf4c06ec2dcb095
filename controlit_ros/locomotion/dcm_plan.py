"""DcmPlan: how the centre of mass moves over the steps to come."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.vrp_segment import VrpSegment


class PendulumMotion(NamedTuple):
    """Where everything shall be at a time; each `(3,)`, in the world.

    Attributes:
        repellent_point: r [m].
        dcm: ξ = c + ċ/ω [m].
        position: c, of the centre of mass [m].
        velocity: ċ = ω (ξ − c) [m/s].
        acceleration: c̈ = ω² (c − r) [m/s²].
    """

    repellent_point: Array
    dcm: Array
    position: Array
    velocity: Array
    acceleration: Array


class _Piece(NamedTuple):
    """One segment solved: ξ = r + s/ω + a e^(ω(t − T)), c = r + a/2 e^(ω(t − T)) + b e^(−ωt)."""

    segment: VrpSegment
    growing: Array
    fading: Array


class DcmPlan:
    """The motion of a linear pendulum over a repellent point that moves as told.

    In three dimensions, with ω = √(g/h) (Englsberger, Ott, Albu-Schäffer 2015):

        ξ̇ = ω (ξ − r),  ċ = ω (ξ − c)

    The divergent component ξ is found backwards, so that it ends where r does: it comes to rest
    there, whatever the steps before. Over a segment in which r moves with the velocity s

        ξ(t) = r(t) + s/ω + e^(ω(t − T)) (ξ(T) − r(T) − s/ω)

    so single supports (s = 0) and double supports (r moves from one foot to the other) are of one
    kind, and r, ξ, ξ̇ have no jumps between them. The centre of mass is then found forwards.

    Args:
        omega: ω [1/s].
        segments: At least one, each beginning where the one before ends.
        position: `(3,)` of the centre of mass in the beginning [m].
    """

    def __init__(self, omega: float, segments: Sequence[VrpSegment], position: Array) -> None:
        self.omega = omega
        self.duration = sum(segment.duration for segment in segments)
        self._pieces = _solved(omega, segments, position)

    def at(self, time: float) -> PendulumMotion:
        """Return the motion some time [s] after the beginning; at rest after the end."""
        for piece in self._pieces:
            if time <= piece.segment.duration:
                return self._within(piece, max(time, 0.0))
            time -= piece.segment.duration
        return self._after(time)

    def _within(self, piece: _Piece, time: float) -> PendulumMotion:
        omega, segment = self.omega, piece.segment
        r = segment.at(time)
        growing = piece.growing * exp(omega * (time - segment.duration))
        dcm = r + segment.rate / omega + growing
        position = r + 0.5 * growing + piece.fading * exp(-omega * time)
        return _motion(omega, r, dcm, position)

    def _after(self, time: float) -> PendulumMotion:
        last = self._pieces[-1]
        end = self._within(last, last.segment.duration)
        position = end.dcm + (end.position - end.dcm) * exp(-self.omega * time)
        return _motion(self.omega, end.dcm, end.dcm, position)


def first_dcm(omega: float, segments: Sequence[VrpSegment]) -> Array:
    """Return where ξ has to begin so that it ends where r does, `(3,)` [m]."""
    dcm: Array = segments[-1].end
    for segment in reversed(segments):
        lead = segment.rate / omega
        growing = dcm - segment.end - lead
        dcm = segment.start + lead + growing * exp(-omega * segment.duration)
    return dcm


def _solved(omega: float, segments: Sequence[VrpSegment], position: Array) -> tuple[_Piece, ...]:
    growing = []
    dcm = segments[-1].end
    for segment in reversed(segments):
        lead = segment.rate / omega
        growing.append(dcm - segment.end - lead)
        dcm = segment.start + lead + growing[-1] * exp(-omega * segment.duration)
    pieces = []
    for segment, part in zip(segments, reversed(growing), strict=True):
        shrunk = exp(-omega * segment.duration)
        fading = position - segment.start - 0.5 * part * shrunk
        pieces.append(_Piece(segment, part, fading))
        position = segment.end + 0.5 * part + fading * shrunk
    return tuple(pieces)


def _motion(omega: float, r: Array, dcm: Array, position: Array) -> PendulumMotion:
    return PendulumMotion(
        r, dcm, position, omega * (dcm - position), np.square(omega) * (position - r)
    )
