"""Dynamics: what tasks whose rows depend on inertia or on what holds the robot need to know."""

from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.model.robot_model import RobotModel


class Dynamics(NamedTuple):
    """The robot under its constraints, as the controller is about to use it.

        v̇ = T Eφᵀ Φ (τ − τ₀) − drift,    τ − τ₀ = Eφ y,    J v̇ = J T y − J drift

    Attributes:
        model: The robot's model.
        task_map: `(nv, rank)` T, with `Tᵀ A T = I`.
        effort_map: `(na, rank)` Eφ.
        held_effort: `(na,)` τ₀, under which nothing accelerates but by drift [N m].
        drift: `(nv,)` what the controller takes for it, zero where it leaves that alone.
    """

    model: RobotModel
    task_map: Array
    effort_map: Array
    held_effort: Array
    drift: Array
