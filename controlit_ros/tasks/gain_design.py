"""GainDesign: gains from how fast an error shall be gone and how much it may swing."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.errors import show
from controlit_ros.parameters import Parameter, ParameterError, Patch
from controlit_ros.tasks.control_law import ControlLaw

Proposed: TypeAlias = Mapping[Parameter, Any]
Values: TypeAlias = dict[Parameter, Array]

BAND = 0.02  # [-] of a step, within which its error has settled
CRITICAL = 1.0  # [-] damping ratio unless stated
LEAST_RATIO, LARGEST_RATIO = 0.1, 10.0  # [-]
SMALLEST = 1e-6  # [s, rad/s]; its inverse [rad/s] is the largest bandwidth: beyond every robot
SAMPLES = 20_000  # [-] of the step response
RATIOS = 64  # [-] whose step response is remembered
SAME = 1e-9  # [-] gains that differ less were printed and read again


def gains_of_bandwidth(bandwidth: float | Array, damping_ratio: float | Array) -> Array:
    """Return kp = ω² and kd = 2 ζ ω of errors that follow `ë + kd ė + kp e = 0`, `(2, …)`.

    Args:
        bandwidth: ω, the natural frequency [rad/s].
        damping_ratio: ζ; 1 swings no more.
    """
    omega, zeta = np.broadcast_arrays(bandwidth, damping_ratio)
    return np.stack([omega**2, 2.0 * zeta * omega])


@lru_cache(RATIOS)
def settled(damping_ratio: float) -> float:
    """Return ω t after which the error of a step stays within `BAND` of it.

    From the step response of a system of second order (Franklin, Powell, Emami-Naeini: Feedback
    Control of Dynamic Systems, section 3.3), exact but for the grid of `SAMPLES`.
    """
    zeta = complex(damping_ratio if damping_ratio != 1.0 else 1.0 + 1e-9)
    root = np.sqrt(zeta * zeta - 1.0)
    slow, fast = -zeta + root, -zeta - root
    longest = math.log(1e4) / abs(slow.real)
    x = np.linspace(0.0, longest, SAMPLES)
    error = ((slow * np.exp(fast * x) - fast * np.exp(slow * x)) / (slow - fast)).real
    return float(x[np.flatnonzero(np.abs(error) > BAND)[-1] + 1])


class GainDesign:
    """Makes kp and kd of a law from `bandwidth` or `settling_time`, and `damping_ratio`.

    What a law computes with are kp and kd alone; these three say where they come from. An entry is
    zero where kp and kd are stated themselves, which ends what was designed there.

    Args:
        law: Declares the parameters on its task.
        kp: Its proportional gain [1/s²].
        kd: Its derivative gain [1/s].
    """

    def __init__(self, law: ControlLaw, kp: Parameter, kd: Parameter) -> None:
        self._gains = (kp, kd)
        self.bandwidth = law.declare_gain(
            "bandwidth",
            "rad/s",
            "natural frequency ω: kp becomes ω², kd 2 ω damping_ratio; 0: they are stated",
            upper=1.0 / SMALLEST,
        )
        self.settling_time = law.declare_gain(
            "settling_time",
            "s",
            "time after which the error of a step stays within 2 %, which kp and kd are made to "
            "keep; 0: they are stated",
        )
        self.damping_ratio = law.declare_gain(
            "damping_ratio",
            "",
            "of what bandwidth or settling_time make; 1 does not swing",
            default=CRITICAL,
            lower=LEAST_RATIO,
            upper=LARGEST_RATIO,
        )
        self._ways = (self.bandwidth, self.settling_time)
        for parameter in (*self._gains, *self.parameters):
            parameter.implies = self._implied

    @property
    def parameters(self) -> tuple[Parameter, Parameter, Parameter]:
        """What may be stated in place of gains."""
        return self.bandwidth, self.settling_time, self.damping_ratio

    @property
    def is_whole(self) -> bool:
        """Whether every entry that has gains has designed ones."""
        designed = self._designed({p: p.value for p in self._ways})
        has_gains = np.logical_or(*(gain.value > 0.0 for gain in self._gains))
        return bool(designed.any()) and not bool((has_gains & ~designed).any())

    def configure(self) -> None:
        """Make the gains that a file asks for.

        Raises:
            ParameterError: It says them in two ways, or not enough.
        """
        values = {p: p.value for p in self.parameters}
        stated = [p for p in self._ways if p.stated and p.value.any()]
        if not stated:
            self._check_nothing_is_asked()
            return
        self._check_ways(values)
        for gain in self._gains:
            if gain.stated:
                raise self._conflict(gain, stated[0])
        if self._conflicting(values).any():
            raise self._conflict(self.bandwidth, self.settling_time)
        made, designed = self._made(values), self._designed(values)
        for gain in self._gains:
            gain.assign(_patch(designed, made[gain]))

    def _check_nothing_is_asked(self) -> None:
        """Refuse what has no effect, as no way is stated."""
        if not any(gain.stated for gain in self._gains):
            for way in self._ways:
                if way.stated:
                    text = f"{way.full_name}: found 0, expected numbers greater than 0"
                    raise ParameterError(text)
        if (self.damping_ratio.value != CRITICAL).any():
            raise self._alone()

    def _implied(self, proposed: Proposed) -> dict[Parameter, Any]:
        """Return what else changes with values proposed at run time, see `Parameter.implies`."""
        values = {p: p.after(proposed.get(p)) for p in (*self._gains, *self.parameters)}
        touched = {p: _touched(p, proposed) for p in values}
        self._check_ways(values)
        self._take_newer_way(values, touched)
        designed, made = self._designed(values), self._made(values)
        changed = np.logical_or.reduce([touched[p] for p in self.parameters])
        differs = np.logical_or.reduce([
            touched[p] & ~np.isclose(values[p], made[p], rtol=SAME, atol=0.0) for p in self._gains
        ])  # fmt: skip
        if (changed & designed & differs).any():
            raise self._conflict(
                next(p for p in self._gains if p in proposed),
                next(p for p in self.parameters if p in proposed),
            )
        ratio = touched[self.damping_ratio]
        if not (ratio & designed).any() and (values[self.damping_ratio][ratio] != CRITICAL).any():
            raise self._alone()
        self._end(values, ~designed | differs)
        news = np.logical_or.reduce(list(touched.values()))
        result: dict[Parameter, Any] = {p: _patch(news, values[p]) for p in self.parameters}
        remade = changed & designed
        for gain in self._gains:
            changes = remade | touched[gain]
            if changes.any():
                result[gain] = _patch(changes, np.where(remade, made[gain], values[gain]))
        return result

    def _take_newer_way(self, values: Values, touched: Mapping[Parameter, Flags]) -> None:
        """End the one way where the other is proposed.

        Raises:
            ParameterError: Both are, for one entry.
        """
        newer = [touched[way] & (values[way] > 0.0) for way in self._ways]
        if (newer[0] & newer[1]).any():
            raise self._conflict(*self._ways)
        values[self.bandwidth][newer[1]] = 0.0
        values[self.settling_time][newer[0]] = 0.0

    def _end(self, values: Values, where: Flags) -> None:
        for way in self._ways:
            values[way][where] = 0.0
        values[self.damping_ratio][where] = CRITICAL

    def _designed(self, values: Mapping[Parameter, Array]) -> Flags:
        designed: Flags = np.logical_or(*(values[way] > 0.0 for way in self._ways))
        return designed

    def _conflicting(self, values: Mapping[Parameter, Array]) -> Flags:
        conflicting: Flags = np.logical_and(*(values[way] > 0.0 for way in self._ways))
        return conflicting

    def _made(self, values: Mapping[Parameter, Array]) -> Values:
        """Return gains; those of entries that are not designed mean nothing."""
        omega, time = values[self.bandwidth].copy(), values[self.settling_time]
        ratio = values[self.damping_ratio]
        for i in np.flatnonzero(time > 0.0):
            omega[i] = settled(float(ratio[i])) / time[i]
        return dict(zip(self._gains, gains_of_bandwidth(omega, ratio), strict=True))

    def _check_ways(self, values: Mapping[Parameter, Array]) -> None:
        for way in self._ways:
            numbers = values[way]
            if ((numbers > 0.0) & (numbers < SMALLEST)).any():
                raise ParameterError(
                    f"{way.full_name}: found {show(numbers.tolist())}, expected numbers of at "
                    f"least {SMALLEST:g}"
                )

    def _conflict(self, one: Parameter, other: Parameter) -> ParameterError:
        return ParameterError(
            f"{one.full_name}: found beside {other.name}, expected one of them: gains are stated "
            "by kp and kd, or made by bandwidth or by settling_time"
        )

    def _alone(self) -> ParameterError:
        return ParameterError(
            f"{self.damping_ratio.full_name}: found without settling_time or bandwidth, "
            "expected with one"
        )


def _touched(parameter: Parameter, proposed: Proposed) -> Flags:
    """Return which entries valid values set."""
    value = proposed.get(parameter)
    touched = np.full(len(parameter.value), value is not None)
    if isinstance(value, Patch):
        touched[:] = False
        touched[value.indices] = True
    return touched


def _patch(where: Flags, values: Array) -> Patch:
    indices = np.flatnonzero(where)
    return Patch(indices, values[indices])
