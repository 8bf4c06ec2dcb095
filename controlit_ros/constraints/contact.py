"""ContactConstraint: a body touches the world."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.constraints.contact_phase import ContactPhase
from controlit_ros.model.contact_hold import ContactHold
from controlit_ros.model.contact_site import UPWARDS, ContactSite
from controlit_ros.model.footprint import Footprint
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import BASE_DOFS, STANDARD_GRAVITY, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Parameter, ParameterError, Quantity, Reader, blaming

LEAST_PART = 1e-3  # [-] of the robot's weight on earth: forces below count as none

ROOT_JOINT = 1  # Pinocchio's number of the joint that lets the root link float

WRENCH_LABELS = ("x", "y", "z", "moment_x", "moment_y", "moment_z")

# nobody writes to it; not read-only, for which kernels would be compiled once more
_UNIT_WRENCHES: Array = np.eye(len(WRENCH_LABELS))


class ContactConstraint(Constraint):
    """Base of the contacts: a point of a body that rests on the world.

    Attributes:
        contact_point: The parameter that places the contact on its body.
        wrench_sensor: Whether the robot senses what the contact bears.
        wrench: What the servo takes for it, sensed or expected (`RobotState.contact_wrench`).
        wrench_is_sensed: Which of both.
        friction: The parameter that tells what the ground bears; `None`: the contact has none.
        phase: Output that tells a `ContactPhase`; of those with friction.
    """

    friction: Parameter | None = None
    phase: Parameter | None = None
    _of_friction: tuple[Parameter, ...] = ()

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
        self._weight = 0.0
        self._point = FramePoint(robot.nv)

    @property
    def gives_wrench(self) -> bool:
        """Whether `reaction_basis` tells what wrench the rows make."""
        return self.dimension in {3, 6}

    def reaction_basis(self, model: RobotModel) -> Array:  # noqa: ARG002 - wheels look at it
        """Return the wrench that each row's reaction makes about the contact point, `(6, rows)`.

        Force, then moment, in world axes; the rows of most contacts are just that.
        """
        return _UNIT_WRENCHES[:, : self.dimension]

    @property
    def parent_joint(self) -> str:
        """The joint that moves the touching body."""
        model = self.robot.pinocchio
        return str(model.names[model.frames[self._frame].parentJoint])

    @property
    def bolts_root(self) -> bool:
        """Whether it acts and holds the root link in all directions; once configured."""
        joint = self.robot.pinocchio.names[ROOT_JOINT]
        return self.is_enabled and self.dimension == BASE_DOFS and self.parent_joint == joint

    @property
    def frame(self) -> int:
        """The touching body's, as the model numbers them; once configured."""
        return self._frame

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

    @property
    def is_wanted(self) -> bool:
        """Whether it is switched on."""
        return super().is_enabled

    @property
    def is_enabled(self) -> bool:
        """Whether it acts; it does so until it has left."""
        return super().is_enabled or (
            self.phase is not None and ContactPhase(self.phase.value).keeps
        )

    @property
    def state(self) -> str:
        """Whether it arrives or leaves; if it does neither, `operational_state`."""
        if self.phase is None or self.phase.value == ContactPhase.SETTLED.value:
            return super().state
        return str(self.phase.value)

    @property
    def revision(self) -> int:
        """A number that grows when it has left, too."""
        return super().revision + (0 if self.phase is None else self.phase.revision)

    def declare_ground_normal(self) -> Parameter:
        """Declare which way the ground looks, for contacts that touch it with a point."""
        return self.declare(
            "ground_normal",
            tuple(UPWARDS.tolist()),
            shape=(3,),
            unit_length=True,
            quantity=Quantity.VECTOR,
            reader=Reader.MODEL_UPDATER,
            description="direction square to the ground, upwards, in the world",
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
        self.least_normal_force = self.declare(
            "least_normal_force",
            0.0,
            lower=0.0,
            unit="N",
            access=Access.CONFIGURATION,
            description="least force square to the ground that the contact shall bear; looked at "
            "with friction",
        )
        self.greatest_normal_force = self.declare(
            "greatest_normal_force",
            0.0,
            lower=0.0,
            unit="N",
            access=Access.CONFIGURATION,
            description="greatest force square to the ground that the contact shall bear; looked "
            "at with friction; 0: as much as comes",
        )
        self.phase = self.declare(
            "phase",
            ContactPhase.SETTLED.value,
            choices=tuple(phase.value for phase in ContactPhase),
            access=Access.OUTPUT,
            description="what becomes of the contact after it was switched on or off",
        )
        self.normal_force_limit = self.declare(
            "normal_force_limit",
            0.0,
            unit="N",
            access=Access.OUTPUT,
            description="what it may bear square to the ground while it comes or goes; infinite: "
            "nothing but greatest_normal_force bounds it",
        )
        self.normal_force_limit.value = math.inf
        self._of_friction = (self.least_normal_force, self.greatest_normal_force)

    @property
    def needs_reactions(self) -> bool:
        """Whether the contact looks at what it bears."""
        return self.friction is not None and bool(self.friction.value > 0.0)

    @property
    def bearable(self) -> float:
        """What it may bear square to the ground while it comes or goes [N]; else infinite."""
        return float(self.normal_force_limit.value)

    def end_ramp(self) -> None:
        """Be what it will be after the ramp; for a copy that no servo reads."""
        assert self.phase is not None
        if self.phase.value != ContactPhase.WAITING.value:
            self.phase.value = ContactPhase.SETTLED.value
        self.normal_force_limit.value = math.inf

    @property
    def negligible_force(self) -> float:
        """Force that counts as none [N]; once configured."""
        return LEAST_PART * self._weight

    @property
    def weight(self) -> float:
        """The robot's, on earth [N]; once configured."""
        return self._weight

    def hold(self) -> ContactHold:
        """Return what the contact can bear; once configured."""
        assert self.friction is not None
        least, greatest = self.least_normal_force.value, self.greatest_normal_force.value
        return ContactHold(
            self.friction.value,
            0.0,
            (0.0, 0.0),
            self.negligible_force,
            normal_force=(least, greatest or math.inf),
        )

    def axes(self, model: RobotModel) -> Array:  # noqa: ARG002 - soles look at it
        """Return two directions along the ground and one square to it; columns, world axes."""
        return np.eye(3)

    def complaint(self, model: RobotModel) -> str:
        """Tell what the contact cannot bear, if something is; see `Task.complaint`."""
        if not self.needs_reactions:
            return ""
        axes, wrench = self.axes(model), self.wrench.value
        hold = self.hold()
        if self.bearable < math.inf:  # it shall not bear what it does once it has settled
            hold = hold._replace(normal_force=(0.0, hold.normal_force[1]))
        text = hold.complaint(axes.T @ wrench[:3], axes.T @ wrench[3:])
        return text and f"contact {self.name!r}: {text}"

    def borne(self, model: RobotModel, wrench: Array) -> float:
        """Return the part of a wrench, `(6,)` in world axes, that is square to the ground [N]."""
        return float(self.axes(model)[:, 2] @ wrench[:3])

    def footprint(self) -> Array:
        """Return the corners of the touching surface, `(k, 3)` in the body's frame [m]."""
        return np.array([self.contact_point.value])

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
        """Resolve the body.

        Raises:
            ParameterError: It is unknown; what looks at the force has no `friction` beside it; or
                the least normal force is more than the greatest.
        """
        with blaming(self.body):
            self._frame = self.robot.frame_id(self.body.value)
        mass = sum(inertia.mass for inertia in self.robot.pinocchio.inertias)
        self._weight = mass * np.linalg.norm(STANDARD_GRAVITY).item()
        if not self.physical.stated:
            self.physical.assign(self.bolts_root)
        if self.friction is not None:
            self._check_friction()

    def _check_friction(self) -> None:
        for parameter in self._of_friction:
            is_chosen = parameter.stated and parameter.value != parameter.default
            if is_chosen and not self.needs_reactions:
                raise ParameterError(
                    f"{parameter.full_name}: found {parameter.value:g}, but nobody looks at what "
                    f"the contact bears; expected {self.name}.friction beside it"
                )
        least, greatest = self.least_normal_force, self.greatest_normal_force
        if 0.0 < greatest.value < least.value:
            raise ParameterError(
                f"{least.full_name}: found {least.value:g}, expected no more than "
                f"{greatest.name}, {greatest.value:g} [N]"
            )

    def update_point(self, model: RobotModel) -> FramePoint:
        """Compute the motion of the contact point."""
        self._point.update(model, self._frame, self.contact_point.value)
        return self._point
