"""Which layout a controller runs in."""

import os

from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.process_layout import OneProcess, ProcessLayout
from controlit_ros.nodes.two_processes import TwoProcesses

LOCAL = "local"  # the transport that stays within one process


def process_layout_of(stack: ControllerStack, transport: str) -> ProcessLayout:
    """Return two processes where the configuration wants them and they can be had.

    Args:
        stack: Its parameter `transport_process` and its clock decide.
        transport: Name of the transport.
    """
    clock = stack.clock
    is_told_the_time = clock.is_stepped or clock.time_feed is not None
    can_part = hasattr(os, "fork") and not is_told_the_time
    if stack.configuration.parameters.transport_process and can_part and transport != LOCAL:
        return TwoProcesses()
    return OneProcess()
