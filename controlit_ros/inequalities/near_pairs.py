"""NearPairs: pairs of shapes that are to stay apart, the nearest of them as rows."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import did_you_mean
from controlit_ros.inequalities.curvature_observer import CurvatureObserver
from controlit_ros.inequalities.gap import Gap
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.kernels import point_row
from controlit_ros.model import ModelError
from controlit_ros.model.body_shapes import BodyShapes
from controlit_ros.parameters import Access, Kind, Parameter, ParameterError


class NearPairs:
    """Rows that keep shapes apart, for an inequality that has those of `Gap`, too.

    With p₁ and p₂ the nearest points of a pair and n from the first to the second:

        h = n · (p₂ − p₁)        ḧ = n · (p̈₂ − p̈₁)

    of the material that is there now. What n and the points do meanwhile, as bodies turn and slide
    along each other, is observed and counted where it brings them together (`CurvatureObserver`).

    Args:
        owner: The inequality.
    """

    def __init__(self, owner: Inequality) -> None:
        self._owner = owner
        self._shapes: BodyShapes | None = None
        self.gap = Gap(owner, 0)
        self.pairs = owner.declare(
            "pairs",
            4,
            kind=Kind.INTEGER,
            lower=1,
            upper=64,
            access=Access.CONFIGURATION,
            description="how many of the nearest pairs are kept apart at a time",
        )
        self.range = owner.declare(
            "range",
            0.5,
            lower=0.0,
            unit="m",
            description="pairs that are farther apart bound nothing",
        )
        self._watched: tuple[tuple[int, int], ...] = ()
        self._is_new = True
        self._distances: Array = np.zeros(0)
        self._points: Array = np.zeros((2, 3))
        self._normal: Array = np.zeros(3)
        self._motion: Array = np.zeros(2)
        self._curvature = CurvatureObserver(0, 0)
        self.names: tuple[str, ...] = ()

    def load(self) -> BodyShapes:
        """Return the shapes of the robot; not for the servo thread.

        Raises:
            ParameterError: They cannot be read.
        """
        try:
            self._shapes = BodyShapes(self._owner.robot)
        except ModelError as error:
            raise ParameterError(f"{self._owner.name}: {error}") from None
        return self._shapes

    def shapes_of(self, parameter: Parameter) -> tuple[int, ...]:
        """Return the shapes of the links that a parameter lists; of all, if it is empty.

        Raises:
            ParameterError: A link has none; the text lists the nearest that has.
        """
        assert self._shapes is not None
        known = self._shapes.links
        for link in parameter.value:
            if link not in known:
                raise ParameterError(
                    f"{parameter.full_name}: found {link!r}, expected a link with a collision "
                    f"shape{did_you_mean(link, known)}"
                )
        return self._shapes.shapes_of(parameter.value or known)

    def watch(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Take the memory for pairs of shapes."""
        assert self._shapes is not None
        self._watched = tuple(pairs)
        self._is_new = True
        self._shapes.watch(pairs)
        self._distances = np.zeros(len(pairs))
        self._order = np.zeros(len(pairs), dtype=np.intp)
        joints = [(self._shapes.joint(a), self._shapes.joint(b)) for a, b in pairs]
        self._joints = tuple(joints)
        self.gap.resize(self.rows)
        self.gap.check()
        self._curvature = CurvatureObserver(len(pairs), self._owner.robot.nv)

    @property
    def rows(self) -> int:
        """As many as pairs are looked at."""
        return min(int(self.pairs.value), len(self._watched))

    def update(
        self, model: ConstrainedModel, rows: Array, upper: Array, approach: Array | None = None
    ) -> None:
        """Write `n · (p̈₁ − p̈₂) ≤ −ḧ_min` of the nearest pairs; servo thread.

        Args:
            model: The robot now.
            rows: `(rows, nv)`; zero before.
            upper: `(rows,)`; infinite before.
            approach: `(3,)` velocity of the second shapes, where no joint moves them [m/s].
        """
        assert self._shapes is not None
        gap, distances = self.gap, self._distances
        self._shapes.update(model.robot_model, distances)
        if self._is_new and len(distances):  # nothing is left to compile once a pair comes near
            self._is_new = False
            self._write(model, 0, 0, np.zeros_like(rows[0]), approach)
        count = 0
        for pair in np.argsort(distances)[: self.rows].tolist():
            if distances[pair] > self.range.value:
                break
            self._write(model, pair, count, rows[count], approach)
            count += 1
        gap.bound(count, upper)
        if not count and len(distances):
            gap.distance.value = distances.min().item()

    def end_cycle(self) -> None:
        """Let the curvature that was observed be that of the cycle before; servo thread."""
        self._curvature.end_cycle()

    def restart(self) -> None:
        """Forget the curvature that was observed; servo thread."""
        self._curvature.restart()

    def _write(
        self, model: ConstrainedModel, pair: int, place: int, row: Array, approach: Array | None
    ) -> None:
        assert self._shapes is not None
        robot, gap, motion = model.robot_model, self.gap, self._motion
        points, n = self._points, self._normal
        self._shapes.nearest(pair, points, n)
        motion.fill(0.0)
        for joint, point, sign in zip(self._joints[pair], points, (1.0, -1.0), strict=True):
            if joint:
                moves = robot.joint_motion(joint)
                point_row(robot.J, robot.dJ, robot.v, moves, point, n, sign, row, motion)
        passive = 0.0 if approach is None else n.dot(approach).item()
        bias = -motion[1].item()
        gap.gap[place] = self._distances[pair]
        gap.rate[place] = -motion[0] + passive
        gap.bias[place] = bias + self._curvature.observe(
            pair, row, robot.v, bias, passive, gap.deceleration.value, self._owner.period
        )
