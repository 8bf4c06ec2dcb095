"""The recursion over levels as it is written: the specification of `kernels.prioritised_effort`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints.projections import Projections
from controlit_ros.kernels.singular_directions import BOUND, DAMPING, HANDED_OVER
from controlit_ros.linear_algebra import NOISE, ROUNDING, independent_rows


class LevelRows(NamedTuple):
    """Rows of one priority level.

    Attributes:
        jacobian: `(rows, nv)` J.
        acceleration: `(rows,)` to reach, what happens by itself taken off.
        is_force: Whether the level commands forces: what its rows do is up to the surroundings,
            which hold them.
        tasks: Where the rows of each task stand.
        weight: `(rows,)` how much each row counts in the level; none: all the same.
    """

    jacobian: Array
    acceleration: Array
    is_force: bool
    tasks: tuple[slice, ...]
    weight: Array | None = None

    @property
    def acts_in_space(self) -> bool:
        """Whether its tasks lead bodies: more than six rows has only a task of joints."""
        return len(self.jacobian) <= 6 * len(self.tasks)


def tasks_of(task_ends: Indices, level: slice) -> tuple[slice, ...]:
    """Return where the tasks of a level stand in it; `task_ends` and `level` count all rows."""
    ends = [end for end in task_ends.tolist() if level.start < end <= level.stop]
    starts = [level.start, *ends[:-1]]
    return tuple(slice(a - level.start, b - level.start) for a, b in zip(starts, ends, strict=True))


class Measures(NamedTuple):
    """What the rows of a level are compared with, `(rows,)` each, so that no unit matters.

    Rows of a task have one unit, and axes that mean nothing: `J UNc̄` of all of them tells how far
    the joints move the task, and each of its rows counts by what it would be if it did as much.

    Attributes:
        whole: What rounding is a part of.
        size: The length of a row of `J UNc̄ C`, `Φ = C Cᵀ`, divided by its part of the reach.
        reach: The largest length of `J UNc̄` among the rows of the task.
        weight: The root of the row's weight in the level over the largest length of `J UNc̄ C`
            among the rows of the task; 0 if no more of it moves than rounding.
    """

    whole: Array
    size: Array
    reach: Array
    weight: Array

    @classmethod
    def of(cls, level: LevelRows, projections: Projections, root: Array) -> "Measures":
        """Measure the rows of a level; `root` is C, `(na, rank)`."""
        J = level.jacobian @ projections.UNc_bar
        length, moved = np.linalg.norm(J @ root, axis=1), np.linalg.norm(J, axis=1)
        mobility = projections.mobility
        whole = np.abs(level.jacobian) @ mobility + NOISE / ROUNDING * mobility.max()
        size, reach, weight = length.copy(), moved.copy(), np.zeros(len(J))
        for rows in level.tasks:
            reach[rows] = moved[rows].max()
            if length[rows].max() > ROUNDING * whole[rows].max():
                weight[rows] = 1.0 / length[rows].max()
            size[rows] *= np.divide(
                reach[rows], moved[rows], out=np.ones(len(moved[rows])), where=moved[rows] > 0.0
            )
        if level.weight is not None:
            weight *= np.sqrt(level.weight)
        return cls(whole, size, reach, weight)

    def in_metric(self, J: Array, root: Array, other: Array, effort_map: Array) -> "Measures":
        """Return what the lengths are where `other otherᵀ` takes the place of `root rootᵀ`."""
        length, changed = np.linalg.norm(J @ root, axis=1), np.linalg.norm(J @ other, axis=1)
        ratio = np.divide(changed, length, out=np.zeros(len(J)), where=length > 0.0)
        largest = np.linalg.norm(effort_map.T @ other)
        return self._replace(whole=self.whole * largest, size=self.size * ratio)


class Singularity(NamedTuple):
    """Treatment of singular directions, see `kernels.limit_singular_directions`.

    Attributes:
        size: s₀.
        inertia: `(nv, nv)` A.
        velocity: `(nv,)` v.
    """

    size: float
    inertia: Array
    velocity: Array


class SingularDirection(NamedTuple):
    """A direction of a level, as an effort that moves nothing but it.

    Attributes:
        effort: `(na,)`.
        amount: How much of it the level commands.
        share: What part of it lower levels decide on.
        decay: Rate at which it loses what it moves.
    """

    effort: Array
    amount: float
    share: float
    decay: float


def compute_effort(
    levels: Sequence[LevelRows],
    projections: Projections,
    *,
    reach_lower_levels: bool = False,
    singularity: Singularity | None = None,
    weighting: Array | None = None,
) -> Array:
    """Return the effort of all levels, highest priority first, without what holds it, `(na,)`.

    From `N*₀ = I` and `τ = 0`, level by level (paper section 3):

        J* = J_i UNc̄ N*    Λ* = D (D J* Φ J*ᵀ D)⁺ D
        τ += J*ᵀ (Λ* u_i − Λ* J* Φ τ)
        N* ← (I − Φ J*ᵀ Λ* J*) N*

    D is `Measures.weight`: where the rows of a level cannot all be had it weighs them, the tasks
    apart from their units. `independent_rows` tells what of J* counts.

    `J* Φ τ` is zero for the τ of the levels above, because J* is projected. On request
    (`reach_lower_levels`) the unprojected `J_i UNc̄ Φ τ` takes its place, so that a lower level
    reaches its acceleration wherever the levels above leave room for it.

    The efforts of forces are those of `compute_holding_effort`, and move nothing. What the
    surroundings hold against them, no level moves: levels of forces are like others whose
    acceleration is that of the surroundings, and reach it in any case.

    With a `singularity` the effort is bounded along directions that are nearly lost, which pass to
    the lower levels gradually (`_directions`).
    With a `weighting` W, `(na, na)`, `N* ← (I − W J*ᵀ (J* W J*ᵀ)⁺ J*) N*`; the default is Φ.
    """
    settings = (projections, reach_lower_levels, singularity, weighting)
    effort, lost = _solve_levels(levels, *settings, skips_lost=False)
    if not lost or weighting is not None:
        return effort
    lower, _ = _solve_levels(levels, *settings, skips_lost=True)
    return effort + sum(
        d.share * d.effort * (d.effort @ projections.Phi @ (lower - effort) - d.decay) for d in lost
    )


def _solve_levels(
    levels: Sequence[LevelRows],
    projections: Projections,
    reach_lower_levels: bool,  # noqa: FBT001
    singularity: Singularity | None,
    weighting: Array | None,
    *,
    skips_lost: bool,
) -> tuple[Array, list[SingularDirection]]:
    """Return the effort and the lost directions, or with `skips_lost` the effort without them."""
    Phi, root, to_effort = projections.Phi, projections.Phi_root, projections.effort_map
    effort = np.zeros(len(Phi))
    N = np.eye(len(Phi))
    lost: list[SingularDirection] = []
    for level in levels:
        measures = Measures.of(level, projections, root)
        unprojected = level.jacobian @ projections.UNc_bar
        J = unprojected @ N
        is_reached = reach_lower_levels or level.is_force
        disturbance = (unprojected if is_reached else J) @ Phi @ effort
        missing = level.acceleration - disturbance
        kept = _kept(J, root, to_effort, measures)
        is_exact = level.is_force or not level.acts_in_space
        directions = _directions(
            measures,
            J @ Phi @ kept.T,
            kept,
            missing,
            projections,
            None if is_exact else singularity,
        )
        lost += [direction for direction in directions if direction.share > 0.0]
        if skips_lost:
            directions = [direction for direction in directions if direction.share == 0.0]
        effort += sum((d.amount * d.effort for d in directions), np.zeros(len(Phi)))
        if weighting is None:
            kept = np.array([d.effort for d in directions]).reshape(-1, len(Phi))
            N -= Phi @ kept.T @ kept @ N
        else:
            other: Array = np.asarray(np.linalg.cholesky(weighting), dtype=np.float64)
            measures = measures.in_metric(unprojected, root, other, to_effort)
            kept = _kept(J, other, np.linalg.inv(other).T, measures)
            N -= weighting @ kept.T @ kept @ N
    return effort, lost


def _directions(
    measures: Measures,
    coefficients: Array,
    kept: Array,
    missing: Array,
    projections: Projections,
    singularity: Singularity | None,
) -> list[SingularDirection]:
    """Return the directions of a level, singular vectors of `D J* Φ keptᵀ`.

    Args:
        measures: Of the level.
        coefficients: `(rows, rank)` `J* Φ keptᵀ`.
        kept: `(rank, na)` rows that are orthonormal in Φ.
        missing: `(rows,)` accelerations to reach.
        projections: At this state.
        singularity: None: no direction is singular.
    """
    D = measures.weight
    left, values, right = np.linalg.svd(D[:, None] * coefficients, full_matrices=False)
    found = []
    for u, value, e in zip(left.T, values, right, strict=True):
        effort = kept.T @ e
        amount, share, decay = float(u @ (D * missing)) / value, 0.0, 0.0
        if singularity is not None:
            motion = projections.UNc_bar @ projections.Phi @ effort
            unit = np.divide(u, D * measures.reach, out=np.zeros(len(u)), where=D > 0.0)
            length = float(np.linalg.norm(motion))
            x = value * float(np.linalg.norm(unit)) / (length * singularity.size)
            decay = DAMPING * float(motion @ singularity.inertia @ singularity.velocity)
            if x < 1.0:
                limit = BOUND / ((1.0 - x * x) * length)
                total = amount + decay
                if abs(total) > limit:
                    near = max(1.0 - (x / HANDED_OVER) ** 2, 0.0)
                    share = near**2 * (1.0 - limit / abs(total))
                    amount = min(max(total, -limit), limit) - decay
        found.append(SingularDirection(effort, amount, share, decay))
    return found


def _kept(
    J: Array,
    root: Array,
    inverse_root: Array,
    measures: Measures,
) -> Array:
    """Return rows that span what counts of J*, orthonormal in the metric C Cᵀ."""
    found = independent_rows(J @ root, measures.whole, measures.size, inverse_root, measures.reach)
    kept: Array = found.basis @ inverse_root.T
    return kept


def compute_holding_effort(UNc_bar: Array, compensation: Array, load: Array) -> Array:
    """Return the effort under which nothing moves while the surroundings bear a load, `(na,)`.

        UNc̄ᵀ (B + G + Σ Jᵀ F)

    A force F that the robot exerts comes back as −F where something stops it: the joints hold it
    as they hold a weight, and nothing accelerates. Where nothing stops it the robot moves as if
    pushed by F.

    Args:
        UNc_bar: `(nv, na)`.
        compensation: `(nv,)` `B + G`.
        load: `(nv,)` `Σ Jᵀ F`, J the rows that command forces, F their commands.
    """
    effort: Array = UNc_bar.T @ (compensation + load)
    return effort


def compute_internal_effort(
    jacobian: Array,
    force: Array,
    projections: Projections,
    command_dofs: Indices,
) -> Array:
    """Return `L*ᵀ U Jᵀ F` with `L* = I − Φ Φ⁺`, `(na,)` (paper eq. 8).

    Args:
        jacobian: `(rows, nv)` J.
        force: `(rows,)` F, the forces between contacts.
        projections: At this state.
        command_dofs: `(na,)` degrees of freedom that U selects.
    """
    E = projections.effort_map
    L_star = np.eye(len(E)) - projections.Phi @ E @ E.T
    effort: Array = L_star.T @ (jacobian.T @ force)[command_dofs]
    return effort
