"""Applications: programs that steer a running controller from outside, over topics."""

from controlit_ros.applications.demo_options import DemoOptions
from controlit_ros.applications.demo_registry import DEMOS, UnknownDemoError, run_demo

__all__ = ["DEMOS", "DemoOptions", "UnknownDemoError", "run_demo"]
