"""The limits of joints against where they are led: the guard's call in each cycle."""

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.kernels import joint_outlook
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.keep_inside import accelerate, keep_inside

BOX, RANGE, ALLOWED_SPEED, MARGINS, FASTEST, BOUND_ROWS = 0, 2, 4, 5, 7, 8

LED = joint_outlook.LED
_LED_VELOCITY, _LED_ROOM = LED + joint_outlook.VELOCITY, LED + joint_outlook.ROOM
_PUSHES = joint_outlook.OBSERVED + joint_outlook.STEADY


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
        times: `(3,)`.
        tolerance: Of what counts [rad/s²].
        scratch: `(SCRATCH_ROWS, na)`.
        matrices: `(2, na, na)` scratch.
        kinds: `(na,)` what held each joint back.
        caused: `(na,)` result [rad/s²].

    Returns:
        Whether any effort that counts was held back.
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
    accelerate(Phi, effort, bias, caused)
    return is_held
