"""Quaternions in a file that do not have length one, and are made so."""

import math
from collections.abc import Mapping
from typing import Any

from controlit_ros.configuration import KeyPath
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.parameters import Parameter, ParameterReflection

ROUNDING = 0.01  # [-] of the length: two digits
SIZE = 4


def quaternion_warnings(
    owner: ParameterReflection, stated: Mapping[str, Any], path: KeyPath
) -> Findings:
    """Yield warnings about quaternions that are not of length one, each with its place.

    Args:
        owner: Of the parameters.
        stated: What the file says of them.
        path: Where it says that.
    """
    for key, value in stated.items():
        parameter = owner.parameters.get(key)
        if parameter is None or not _is_quaternion(parameter):
            continue
        turn = value[-SIZE:]
        length = math.hypot(*turn)
        if abs(length - 1.0) > ROUNDING:
            taken = ", ".join(f"{entry / length:.4g}" for entry in turn)
            text = (
                f"found a quaternion of length {length:.4g}, expected 1; it is taken for "
                f"[{taken}], x y z w"
            )
            yield (*path, key), text


def _is_quaternion(parameter: Parameter) -> bool:
    is_alone = parameter.shape == (SIZE,)
    return parameter.unit_length and (is_alone or parameter.quantity.turns)
