"""PIDLaw: what the laws share that one kernel computes, `kernels.pid`."""

from controlit_ros.arrays import Array
from controlit_ros.kernels import pid
from controlit_ros.tasks.control_law import ControlLaw, LawKind


class PIDLaw(ControlLaw):
    """Base of the laws that are proportional, integral and derivative, or some of it.

    `gains` are those of the error, of its integral and of its rate, in this order; a law that
    takes no notice of the rate has two. One without `max_integral` has no integral part.
    """

    kind = LawKind.PID

    def compute(
        self,
        error: Array,
        velocity: Array,
        goal_velocity: Array,
        goal_acceleration: Array,
        period: float,
        command: Array,
    ) -> float:
        """Write the command and return the length of the error; see `ControlLaw.compute`."""
        kp, ki, *kd = (gain.value for gain in self.gains)
        max_speed, max_velocity = self._limits()
        length: float = pid(
            error,
            velocity,
            goal_velocity,
            goal_acceleration,
            kp,
            ki,
            kd[0] if kd else self._zero,
            max_speed,
            max_velocity,
            0.0 if self.max_integral is None else self.max_integral.value,
            period,
            self.integral,
            command,
        )
        return length

    def _limits(self) -> tuple[float, Array]:
        """Return the limit of the length of the speed, and those of its entries; 0: none."""
        if self.max_velocity is None:
            return 0.0, self._zero
        limit = self.max_velocity.value
        return (0.0, limit) if self.by_component else (limit, self._zero)
