"""What demonstrations made elsewhere import.

These names stay, as those of `controlit_ros.plugins` do.
"""

from controlit_demos.programs.goal_plan import GoalPlan, PlanBuilder
from controlit_demos.programs.goal_program import GoalProgram
from controlit_demos.programs.posture_plan import PosturePlan
from controlit_demos.programs.route_plan import RoutePlan, Stop
from controlit_demos.programs.stage import Stage
from controlit_demos.programs.state_program import Condition, ProgramState, StateProgram
from controlit_demos.programs.waypoint import Waypoint
from controlit_demos.registry import demonstrations, run_demo
from controlit_demos.running.demo import Demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.running.evaluator import Evaluation, Evaluator
from controlit_demos.running.task_topics import TaskTopics

__all__ = [
    "Condition",
    "Demo",
    "DemoOptions",
    "Evaluation",
    "Evaluator",
    "GoalPlan",
    "GoalProgram",
    "PlanBuilder",
    "PosturePlan",
    "ProgramState",
    "RoutePlan",
    "Stage",
    "StateProgram",
    "Stop",
    "TaskTopics",
    "Waypoint",
    "demonstrations",
    "run_demo",
]
