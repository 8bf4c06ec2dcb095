"""The limits of joints against where they are led: the guard's calls in each cycle."""

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import joint_outlook
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.joint_outlook import NEWEST, ROUND_TRIP, SOON_TIME, STEADILY
from controlit_ros.kernels.keep_inside import accelerate, keep_inside

BOX, RANGE, ALLOWED_SPEED, MARGINS, FASTEST, BOUND_ROWS = 0, 2, 4, 5, 7, 8

LED = joint_outlook.LED
_LED_VELOCITY, _LED_ROOM = LED + joint_outlook.VELOCITY, LED + joint_outlook.ROOM
_PUSHES = joint_outlook.OBSERVED + joint_outlook.STEADY

LEAST_RESPONSE, LEAST_REACTION, PACES = range(3)

HORIZON = 6.0  # [-] of the response: what is slowed down comes to rest without passing the end
ROUND_TRIPS = 4.0  # [-] a loop this much slower than its delay settles without passing its goal

# What pushes joints at the ends of their ranges is observed more slowly than they react, or noise
# would hold back what rests there.
STEADY_TIMES = 2.0  # [-]


@kernel
def pace_limits(round_trip: Array, paces: Array, times: Array, outlook_times: Array) -> bool:
    """Let limits respond no faster than the delay of the loop bears.

    Args:
        round_trip: `(1,)` from a command to the measurement of what it did; 0: unknown [s].
        paces: `(PACES,)` fastest response and reaction [s].
        times: `(3,)` result: horizon, response and reaction, see `keep_inside` [s].
        outlook_times: `(OUTLOOK_TIMES,)` see `look_ahead`; those that depend on it are written.

    Returns:
        True.
    """
    trip = round_trip[0]
    limit_times(trip, paces, times)
    outlook_times[STEADILY] = STEADY_TIMES * times[2]
    outlook_times[SOON_TIME] = max(paces[LEAST_REACTION], trip)
    outlook_times[ROUND_TRIP] = trip
    return True


@kernel
def limit_times(round_trip: float, paces: Array, times: Array) -> None:
    """Write horizon, response and reaction of limits, see `pace_limits`."""
    delay = ROUND_TRIPS * round_trip if round_trip > 0.0 else 0.0
    response, reaction = max(paces[LEAST_RESPONSE], delay), max(paces[LEAST_REACTION], delay)
    times[0], times[1], times[2] = HORIZON * response, response, reaction


@kernel
def hold_inside(
    effort: Array,
    bias: Array,
    Phi: Array,
    bounds: Array,
    outlook: Array,
    times: Array,
    tolerance: float,
    scratch: Array,
    matrices: Array,
    kinds: npt.NDArray[np.int8],
    caused: Array,
    ring: Indices,
) -> bool:
    """Call `keep_inside` for joints as they are led, with the speed that is to be left free.

    What the effort that is left accelerates, `Φ (effort − bias)`, is written for the next outlook.

    Args:
        effort: `(na,)` changed in place [N m].
        bias: `(na,)` see `keep_inside` for this, the result and what is told nothing more of.
        Phi: `(na, na)`.
        bounds: `(BOUND_ROWS, na)` lowest and highest effort; ends of the range; the speed allowed,
            which is written: the limit without the room of the outlook; margins of range and speed;
            the limit of speed.
        outlook: `(OUTLOOK_ROWS, na)` see `look_ahead`.
        times: `(3,)` see `pace_limits`.
        tolerance: Of what counts [rad/s²].
        scratch: `(SCRATCH_ROWS, na)`.
        matrices: `(2, na, na)` scratch.
        kinds: `(na,)` what held each joint back.
        caused: `(size, na)` ring of what the efforts of each cycle accelerate; the row after the
            newest is written, and is the newest then [rad/s²].
        ring: `(2,)` its newest row first.

    Returns:
        Whether no effort that counts was held back.
    """
    for i in range(len(effort)):
        bounds[ALLOWED_SPEED, i] = bounds[FASTEST, i] - outlook[_LED_ROOM, i]
    is_held = keep_inside(
        effort,
        bounds[BOX:RANGE],
        bias,
        Phi,
        outlook[LED],
        outlook[_LED_VELOCITY:_LED_ROOM],
        outlook[_PUSHES : _PUSHES + 2],
        bounds[RANGE:MARGINS],
        bounds[MARGINS:FASTEST],
        times,
        tolerance,
        scratch,
        matrices,
        kinds,
    )
    ring[NEWEST] = (ring[NEWEST] + 1) % len(caused)
    accelerate(Phi, effort, bias, caused[ring[NEWEST]])
    return not is_held
