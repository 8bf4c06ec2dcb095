"""Posture: where the links of a robot are, by its description and what is published."""

from collections.abc import Iterator, Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model.urdf_document import read_urdf

SAME = 1e-4  # [m, rad] below what anybody sees, above what an estimate trembles


class Posture:
    """Places links by joint positions and the pose of the base.

    Args:
        urdf: The robot's description.

    Attributes:
        model: Of the robot, its base free.
        root: Name of the link that the pose of the base is of.
    """

    def __init__(self, urdf: str) -> None:
        self.model = pin.buildModelFromXML(read_urdf(urdf).text, pin.JointModelFreeFlyer())
        self._data = self.model.createData()
        self._q = pin.neutral(self.model)
        self._frames: dict[str, int] = {}
        self.root = next(f.name for f in self.model.frames if f.type == pin.BODY)
        joints = list(self.model.joints)[1:]
        self._begins = [joint.idx_q for joint in joints]
        self._widths = [joint.nq for joint in joints]

    def set_joints(self, names: Sequence[str], positions: Array) -> None:
        """Take the positions of joints [rad or m]; those that are not named stay."""
        for name, position in zip(names, positions, strict=True):
            if self.model.existJointName(name) and np.isfinite(position):
                self._set(self.model.joints[self.model.getJointId(name)], float(position))

    def copy(self, other: "Posture") -> None:
        """Be as another of the same robot is."""
        self._q[:] = other._q  # noqa: SLF001 - of the same class

    def set_base(self, position: Array, orientation: Array) -> None:
        """Take the pose of the root link in the world, `(3,)` [m] and `(4,)` quaternion xyzw."""
        if np.isfinite(position).all() and np.linalg.norm(orientation) > 0.5:
            self._q[:3] = position
            self._q[3:7] = orientation / np.linalg.norm(orientation)

    def nowhere(self) -> Array:
        """Return a configuration, `(nq,)`, from which every joint has moved."""
        return np.full(self.model.nq, np.inf)

    def moved(self, since: Array) -> Iterator[int]:
        """Tell joints of the model that have moved since a configuration, one after the other.

        Args:
            since: `(nq,)` [m, rad]; becomes what it is now where the next joint is asked for, so
                that one that could not be drawn is told again.
        """
        are_off = np.logical_or.reduceat(np.abs(self._q - since) > SAME, self._begins)
        for i in np.flatnonzero(are_off).tolist():
            yield i + 1
            own = slice(self._begins[i], self._begins[i] + self._widths[i])
            since[own] = self._q[own]

    def update(self) -> None:
        """Place everything anew."""
        pin.framesForwardKinematics(self.model, self._data, self._q)

    def has(self, link: str) -> bool:
        """Tell whether there is a link of a name."""
        return bool(self.model.existBodyName(link))

    def link(self, name: str) -> pin.SE3:
        """Return where a link is in the world."""
        if name not in self._frames:
            self._frames[name] = self.model.getFrameId(name, pin.BODY)
        return self._data.oMf[self._frames[name]]

    def joints(self) -> Array:
        """Return where all joints of the model are in the world, `(n, 4, 4)` transforms [m]."""
        return np.array([pose.homogeneous for pose in self._data.oMi])

    def beside_parent(self, joint: int) -> pin.SE3:
        """Return where a joint of the model is beside the one before it."""
        return self._data.liMi[joint]

    def carrier(self, link: str) -> tuple[int, pin.SE3]:
        """Return which joint of the model carries a link, and where the link is on it."""
        frame = self.model.frames[self.model.getFrameId(link, pin.BODY)]
        return int(frame.parentJoint), frame.placement

    def _set(self, joint: pin.JointModel, position: float) -> None:
        if joint.nq == 2:  # without limits: cosine and sine
            self._q[joint.idx_q : joint.idx_q + 2] = np.cos(position), np.sin(position)
        elif joint.nq == 1:
            self._q[joint.idx_q] = position
