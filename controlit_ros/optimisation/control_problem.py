"""ControlProblem: objectives under equalities and inequalities."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.optimisation.linear_equality import LinearEquality
from controlit_ros.optimisation.linear_inequality import LinearInequality
from controlit_ros.optimisation.objective import Objective
from controlit_ros.optimisation.variables import Variables


class QuadraticProgram(NamedTuple):
    """`min ½ xᵀ H x + gᵀ x` with `E x = e` and `lower ≤ R x ≤ upper`, as solvers take it.

    Attributes:
        hessian: `(n, n)` H; positive semidefinite.
        gradient: `(n,)` g.
        equal: `(k, n)` E.
        values: `(k,)` e.
        rows: `(m, n)` R.
        lower: `(m,)`.
        upper: `(m,)`.
    """

    hessian: Array
    gradient: Array
    equal: Array
    values: Array
    rows: Array
    lower: Array
    upper: Array


class ControlProblem(NamedTuple):
    """What shall be small, what must be zero, what must stay between bounds.

    Attributes:
        variables: What all of it is a function of.
        objectives: Their sum is what is minimised.
        equalities: All of them hold.
        inequalities: Likewise.
    """

    variables: Variables
    objectives: tuple[Objective, ...]
    equalities: tuple[LinearEquality, ...]
    inequalities: tuple[LinearInequality, ...]

    def also(
        self, *, objectives: tuple[Objective, ...] = (), equalities: tuple[LinearEquality, ...] = ()
    ) -> "ControlProblem":
        """Return the problem with more in it."""
        return self._replace(
            objectives=self.objectives + objectives, equalities=self.equalities + equalities
        )

    def assembled(self) -> QuadraticProgram:
        """Return the matrices of the problem."""
        n = self.variables.size
        H, g = np.zeros((n, n)), np.zeros(n)
        for objective in self.objectives:
            f, metric = objective.function, objective.metric
            H += f.matrix.T @ metric @ f.matrix
            g += f.matrix.T @ metric @ f.offset
        equal = [equality.function for equality in self.equalities]
        between = self.inequalities
        return QuadraticProgram(
            hessian=H,
            gradient=g,
            equal=np.vstack([np.zeros((0, n)), *(f.matrix for f in equal)]),
            values=np.concatenate([np.zeros(0), *(-f.offset for f in equal)]),
            rows=np.vstack([np.zeros((0, n)), *(i.function.matrix for i in between)]),
            lower=np.concatenate([np.zeros(0), *(i.lower - i.function.offset for i in between)]),
            upper=np.concatenate([np.zeros(0), *(i.upper - i.function.offset for i in between)]),
        )

    def violation(self, x: Array) -> float:
        """Return by how much the worst equality or bound is missed at variables `(n,)`."""
        missed = [equality.violation(x) for equality in self.equalities]
        passed = [inequality.violation(x) for inequality in self.inequalities]
        return max((*missed, *passed), default=0.0)
