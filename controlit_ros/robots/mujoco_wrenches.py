"""ContactForces: what the sensors at the contacts of a simulated robot feel."""

from collections.abc import Sequence

import mujoco
import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.model.frame_point import cross
from controlit_ros.model.wrench_sensor import WrenchSensor
from controlit_ros.robots.robot_interface import RobotInterfaceError

WORLD = 0  # number of MuJoCo's world, and of what is fixed to it
NOBODY = -1


class ContactForces:
    """Adds up all that presses, rubs and twists the bodies with sensors, during the last step.

    A body feels what touches it and the links fixed to it. A link that is bolted to the world feels
    what holds the robot there.

    Args:
        model: The compiled robot.
        sensors: Where they are.

    Raises:
        RobotInterfaceError: Two sensors are on one rigid body, which could not share its load.
    """

    def __init__(self, model: mujoco.MjModel, sensors: Sequence[WrenchSensor]) -> None:
        self._model = model
        self._points = [np.array(sensor.point) for sensor in sensors]
        self._bodies = [model.body(sensor.link).id for sensor in sensors]
        groups = model.body_weldid[self._bodies].tolist()
        sensor_of_group = np.full(model.nbody, NOBODY)
        for i, group in enumerate(groups):
            if group in groups[:i]:
                raise _shared(sensors[groups.index(group)], sensors[i])
            sensor_of_group[group] = i
        self._bolted: int = sensor_of_group[WORLD].item()
        self._root: int = model.body_rootid[self._bodies[self._bolted]].item()  # if it is bolted
        sensor_of_group[WORLD] = NOBODY  # the floor and what stands on it feel for nobody
        self._sensor_of_geom = sensor_of_group[model.body_weldid[model.geom_bodyid]]

    def measure(self, data: mujoco.MjData, wrenches: Array) -> None:
        """Write the wrenches of the sensors.

        Args:
            data: After a step.
            wrenches: `(sensors, 6)` result, see `WrenchSensor`.
        """
        owners, forces, moments = self._contacts(data)
        for i, (body, point) in enumerate(zip(self._bodies, self._points, strict=True)):
            if i == self._bolted:
                force, moment = self._bolts(data)
            else:
                sign = (owners[:, 1] == i) * 1.0 - (owners[:, 0] == i)  # it acts on the second
                force, moment = sign @ forces, sign @ moments
            axes = data.xmat[body].reshape(3, 3)
            place = data.xpos[body] + axes @ point
            wrenches[i, :3] = force @ axes
            wrenches[i, 3:] = (moment - cross(place, force)) @ axes

    def _contacts(self, data: mujoco.MjData) -> tuple[Indices, Array, Array]:
        """Return whose contacts press: `(k, 2)`, and how: forces and moments about the origin."""
        contacts = data.contact
        owners = self._sensor_of_geom[contacts.geom]
        felt = np.flatnonzero((owners != NOBODY).any(axis=1))
        local = np.zeros((len(felt), 6))
        for row, i in zip(local, felt.tolist(), strict=True):
            mujoco.mj_contactForce(self._model, data, i, row)
        frames = contacts.frame[felt].reshape(-1, 3, 3)
        turned = np.matmul(local.reshape(-1, 2, 3), frames)
        forces = turned[:, 0]
        return owners[felt], forces, turned[:, 1] + np.cross(contacts.pos[felt], forces)

    def _bolts(self, data: mujoco.MjData) -> tuple[Array, Array]:
        """Return what holds the root link: force, and moment about the origin."""
        mujoco.mj_rnePostConstraint(self._model, data)
        total = data.cfrc_int[self._root]  # moment, then force, about the robot's centre of mass
        center = data.subtree_com[self._root]
        return total[3:], total[:3] + cross(center, total[3:])


def _shared(first: WrenchSensor, second: WrenchSensor) -> RobotInterfaceError:
    return RobotInterfaceError(
        f"the contacts {first.contact!r} and {second.contact!r} are on one rigid body: found a "
        "wrench_sensor at both, expected one at most, as a simulated body cannot share its load"
    )
