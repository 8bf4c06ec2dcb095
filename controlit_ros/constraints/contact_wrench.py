"""The wrenches that contacts put on a robot."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.constrained_model import ConstrainedModel
from controlit_ros.constraints.contact import ContactConstraint


class ContactWrench(NamedTuple):
    """What a contact puts on the robot.

    Attributes:
        name: Name of the contact.
        point: `(3,)` the contact point in the world [m].
        wrench: `(6,)` force, then moment about that point, world axes [N, N m].
    """

    name: str
    point: Array
    wrench: Array


def contact_wrenches(
    model: ConstrainedModel, effort: Array, load: Array | None = None
) -> tuple[ContactWrench, ...]:
    """Return the wrenches that keep the constraints while joints exert an effort.

    With the multipliers `λ` of `A q̈ + B + G + Jcᵀ λ = Uᵀ τ − Σ Jᵀ F` and `Jc q̈ = −J̇c q̇` (paper,
    eq. 3 and 4), `λ = Jc̄ᵀ (Uᵀ τ − Σ Jᵀ F − B − G) + Λc J̇c q̇`. The rows of a contact
    are part `S` of the twist of its point, `Jc = S J`, so that point bears the wrench `−Sᵀ λ`.
    Where constraints repeat each other the least of all solutions is given, in the metric of `A⁻¹`.

    Args:
        model: Updated; its constraints are asked for their points.
        effort: `(na,)` efforts of the command joints [N m].
        load: `(nv,)` `Σ Jᵀ F`, forces exerted on other things than the contacts; none: zero.
    """
    robot = model.robot_model
    projections = model.projections
    drive = -robot.BG if load is None else -robot.BG - load
    drive[robot.description.command_dofs] += effort
    multipliers = projections.Jc_bar.T @ drive + projections.Lambda_c @ model.Jc_bias
    found = []
    row = 0
    for constraint in model.constraints.constraints:
        if not constraint.is_enabled:
            continue
        rows = slice(row, row + constraint.dimension)
        row = rows.stop
        if isinstance(constraint, ContactConstraint):
            point = constraint.update_point(robot)
            # the columns of the base make any motion of the point: they suffice to find the part
            part = np.linalg.solve(point.full_jacobian[:, :6].T, model.Jc[rows, :6].T).T
            wrench = -part.T @ multipliers[rows]
            found.append(ContactWrench(constraint.name, point.position.copy(), wrench))
    return tuple(found)
