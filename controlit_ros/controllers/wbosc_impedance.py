"""WBOSCImpedance: WBOSC for robots whose joints have impedance controllers of their own."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.kernels import internal_model
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.tasks.compound_task import CompoundTask


class WBOSCImpedance(WBOSC):
    """Efforts of WBOSC, with positions, velocities and gains for joint controllers (paper, 4.2).

    The joints follow `τ + stiffness (q_d − q) + damping (q̇_d − q̇)` at a rate of their own, so that
    the robot stays stiff over delays the servo cannot hide. The desired motion comes from an
    internal model, driven by the acceleration `q̈` that τ causes under the constraints (forces that
    are exerted on something cause none) and drawn to the measured state:

        q̇_d ← (1 − β) q̇_d + β q̇ + q̈ Δt
        q_d ← (1 − α) q_d + α q + q̇_d Δt

    With α = β = 1 it predicts the next state from the measured one; with zero it runs on its own.
    The internal model starts from the measured state, and does so again if it is not finite, when
    control begins, and when this controller takes the place of another.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        joints = robot.command_joints
        na = len(joints)
        gains = {"shape": (na,), "broadcast": True, "lower": 0.0, "labels": joints}
        self.stiffness = self.declare(
            "stiffness", 100.0, unit="N m/rad", description="position gain of the joints", **gains
        )
        self.damping = self.declare(
            "damping", 10.0, unit="N m s/rad", description="velocity gain of the joints", **gains
        )
        self.alpha = self.declare(
            "alpha", 0.5, lower=0.0, upper=1.0, description="share of the measured position"
        )
        self.beta = self.declare(
            "beta", 0.1, lower=0.0, upper=1.0, description="share of the measured velocity"
        )
        self._position: Array = np.full(na, np.nan)
        self._velocity: Array = np.full(na, np.nan)
        self._measured: Array = np.zeros((2, na))
        self._model_work: Array = np.zeros((3, na))

    def create_command(self) -> Command:
        """Allocate a command with all fields."""
        return Command(self.robot.command_joints, with_motion=True, with_gains=True)

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write efforts, positions, velocities and gains."""
        super().compute_command(model, tasks, command)
        self._advance(model, command.effort)
        for values, field in (
            (self._position, command.position),
            (self._velocity, command.velocity),
            (self.stiffness.value, command.stiffness),
            (self.damping.value, command.damping),
        ):
            if field is not None:
                np.copyto(field, values)

    def restart(self) -> None:
        """Let the internal model start from the state that is measured next."""
        super().restart()
        self._position.fill(np.nan)

    def _advance(self, model: ConstrainedModel, effort: Array) -> None:
        state, joints = model.robot_model.state, self.robot.command_indices
        position, velocity = self._measured
        np.take(state.position, joints, out=position, mode="clip")
        np.take(state.velocity, joints, out=velocity, mode="clip")
        if not np.isfinite(self._position.dot(self._velocity)):
            np.copyto(self._position, position)
            np.copyto(self._velocity, velocity)
        internal_model(
            effort,
            self.held.effort,
            model.Phi,
            model.effort_map,
            model.task_map,
            self.held.drift,
            self.robot.command_dofs,
            position,
            velocity,
            self.alpha.value,
            self.beta.value,
            self.period,
            self._position,
            self._velocity,
            self._model_work,
        )
