"""The problem of whole-body control in parts, as it is written: the kernels' specification.

Nothing here runs in the servo. Each formulation has the same optimum as long as the rows of the
constraints are independent.
"""

from controlit_ros.optimisation.affine import Affine
from controlit_ros.optimisation.assembly import (
    acceleration_limits,
    contact_limits,
    contact_wrench_functions,
    effort_limits,
    formulated,
    level_error,
    level_objectives,
)
from controlit_ros.optimisation.control_problem import ControlProblem, QuadraticProgram
from controlit_ros.optimisation.linear_equality import LinearEquality
from controlit_ros.optimisation.linear_inequality import LinearInequality
from controlit_ros.optimisation.objective import Objective
from controlit_ros.optimisation.variables import Formulation, Variables
