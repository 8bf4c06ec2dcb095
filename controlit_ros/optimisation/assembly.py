"""The problem of a whole-body controller, put together as it is written."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ContactConstraint
from controlit_ros.optimisation.affine import Affine
from controlit_ros.optimisation.control_problem import ControlProblem
from controlit_ros.optimisation.linear_equality import LinearEquality
from controlit_ros.optimisation.linear_inequality import LinearInequality
from controlit_ros.optimisation.objective import Objective
from controlit_ros.optimisation.variables import Formulation, Variables, drive
from controlit_ros.tasks import CompoundTask


def formulated(
    formulation: Formulation, model: ConstrainedModel, tasks: CompoundTask, regularisation: float
) -> ControlProblem:
    """Return the problem without tasks and limits: dynamics, contacts, little effort.

    Args:
        formulation: Which are unknowns.
        model: Updated.
        tasks: Computed; what they exert on the surroundings loads the robot.
        regularisation: ε, see `little_effort`.
    """
    load = tasks.load if tasks.has_force_rows else np.zeros(len(model.robot_model.v))
    variables = Variables.of(formulation, model, load)
    equalities: tuple[LinearEquality, ...] = ()
    if formulation is not Formulation.CONDENSED:
        equalities += (resting(model, variables),)
    if formulation is Formulation.FULL:
        equalities += (dynamics(model, load, variables),)
    objective = little_effort(model, load, variables, regularisation)
    return ControlProblem(variables, (objective,), equalities, ())


def dynamics(model: ConstrainedModel, load: Array, variables: Variables) -> LinearEquality:
    """Return the equations of motion, `A v̇ − Jcᵀ ω − (Uᵀ τ − Σ Jᵀ F − B − G) = 0`, `(nv,)`."""
    moved = variables.acceleration.through(model.robot_model.A)
    held = variables.reaction.through(-model.Jc.T)
    given = drive(model, load, variables.effort)
    return LinearEquality("dynamics", moved.plus(held).plus(given.through(-np.eye(len(load)))))


def resting(model: ConstrainedModel, variables: Variables) -> LinearEquality:
    """Return that constraints hold, `Jc v̇ + J̇c v = 0`, `(nc,)` [m/s²] or [rad/s²]."""
    return LinearEquality("constraints", variables.acceleration.through(model.Jc, model.Jc_bias))


def level_objectives(
    tasks: CompoundTask, variables: Variables, weights: Sequence[float]
) -> tuple[Objective, ...]:
    """Return `½ w_i |J_i v̇ + J̇_i v − u_i|²` of each level, highest priority first.

    Rows that command a force want no acceleration: what they push on holds still.

    Args:
        tasks: Computed.
        variables: Of the problem.
        weights: One for each level.
    """
    return tuple(
        Objective.square(f"level {level.priority}", level_error(tasks, variables, number), weight)
        for number, (level, weight) in enumerate(zip(tasks.levels, weights, strict=True))
    )


def level_error(tasks: CompoundTask, variables: Variables, number: int) -> Affine:
    """Return `J_i v̇ + J̇_i v − u_i` of a level, `(rows,)`."""
    rows = tasks.levels[number].rows
    wanted = np.where(tasks.is_force[rows], 0.0, tasks.command[rows])
    return variables.acceleration.through(tasks.jacobian[rows], tasks.bias[rows] - wanted)


def little_effort(
    model: ConstrainedModel, load: Array, variables: Variables, regularisation: float
) -> Objective:
    """Return `½ ε (yᵀ Φ y + φ |L* y|²)`, the metric in which one level has the effort of WBOSC.

    y = τ − UNc̄ᵀ (B + G + Σ Jᵀ F),  L* = I − Φ Φ⁺,  φ = tr Φ / na
    """
    exact = model.projections
    held = exact.UNc_bar.T @ (model.robot_model.BG + load)
    still = np.eye(len(held)) - exact.Phi @ exact.effort_map @ exact.effort_map.T
    metric = exact.Phi + np.trace(exact.Phi) / len(held) * still.T @ still
    away = variables.effort.through(np.eye(len(held)), -held)
    return Objective("little effort", away, regularisation * metric)


def effort_limits(variables: Variables, limit: Array) -> LinearInequality:
    """Return `|τ| ≤ limit`, `(na,)` [N m] or [N]."""
    return LinearInequality("effort", variables.effort, -limit, limit)


def acceleration_limits(
    model: ConstrainedModel, variables: Variables, lower: Array, upper: Array
) -> LinearInequality:
    """Return `lower ≤ q̈ ≤ upper` of the command joints, `(na,)` [rad/s²] or [m/s²]."""
    U = np.eye(len(model.robot_model.v))[model.robot_model.description.command_dofs]
    return LinearInequality("acceleration", variables.acceleration.through(U), lower, upper)


def contact_limits(
    model: ConstrainedModel, variables: Variables, sides: int, margin: float
) -> tuple[LinearInequality, ...]:
    """Return `C w ≤ d` of each contact with friction that is on, w in its own axes; [N].

    Args:
        model: Updated.
        variables: Of the problem.
        sides: Of the polygons within the circles of friction.
        margin: Part of friction and sizes that is left free.
    """
    found = []
    for contact, wrench in contact_wrench_functions(model, variables):
        if contact.needs_reactions:
            cone = contact.hold().cone(sides, margin)
            lower = np.full(len(cone.limits), -np.inf)
            found.append(
                LinearInequality(contact.name, wrench.through(cone.rows), lower, cone.limits)
            )
    return tuple(found)


def contact_wrench_functions(
    model: ConstrainedModel, variables: Variables
) -> tuple[tuple[ContactConstraint, Affine], ...]:
    """Return the wrench of each contact that is on, `(6,)` in its own axes, as a function."""
    found = []
    row = 0
    for constraint in model.constraints.constraints:
        if not constraint.is_enabled:
            continue
        rows = np.arange(row, row + constraint.dimension)
        row += constraint.dimension
        if isinstance(constraint, ContactConstraint) and constraint.gives_wrench:
            basis = constraint.reaction_basis(model.robot_model)
            turn = np.kron(np.eye(2), constraint.axes(model.robot_model).T)
            own = variables.reaction.through(np.eye(len(model.Jc))[rows])
            found.append((constraint, own.through(turn @ basis)))
    return tuple(found)
