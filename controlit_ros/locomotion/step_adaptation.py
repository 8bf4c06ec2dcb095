"""step_adaptation: where and when a foot comes down after a push."""

from typing import NamedTuple

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array
from controlit_ros.kernels.adapted_step import AXIS
from controlit_ros.locomotion.flying_foot import FlyingFoot


class StepWindow(NamedTuple):
    """What a step may become; places along the axes of the foot that stands, from it.

    Attributes:
        bounds: `(2, 2)` least and farthest place of the other foot: forward, to the left [m].
        shortest: Least time until the foot is down [s].
        longest: [s].
    """

    bounds: Array
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
    foot: FlyingFoot,
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

    Its derivative after the best u is continuous, piecewise linear and growing in Γ, so that each
    solution is found without iterations, from where it bends (`kernels.adapted_step`).

    Where the foot would be hurried beyond what it bears, it comes down less far away; later only
    where it would stand farther off than its sole can mend (`kernels.reachable_step`).

    Args:
        times: ω and D.
        dcm: `(2,)` ξ as it is, along the axes of the foot that stands, from it [m].
        planned: `(2,)` ξ as planned [m].
        reach: `(2,)` how far from its middle the sole can press [m].
        goal: The step as it would be.
        window: What it may become.
        foot: In the air.
    """
    step, axes, within = np.empty((3, 2)), np.empty((2, AXIS)), np.empty((2, 2))
    omega, double_support = times
    place, end, due = goal
    bounds, shortest, longest = window
    ways, left, _, acceleration = foot
    remaining = kernels.reachable_step(
        omega, double_support, dcm, planned, reach, place, end, due, bounds, shortest, longest,
        ways, left, acceleration, axes, within, step,
    )  # fmt: skip
    found, pressed, missed = step
    return AdaptedStep(found, pressed, remaining, missed)


def prepare() -> None:
    """Compile what is computed, before a servo needs it."""
    nothing = np.zeros(2)
    window = StepWindow(np.array([[-1.0, -1.0], [1.0, 1.0]]), 1.0, 1.0)
    goal = StepGoal(nothing, nothing, 1.0)
    foot = FlyingFoot(np.zeros((3, 2)), 1.0, 0.0, 1.0)
    adapted_step(SupportTimes(1.0, 1.0), nothing, nothing, nothing, goal, window, foot)
    foot.time_to(nothing, nothing)
    kernels.seen_from(np.zeros(3), 0.0, np.zeros((3, 6)), np.zeros(3), np.empty((3, 2)))
