"""The readable problem solved by an interior point: what the servo's kernels must find."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume

from controlit_bench import interior_point
from controlit_ros.optimisation import (
    Formulation,
    LinearEquality,
    acceleration_limits,
    contact_limits,
    effort_limits,
    formulated,
    level_objectives,
)

SIDES, MARGIN = 8, 0.05


class Found(NamedTuple):
    """The optimum: accelerations `(nv,)`, efforts `(na,)` and reactions `(nc,)`."""

    acceleration: np.ndarray
    effort: np.ndarray
    reaction: np.ndarray


def posed(setup, weights, *, limit, regularisation, kept=None, accelerations=None,
          formulation=Formulation.FULL):  # fmt: skip
    """Return the problem, put together from its parts.

    Args:
        setup: See `test_wbosc.Setup`; contacts that tell friction are kept within it.
        weights: Of each level, highest first.
        limit: `(na,)` or a number: of the efforts in either direction.
        regularisation: Weight of the efforts.
        kept: Rows `(k, nv)` and values `(k,)` of accelerations; none: all may change.
        accelerations: Least and largest of the command joints, `(2, na)`; none: all are allowed.
        formulation: Which are unknowns.
    """
    model, tasks = setup.model, setup.compound
    problem = formulated(formulation, model, tasks, regularisation)
    x = problem.variables
    bounds = [effort_limits(x, np.broadcast_to(limit, len(setup.command.effort)))]
    if accelerations is not None:
        bounds.append(acceleration_limits(model, x, *accelerations))
    bounds += contact_limits(model, x, SIDES, MARGIN)
    equalities = ()
    if kept is not None:
        equalities = (LinearEquality("kept", x.acceleration.through(kept[0], -kept[1])),)
    found = problem.also(objectives=level_objectives(tasks, x, weights), equalities=equalities)
    return found._replace(inequalities=tuple(bounds))


def whole_problem(setup, weights, **given):
    """Return the optimum of what `posed` returns."""
    problem = posed(setup, weights, **given)
    x = optimum(problem.assembled())
    variables = problem.variables
    return Found(variables.acceleration(x), variables.effort(x), variables.reaction(x))


def optimum(program):
    """Return where a quadratic program has its optimum, `(n,)`, by clarabel."""
    pytest.importorskip("clarabel")
    found = interior_point.optimum(program)
    assume(found is not None)  # it is seldom lost
    return found


def cascade(setup, *, limit, regularisation):
    """Return the effort of strict levels, each with all the equalities of those above."""
    levels = setup.compound.levels
    rows, values = np.zeros((0, len(setup.model.robot_model.v))), np.zeros(0)
    effort = np.zeros(0)
    for number, level in enumerate(levels):
        only = np.eye(len(levels))[number]
        found = whole_problem(
            setup, only, limit=limit, regularisation=regularisation, kept=(rows, values)
        )
        effort = found.effort
        J = setup.compound.jacobian[level.rows]
        rows = np.vstack((rows, J))
        values = np.concatenate((values, J @ found.acceleration))
    return effort
