"""Distance of limbs from stretched and other singular postures."""

from collections.abc import Iterable, Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.starters.limbs import Limb, LimbKind, configuration

ENOUGH = 0.1  # [-] smallest singular value that is sought
LEAST = 0.05  # [-] below which a posture counts as singular
FULL_CHAIN = 6  # [-] joints from which a hand has an orientation of its own
POINT_CHAIN = 3  # [-] joints from which a hand has a position of its own


def find_hands(limbs: Iterable[Limb]) -> list[Limb]:
    """Return the limbs whose ends are moved to places: arms, or chains of other names."""
    limbs = [limb for limb in limbs if len(limb.joints) >= POINT_CHAIN]
    arms = [limb for limb in limbs if limb.kind is LimbKind.ARM]
    return arms or [limb for limb in limbs if limb.kind is LimbKind.OTHER]


class Dexterity:
    """Singular values of the Jacobians of limbs.

    Rows are the velocity of the limb's end over the limb's length, `J_v / l`, and of a limb of six
    joints or more its angular velocity, so that all are in 1/rad.

    Args:
        robot: Its structure; the root link is fixed.
        limbs: The limbs.
    """

    def __init__(self, robot: RobotDescription, limbs: Sequence[Limb]) -> None:
        self._robot, self._model = robot, robot.pinocchio
        self._data = self._model.createData()
        self._limbs = [
            (
                self._model.getFrameId(limb.body, pin.FrameType.BODY),
                robot.indices(limb.joints) + BASE_DOFS,
                self._length(limb),
                6 if len(limb.joints) >= FULL_CHAIN else 3,
            )
            for limb in limbs
        ]

    def values(self, position: Array) -> list[Array]:
        """Return the singular values of each limb, the largest first [-].

        Args:
            position: `(n,)` of the real joints [rad or m].
        """
        model, data = self._model, self._data
        pin.computeJointJacobians(model, data, configuration(self._robot, position))
        found = []
        for frame, columns, length, rows in self._limbs:
            pin.updateFramePlacement(model, data, frame)
            jacobian = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            jacobian = jacobian[:rows, columns]
            jacobian[:3] /= length
            found.append(np.linalg.svd(jacobian, compute_uv=False))
        return found

    def is_singular(self, position: Array) -> bool:
        """Return whether a limb is in a posture next to a singular one."""
        return any(values[-1] < LEAST for values in self.values(position))

    def deficit(self, position: Array) -> float:
        """Return by how much singular values miss `ENOUGH`, each from 0 to 1, all together [-]."""
        return sum(
            float(np.maximum(0.0, 1.0 - values / ENOUGH).sum()) for values in self.values(position)
        )

    def _length(self, limb: Limb) -> float:
        model = self._model
        joints = [model.getJointId(joint) for joint in limb.joints]
        end = model.frames[model.getFrameId(limb.body, pin.FrameType.BODY)].placement.translation
        parts = [*(model.jointPlacements[joint].translation for joint in joints[1:]), end]
        return max(sum(float(np.linalg.norm(part)) for part in parts), 1e-6)
