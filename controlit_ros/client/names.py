"""What `controlit_ros.client` names."""

from controlit_ros.client.beat import Beat, WallBeat
from controlit_ros.client.client_errors import (
    ClientClosedError,
    ClientError,
    ControlEndedError,
    ControllerLostError,
    ControllerNotFoundError,
    MotionError,
    RefusedError,
    UnknownNameError,
    WaitTimeoutError,
)
from controlit_ros.client.connecting import connect
from controlit_ros.client.event_stream import EventStream, FiredEvent
from controlit_ros.client.frame_pose import FramePose
from controlit_ros.client.goal_record import GoalRecord, SentGoals
from controlit_ros.client.mode_picture import ModeWay
from controlit_ros.client.motion import Motion, MotionState, wait_all
from controlit_ros.client.parameters import Parameters
from controlit_ros.client.remote_modes import ModeRequest, RemoteModes
from controlit_ros.client.remote_parts import RemoteConstraint, RemoteEvent
from controlit_ros.client.remote_task import RemoteTask
from controlit_ros.client.robot import Robot
from controlit_ros.client.session import JointState
from controlit_ros.client.simulated_beat import SimulatedBeat
from controlit_ros.client.step import Step
from controlit_ros.explanations.preview import Preview, PreviewedLevel
from controlit_ros.paths.arc import Arc
from controlit_ros.paths.great_circle import GreatCircle
from controlit_ros.paths.path import Chain, Path
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample
from controlit_ros.paths.unit_trajectory import UnitTrajectory

__all__ = [
    "Arc",
    "Beat",
    "Chain",
    "ClientClosedError",
    "ClientError",
    "ControlEndedError",
    "ControllerLostError",
    "ControllerNotFoundError",
    "EventStream",
    "FiredEvent",
    "FramePose",
    "GoalRecord",
    "GreatCircle",
    "JointState",
    "ModeRequest",
    "ModeWay",
    "Motion",
    "MotionError",
    "MotionState",
    "Parameters",
    "Path",
    "PathKind",
    "Preview",
    "PreviewedLevel",
    "RefusedError",
    "RemoteConstraint",
    "RemoteEvent",
    "RemoteModes",
    "RemoteTask",
    "Robot",
    "SentGoals",
    "SimulatedBeat",
    "Step",
    "Trajectory",
    "TrajectoryError",
    "TrajectorySample",
    "UnitTrajectory",
    "UnknownNameError",
    "WaitTimeoutError",
    "WallBeat",
    "connect",
    "wait_all",
]
