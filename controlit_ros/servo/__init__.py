"""The servo: coordinator, updaters, clocks and hand-offs."""

from controlit_ros.servo.command_guard import CommandGuard, GuardSettings
from controlit_ros.servo.coordinator import Coordinator, CoordinatorState
from controlit_ros.servo.latency import PHASES, LatencyRecorder, LatencySummary
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.notice import Notice, NoticeBoard, NoticeLevel
from controlit_ros.servo.outbox import Outbox, Queue, Tap
from controlit_ros.servo.servo_clock import ServoClock
from controlit_ros.servo.settings import Fallback, ServoSettings
from controlit_ros.servo.task_updater import TaskUpdater

__all__ = [
    "PHASES",
    "CommandGuard",
    "Coordinator",
    "CoordinatorState",
    "Fallback",
    "GuardSettings",
    "LatencyRecorder",
    "LatencySummary",
    "ModelUpdater",
    "Notice",
    "NoticeBoard",
    "NoticeLevel",
    "Outbox",
    "Queue",
    "ServoClock",
    "ServoSettings",
    "Tap",
    "TaskUpdater",
]
