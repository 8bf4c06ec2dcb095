"""What demonstrations made elsewhere import.

These names stay, as those of `controlit_ros.plugins` do.
"""

from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.posture_stops import posture_stops
from controlit_demos.programs.program import Program
from controlit_demos.programs.route import Route
from controlit_demos.programs.stage import Stage
from controlit_demos.programs.state_program import Condition, ProgramState, StateProgram
from controlit_demos.programs.stop import Stop
from controlit_demos.programs.waypoint import Waypoint
from controlit_demos.registry import demonstrations, run_demo
from controlit_demos.running.demo import Demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.running.evaluator import Evaluation, Evaluator

__all__ = [
    "Condition",
    "Demo",
    "DemoCourse",
    "DemoOptions",
    "Evaluation",
    "Evaluator",
    "Program",
    "ProgramState",
    "Route",
    "Stage",
    "StateProgram",
    "Stop",
    "Waypoint",
    "demonstrations",
    "posture_stops",
    "run_demo",
]
