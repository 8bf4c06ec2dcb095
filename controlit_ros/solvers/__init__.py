"""Solvers of quadratic programs, by name."""

from controlit_ros.solvers.qp_solver import QPError, QPSolver, QPStatus

__all__ = ["QPError", "QPSolver", "QPStatus"]
