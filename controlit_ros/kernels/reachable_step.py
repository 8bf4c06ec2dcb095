"""Where and when a foot comes down after a push, as far as it comes."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.adapted_step import adapted_step
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.flying_foot import come_within, time_to

ROUNDS = 4  # [-] of time and place of a step: both change little in the third
LATER = 0.25  # [s] at most, where a foot needs it to come to where it must


@kernel
def reachable_step(
    omega: float,
    double_support: float,
    dcm: Array,
    planned: Array,
    reach: Array,
    place: Array,
    end: Array,
    remaining: float,
    bounds: Array,
    shortest: float,
    longest: float,
    foot: Array,
    left: float,
    acceleration: float,
    axes: Array,
    within: Array,
    step: Array,
) -> float:
    """Write what `adapted_step` does of a foot that bears no more than an acceleration.

    Where the foot would be hurried beyond that, it comes down less far away; later only where it
    would stand farther off than its sole can mend.

    Args:
        omega: This and the next seven as in `adapted_step`: ω [1/s].
        double_support: D [s].
        dcm: `(2,)` [m].
        planned: `(2,)` [m].
        reach: `(2,)` [m].
        place: `(2,)` [m].
        end: `(2,)` [m].
        remaining: [s].
        bounds: `(2, 2)` least and farthest place of the other foot [m].
        shortest: Least time until it is down [s].
        longest: [s].
        foot: `(3, 2)` its place [m], its velocity [m/s], where it goes [m].
        left: Until it is down, as it goes now [s].
        acceleration: The greatest that it bears along the ground [m/s²].
        axes: `(2, 6)` memory.
        within: `(2, 2)` memory.
        step: `(3, 2)` result: place, pressed, missed [m].

    Returns:
        Time until the foot is down [s].
    """
    latest = longest + LATER
    time = adapted_step(
        omega, double_support, dcm, planned, reach, place, end, remaining,
        bounds[0], bounds[1], shortest, longest, axes, step,
    )  # fmt: skip
    for _ in range(ROUNDS):
        needed = min(time_to(foot[0], foot[1], left, acceleration, step[0], reach), latest)
        if needed <= time:
            break
        time = adapted_step(
            omega, double_support, dcm, planned, reach, place, end, remaining,
            bounds[0], bounds[1], needed, needed, axes, step,
        )  # fmt: skip
    come_within(foot[0], foot[1], foot[2], acceleration, time, bounds, within)
    return adapted_step(
        omega, double_support, dcm, planned, reach, place, end, remaining,
        within[0], within[1], time, time, axes, step,
    )  # fmt: skip
