"""Variables: which unknowns a problem has, and what follows from them."""

from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.optimisation.affine import Affine


class Formulation(Enum):
    """Which of accelerations, efforts and reactions are unknowns."""

    FULL = "full"
    """All, x = [v̇, τ, ω]; the dynamics and the rest of contacts are equalities."""
    REDUCED = "reduced"
    """x = [τ, ω]; v̇ follows from the dynamics, the rest of contacts is an equality."""
    CONDENSED = "condensed"
    """x = τ; both follow from it, and no equality is left. What the servo solves."""


class Variables(NamedTuple):
    """Motion, effort and reactions as functions of the n unknowns of a problem.

    With the joint space inertia A, what the joints exert `Uᵀ τ`, the reactions ω of the constraints
    (those of a flat contact are force and moment) and the forces F on the surroundings:

        A v̇ + B + G = Uᵀ τ + Jcᵀ ω − Σ Jᵀ F        Jc v̇ + J̇c v = 0

    Attributes:
        acceleration: v̇, `(nv,)`.
        effort: τ of the command joints, `(na,)` [N m] or [N].
        reaction: ω, one for each row of Jc, `(nc,)`.
    """

    acceleration: Affine
    effort: Affine
    reaction: Affine

    @property
    def size(self) -> int:
        """How many unknowns there are, n."""
        return int(self.effort.matrix.shape[1])

    @classmethod
    def of(cls, formulation: Formulation, model: ConstrainedModel, load: Array) -> "Variables":
        """Return those of a formulation.

        Args:
            formulation: Which are unknowns.
            model: Updated.
            load: `(nv,)` `Σ Jᵀ F`, see `CompoundTask.load`.
        """
        nv, nc = len(model.robot_model.v), len(model.Jc)
        na = len(model.robot_model.description.command_joints)
        if formulation is Formulation.FULL:
            return cls(*_parts(nv, na, nc))
        if formulation is Formulation.REDUCED:
            effort, reaction = _parts(na, nc)
        else:
            (effort,) = _parts(na)
            reaction = _reaction(model, load, effort)
        return cls(_acceleration(model, load, effort, reaction), effort, reaction)


def _parts(*sizes: int) -> tuple[Affine, ...]:
    """Return unknowns one after the other, each by itself."""
    ends = np.cumsum(sizes)
    whole = np.eye(ends[-1])
    return tuple(
        Affine(whole[end - size : end], np.zeros(size))
        for end, size in zip(ends, sizes, strict=True)
    )


def drive(model: ConstrainedModel, load: Array, effort: Affine) -> Affine:
    """Return `Uᵀ τ − Σ Jᵀ F − B − G`, `(nv,)`."""
    robot = model.robot_model
    U = np.eye(len(robot.v))[robot.description.command_dofs]
    return effort.through(U.T, -load - robot.BG)


def _acceleration(model: ConstrainedModel, load: Array, effort: Affine, reaction: Affine) -> Affine:
    """Return v̇ by the dynamics: `A⁻¹ (Uᵀ τ + Jcᵀ ω − Σ Jᵀ F − B − G)`."""
    total = drive(model, load, effort).plus(reaction.through(model.Jc.T))
    return total.through(model.projections.A_inv)


def _reaction(model: ConstrainedModel, load: Array, effort: Affine) -> Affine:
    """Return ω by the constraints: `−Jc̄ᵀ (Uᵀ τ − Σ Jᵀ F − B − G) − Λc J̇c v` (paper, eq. 3)."""
    exact = model.projections
    return drive(model, load, effort).through(-exact.Jc_bar.T, -exact.Lambda_c @ model.Jc_bias)
