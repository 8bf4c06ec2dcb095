"""A small part of `controlit bench agreement`: random problems, and the other solver itself."""

import numpy as np
import pytest

from controlit_bench.agreement import Problems
from controlit_bench.interior_point import optimum
from controlit_bench.problems import dreamer_content
from controlit_ros.optimisation.control_problem import QuadraticProgram

CLOSE, EXACT = 1e-6, 1e-8


@pytest.mark.parametrize("prioritisation", ["Weighted", "Hierarchical"])
def test_random_problems_agree_with_another_solver(prioritisation, tmp_path):
    pytest.importorskip("clarabel")
    found, _ = Problems(dreamer_content(single_threaded=True), prioritisation, tmp_path).judged(8)
    assert len(found) == 8
    assert sum(each.met for each in found) > 8  # or limits would not be tried
    assert max(each.difference for each in found) <= CLOSE
    assert max(each.residual for each in found) <= EXACT


def program(upper, lower=-np.inf):
    """Return `min ½ |x|² − 2 x₀ − x₁` with `lower ≤ x ≤ upper`, `x₀ + x₁ + x₂ = 1`."""
    return QuadraticProgram(
        hessian=np.eye(3),
        gradient=np.array([-2.0, -1.0, 0.0]),
        equal=np.ones((1, 3)),
        values=np.ones(1),
        rows=np.eye(3),
        lower=np.broadcast_to(lower, 3),
        upper=np.asarray(upper),
    )


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (-np.inf, [9.0, 9.0, 9.0], [4 / 3, 1 / 3, -2 / 3]),
        (-np.inf, [0.5, 9.0, 9.0], [0.5, 0.75, -0.25]),
        (0.0, [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]),  # no inside, and rows that depend on each other
    ],
    ids=["free", "held", "one point"],
)
def test_the_other_solver_finds_the_optimum(lower, upper, expected):
    pytest.importorskip("clarabel")
    np.testing.assert_allclose(optimum(program(upper, lower)), expected, atol=1e-9)


def test_it_finds_nothing_where_there_is_nothing():
    pytest.importorskip("clarabel")
    assert optimum(program([0.1, 0.1, 0.1])) is None
