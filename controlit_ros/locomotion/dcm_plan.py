"""DcmPlan: how the centre of mass moves over the steps to come."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import numpy as np

from controlit_ros import kernels
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
        self._durations = [segment.duration for segment in segments]
        self.duration = sum(self._durations)
        ways = np.array([(segment.start, segment.end) for segment in segments])
        self._pieces: Array = np.empty((len(ways), kernels.PARTS, 3))
        durations, place = np.array(self._durations), np.array(position)
        kernels.pendulum_pieces(omega, durations, ways, place, self._pieces)
        self._last: tuple[float, PendulumMotion] | None = None

    def at(self, time: float) -> PendulumMotion:
        """Return the motion some time [s] after the beginning; at rest after the end."""
        if self._last is None or self._last[0] != time:  # it is asked for again in a cycle
            self._last = time, self._found(time)
        return self._last[1]

    def _found(self, time: float) -> PendulumMotion:
        for number, duration in enumerate(self._durations):
            if time <= duration:
                return self._within(number, max(time, 0.0))
            time -= duration
        return self._after(time)

    def _within(self, number: int, time: float) -> PendulumMotion:
        """Return the motion in a segment."""
        motion = np.empty((len(PendulumMotion._fields), 3))
        duration = self._durations[number]
        kernels.pendulum_motion(self.omega, duration, self._pieces[number], time, motion)
        r, dcm, position, velocity, acceleration = motion
        return PendulumMotion(r, dcm, position, velocity, acceleration)

    def _after(self, time: float) -> PendulumMotion:
        last, omega = len(self._durations) - 1, self.omega
        end = self._within(last, self._durations[last])
        off = (end.position - end.dcm) * exp(-omega * time)
        return PendulumMotion(end.dcm, end.dcm, end.dcm + off, -omega * off, omega * omega * off)


def first_dcm(omega: float, segments: Sequence[VrpSegment]) -> Array:
    """Return where ξ has to begin so that it ends where r does, `(3,)` [m]."""
    dcm: Array = np.empty(3)
    ways = np.array([(segment.start, segment.end) for segment in segments])
    durations = np.array([segment.duration for segment in segments])
    kernels.first_dcm(omega, durations, ways, dcm)
    return dcm


def prepare() -> None:
    """Compile what is computed, before a servo needs it."""
    nothing = np.zeros(3)
    segments = [VrpSegment(1.0, nothing, nothing)]
    DcmPlan(1.0, segments, nothing).at(0.0)
    first_dcm(1.0, segments)
