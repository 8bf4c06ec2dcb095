"""FrictionCompensation: efforts that overcome the friction of the joints."""

from collections.abc import Iterable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, Coupling
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.kernels import caused_acceleration, friction_effort, observe_disturbance
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.parameters import Access, Parameter, ParameterError, ParameterReflection
from controlit_ros.tasks import CommandKind, Task

NAME = "friction_compensation"

MODEL, OBSERVER, BOTH = "model", "observer", "both"

RAMP = 0.2  # [s] over which a changed scale or share takes effect
RELIED_ON = (0.3, 0.6)  # [-] of the speed limit: up to where all, from where none of it counts
FASTEST_OBSERVER = 0.2  # [-] of the error it may take away in a cycle


class FrictionCompensation(ParameterReflection):
    """Adds to the command what friction takes from it; by a model, by an observer, or by both.

    *Model*: Coulomb, Stribeck and viscous friction (`kernels.friction_effort`) at a reference
    velocity w, times `scale`. Where a joint sticks its measured velocity says nothing of where it
    shall go, and its noise would make the effort chatter. So w is the measured velocity led on by
    what is commanded: a model without friction moves under the effort τ of the controller, and is
    drawn to what is measured within the time `response` T:

        ẇ = q̈(τ) + (q̇ − w) / T

    A joint that sticks although the controller asks for an acceleration a gets w = T a, and with
    it the effort that makes it move; at rest w fades, and noise passes only through the lag T.

    *Observer*: the momentum observer of De Luca and Mattone (2003), in the coordinates that the
    constraints leave, where contact forces that belong to constraints do not appear:

        r ← r + K (p − p₀ − Δt (τ + Φ⁺ U drift − UNc̄ᵀ(B + G) + r)),   p − p₀ = Φ⁺ (q̇ − q̇₀)

    with the inertia Φ⁺ of the present cycle on both sides, which stands for `Cᵀ q̇`, and τ the
    effort that acted while the velocity changed: the one sent a round trip before. It converges to
    the disturbance of each joint with the time constant 1/K. `−r` times `share`, within `limit`, is
    added. With `both`, r is what the model leaves.

    The observer cannot tell friction from other disturbances: it also resists a hand that pushes
    the robot, up to `limit`, and would cancel the forces that a force task exerts, which is why it
    is refused beside one.

    Args:
        robot: Its URDF's `dynamics` are the friction, unless the configuration states others.
        couplings: A slave's friction loads its master.
        period: Of the servo [s].
        delay: Of the round trip to the robot [s].
    """

    def __init__(
        self, robot: RobotDescription, couplings: Sequence[Coupling], period: float, delay: float
    ) -> None:
        super().__init__(NAME)
        self._robot = robot
        self._period = period
        dry, viscous = described_friction(robot, couplings)
        self.method = self.declare(
            "method",
            MODEL,
            choices=(MODEL, OBSERVER, BOTH),
            access=Access.CONFIGURATION,
            description="what tells the friction: a model, a momentum observer, or the observer "
            "what the model leaves",
        )
        self.coulomb = self._of_joints(
            "coulomb", dry, "N m", "dry friction of moving joints; of the URDF if not stated"
        )
        self.breakaway = self._of_joints(
            "breakaway", 0.0, "N m", "dry friction of joints that stick; as moving ones if less"
        )
        self.stribeck_velocity = self._of_joints(
            "stribeck_velocity",
            0.05,
            "rad/s",
            "over which friction falls from breakaway to coulomb",
            lower=1e-6,
        )
        self.viscous = self._of_joints(
            "viscous", viscous, "N m s/rad", "friction that grows with velocity; of the URDF"
        )
        self.smooth_velocity = self._of_joints(
            "smooth_velocity",
            0.02,
            "rad/s",
            "over which the model's dry friction changes its sign; more is calmer and less exact",
            lower=1e-6,
        )
        self.response = self.declare(
            "response",
            0.1,
            lower=period,
            upper=10.0,
            unit="s",
            description="how far the model looks ahead along what is commanded",
        )
        self.scale = self.declare(
            "scale",
            0.9,
            lower=0.0,
            upper=1.0,
            description="share of the model that is compensated; 0: none",
        )
        self.gain = self.declare(
            "gain",
            30.0,
            lower=0.0,
            upper=FASTEST_OBSERVER / period,
            unit="1/s",
            description="K, how fast the observer follows",
        )
        self.share = self.declare(
            "share",
            1.0,
            lower=0.0,
            upper=1.0,
            description="share of the observed disturbance that is compensated; 0: none",
        )
        self.limit = self._of_joints(
            "limit", dry, "N m", "largest effort the observer may add; the URDF's friction"
        )
        self.modelled = self._output("modelled", "friction by the model, not scaled")
        self.observed = self._output("observed", "disturbance that the observer sees, r")
        self.added = self._output("added", "what was added to the command")
        joints = robot.command_joints
        na = len(joints)
        self._indices, self._dofs = robot.command_indices, robot.command_dofs
        fastest = JointLimits.of(robot).velocity
        self._fastest: Array = np.where(fastest > 0.0, fastest, np.inf)
        self._most: Array = np.zeros(na)  # that limits rely on
        self._reference: Array = np.full(na, np.nan)
        self._velocity, self._last_velocity = np.zeros(na), np.zeros(na)
        self._part, self._acceleration = np.zeros(na), np.zeros(na)
        self._work: Array = np.zeros((2, na))
        # what is measured now answers what was sent a round trip and a cycle ago
        self._sent: Array = np.zeros((round(delay / period) + 1, na))
        self._oldest = 0
        self._known = 0  # rows of `_sent` that were sent since control began
        self._scale, self._share = 0.0, 0.0
        self._net: Array = np.zeros(na)
        self._taken: Array = np.zeros(na)

    def configure(self, tasks: Sequence[Task] = ()) -> None:
        """Check what is asked for; called once, after the parameters are set.

        Limits rely on no more friction than is stated by then: efforts that claim more while the
        robot moves count as what accelerates it.

        Args:
            tasks: That command the robot.

        Raises:
            ParameterError: There is no friction to compensate, or a task it conflicts with.
        """
        if self._has_model and not (self.coulomb.value.any() or self.viscous.value.any()):
            raise ParameterError(
                f"{self.coulomb.full_name}: found 0 for every joint, and no friction in the "
                "dynamics of the URDF; expected values > 0"
            )
        self._most = self._stated()
        if not self._has_observer:
            return
        if not self.limit.value.any():
            raise ParameterError(
                f"{self.limit.full_name}: found 0 for every joint, expected the largest effort "
                "that the observer may add, such as the dry friction"
            )
        self.check_tasks(tasks)

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Check that this compensation goes with some tasks; once configured.

        Raises:
            ParameterError: One exerts forces, which the observer would cancel.
        """
        if not self._has_observer:
            return
        forces = [task.name for task in tasks if task.command_kind is CommandKind.FORCE]
        if forces:
            raise ParameterError(
                f"{self.method.full_name}: found {self.method.value!r} beside the force "
                f"task{'s' if len(forces) > 1 else ''} {', '.join(forces)}, whose forces the "
                f"observer would cancel; expected {MODEL!r}"
            )

    @property
    def _has_model(self) -> bool:
        return str(self.method.value) != OBSERVER

    @property
    def _has_observer(self) -> bool:
        return str(self.method.value) != MODEL

    def restart(self) -> None:
        """Forget the motion: control begins, or did not reach the robot."""
        self._reference.fill(np.nan)
        self._known = 0
        self._scale = self._share = 0.0
        self.modelled.value.fill(0.0)
        self.observed.value.fill(0.0)
        self.added.value.fill(0.0)

    def skip_ramp(self) -> None:
        """Restart with all that is compensated from the first cycle: offline, nothing jumps."""
        self.restart()
        self._scale, self._share = self.scale.value, self.share.value

    def compensate(self, command: Command, state: RobotState, model: ConstrainedModel) -> None:
        """Add to a command's effort; before limits are applied; allocates nothing.

        Args:
            command: What the controller wants of the joints.
            state: Measured.
            model: Of that state.
        """
        added = self.added.value
        state.velocity.take(self._indices, out=self._velocity, mode="clip")
        if not np.isfinite(self._reference.dot(self._velocity)):
            np.copyto(self._reference, self._velocity)
            np.copyto(self._last_velocity, self._velocity)
        added.fill(0.0)
        if self._has_observer:
            self._observe(model)
            self._share = self._ramped(self._share, self.share.value)
            limit = self.limit.value
            np.negative(self.observed.value, out=self._part)
            np.minimum(self._part, limit, out=self._part)
            np.maximum(self._part, np.negative(limit, out=self._work[0]), out=self._part)
            self._part *= self._share
            added += self._part
        if self._has_model:
            self._look_ahead(model, command.effort)
            self._scale = self._ramped(self._scale, self.scale.value)
            np.multiply(self.modelled.value, self._scale, out=self._part)
            added += self._part
        command.effort += added

    def sent(self, command: Command, state: RobotState) -> None:
        """Remember what the robot gets in this cycle, limits applied.

        Args:
            command: With what was added.
            state: That the drives' own gains, where there are, answer.
        """
        sent = self._sent[self._oldest]
        self._oldest = (self._oldest + 1) % len(self._sent)
        self._known = min(self._known + 1, len(self._sent))
        np.copyto(sent, command.effort)
        for gain, wanted, measured in (
            (command.stiffness, command.position, state.position),
            (command.damping, command.velocity, state.velocity),
        ):
            if gain is not None and wanted is not None:
                measured.take(self._indices, out=self._part, mode="clip")
                np.subtract(wanted, self._part, out=self._part)
                self._part *= gain
                sent += self._part
        if self._has_model:  # the rest is what the observer has to explain
            np.multiply(self.modelled.value, self._scale, out=self._part)
            sent -= self._part

    def warm_up(self, command: Command, state: RobotState, model: ConstrainedModel) -> None:
        """Go through all that a cycle comes to compute, and begin anew; before the servo starts."""
        for _ in range(len(self._sent) + 1):
            self.compensate(command, state, model)
            self.sent(command, state)
        self.restart()

    def taken(self, state: RobotState) -> Array:
        """Return what friction takes of what was added, as far as limits may rely on it.

        All of it while a joint is slow, and less the faster it is, so that friction that is less
        than it is said to be carries no joint past its speed. Never more than was stated when
        control was configured, since joints pull at each other.
        """
        state.velocity.take(self._indices, out=self._part, mode="clip")
        np.abs(self._part, out=self._part)
        self._part /= self._fastest
        np.subtract(RELIED_ON[1], self._part, out=self._part)
        self._part /= RELIED_ON[1] - RELIED_ON[0]
        np.minimum(self._part, 1.0, out=self._part)
        np.maximum(self._part, 0.0, out=self._part)
        np.multiply(self._part, self.added.value, out=self._taken)
        np.minimum(self._taken, self._most, out=self._taken)
        np.maximum(self._taken, np.negative(self._most, out=self._part), out=self._taken)
        return self._taken

    def net(self, effort: Array) -> Array:
        """Return what is left of a command's effort when friction has taken what was added."""
        np.subtract(effort, self.added.value, out=self._net)
        return self._net

    def _stated(self) -> Array:
        """Return the largest friction that the parameters state now, `(na,)` [N m]."""
        most: Array = np.zeros(len(self._fastest))
        if self._has_model:
            fastest = np.where(np.isfinite(self._fastest), RELIED_ON[1] * self._fastest, 0.0)
            dry = np.maximum(self.coulomb.value, self.breakaway.value)
            most = dry + self.viscous.value * fastest
        return np.maximum(most, self.limit.value) if self._has_observer else most

    def _ramped(self, value: float, wanted: float) -> float:
        step = self._period / RAMP
        return min(max(wanted, value - step), value + step)

    def _look_ahead(self, model: ConstrainedModel, effort: Array) -> None:
        """Advance the reference velocity and compute the friction at it."""
        caused_acceleration(
            effort, model.bias_effort, model.Phi, model.effort_map, model.task_map, model.drift,
            self._dofs, self._acceleration, self._work,
        )  # fmt: skip
        reference, part = self._reference, self._part
        np.subtract(self._velocity, reference, out=part)
        part *= self._period / self.response.value
        reference += part
        self._acceleration *= self._period
        reference += self._acceleration
        np.minimum(reference, self._fastest, out=reference)
        np.maximum(reference, np.negative(self._fastest, out=part), out=reference)
        friction_effort(
            reference, self.coulomb.value, self.breakaway.value, self.stribeck_velocity.value,
            self.viscous.value, self.smooth_velocity.value, self.modelled.value,
        )  # fmt: skip

    def _observe(self, model: ConstrainedModel) -> None:
        if self._known == len(self._sent):
            observe_disturbance(
                self._velocity, self._last_velocity, self._sent[self._oldest], model.bias_effort,
                model.Phi, model.effort_map, model.drift, self._dofs, self.gain.value,
                self._period, self.observed.value, self._work,
            )  # fmt: skip
        np.copyto(self._last_velocity, self._velocity)

    def _of_joints(
        self, name: str, default: float | Array, unit: str, description: str, lower: float = 0.0
    ) -> Parameter:
        joints = self._robot.command_joints
        return self.declare(
            name,
            default,
            shape=(len(joints),),
            broadcast=True,
            lower=lower,
            labels=joints,
            unit=unit,
            description=description,
        )

    def _output(self, name: str, description: str) -> Parameter:
        joints = self._robot.command_joints
        return self.declare(
            name,
            0.0,
            shape=(len(joints),),
            broadcast=True,
            labels=joints,
            unit="N m",
            access=Access.OUTPUT,
            description=description,
        )


def described_friction(
    robot: RobotDescription, couplings: Sequence[Coupling]
) -> tuple[Array, Array]:
    """Return dry and viscous friction of the command joints by the URDF, `(na,)` each.

    A slave that turns `ratio` times as fast as its master loads it with `|ratio|` times its dry
    friction and `ratio²` times its viscous one.
    """
    dry = np.array(robot.pinocchio.friction[BASE_DOFS:], dtype=float)
    viscous = np.array(robot.pinocchio.damping[BASE_DOFS:], dtype=float)
    for coupling in couplings:
        slave, master = robot.joint_index(coupling.slave), robot.joint_index(coupling.master)
        dry[master] += abs(coupling.ratio) * dry[slave]
        viscous[master] += coupling.ratio**2 * viscous[slave]
    joints = robot.command_indices
    return np.maximum(dry[joints], 0.0), np.maximum(viscous[joints], 0.0)
