"""SteppingLeg: a foot with the contact it stands on and the task that swings it."""

from typing import NamedTuple

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.led_goal import LedGoal
from controlit_ros.locomotion.sole_turn import LEVEL, slope_under, yaw_on
from controlit_ros.locomotion.swing import Swing
from controlit_ros.model import RobotModel
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.parameters import Parameter, ParameterError
from controlit_ros.tasks import DISABLE, ENABLE
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition

SAME_POINT = 1e-6  # [m]


class Ground:
    """What a foot stands on.

    Attributes:
        slope: How it rises along x and y of the world [-].
    """

    def __init__(self) -> None:
        self.slope = LEVEL


class SteppingLeg(NamedTuple):
    """One of both.

    Attributes:
        side: Which.
        contact: Its sole, or point, on the ground.
        site: The same, as the model knows it.
        task: Leads it through the air: a sole needs a `CartesianPose`.
        goal: Of that task.
        root: Frame of the root link.
        ground: On which it stands, or stood last; a sole that is pushed tells nothing of it.
    """

    side: Side
    contact: FlatContact | PointContact
    site: ContactSite
    task: CartesianPose | CartesianPosition
    goal: LedGoal
    root: int
    ground: Ground

    def check(self, foot: Parameter) -> None:
        """See that the task leads what stands.

        Args:
            foot: The parameter that names the task.

        Raises:
            ParameterError: It leads another body or point, or not how a sole is turned.
        """
        if isinstance(self.contact, FlatContact) and not isinstance(self.task, CartesianPose):
            raise ParameterError(
                f"{foot.full_name}: found {self.task.name!r}, a {type(self.task).__name__}, "
                f"expected a {CartesianPose.__name__}: {self.contact.name!r} is a sole, which has "
                "to come down flat"
            )
        body, standing = self.task.body.value, self.contact.body.value
        point, touching = self.task.control_point.value, self.contact.contact_point.value
        if body != standing or np.abs(point - touching).max() > SAME_POINT:
            raise ParameterError(
                f"{foot.full_name}: {self.task.name!r} leads the point {point.tolist()} of "
                f"{body!r}, expected that on which {self.contact.name!r} stands, "
                f"{touching.tolist()} of {standing!r}"
            )

    @property
    def half_size(self) -> Array:
        """How far from its middle it can press, `(2,)` [m]; a point nowhere else."""
        contact = self.contact
        half_size: Array = (
            contact.half_size.value if isinstance(contact, FlatContact) else np.zeros(2)
        )
        return half_size

    def place(self, model: RobotModel) -> Footstep:
        """Return where the sole is; a point is turned as the root link is."""
        site = self.site
        placement = model.placement(site.frame)
        if site.holds_rotation:
            rotation = placement.rotation
        else:
            rotation = model.placement(self.root).rotation
        slope = self.ground.slope
        return Footstep(self.side, placement.act(site.point), yaw_on(slope, rotation), slope)

    def tilt(self, model: RobotModel) -> tuple[float, float]:
        """Return the slope on which the sole seems to be [-]; a point is on level ground."""
        site = self.site
        return slope_under(model.placement(site.frame).rotation) if site.holds_rotation else LEVEL

    def feels(self, force: float) -> bool:
        """Return whether a sensor tells more than a force [N] square to the ground."""
        contact = self.contact
        return bool(contact.wrench_sensor.value and contact.wrench.value[2] > force)

    def is_up(self, force: float) -> bool:
        """Return whether the sole was lifted, and does not feel more than a force [N]."""
        return self.contact.operational_state.value == DISABLE and not self.feels(force)

    def is_switched(self, *, swings: bool) -> bool:
        """Return whether the task leads the sole, or the contact holds it, and not both."""
        states = self.contact.operational_state.value, self.task.operational_state.value
        return states == _states(swings=swings)

    def switch(self, *, swings: bool) -> None:
        """Let the task lead the sole, or let the sole stand."""
        contact, task = _states(swings=swings)
        self.contact.operational_state.assign(contact)
        self.task.operational_state.assign(task)

    def lead(self, motion: Array) -> None:
        """Lead the sole, flat on the ground to be, or the point.

        Args:
            motion: `(3, 6)` as `Swing.at` tells it.
        """
        if isinstance(self.task, CartesianPosition):
            place, velocity, acceleration = motion[:, :3]
            self.goal.assign(place, velocity, acceleration)
            return
        pose, velocity, acceleration = goal = np.empty((3, 7))
        kernels.sole_goal(motion, goal)
        self.goal.assign(pose, velocity[:6], acceleration[:6])


def prepare() -> None:
    """Compile what is computed, before a servo needs it."""
    here = Footstep(Side.LEFT, np.zeros(3), 0.0)
    kernels.sole_goal(Swing(here, here, 1.0, 0.1, 0.0).at(0.1), np.empty((3, 7)))


def _states(*, swings: bool) -> tuple[str, str]:
    """Return those of contact and task."""
    return (DISABLE, ENABLE) if swings else (ENABLE, DISABLE)
