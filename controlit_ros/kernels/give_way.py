"""The efforts within their limits nearest to given ones that keep bounds of accelerations."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import factor

ITERATIONS = 30  # [-] of which a dozen are needed as a rule
ACCURACY = 1e-5  # [-] of the worst excess at the beginning
BACK_OFF = 0.99  # [-] of the way to where a slack or multiplier would vanish

UP, DOWN, HIGH, LOW = range(4)  # kinds of rows: of acceleration, of effort
ROWS = 4

H, COMPLIANCE, SLACK, MULTIPLIER, SLACK_STEP, STEP, RIGHT = range(0, 7 * ROWS, ROWS)
Y, Y_STEP, DUAL, SCALE = range(7 * ROWS, 7 * ROWS + 4)
SCRATCH_ROWS = 7 * ROWS + 4


@kernel
def give_way(
    effort: Array,
    box: Array,
    bias: Array,
    Phi: Array,
    bounds: Array,
    compliance: Array,
    immovable: float,
    scratch: Array,
    matrices: Array,
) -> None:
    """Lead efforts τ_1 to the nearest that keep bounds of the joints' accelerations.

        min ½ Σ Φ_jj (τ − τ_1)_j² + ½ Σ (a_k − bound_k)⁺² / (c_k Φ_kk)
        with  a = Φ (τ − bias),  τ_l ≤ τ ≤ τ_u

    In `y = √Φ_jj (τ − τ_1)`, with accelerations divided by `√Φ_ii`, this has the unit matrix for
    its cost and a matrix C with ones on its diagonal for its rows, whatever the inertias. Solved by
    Mehrotra's predictor and corrector (Nocedal, Wright: Numerical Optimization, section 16.6); the
    compliance c of a row adds to slack over multiplier. Each iteration factors a matrix `(na, na)`.

    Args:
        effort: `(na,)` τ_1, then τ [N m].
        box: `(2, na)` τ_l and τ_u, infinite for none [N m].
        bias: `(na,)` [N m].
        Phi: `(na, na)` Φ.
        bounds: `(2, na)` upwards and downwards, infinite for none [rad/s²].
        compliance: `(2, na)` c of these, small: what a bound is passed by where it must be.
        immovable: Joints whose Φ_ii is no more are left alone.
        scratch: `(SCRATCH_ROWS, na)`.
        matrices: `(2, na, na)` scratch.
    """
    unit = _prepare(effort, box, bias, Phi, bounds, compliance, immovable, scratch, matrices[0])
    if unit <= 0.0:
        return
    C, K = matrices[0], matrices[1]
    n = len(effort)
    slack, multiplier = scratch[SLACK : SLACK + ROWS], scratch[MULTIPLIER : MULTIPLIER + ROWS]
    slack_step, step = scratch[SLACK_STEP : SLACK_STEP + ROWS], scratch[STEP : STEP + ROWS]
    h, y = scratch[H : H + ROWS], scratch[Y]
    for _ in range(ITERATIONS):
        gap, worst = _residuals(C, scratch)
        if gap <= ACCURACY and worst <= ACCURACY:
            break
        _normal_matrix(C, scratch, K)
        if not factor(K):
            break
        _direction(C, K, scratch, 0.0, False)
        reach = _reach(h, slack, slack_step, multiplier, step)
        ahead, count = 0.0, 0
        for k in range(ROWS):
            for i in range(n):
                if h[k, i] < np.inf:
                    count += 1
                    moved = slack[k, i] + reach * slack_step[k, i]
                    ahead += moved * (multiplier[k, i] + reach * step[k, i])
        centring = (ahead / count / gap) ** 3
        _direction(C, K, scratch, centring * gap, True)
        reach = BACK_OFF * _reach(h, slack, slack_step, multiplier, step)
        for i in range(n):
            y[i] += reach * scratch[Y_STEP, i]
            for k in range(ROWS):
                if h[k, i] < np.inf:
                    slack[k, i] += reach * slack_step[k, i]
                    multiplier[k, i] += reach * step[k, i]
    for j in range(n):
        if scratch[SCALE, j] > 0.0:
            moved = effort[j] + unit * y[j] / scratch[SCALE, j]
            effort[j] = min(max(moved, box[0, j]), box[1, j])


@kernel
def _prepare(
    effort: Array,
    box: Array,
    bias: Array,
    Phi: Array,
    bounds: Array,
    compliance: Array,
    immovable: float,
    scratch: Array,
    C: Array,
) -> float:
    """Write the scaled problem and where to begin; return the unit of y, zero if all is well."""
    n = len(effort)
    scratch[:] = 0.0
    scale, h = scratch[SCALE], scratch[H : H + ROWS]
    h[:] = np.inf
    for i in range(n):
        scale[i] = math.sqrt(Phi[i, i]) if Phi[i, i] > immovable else 0.0
    unit = 0.0
    for i in range(n):
        if scale[i] == 0.0:
            continue
        acceleration = 0.0
        for j in range(n):
            acceleration += Phi[i, j] * (effort[j] - bias[j])
        for k in range(2):
            left = bounds[k, i] - (1.0 - 2.0 * k) * acceleration
            h[k, i] = left / scale[i]
            unit = max(unit, -h[k, i])
            scratch[COMPLIANCE + k, i] = compliance[k, i]
        h[HIGH, i] = (box[1, i] - effort[i]) * scale[i]
        h[LOW, i] = (effort[i] - box[0, i]) * scale[i]
    if unit <= 0.0:
        return 0.0
    for i in range(n):
        for j in range(n):
            product = scale[i] * scale[j]
            C[i, j] = Phi[i, j] / product if product > 0.0 else 0.0
        for k in range(ROWS):
            if h[k, i] < np.inf:
                h[k, i] /= unit
                scratch[SLACK + k, i] = max(h[k, i], 1.0)
                scratch[MULTIPLIER + k, i] = 1.0
    return unit


@kernel
def _residuals(C: Array, scratch: Array) -> tuple[float, float]:
    """Write the residuals of rows and cost; return the mean gap and the largest residual."""
    n = len(C)
    h, slack = scratch[H : H + ROWS], scratch[SLACK : SLACK + ROWS]
    multiplier, right = scratch[MULTIPLIER : MULTIPLIER + ROWS], scratch[RIGHT : RIGHT + ROWS]
    y, dual = scratch[Y], scratch[DUAL]
    gap, worst, count = 0.0, 0.0, 0
    for i in range(n):
        along = 0.0
        dual[i] = y[i] + multiplier[HIGH, i] - multiplier[LOW, i]
        for j in range(n):
            along += C[i, j] * y[j]
            dual[i] += C[j, i] * (multiplier[UP, j] - multiplier[DOWN, j])
        worst = max(worst, abs(dual[i]))
        for k in range(ROWS):
            if h[k, i] == np.inf:
                continue
            value = along if k < HIGH else y[i]
            value = value if k % 2 == 0 else -value
            given = scratch[COMPLIANCE + k, i] * multiplier[k, i]
            right[k, i] = value + slack[k, i] - given - h[k, i]
            worst = max(worst, abs(right[k, i]))
            gap += slack[k, i] * multiplier[k, i]
            count += 1
    return gap / count, worst


@kernel
def _row_weight(scratch: Array, k: int, i: int) -> float:
    if scratch[H + k, i] == np.inf:
        return 0.0
    loose: float = scratch[SLACK + k, i] / scratch[MULTIPLIER + k, i]
    given: float = scratch[COMPLIANCE + k, i]
    return 1.0 / (loose + given)


@kernel
def _normal_matrix(C: Array, scratch: Array, K: Array) -> None:
    """Write `1 + Gᵀ W G`, its lower triangle."""
    n = len(C)
    for i in range(n):
        for j in range(i):
            K[i, j] = 0.0
        K[i, i] = 1.0 + _row_weight(scratch, HIGH, i) + _row_weight(scratch, LOW, i)
    for r in range(n):
        weight = _row_weight(scratch, UP, r) + _row_weight(scratch, DOWN, r)
        if weight == 0.0:
            continue
        for i in range(n):
            weighted = weight * C[r, i]
            if weighted != 0.0:
                for j in range(i + 1):
                    K[i, j] += weighted * C[r, j]


@kernel
def _direction(C: Array, K: Array, scratch: Array, centre: float, corrects: bool) -> None:
    """Write the step of y, multipliers and slacks, from the factor of the normal matrix."""
    n = len(C)
    slack, multiplier = scratch[SLACK : SLACK + ROWS], scratch[MULTIPLIER : MULTIPLIER + ROWS]
    slack_step, step = scratch[SLACK_STEP : SLACK_STEP + ROWS], scratch[STEP : STEP + ROWS]
    h, right, x = scratch[H : H + ROWS], scratch[RIGHT : RIGHT + ROWS], scratch[Y_STEP]
    for i in range(n):
        x[i] = -scratch[DUAL, i]
    for i in range(n):
        along = 0.0
        for k in range(ROWS):
            if h[k, i] == np.inf:
                continue
            product = slack[k, i] * multiplier[k, i] - centre
            if corrects:
                product += slack_step[k, i] * step[k, i]
            slack_step[k, i] = product  # until the step of the slack is known
            pulled = _row_weight(scratch, k, i) * (right[k, i] - product / multiplier[k, i])
            pulled = pulled if k % 2 == 0 else -pulled
            if k < HIGH:
                along += pulled
            else:
                x[i] -= pulled
        for j in range(n):
            x[j] -= C[i, j] * along
    _solve(K, x)
    for i in range(n):
        along = 0.0
        for j in range(n):
            along += C[i, j] * x[j]
        for k in range(ROWS):
            if h[k, i] == np.inf:
                continue
            value = along if k < HIGH else x[i]
            value = value if k % 2 == 0 else -value
            product = slack_step[k, i]
            loose = right[k, i] - product / multiplier[k, i]
            step[k, i] = _row_weight(scratch, k, i) * (value + loose)
            slack_step[k, i] = -(product + slack[k, i] * step[k, i]) / multiplier[k, i]


@kernel
def _reach(h: Array, slack: Array, slack_step: Array, multiplier: Array, step: Array) -> float:
    """Return how much of the step leaves slacks and multipliers positive, at most all."""
    reach = 1.0
    for k in range(ROWS):
        for i in range(h.shape[1]):
            if h[k, i] == np.inf:
                continue
            if slack_step[k, i] < 0.0:
                reach = min(reach, -slack[k, i] / slack_step[k, i])
            if step[k, i] < 0.0:
                reach = min(reach, -multiplier[k, i] / step[k, i])
    return reach


@kernel
def _solve(matrix: Array, right: Array) -> None:
    """Solve `Lᵀ L x = right` in place; L as `factor` writes it."""
    n = len(matrix)
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            right[k] -= matrix[i, k] * right[i]
        right[k] /= matrix[k, k]
    for k in range(n):
        for i in range(k):
            right[k] -= matrix[k, i] * right[i]
        right[k] /= matrix[k, k]
