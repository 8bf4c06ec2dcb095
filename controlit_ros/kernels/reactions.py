"""What the constraints do to the robot."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import background_kernel, kernel
from controlit_ros.kernels.dense import dot


@background_kernel
def reaction_map(
    K: Array,
    W: Array,
    E: Array,
    rank: int,
    Jc_bias: Array,
    BG: Array,
    work: Array,
    drive_to_reaction: Array,
    reaction_offset: Array,
) -> None:
    """Write how the reactions of the constraints follow from what drives the robot, `r = M d + m`.

    The reaction is minus λc of the paper's equation 3, what the world exerts on the robot. With
    `d = Uᵀ τ − Σ Jᵀ F`, the efforts and what other bodies give back of the forces exerted on them:

        r = −Jc̄ᵀ (d − B − G) − Λc J̇c v,    Jc̄ᵀ = Ec (Ecᵀ W) Kᵀ

    with what `project` leaves in its scratch: `A⁻¹ = K Kᵀ`, `W = Jc K`, `Λc = Ec Ecᵀ`.

    Args:
        K: `(nv, nv)`, lower triangular.
        W: `(nc, nv)`.
        E: `(nc, rank)`.
        rank: Rank of the constraints.
        Jc_bias: `(nc,)` `J̇c v`.
        BG: `(nv,)` `B + G`.
        work: `(2, nv)` scratch.
        drive_to_reaction: `(nc, nv)` result M.
        reaction_offset: `(nc,)` result m.
    """
    nc, nv = W.shape
    along, row = work[0], work[1]
    for i in range(nc):
        reaction_offset[i] = 0.0
        for j in range(nv):
            drive_to_reaction[i, j] = 0.0
    for r in range(rank):
        drift = 0.0
        for j in range(nv):
            along[j] = 0.0
        for k in range(nc):
            drift += E[k, r] * Jc_bias[k]
            for j in range(nv):
                along[j] += E[k, r] * W[k, j]
        for i in range(nv):
            row[i] = dot(K[i, : i + 1], along[: i + 1])
        held = dot(row, BG)
        for i in range(nc):
            reaction_offset[i] += E[i, r] * (held - drift)
            for j in range(nv):
                drive_to_reaction[i, j] -= E[i, r] * row[j]


@kernel
def contact_wrenches(
    drive_to_reaction: Array,
    reaction_offset: Array,
    command_dofs: Indices,
    effort: Array,
    load: Array,
    place: Indices,
    basis: Array,
    drive: Array,
    wrench: Array,
) -> None:
    """Write the wrenches of contacts from an effort.

    Args:
        drive_to_reaction: `(nc, nv)` M of `reaction_map`.
        reaction_offset: `(nc,)` m of `reaction_map`.
        command_dofs: `(na,)` columns of the command joints.
        effort: `(na,)`.
        load: `(nv,)` `Σ Jᵀ F`, what the robot exerts elsewhere.
        place: `(contacts, 2)` first row of each contact and how many it has, 0: it is off.
        basis: `(contacts, 6, 6)` the wrench that each of its rows makes.
        drive: `(nv,)` scratch.
        wrench: `(contacts, 6)` result, force then moment; not a number where it is off.
    """
    for j in range(len(drive)):
        drive[j] = -load[j]
    for j in range(len(effort)):
        drive[command_dofs[j]] += effort[j]
    for c in range(len(place)):
        first, count = place[c, 0], place[c, 1]
        for i in range(6):
            wrench[c, i] = 0.0 if count > 0 else np.nan
        for i in range(count):
            total = reaction_offset[first + i]
            total += dot(drive_to_reaction[first + i], drive)
            for k in range(6):
                wrench[c, k] += basis[c, k, i] * total


@kernel
def contact_rows(
    drive_to_reaction: Array,
    reaction_offset: Array,
    command_dofs: Indices,
    load: Array,
    place: Indices,
    basis: Array,
    axes: Array,
    cone: Array,
    limits: Array,
    wrench_map: Array,
    rows: Array,
    upper: Array,
) -> None:
    """Write what a cone of wrenches is for efforts: `rows τ ≤ upper`.

    With `w = M Uᵀ τ + (m − M Σ Jᵀ F)` of `reaction_map`, turned into the axes of the contact.

    Args:
        drive_to_reaction: `(nc, nv)` M of `reaction_map`.
        reaction_offset: `(nc,)` m of `reaction_map`.
        command_dofs: `(na,)` columns of the command joints.
        load: `(nv,)` `Σ Jᵀ F`.
        place: `(2,)` first row of the contact and how many it has; 0: it is off, and bounds
            nothing.
        basis: `(6, 6)` the wrench that each of its rows makes, world axes.
        axes: `(3, 3)` axes of the contact as columns, in the world.
        cone: `(k, 6)` C of `C w ≤ d`.
        limits: `(k,)` d.
        wrench_map: `(6, na + 1)` scratch.
        rows: `(k, na)` result.
        upper: `(k,)` result.
    """
    na, count = len(command_dofs), place[1]
    for i in range(6):
        for j in range(na + 1):
            wrench_map[i, j] = 0.0
    for i in range(count):
        source = place[0] + i
        offset = reaction_offset[source]
        for j in range(len(load)):
            offset -= drive_to_reaction[source, j] * load[j]
        for k in range(6):
            part = 3 * (k // 3)
            share = 0.0
            for axis in range(3):
                share += axes[axis, k - part] * basis[part + axis, i]
            if share != 0.0:
                for j in range(na):
                    wrench_map[k, j] += share * drive_to_reaction[source, command_dofs[j]]
                wrench_map[k, na] += share * offset
    for k in range(len(cone)):
        upper[k] = limits[k] if count > 0 else np.inf
        for j in range(na):
            rows[k, j] = 0.0
        for i in range(6):
            weight = cone[k, i]
            if weight != 0.0:
                for j in range(na):
                    rows[k, j] += weight * wrench_map[i, j]
                upper[k] -= weight * wrench_map[i, na]


@background_kernel
def sensed_wrench(
    joint: Array, frame: Array, sensed: Array, sensor: Array, point: Array, wrench: Array
) -> bool:
    """Write the wrench of a contact if its sensor tells it, and leave it alone if not.

    With the rotation R of the touching body's frame in the world, the force f and the moment m:

        wrench = [R f; R (m + (sensor − point) × f)]

    Args:
        joint: `(3, 3)` axes of the joint that carries the frame, in the world.
        frame: `(4, 3)` rotation of the frame in the joint, then its origin.
        sensed: `(6,)` f and m about `sensor`, in the frame's axes [N, N m]; it counts as a whole,
            if all of it is finite.
        sensor: `(3,)` in the frame [m].
        point: `(3,)` the contact point, in the frame [m].
        wrench: `(6,)` result about `point`, world axes.

    Returns:
        Whether the sensor tells it.
    """
    for i in range(6):
        if not math.isfinite(sensed[i]):
            return False
    x, y, z = sensor[0] - point[0], sensor[1] - point[1], sensor[2] - point[2]
    moment_x = sensed[3] + y * sensed[2] - z * sensed[1]
    moment_y = sensed[4] + z * sensed[0] - x * sensed[2]
    moment_z = sensed[5] + x * sensed[1] - y * sensed[0]
    for i in range(3):
        wrench[i] = 0.0
        wrench[3 + i] = 0.0
        for k in range(3):
            force = frame[k, 0] * sensed[0] + frame[k, 1] * sensed[1] + frame[k, 2] * sensed[2]
            moment = frame[k, 0] * moment_x + frame[k, 1] * moment_y + frame[k, 2] * moment_z
            wrench[i] += joint[i, k] * force
            wrench[3 + i] += joint[i, k] * moment
    return True
