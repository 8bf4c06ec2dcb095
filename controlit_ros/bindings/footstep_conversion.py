"""footstep_conversion: footsteps as messages."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.conversion_type import Conversion
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import Message, new
from controlit_ros.parameters import Parameter

FOOTSTEP_PLAN = "controlit/msg/FootstepPlan"
SIDES = {1: 1.0, 2: -1.0}
"""Of `Footstep.foot`: as the parameter counts them."""
ROW = 7  # [numbers] of a step


def footstep_conversion(parameter: Parameter, frames: FrameNames) -> Conversion:
    """Return how footsteps travel.

    Args:
        parameter: Rows of side, x, y, z, yaw, slope along x and y; unused ones are zero.
        frames: What the world is called.
    """
    most = parameter.value.size // ROW

    def read(message: Message) -> Array:
        if message.header.frame_id:
            frames.check_world(message.header.frame_id)
        steps = message.footsteps
        if len(steps) > most:
            raise ConversionError(
                f"{parameter.full_name}: found {len(steps)} steps, expected at most {most}"
            )
        rows = np.zeros((most, ROW))
        for i, (row, step) in enumerate(zip(rows, steps, strict=False), 1):
            if step.foot not in SIDES:
                raise ConversionError(
                    f"{parameter.full_name}: found foot {step.foot} of step {i}, expected "
                    "1 (LEFT) or 2 (RIGHT)"
                )
            place = step.position
            row[:] = SIDES[step.foot], place.x, place.y, place.z, step.yaw, *step.slope
        return rows.ravel()

    def write(values: Array, stamp: float) -> Message:
        feet = {side: foot for foot, side in SIDES.items()}
        steps = [
            {
                "foot": feet[side],
                "position": {"x": x, "y": y, "z": z},
                "yaw": yaw,
                "slope": slope,
            }
            for side, x, y, z, yaw, *slope in values.reshape(-1, ROW).tolist()
            if side in feet
        ]
        header = {"stamp": time_fields(stamp), "frame_id": frames.world}
        return new(FOOTSTEP_PLAN, header=header, footsteps=steps)

    return Conversion(FOOTSTEP_PLAN, read, write)
