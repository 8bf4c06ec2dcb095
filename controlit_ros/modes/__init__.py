"""Modes: which parts of a controller are on, and who may command what."""

from controlit_ros.modes.mode import Mode, ModeGoal
from controlit_ros.modes.mode_behaviour import ModeBehaviour
from controlit_ros.modes.mode_gate import GatedMailbox, ModeGate, NotTakenError
from controlit_ros.modes.mode_graph import ModeGraph
from controlit_ros.modes.mode_machine import ModeMachine
from controlit_ros.modes.mode_parameters import ModeParameters
from controlit_ros.modes.mode_report import ModeOutcome, ModeReport
from controlit_ros.modes.mode_services import ModeServices
from controlit_ros.modes.mode_transition import ModeTransition
from controlit_ros.modes.modes import Modes
