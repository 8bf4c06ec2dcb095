"""Whole-body controllers and the commands they compute."""

from controlit_ros.controllers.command import Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController

__all__ = ["Command", "WholeBodyController"]
