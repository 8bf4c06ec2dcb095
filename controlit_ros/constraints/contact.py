"""ContactConstraint: a body touches the world."""

from controlit_ros.constraints.constraint import Constraint
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import ModelError, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Kind, ParameterError, Quantity, Reader


class ContactConstraint(Constraint):
    """Base of the contacts: a point of a body that rests on the world."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.body = self.declare(
            "body",
            robot.root_link,
            kind=Kind.TEXT,
            access=Access.CONFIGURATION,
            description="link, or joint whose child body touches, in the joint's frame",
        )
        self.contact_point = self.declare(
            "contact_point",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            reader=Reader.MODEL_UPDATER,
            description="the touching point, in the body's frame",
        )
        self._frame = 0
        self._point = FramePoint(robot.nv)

    @property
    def parent_joint(self) -> str:
        """The joint that moves the touching body."""
        model = self.robot.pinocchio
        return str(model.names[model.frames[self._frame].parentJoint])

    def configure(self) -> None:
        """Resolve the body."""
        try:
            self._frame = self.robot.frame_id(self.body.value)
        except ModelError as error:
            raise ParameterError(f"{self.body.full_name}: {error}") from None

    def update_point(self, model: RobotModel) -> FramePoint:
        """Compute the motion of the contact point."""
        self._point.update(model, self._frame, self.contact_point.value)
        return self._point
