"""The quadratic program of one level of tasks, those above it kept."""

import math

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel, summing_kernel
from controlit_ros.kernels.dense import dense, dot
from controlit_ros.kernels.free_optimum import least

SPENT = 1e-10  # [-] of a row, that has no more left for a level: the levels above decide it
LEAST_WEIGHT = 1e-6  # [-] of coordinates that do not move a level beside those that do
SUSPECT, SURE = 30.0, 1e4
"""How many times what least effort pulls at the coordinates left a bound pulls at them, that may
hold a level back, and that does so for sure [-]."""
MET = 1e-6  # [-] by which a bound counts as met, as a part of it and absolutely


@kernel
def level_problem(
    motion: Array,
    wanted: Array,
    rank: int,
    regularisation: float,
    rows: Array,
    lower: Array,
    upper: Array,
    is_begun: bool,
    w: Array,
    hessian: Array,
    gradient: Array,
    own_rows: Array,
    own_lower: Array,
    own_upper: Array,
    work: Array,
) -> bool:
    """Write the problem of the coordinates z that the levels above leave, the last of w.

        min ½ |F w − a|² + ½ ε |w|²    with lower ≤ R w ≤ upper

    with another ε for coordinates that do not move the level, where it is less than `LEAST_WEIGHT`
    of the mean weight of those that do: beside less solvers take bounds for parallel.

    The first coordinates keep their values. If the best z without bounds keeps them, it is the
    solution, is written to w, and nobody need solve the problem. Where a solution of the level
    above is known no bound is narrower than that solution is: rounding excludes nothing. A row that
    the coordinates left do not change is zero, and bounds nothing.

    Args:
        motion: `(n, rank of Φ)` F, of the level's rows; see `level_coordinates`.
        wanted: `(n,)` a.
        rank: How many of the coordinates left move the level; the others do not.
        regularisation: ε, above zero.
        rows: `(m, na)` R.
        lower: `(m,)`.
        upper: `(m,)`.
        is_begun: Whether w satisfies the bounds, as far as it can be done.
        w: `(na,)`; z is replaced if it is found.
        hessian: `(k, k)` result, of z.
        gradient: `(k,)` result.
        own_rows: `(m, k or more)` result.
        own_lower: `(m,)` result.
        own_upper: `(m,)` result.
        work: `(2, na, na)` scratch.

    Returns:
        Whether z is found; then rows and bounds are not written.
    """
    left = len(gradient)
    first = len(w) - left
    _write_cost(motion, wanted, first, rank, regularisation, w, hessian, gradient)
    if _try_without_bounds(rows, lower, upper, rank, hessian, gradient, w, work):
        return True
    for i in range(rows.shape[0]):
        kept, reached = _parts(rows[i], first, w)
        is_left = _copy_left(rows[i], first, own_rows[i])
        own_lower[i] = lower[i] - kept if is_left else -math.inf
        own_upper[i] = upper[i] - kept if is_left else math.inf
        if is_begun:
            own_lower[i] = min(own_lower[i], reached)
            own_upper[i] = max(own_upper[i], reached)
    return False


@kernel
def _try_without_bounds(
    rows: Array,
    lower: Array,
    upper: Array,
    rank: int,
    hessian: Array,
    gradient: Array,
    w: Array,
    work: Array,
) -> bool:
    """Write the best z without bounds to w if it keeps them; return whether it does."""
    first = len(w) - len(gradient)
    own = first + rank
    found = dense(work[1], 1, len(w))[0]
    for i in range(first):
        found[i] = w[i]
    if not least(hessian, gradient, rank, 0.0, work[0], found[first:own]):
        return False
    for i in range(rows.shape[0]):
        reached = dot(rows[i, :own], found[:own])
        if not lower[i] <= reached <= upper[i]:
            return False
    for i in range(first, len(w)):
        w[i] = found[i] if i < own else 0.0
    return True


@kernel
def _parts(row: Array, first: int, w: Array) -> tuple[float, float]:
    """Return what the coordinates before `first` make of a row, and what the others make of it."""
    return dot(row[:first], w[:first]), dot(row[first:], w[first:])


@summing_kernel
def _copy_left(row: Array, first: int, own: Array) -> bool:
    """Copy a row from `first` on; return whether enough of it is left, else write zero."""
    whole, left = 0.0, 0.0
    for k in range(len(row)):
        whole += row[k] * row[k]
    for k in range(first, len(row)):
        left += row[k] * row[k]
        own[k - first] = row[k]
    is_left = left > SPENT * SPENT * whole
    if not is_left:
        for k in range(len(row) - first):
            own[k] = 0.0
    return is_left


