"""The servo: coordinator, updaters, clocks and hand-offs."""

from controlit_ros.servo.behaviour import Behaviour, LedParts, Moment
from controlit_ros.servo.command_guard import CommandGuard, GuardSettings
from controlit_ros.servo.control import Control
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.delivery import Delivery
from controlit_ros.servo.encoder_watch import OnSensorFault
from controlit_ros.servo.hand_off import HandOff
from controlit_ros.servo.latency import LATENESS_EDGES, PHASES, LatencyRecorder, LatencySummary
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.notice import Notice, NoticeBoard, NoticeLevel
from controlit_ros.servo.odometry import Odometry
from controlit_ros.servo.oscillation_watch import OnDivergence, OscillationSettings
from controlit_ros.servo.outbox import Outbox
from controlit_ros.servo.overrun_watch import OverrunPolicy, OverrunSettings
from controlit_ros.servo.queue import LocalQueue, Queue, SharedQueue
from controlit_ros.servo.sampler import Sampler
from controlit_ros.servo.servo_clock import ServoClock
from controlit_ros.servo.servo_ports import ServoPorts
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.settings import Fallback, ServoSettings
from controlit_ros.servo.shared_mailbox import SharedMailbox
from controlit_ros.servo.staleness import StalenessBound
from controlit_ros.servo.state_prediction import Prediction
from controlit_ros.servo.task_updater import TaskUpdater
from controlit_ros.servo.truncation_watch import OnTruncation, TruncationSettings
