"""FramePoint: motion of a point fixed to a body, seen from the world or from another body."""

import numpy as np
import numpy.typing as npt

from controlit_ros.model.robot_model import RobotModel

Array = npt.NDArray[np.float64]


def skew(vector: Array) -> Array:
    """Return `[v]×`, `(3, 3)`, with `[v]× w = v × w`."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def cross(a: Array, b: Array) -> Array:
    """Return `a × b` of two 3-vectors (`numpy.cross` takes ten times as long)."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


class FramePoint:
    """A point fixed to a frame: position, Jacobian, velocity and `J̇ v`, all world-aligned.

    Args:
        nv: Size of the velocity vector.

    Attributes:
        position: `(3,)` [m].
        jacobian: `(3, nv)`.
        velocity: `(3,)` [m/s].
        bias: `(3,)` acceleration of the point at zero joint acceleration, `J̇ v` [m/s²].
        angular_jacobian, angular_velocity, angular_bias: The same of the frame's rotation.
        rotation: `(3, 3)` the frame's axes in the world.
    """

    def __init__(self, nv: int) -> None:
        self.rotation: Array = np.eye(3)
        self.position: Array = np.zeros(3)
        self.jacobian: Array = np.zeros((3, nv))
        self.velocity: Array = np.zeros(3)
        self.bias: Array = np.zeros(3)
        self.angular_jacobian: Array = np.zeros((3, nv))
        self.angular_velocity: Array = np.zeros(3)
        self.angular_bias: Array = np.zeros(3)

    def update(self, model: RobotModel, frame: int, point: Array) -> None:
        """Compute the motion of `point`, given in the frame's axes [m]."""
        placement = model.placement(frame)
        np.copyto(self.rotation, placement.rotation)
        arm = self.rotation @ point
        np.add(placement.translation, arm, out=self.position)
        jacobian = model.jacobian(frame)
        bias = model.bias_acceleration(frame)
        np.copyto(self.angular_jacobian, jacobian[3:])
        np.matmul(self.angular_jacobian, model.v, out=self.angular_velocity)
        np.copyto(self.angular_bias, bias[3:])
        omega = self.angular_velocity
        np.subtract(jacobian[:3], skew(arm) @ self.angular_jacobian, out=self.jacobian)
        np.matmul(self.jacobian, model.v, out=self.velocity)
        np.copyto(self.bias, bias[:3])
        self.bias += cross(self.angular_bias, arm) + cross(omega, cross(omega, arm))
