"""ContactConstraint: a body touches the world."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.model.contact_hold import ContactHold
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.footprint import Footprint
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import STANDARD_GRAVITY, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Parameter, ParameterError, Quantity, Reader

LEAST_PART = 1e-3  # [-] of the robot's weight on earth: forces below count as none

WRENCH_LABELS = ("x", "y", "z", "moment_x", "moment_y", "moment_z")


class ContactConstraint(Constraint):
    """Base of the contacts: a point of a body that rests on the world.

    Attributes:
        contact_point: The parameter that places the contact on its body.
        wrench_sensor: Whether the robot senses what the contact bears.
        wrench: What the servo takes for it, sensed or expected (`RobotState.contact_wrench`).
        wrench_is_sensed: Which of both.
        friction: The parameter that tells what the ground bears; `None`: the contact has none.
    """

    friction: Parameter | None = None

    point_name = "contact_point"
    point_description = "the touching point, in the body's frame"

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.body = self.declare(
            "body",
            robot.root_link,
            access=Access.CONFIGURATION,
            description="link, or joint whose child body touches, in the joint's frame",
        )
        self.contact_point = self.declare(
            self.point_name,
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            reader=Reader.MODEL_UPDATER,
            description=self.point_description,
        )
        self.wrench_sensor = self.declare(
            "wrench_sensor",
            False,
            access=Access.CONFIGURATION,
            description="whether the robot senses the force and moment that the contact bears",
        )
        self.wrench = self.declare(
            "wrench",
            np.zeros(len(WRENCH_LABELS)),
            shape=(len(WRENCH_LABELS),),
            labels=WRENCH_LABELS,
            unit="N, N m",
            access=Access.OUTPUT,
            description="what the world exerts on the robot, about the contact point, world axes; "
            "not a number where nobody senses it and no task needs it",
        )
        self.wrench.value.fill(np.nan)
        self.wrench_is_sensed = self.declare(
            "wrench_is_sensed",
            False,
            access=Access.OUTPUT,
            description="whether a sensor tells the wrench; if not, the model expects it",
        )
        self._frame = 0
        self._least_force = 0.0
        self._point = FramePoint(robot.nv)

    @property
    def gives_wrench(self) -> bool:
        """Whether the rows are forces, then moments, in world axes at the contact point."""
        return self.dimension in {3, 6}

    @property
    def parent_joint(self) -> str:
        """The joint that moves the touching body."""
        model = self.robot.pinocchio
        return str(model.names[model.frames[self._frame].parentJoint])

    @property
    def site(self) -> ContactSite:
        """The contact as tasks know it; once configured."""
        holds_rotation = self.dimension > 3
        return ContactSite(
            self.name,
            self._frame,
            self.contact_point.value,
            holds_rotation,
            self.wrench_sensor.value,
            hold=self.hold() if self.needs_reactions else None,
        )

    def declare_friction(self) -> None:
        """Declare what the ground bears along it, for contacts that give a wrench."""
        self.friction = self.declare(
            "friction",
            0.0,
            lower=0.0,
            access=Access.CONFIGURATION,
            description="largest force along the ground in parts of that square to it; with it a "
            "contact that pulls, slips or tips is told; 0: nobody knows. A sole's z points from "
            "the ground to the robot",
        )

    @property
    def needs_reactions(self) -> bool:
        """Whether the contact looks at what it bears."""
        return self.friction is not None and bool(self.friction.value > 0.0)

    def hold(self) -> ContactHold:
        """Return what the contact can bear; once configured."""
        assert self.friction is not None
        return ContactHold(self.friction.value, 0.0, (0.0, 0.0), self._least_force)

    def axes(self, model: RobotModel) -> Array:  # noqa: ARG002 - soles look at it
        """Return two directions along the ground and one square to it; columns, world axes."""
        return np.eye(3)

    def complaint(self, model: RobotModel) -> str:
        """Tell what the contact cannot bear, if something is; see `Task.complaint`."""
        if not self.needs_reactions:
            return ""
        axes, wrench = self.axes(model), self.wrench.value
        text = self.hold().complaint(axes.T @ wrench[:3], axes.T @ wrench[3:])
        return text and f"contact {self.name!r}: {text}"

    def footprint(self) -> Array:
        """Return the corners of the touching surface, `(k, 3)` in the body's frame [m]."""
        return np.array([self.site.point])

    @property
    def ball_radius(self) -> float:
        """How far the touching surface is around the contact point [m]."""
        return 0.0

    def simulated_footprint(self) -> Footprint | None:
        """Return what a simulator's floor touches; `None`: the constraint says too little."""
        center = self.contact_point.value.tolist()
        link = self.robot.link_at(self._frame)
        return Footprint(link, (center[0], center[1], center[2]), (0.0, 0.0), self.ball_radius)

    def configure(self) -> None:
        """Resolve the body."""
        try:
            self._frame = self.robot.frame_id(self.body.value)
        except ModelError as error:
            raise ParameterError(f"{self.body.full_name}: {error}") from None
        mass = sum(inertia.mass for inertia in self.robot.pinocchio.inertias)
        self._least_force = LEAST_PART * mass * np.linalg.norm(STANDARD_GRAVITY).item()

    def update_point(self, model: RobotModel) -> FramePoint:
        """Compute the motion of the contact point."""
        self._point.update(model, self._frame, self.contact_point.value)
        return self._point
