"""step_adaptation: where and when a foot comes down after a push."""

from math import exp, log
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array

PLACE_WEIGHT = 1.0  # [1/m²]
GROWTH_WEIGHT = 0.02  # [-] of Γ = e^(ωτ): half of Γ counts as 7 cm of place
OFFSET_WEIGHT = 100.0  # [1/m²] what is missed here is what falls


class StepWindow(NamedTuple):
    """What a step may become; places along the axes of the foot that stands, from it.

    Attributes:
        lower: `(2,)` least place of the other foot: forward, to the left [m].
        upper: `(2,)` farthest place [m].
        shortest: Least time until the foot is down [s].
        longest: [s].
    """

    lower: Array
    upper: Array
    shortest: float
    longest: float


class SupportTimes(NamedTuple):
    """What the pendulum goes by.

    Attributes:
        omega: ω [1/s].
        double_support: D [s].
    """

    omega: float
    double_support: float


class StepGoal(NamedTuple):
    """What the step would be without a push; along the axes of the foot that stands, from it.

    Attributes:
        place: `(2,)` of the other foot [m].
        dcm: `(2,)` ξ when that foot is down [m].
        remaining: Time until the foot is down [s].
    """

    place: Array
    dcm: Array
    remaining: float


class AdaptedStep(NamedTuple):
    """What the step shall be.

    Attributes:
        place: `(2,)` of the other foot, as in `StepGoal` [m].
        pressed: `(2,)` where the sole presses until then, from its middle [m].
        remaining: Time until the foot is down [s].
        missed: `(2,)` by how much ξ is then off where it should be from that foot [m].
    """

    place: Array
    pressed: Array
    remaining: float
    missed: Array


def adapted_step(
    times: SupportTimes,
    dcm: Array,
    planned: Array,
    reach: Array,
    goal: StepGoal,
    window: StepWindow,
) -> AdaptedStep:
    """Return where and when the foot shall come down.

    While the repellent point rests at c in the sole, ξ grows to (ξ − c) Γ + c with Γ = e^(ωτ). Then
    it goes on to the place u of the other foot in the time D of the double support, and with
    E = e^(ωD), κ = (1 − E)/(ωD) the offset of ξ from that foot is

        o = E (ξ − c) Γ + κ (u − c)

    As planned, c is the point from which ξ comes to where it is planned to be. What the sole can do
    about the difference to the plan is added: what it mends by itself asks for no other step, and
    without a difference o is that of the plan, o_nom. Of the rest (Khadiv, Herzog, Moosavian,
    Righetti 2016, with the double support)

        min |u − u_nom|² + w_Γ (Γ − Γ_nom)² + w_o |o − o_nom|²  with bounds on u and Γ

    Its derivative after the best u is continuous, piecewise linear and growing in Γ, so that the
    solution is found without iterations, from where it bends.

    Args:
        times: ω and D.
        dcm: `(2,)` ξ as it is, along the axes of the foot that stands, from it [m].
        planned: `(2,)` ξ as planned [m].
        reach: `(2,)` how far from its middle the sole can press [m].
        goal: The step as it would be.
        window: What it may become.
    """
    omega, double_support = times
    error = dcm - planned
    nominal = exp(omega * goal.remaining)
    grown = exp(omega * double_support)
    kappa = (1.0 - grown) / (omega * double_support)
    mending = grown * nominal / (grown * nominal + kappa)
    middle = (goal.dcm - nominal * planned) / (1.0 - nominal)
    offset = grown * nominal * (planned - middle) + kappa * (goal.place - middle)
    room = np.minimum(-reach - middle, 0.0), np.maximum(reach - middle, 0.0)
    pressed = middle + np.clip(mending * error, *room)
    slope = grown * (dcm - pressed)
    axes = [
        _Axis(kappa, *numbers)
        for numbers in zip(
            slope.tolist(),
            (-kappa * pressed - offset).tolist(),
            goal.place.tolist(),
            window.lower.tolist(),
            window.upper.tolist(),
            strict=True,
        )
    ]
    least, most = exp(omega * window.shortest), exp(omega * window.longest)
    growth = _lowest(axes, nominal, least, most)
    place = np.array([axis.place(growth) for axis in axes])
    missed = np.array([axis.missed(growth) for axis in axes])
    return AdaptedStep(place, pressed, log(growth) / omega, missed)


class _Axis(NamedTuple):
    """One axis: o − o_nom = slope Γ + rest + κ u."""

    kappa: float
    slope: float
    rest: float
    nominal: float
    lower: float
    upper: float

    def place(self, growth: float) -> float:
        """Return the best place for a Γ."""
        return min(max(self._free(growth), self.lower), self.upper)

    def _free(self, growth: float) -> float:
        missed = self.slope * growth + self.rest
        weight = OFFSET_WEIGHT * self.kappa
        return (PLACE_WEIGHT * self.nominal - weight * missed) / (
            PLACE_WEIGHT + weight * self.kappa
        )

    def bends(self) -> list[float]:
        """Return the Γ at which the best place comes to a bound."""
        if self.slope == 0.0:
            return []
        at_zero = self._free(0.0)
        rate = self._free(1.0) - at_zero
        return [(bound - at_zero) / rate for bound in (self.lower, self.upper)]

    def missed(self, growth: float) -> float:
        """Return o − o_nom at the best place for a Γ."""
        return self.slope * growth + self.rest + self.kappa * self.place(growth)

    def derivative(self, growth: float) -> float:
        """Return half the derivative of the cost after Γ, at the best place."""
        return OFFSET_WEIGHT * self.slope * self.missed(growth)


def _lowest(axes: list[_Axis], nominal: float, least: float, most: float) -> float:
    """Return the Γ with the least cost."""

    def derivative(growth: float) -> float:
        own = GROWTH_WEIGHT * (growth - nominal)
        return own + sum(axis.derivative(growth) for axis in axes)

    bends = sorted(bend for axis in axes for bend in axis.bends() if least < bend < most)
    before, falls = least, derivative(least)
    if falls >= 0.0:
        return least
    for after in (*bends, most):
        rises = derivative(after)
        if rises >= 0.0:
            return before - falls * (after - before) / (rises - falls)
        before, falls = after, rises
    return most
