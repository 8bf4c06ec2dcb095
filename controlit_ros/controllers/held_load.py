"""HeldLoad: how a robot holds still that pushes on its surroundings."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.kernels import hold_load, internal_effort
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.dynamics import Dynamics


class HeldLoad:
    """The effort at which a robot does not accelerate, what it pushes on taken for there.

        τ₀ = UNc̄ᵀ (B + G + Σ Jᵀ F)

    What bears a force F gives it back as −F, so that the two move nothing: the joints hold the
    force like a weight. With `T Tᵀ = UNc̄ Φ UNc̄ᵀ`, what no actuator holds of it,
    `(Nc A⁻¹ − T Tᵀ) Σ Jᵀ F`, drifts like what they do not hold of gravity. Without forces all is
    as in the model.

    Attributes:
        effort: `(na,)` τ₀ [N m].
        drift: `(nv,)` minus the acceleration under τ₀.
    """

    def __init__(self, robot: RobotDescription) -> None:
        na = len(robot.command_joints)
        self._effort: Array = np.zeros(na)
        self._drift: Array = np.zeros(robot.nv)
        self._work: Array = np.zeros(na)
        self._internal: Array = np.zeros((3, na))
        self._dofs = robot.command_dofs
        self.effort, self.drift = self._effort, self._drift

    def update(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Bring both to a model and to the forces of tasks; servo thread."""
        if not tasks.has_force_rows:
            self.effort, self.drift = model.bias_effort, model.drift
            return
        self.effort, self.drift = self._effort, self._drift
        hold_load(
            tasks.load,
            model.task_map,
            model.effort_map,
            model.unheld,
            model.bias_effort,
            model.drift,
            self._work,
            self.effort,
            self.drift,
        )

    def press(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Add the forces between contacts to τ₀, for they move nothing; after `update`."""
        if not len(tasks.internal_command):
            return
        if self.effort is not self._effort:
            np.copyto(self._effort, self.effort)
            self.effort = self._effort
        internal_effort(
            tasks.internal_jacobian,
            tasks.internal_command,
            self._dofs,
            model.effort_map,
            model.Phi,
            self.effort,
            self._internal,
        )

    def refer(self, model: ConstrainedModel, tasks: CompoundTask, drift: Array) -> None:
        """Let tasks write the rows that depend on the dynamics; servo thread, after `update`.

        Args:
            model: Computed just before.
            tasks: Likewise.
            drift: `(nv,)` what the controller takes for it.
        """
        if tasks.has_referred_rows:
            tasks.refer(
                Dynamics(model.robot_model, model.task_map, model.effort_map, self.effort, drift)
            )

    def shrink(self, model: ConstrainedModel, tasks: CompoundTask, share: float) -> None:
        """Let the forces be a part of what they were; servo thread."""
        if not tasks.has_force_rows:
            return
        tasks.load *= share
        self.effort -= model.bias_effort
        self.effort *= share
        self.effort += model.bias_effort
