"""Gains of tasks, from how fast an error shall be gone and how much it may swing."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration.location import KeyPath, Location
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.unchecked import entries
from controlit_ros.errors import show
from controlit_ros.parameters import Parameter, ParameterError

SETTLING_TIME, BANDWIDTH, DAMPING_RATIO = "settling_time", "bandwidth", "damping_ratio"
KEYS = (SETTLING_TIME, BANDWIDTH, DAMPING_RATIO)
STIFFNESS, DAMPING = "kp", "kd"

BAND = 0.02  # [-] of a step, within which its error has settled
CRITICAL = 1.0  # [-] damping ratio unless stated
LEAST_RATIO, LARGEST_RATIO = 0.1, 10.0  # [-]
SAMPLES = 20_000  # [-] of the step response

_BOUNDS = {
    SETTLING_TIME: (math.ulp(0.0), None),
    BANDWIDTH: (math.ulp(0.0), None),
    DAMPING_RATIO: (LEAST_RATIO, LARGEST_RATIO),
}
"""Least and largest number: a time and a rate are only above zero."""


def design_gains(
    data: dict[str, Any], locations: dict[KeyPath, Location], collector: ProblemCollector
) -> None:
    """Put kp and kd where tasks state `settling_time` or `bandwidth`, and `damping_ratio`.

    A gain that is stated itself counts, so a file that was saved with gains of a running
    controller keeps these.

    Args:
        data: Sections of the configuration, not yet validated; changed.
        locations: Where entries stand; changed.
        collector: Receives what is wrong.
    """
    for i, entry in entries(data, "tasks"):
        stated = {key: entry.pop(key) for key in KEYS if key in entry}
        if not stated:
            continue
        path: KeyPath = ("tasks", i)
        wrong = _wrong(stated)
        for key, message in wrong:
            collector.add((*path, key), message)
        if wrong:
            continue
        place = locations.get((*path, next(iter(stated))), locations[path])
        for key, gain in zip((STIFFNESS, DAMPING), _gains(stated), strict=True):
            if key not in entry:
                entry[key] = gain.tolist()
                gain_path: KeyPath = (*path, key)
                locations[gain_path] = place


def gains_of_bandwidth(bandwidth: float | Array, damping_ratio: float | Array) -> Array:
    """Return kp = ω² and kd = 2 ζ ω of errors that follow `ë + kd ė + kp e = 0`, `(2, …)`.

    Args:
        bandwidth: ω, the natural frequency [rad/s].
        damping_ratio: ζ; 1 swings no more.
    """
    omega, zeta = np.broadcast_arrays(bandwidth, damping_ratio)
    return np.stack([omega**2, 2.0 * zeta * omega])


def settled(damping_ratio: float) -> float:
    """Return ω t after which the error of a step stays within `BAND` of it.

    From the step response of a system of second order (Franklin, Powell, Emami-Naeini: Feedback
    Control of Dynamic Systems, section 3.3), exact but for the grid of `SAMPLES`.
    """
    zeta = complex(damping_ratio if damping_ratio != 1.0 else 1.0 + 1e-9)
    root = np.sqrt(zeta * zeta - 1.0)
    slow, fast = -zeta + root, -zeta - root
    longest = math.log(1e4) / abs(slow.real)
    x = np.linspace(0.0, longest, SAMPLES)
    error = ((slow * np.exp(fast * x) - fast * np.exp(slow * x)) / (slow - fast)).real
    return float(x[np.flatnonzero(np.abs(error) > BAND)[-1] + 1])


def _gains(stated: dict[str, Any]) -> Array:
    zeta = np.asarray(stated.get(DAMPING_RATIO, CRITICAL), dtype=float)
    if BANDWIDTH in stated:
        return gains_of_bandwidth(np.asarray(stated[BANDWIDTH], dtype=float), zeta)
    needed = np.array([settled(ratio) for ratio in zeta.reshape(-1).tolist()]).reshape(zeta.shape)
    return gains_of_bandwidth(needed / np.asarray(stated[SETTLING_TIME], dtype=float), zeta)


def _wrong(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return key and message of all that is wrong."""
    found = []
    for key, value in stated.items():
        if not _is_within(value, *_BOUNDS[key]):
            lower, upper = _BOUNDS[key]
            kind = "greater than 0" if upper is None else f"{lower:g} to {upper:g}"
            found.append((key, f"found {show(value)}, expected numbers {kind}"))
    if found:
        return found
    if SETTLING_TIME in stated and BANDWIDTH in stated:
        return [(BANDWIDTH, f"found beside {SETTLING_TIME}, expected one of the two")]
    if len(stated) == 1 and DAMPING_RATIO in stated:
        return [(DAMPING_RATIO, f"found without {SETTLING_TIME} or {BANDWIDTH}, expected with one")]
    sizes = {len(value) for value in stated.values() if isinstance(value, Sequence)}
    if len(sizes) > 1:
        key = next(key for key in reversed(stated) if isinstance(stated[key], Sequence))
        return [(key, f"found lists of {' and '.join(map(str, sizes))}, expected of one length")]
    return []


def _is_within(value: Any, lower: float, upper: float | None) -> bool:
    """Tell whether a value is a number or a list of them, within bounds."""
    numbers = Parameter("", lower, shape=(None,), broadcast=True, lower=lower, upper=upper)
    try:
        return bool(numbers.validate(value))
    except ParameterError:
        return False
