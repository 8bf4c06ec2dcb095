"""Introspection: topics and services that show a controller's inside."""

from controlit_ros.introspection.diagnostics_array import DiagnosticsArray
from controlit_ros.introspection.diagnostics_services import DiagnosticsServices
from controlit_ros.introspection.diagnostics_topics import DiagnosticsTopics
from controlit_ros.introspection.joint_states import JointStates
from controlit_ros.introspection.lifecycle import Lifecycle, LifecycleHooks
from controlit_ros.introspection.lifecycle_services import LifecycleServices
from controlit_ros.introspection.parameter_services import ParameterServices
from controlit_ros.introspection.state_topic import StateTopic

__all__ = [
    "DiagnosticsArray",
    "DiagnosticsServices",
    "DiagnosticsTopics",
    "JointStates",
    "Lifecycle",
    "LifecycleHooks",
    "LifecycleServices",
    "ParameterServices",
    "StateTopic",
]
