"""Whole-body controllers and the commands they compute."""

from controlit_ros.controllers.command import Command

__all__ = ["Command"]