@summing_kernel
def _write_cost(
    motion: Array,
    wanted: Array,
    first: int,
    rank: int,
    regularisation: float,
    w: Array,
    hessian: Array,
    gradient: Array,
) -> None:
    """Write H and g of a level; only its own coordinates, the first of z, move it."""
    left = len(gradient)
    for a in range(left):
        gradient[a] = 0.0
        for b in range(left):
            hessian[a, b] = 0.0
        hessian[a, a] = regularisation
    for row in range(motion.shape[0]):
        missing = wanted[row]
        for k in range(first):
            missing -= motion[row, k] * w[k]
        for a in range(rank):
            share = motion[row, first + a]
            gradient[a] -= share * missing
            for b in range(rank):
                hessian[a, b] += share * motion[row, first + b]
    own = 0.0
    for a in range(rank):
        own += hessian[a, a] / rank
    for a in range(rank, left):
        hessian[a, a] = max(regularisation, LEAST_WEIGHT * own)


@kernel
def lock_rows(
    rows: Array,
    multipliers: Array,
    regularisation: float,
    w: Array,
    first: int,
    locked: Flags,
    suspected: Flags,
) -> bool:
    """Tell which bounds hold a level back by holding what is left for those below.

    At the optimum `ε z + Σ λ_i R_i = 0` over the coordinates that do not move the level. Pulls λ R
    much larger than ε z make up for each other: none of these bounds can be left without harm to
    the level, so all of them are equalities for those below. Where rows nearly depend on each
    other, pulls that only make up for ε z can be large, too: they are suspected.

    Args:
        rows: `(m, na)` R.
        multipliers: `(m,)` λ of the level.
        regularisation: ε.
        w: `(na,)`, the solution.
        first: Where the coordinates begin that do not move the level.
        locked: `(m,)` result.
        suspected: `(m,)`; those that are suspected now become true.

    Returns:
        Whether any is locked.
    """
    least = regularisation * math.sqrt(dot(w[first:], w[first:]))
    is_any = False
    for i in range(rows.shape[0]):
        locked[i] = False
        if multipliers[i] != 0.0:
            pull = abs(multipliers[i]) * _length_left(rows[i], first)
            locked[i] = pull > SURE * least
            suspected[i] = not locked[i] and (suspected[i] or pull > SUSPECT * least)
            is_any = is_any or locked[i]
    return is_any


@kernel
def lock_suspected(rows: Array, first: int, suspected: Flags, locked: Flags) -> bool:
    """Lock those bounds that are suspected and have something left; then none is suspected.

    Args:
        rows: `(m, na)` R.
        first: Where the coordinates begin that are left.
        suspected: `(m,)`; becomes false.
        locked: `(m,)` result.

    Returns:
        Whether any is locked.
    """
    is_any = False
    for i in range(rows.shape[0]):
        locked[i] = suspected[i] and _length_left(rows[i], first) > 0.0
        suspected[i] = False
        is_any = is_any or locked[i]
    return is_any


@kernel
def _length_left(row: Array, first: int) -> float:
    """Return how long a row is from `first` on; zero where that is rounding."""
    left = math.sqrt(dot(row[first:], row[first:]))
    whole = math.sqrt(dot(row, row))
    return left if left > SPENT * whole else 0.0


@kernel
def most_beyond(rows: Array, lower: Array, upper: Array, x: Array) -> float:
    """Return the most by which `R x` passes a bound, in the unit of its row.

    Args:
        rows: `(m, n)` R.
        lower: `(m,)`.
        upper: `(m,)`.
        x: `(n,)`.
    """
    most = 0.0
    for i in range(rows.shape[0]):
        reached = dot(rows[i], x)
        most = max(most, reached - upper[i], lower[i] - reached)
    return most


@kernel
def keep_met(reached: Array, lower: Array, upper: Array, multipliers: Array) -> None:
    """Make multipliers zero whose bound is not met.

    Args:
        reached: `(m,)` what is bounded.
        lower: `(m,)`.
        upper: `(m,)`.
        multipliers: `(m,)` replaced; above zero those of upper bounds, below of lower ones.
    """
    for i in range(len(reached)):
        if multipliers[i] == 0.0:
            continue
        bound = upper[i] if multipliers[i] > 0.0 else lower[i]
        if not abs(reached[i] - bound) <= MET * (1.0 + abs(bound)):
            multipliers[i] = 0.0
