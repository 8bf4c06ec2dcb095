"""What scripts import: a controller in simulated time, one in pieces, messages, bags.

These names stay, as those of `controlit_ros.plugins` do; `docs/scripting.md` tells what they do and
`examples` shows each at work.
"""

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.installed import register
from controlit_ros.interfaces import Message, from_dict, new, to_dict
from controlit_ros.model import RobotState
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.recording.bag_recorder import BagRecorder
from controlit_ros.recording.bag_run import read_run
from controlit_ros.recording.run_statistics import run_statistics
from controlit_ros.transport import Transport, open_transport

__all__ = [
    "BagRecorder",
    "ConstrainedModel",
    "ControllerStack",
    "Message",
    "RobotState",
    "SimulatedController",
    "Transport",
    "from_dict",
    "load_stack",
    "new",
    "open_transport",
    "read_run",
    "register",
    "run_statistics",
    "to_dict",
]
