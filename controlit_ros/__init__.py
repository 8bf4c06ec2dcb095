"""controlit: whole-body operational space control for torque-controlled robots."""

__version__ = "0.1.0"
