"""FramePoint: motion of a point fixed to a body."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import GIVEN, BoundKernels, frame_motion
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.robot_model import Body, RobotModel


def cross(a: Array, b: Array) -> Array:
    """Return `a × b` of two 3-vectors (`numpy.cross` takes ten times as long)."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


class FramePoint:
    """A point fixed to a frame: its motion and the frame's rotation, world-aligned.

    Args:
        nv: Size of the velocity vector.

    Attributes:
        pose: `(4, 3)` rotation, then position.
        rotation: `(3, 3)` the frame's axes in the world.
        position: `(3,)` the point [m].
        full_jacobian: `(6, nv)` of the point, then of the frame's rotation.
        twists: `(2, 6)` velocity and bias.
        full_velocity: `(6,)` [m/s, rad/s].
        full_bias: `(6,)` accelerations at zero joint acceleration, `J̇ v` [m/s², rad/s²].
        jacobian, velocity, bias: Linear parts.
        angular_jacobian, angular_velocity, angular_bias: Angular parts.
    """

    def __init__(self, nv: int) -> None:
        self.pose: Array = np.eye(4, 3)
        self.rotation, self.position = self.pose[:3], self.pose[3]
        self.full_jacobian: Array = np.zeros((6, nv))
        self.twists: Array = np.zeros((2, 6))
        self.full_velocity, self.full_bias = self.twists
        self.jacobian, self.angular_jacobian = self.full_jacobian[:3], self.full_jacobian[3:]
        self.velocity, self.angular_velocity = self.full_velocity[:3], self.full_velocity[3:]
        self.bias, self.angular_bias = self.full_bias[:3], self.full_bias[3:]
        self._motions: BoundKernels[Body] = BoundKernels()

    def update(self, model: RobotModel, frame: int, point: Array) -> None:
        """Compute the motion of `point`, given in the frame's axes [m]."""
        body = model.body(frame)
        motion = self._motions.get(body) or self._motions.bind(
            body,
            frame_motion,
            *body.point_motion,
            GIVEN,
            self.pose,
            self.full_jacobian,
            self.twists,
        )
        motion(point)

    def update_contact(self, model: RobotModel, site: ContactSite) -> None:
        """Compute the motion of the material that touches the world at a contact."""
        point = site.point
        if site.radius:
            body = model.body(site.frame)
            point = site.touching_point(body.rotation @ body.frame[:3])
        self.update(model, site.frame, point)
