"""What plugins import: tasks, constraints, controllers and everything else made elsewhere.

These names stay: one that is to go first warns for a whole minor version, and the changelog tells.
Whatever is not listed here or in the pages on client, messages and files is inside and may change
at any time. `docs/plugins.md` tells what each kind of plugin does with them.
"""

from controlit_ros.bindings import (
    Binding,
    BindingConfig,
    BindingContext,
    BindingFactory,
    Conversion,
    Direction,
)
from controlit_ros.bindings.conversion import conversion
from controlit_ros.constraints import (
    ConstrainedModel,
    Constraint,
    ContactConstraint,
    Coupling,
    TransmissionConstraint,
)
from controlit_ros.controllers import (
    Command,
    EffortBounds,
    HeldLoad,
    JointLimits,
    NullSpaceProjector,
    Prioritisation,
    WholeBodyController,
)
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.estimation import BaseEstimator, EstimatorParts
from controlit_ros.inequalities import Inequality, RowsOf
from controlit_ros.model import (
    FramePoint,
    InertialUnit,
    ModelError,
    RobotDescription,
    RobotModel,
    RobotState,
)
from controlit_ros.parameters import (
    Access,
    Kind,
    Parameter,
    ParameterError,
    ParameterReflection,
    Quantity,
    Reader,
)
from controlit_ros.robots import RobotInterface, RobotInterfaceError, RobotSetup
from controlit_ros.servo import Behaviour, Coordinator, LedParts, Moment, Sampler, ServoClock
from controlit_ros.solvers import QPError, QPSolver, QPStatus
from controlit_ros.tasks import (
    CommandKind,
    CompoundTask,
    ControlLaw,
    LawKind,
    Level,
    PIDController,
    Shape,
    ShapeKind,
    Task,
    TaskState,
)

__all__ = [
    "Access",
    "BaseEstimator",
    "Behaviour",
    "Binding",
    "BindingConfig",
    "BindingContext",
    "BindingFactory",
    "Command",
    "CommandKind",
    "CompoundTask",
    "ConstrainedModel",
    "Constraint",
    "ContactConstraint",
    "ControlItError",
    "ControlLaw",
    "Conversion",
    "Coordinator",
    "Coupling",
    "Direction",
    "EffortBounds",
    "EstimatorParts",
    "FramePoint",
    "HeldLoad",
    "Inequality",
    "InertialUnit",
    "JointLimits",
    "Kind",
    "LawKind",
    "LedParts",
    "Level",
    "ModelError",
    "Moment",
    "NullSpaceProjector",
    "PIDController",
    "Parameter",
    "ParameterError",
    "ParameterReflection",
    "Prioritisation",
    "QPError",
    "QPSolver",
    "QPStatus",
    "Quantity",
    "Reader",
    "RobotDescription",
    "RobotInterface",
    "RobotInterfaceError",
    "RobotModel",
    "RobotSetup",
    "RobotState",
    "RowsOf",
    "Sampler",
    "ServoClock",
    "Shape",
    "ShapeKind",
    "Task",
    "TaskState",
    "TransmissionConstraint",
    "WholeBodyController",
    "conversion",
    "did_you_mean",
]
