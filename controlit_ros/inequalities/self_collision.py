"""SelfCollision: bodies of the robot stay apart."""

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.inequalities.near_pairs import NearPairs
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Access, Kind, ParameterError


class SelfCollision(Inequality):
    """Keeps the bodies of one list apart from those of another, by `NearPairs`.

    Their shapes are the collision elements of the URDF, of meshes the convex hulls.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.bodies, self.others = (
            self.declare(
                name,
                (),
                kind=Kind.TEXT,
                shape=(None,),
                access=Access.CONFIGURATION,
                description=text,
            )
            for name, text in (
                ("bodies", "links that are kept apart from others; none: all"),
                ("others", "those others; none: all"),
            )
        )
        self._near = NearPairs(self)

    @property
    def rows(self) -> int:
        """As many as pairs are looked at."""
        return self._near.rows

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Read the shapes and find the pairs.

        Raises:
            ParameterError: No two bodies that joints can move towards each other are left.
        """
        super().configure(constraints, period)
        shapes = self._near.load()
        first, second = self._near.shapes_of(self.bodies), self._near.shapes_of(self.others)
        parents = self.robot.pinocchio.parents
        pairs = {
            (min(a, b), max(a, b))
            for a in first
            for b in second
            if _are_apart(shapes.joint(a), shapes.joint(b), parents)
        }
        if not pairs:
            raise ParameterError(
                f"{self.bodies.full_name}: found no pair of bodies with collision shapes that more "
                f"than one joint lies between, expected one between bodies and others"
            )
        self._near.watch(sorted(pairs))

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write the rows of the nearest pairs."""
        self._near.update(model, rows, upper)

    def take_command(self, effort: Array) -> None:  # noqa: ARG002 - a cycle is over
        """End the cycle."""
        self._near.end_cycle()

    def restart(self) -> None:
        """Forget the curvature that was observed."""
        self._near.restart()


def _are_apart(first: int, second: int, parents: list[int]) -> bool:
    """Tell whether more than one joint lies between two bodies: neighbours always touch."""
    return first != second and parents[first] != second and parents[second] != first
