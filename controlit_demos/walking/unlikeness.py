"""Unlikeness: how a simulated world differs from what the controller knows of it."""

from typing import Any, NamedTuple

import mujoco
import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.robots.mujoco_simulation import Simulation

MASSES = 0.05  # [-] by which each is off, at most
FRICTION = (0.6, 1.0)  # [-] of the floor
RATE_BIAS, FORCE_BIAS = 0.006, 0.04  # [rad/s], [m/s²] of the inertial unit, at most
NOISE = {
    "robot_interface.position_noise": 1e-4,  # [rad]
    "robot_interface.velocity_noise": 1e-2,  # [rad/s]
    "robot_interface.wrench_noise": [2.0, 0.1],  # [N], [N m]
    "robot_interface.imu_noise": [0.005, 0.05],  # [rad/s], [m/s²]
}
"""Of measurements, by key of a controller's file."""


class Unlikeness(NamedTuple):
    """What is drawn for one run.

    Attributes:
        seed: Of the run.
        friction: Of everything that touches.
        bias: `(6,)` of the inertial unit [rad/s, m/s²].
    """

    seed: int
    friction: float
    bias: Array

    @classmethod
    def drawn(cls, seed: int) -> "Unlikeness":
        """Return that of a seed."""
        random = np.random.default_rng(seed)
        rate, force = (random.uniform(-most, most, 3) for most in (RATE_BIAS, FORCE_BIAS))
        return cls(seed, float(random.uniform(*FRICTION)), np.array([*rate, *force]))

    @property
    def settings(self) -> dict[str, Any]:
        """What replaces values of the controller's file."""
        return NOISE | {
            "robot_interface.imu_bias": self.bias.tolist(),
            "robot_interface.seed": self.seed,
        }

    def apply(self, simulation: Simulation) -> None:
        """Change masses and friction of a world that has not begun to move."""
        model = simulation.model
        random = np.random.default_rng((self.seed, model.nbody))
        masses = random.uniform(1.0 - MASSES, 1.0 + MASSES, model.nbody)
        model.body_mass[:] *= masses
        model.body_inertia[:] *= masses[:, None]
        model.geom_friction[:, 0] = self.friction
        mujoco.mj_setConst(model, mujoco.MjData(model))  # it leaves its data at their start
