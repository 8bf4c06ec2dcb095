"""Tasks, their control law and the compound task."""

from controlit_ros.tasks.compound_task import CompoundTask, Level
from controlit_ros.tasks.control_law import ControlLaw, LawKind
from controlit_ros.tasks.limit_shape import LimitShape
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.posture_shape import PostureShape
from controlit_ros.tasks.shape import Shape, ShapeKind
from controlit_ros.tasks.task import DISABLE, ENABLE, SENSE, AnyShape, CommandKind, Task
from controlit_ros.tasks.task_state import TaskState
from controlit_ros.tasks.tension_shape import TensionShape
