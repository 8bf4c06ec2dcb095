"""Tasks, their control law and the compound task."""

from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.control_law import ControlLaw, LawKind
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.shape import (
    AnyShape,
    DivergentShape,
    EffortShape,
    FootstepShape,
    LimitShape,
    OtherShape,
    PlaneShape,
    PostureShape,
    Shape,
    ShapeKind,
    SolidShape,
    TensionShape,
)
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_parameters import DISABLE, ENABLE, SENSE
from controlit_ros.tasks.task_set import TaskSet
from controlit_ros.tasks.task_stack import Level
from controlit_ros.tasks.task_state import TaskState
