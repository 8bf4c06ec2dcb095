"""Controllers made from their configuration, a file for each section."""

from controlit_ros.nodes.building.stack import build_stack, load_stack
