"""Limits that exclude each other, and the smallest set of them that does."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.named_bound import BoundKind, NamedBound

CANDIDATES = 4  # [#] sets that are looked at closer
INFEASIBLE = 2  # status of scipy's linprog


class HalfSpaces(NamedTuple):
    """Where a limit lets a vector be, `A x ≤ b`.

    Attributes:
        A: `(k, n)`.
        b: `(k,)`.
    """

    A: Array
    b: Array


class Excluding(NamedTuple):
    """A limit that excludes others, and by how much it would have to give way for them."""

    bound: NamedBound
    missing: float


Limits: TypeAlias = Mapping[NamedBound, HalfSpaces]


def limits_of(
    bounds: EffortBounds, names: Sequence[tuple[NamedBound, NamedBound]]
) -> dict[NamedBound, HalfSpaces]:
    """Return the limits of a problem, by name.

    Args:
        bounds: Of its efforts.
        names: Of the lower and upper bound of each variable, then of each row.
    """
    n = len(bounds.lower)
    A = np.vstack([np.eye(n), bounds.rows])
    lowest = np.append(bounds.lower, bounds.row_lower)
    highest = np.append(bounds.upper, bounds.row_upper)
    rows: dict[NamedBound, list[Array]] = {}
    for row, lower, upper, (below, above) in zip(A, lowest, highest, names, strict=True):
        if np.isfinite(lower):
            rows.setdefault(below, []).append(np.append(-row, -lower))
        if np.isfinite(upper):
            rows.setdefault(above, []).append(np.append(row, upper))
    return {
        name: HalfSpaces(np.array(found)[:, :n], np.array(found)[:, n])
        for name, found in rows.items()
    }


def excluding(limits: Limits) -> tuple[Excluding, ...]:
    """Return limits that exclude each other, none of which can be left out; none: they do not.

    By a deletion filter (Chinneck, Feasibility and Infeasibility in Optimization, 2008). Where one
    limit and those of effort suffice, such sets are looked at first: people know what to do then.
    The smallest set that was found counts, limits of effort last.
    """
    if _is_feasible(limits):
        return ()
    kept = min(map(_filtered, _candidates(limits)), key=len)
    found = [Excluding(name, _missing(kept, name)) for name in kept]
    return tuple(sorted(found, key=lambda e: (e.bound.kind is BoundKind.EFFORT, e.missing)))


def _candidates(limits: Limits) -> list[Limits]:
    """Return sets that exclude each other, small ones if there are any."""
    efforts = {n: spaces for n, spaces in limits.items() if n.kind is BoundKind.EFFORT}
    found: list[Limits] = []
    for name, spaces in limits.items():
        candidate = {**efforts, name: spaces}
        if name not in efforts and not _is_feasible(candidate):
            found.append(candidate)
    return found[:CANDIDATES] or [limits, dict(reversed(list(limits.items())))]


def _filtered(limits: Limits) -> Limits:
    """Leave each limit out for good if the others still exclude each other without it."""
    kept = dict(limits)
    for name in limits:
        fewer = {other: spaces for other, spaces in kept.items() if other != name}
        if not _is_feasible(fewer):
            kept = fewer
    return kept


def _is_feasible(limits: Limits) -> bool:
    from scipy.optimize import linprog  # noqa: PLC0415 - as slow to import as numba

    A, b, _ = _stacked(limits)
    if not len(b):
        return True
    result = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=b, bounds=(None, None))
    return bool(result.status != INFEASIBLE)


def _missing(limits: Limits, name: NamedBound) -> float:
    """Return by how much a limit is passed at least where all others are kept."""
    from scipy.optimize import linprog  # noqa: PLC0415 - as slow to import as numba

    A, b, slack = _stacked(limits, name)
    cost = np.append(np.zeros(A.shape[1]), 1.0)
    free: list[tuple[float | None, float | None]] = [(None, None)] * A.shape[1]
    rows = np.column_stack([A, -slack])
    result = linprog(cost, A_ub=rows, b_ub=b, bounds=[*free, (0.0, None)])
    return float(result.fun) if result.status == 0 else float("inf")


def _stacked(limits: Limits, slack: NamedBound | None = None) -> tuple[Array, Array, Array]:
    """Return rows of length one of all limits, their bounds, and how far slack moves each."""
    if not limits:
        return np.zeros((0, 1)), np.zeros(0), np.zeros(0)
    A = np.vstack([spaces.A for spaces in limits.values()])
    b = np.concatenate([spaces.b for spaces in limits.values()])
    gives = np.concatenate(
        [np.full(len(spaces.b), float(name == slack)) for name, spaces in limits.items()]
    )
    length = np.linalg.norm(A, axis=1)
    length[length == 0.0] = 1.0
    return A / length[:, None], b / length, gives / length
