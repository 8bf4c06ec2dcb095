"""PIDController: proportional, integral and derivative law with a limit of speed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from controlit_ros.parameters import Parameter, ParameterError, ParameterReflection
from controlit_ros.tasks.gain_design import GainDesign
from controlit_ros.tasks.pid_law import PIDLaw


class PIDController(PIDLaw):
    """Proportional, integral, derivative law with velocity saturation (paper section 4.2).

        command = kp e + ki ∫e dt + kd (v_goal − v) + a_goal

    With `max_velocity` > 0 the speed that error and feed-forward ask for together,
    `kp/kd e + v_goal + a_goal/kd`, is limited: to that length for a vector in space (keeping its
    direction), entry by entry for joints. The integral rests while the law is saturated, never
    contributes more than `max_integral`, and is forgotten where `ki` is zero. In place of kp and kd
    a user may state what they shall come to, see `GainDesign`.
    """

    max_velocity: Parameter
    max_integral: Parameter

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = False,
        labels: tuple[str, ...] = (),
        unit: str = "m",
    ) -> None:
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.kp = self.declare_gain("kp", "1/s²", "proportional gain")
        self.ki = self.declare_gain("ki", "1/s³", "integral gain")
        self.kd = self.declare_gain("kd", "1/s", "derivative gain")
        self.gains = (self.kp, self.ki, self.kd)
        self.design = GainDesign(self, self.kp, self.kd)
        self.bandwidth, self.settling_time, self.damping_ratio = self.design.parameters
        self.max_velocity = owner.declare(
            "max_velocity",
            0.0,
            lower=0.0,
            unit=f"{unit}/s",
            description="limit of the speed that error and feed-forward ask for; 0: none",
            **(
                {"shape": (dimension,), "broadcast": True, "labels": labels} if by_component else {}
            ),
        )
        self.max_integral = owner.declare(
            "max_integral",
            1.0,
            lower=0.0,
            unit=f"{unit}/s²",
            description="limit of the integral part, entry by entry",
        )
        for parameter in (self.kp, self.kd, self.max_velocity):
            parameter.fits = self._check

    def configure(self) -> None:
        """Make gains that are asked for by what they shall do; check that they fit together.

        Raises:
            ParameterError: Gains are said in two ways, or `max_velocity` is given without damping
                to define a speed.
        """
        self.design.configure()
        self._check({})

    def _check(self, proposed: Mapping[Parameter, Any]) -> None:
        kp, kd, limit = (
            parameter.after(proposed.get(parameter))
            for parameter in (self.kp, self.kd, self.max_velocity)
        )
        limited = np.broadcast_to(np.asarray(limit), kd.shape) > 0.0
        if bool((limited & (kd <= 0.0) & (kp > 0.0)).any()):
            raise ParameterError(
                f"{self.owner.name}.max_velocity: found {np.asarray(limit).tolist()} with "
                f"kd {kd.tolist()}, expected kd > 0 (the limit acts on kp/kd * error)"
            )
