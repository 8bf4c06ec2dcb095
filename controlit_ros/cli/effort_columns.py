"""Columns of tables: efforts of joints beside their limits."""

import math

Efforts = dict[str, float]


def fixed(values: Efforts) -> dict[str, str]:
    """Return numbers by joint, to a tenth of a thousandth."""
    return {joint: f"{round(value, 4) + 0.0:.4f}" for joint, value in values.items()}


def limits(values: Efforts) -> dict[str, str]:
    """Return limits by joint."""
    return {
        joint: f"{value:g}" if math.isfinite(value) else "none" for joint, value in values.items()
    }


def shares(efforts: Efforts, bounds: Efforts) -> dict[str, str]:
    """Return what efforts take of their limits; nothing where there is no limit."""
    return {
        joint: f"{100.0 * abs(effort) / bounds[joint]:.0f}"
        for joint, effort in efforts.items()
        if 0.0 < bounds[joint] < math.inf
    }
