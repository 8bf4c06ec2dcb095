"""A problem is put together from its parts."""

import numpy as np
import pytest
from scipy.optimize import minimize

from controlit_ros.optimisation import (
    Affine,
    ControlProblem,
    LinearEquality,
    LinearInequality,
    Objective,
    Variables,
)


def test_the_parts_of_a_problem_by_hand():
    """The point of a triangle nearest to a place, on a line."""
    x, y = Affine(np.array([[1.0, 0.0]]), np.zeros(1)), Affine(np.array([[0.0, 1.0]]), np.zeros(1))
    away = Affine(np.eye(2), np.array([-3.0, 0.0]))
    both = x.plus(y)
    problem = ControlProblem(
        Variables(x, away, y),
        (Objective.square("near", away, weight=2.0),),
        (LinearEquality("line", x.plus(y.through(-np.eye(1)))),),
        (LinearInequality("triangle", both, np.array([-np.inf]), np.ones(1)),),
    )
    program = problem.assembled()
    found = minimize(
        lambda x: 0.5 * x @ program.hessian @ x + program.gradient @ x,
        np.zeros(2),
        constraints=[
            {"type": "eq", "fun": lambda x: program.equal @ x - program.values},
            {"type": "ineq", "fun": lambda x: program.upper - program.rows @ x},
        ],
        options={"ftol": 1e-15},
    ).x
    np.testing.assert_allclose(found, [0.5, 0.5], atol=1e-7)
    assert problem.objectives[0].value(found) == pytest.approx(2.5**2 + 0.5**2)
    assert problem.violation(found) < 1e-7
    assert problem.violation(np.array([2.0, 1.0])) == pytest.approx(2.0)
    assert Affine.constant(np.ones(3), 2)(found).tolist() == [1.0, 1.0, 1.0]
