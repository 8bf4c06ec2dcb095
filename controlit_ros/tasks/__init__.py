"""Tasks, their control law and the compound task."""

from controlit_ros.tasks.compound_task import CompoundTask, Level
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task import DISABLE, ENABLE, SENSE, CommandKind, Task
from controlit_ros.tasks.task_state import TaskState

__all__ = [
    "DISABLE",
    "ENABLE",
    "SENSE",
    "CommandKind",
    "CompoundTask",
    "Level",
    "PIDController",
    "Task",
    "TaskState",
]
