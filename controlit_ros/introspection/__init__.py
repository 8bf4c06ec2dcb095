"""Introspection: topics and services that show a controller's inside."""

from controlit_ros.introspection.base_transform import BaseTransform
from controlit_ros.introspection.binding_services import BindingServices
from controlit_ros.introspection.control_services import Controlled, ControlServices
from controlit_ros.introspection.diagnostics_array import DiagnosticsArray
from controlit_ros.introspection.diagnostics_services import DiagnosticsServices, Inspected
from controlit_ros.introspection.diagnostics_topics import DiagnosticsTopics
from controlit_ros.introspection.interactive_markers import InteractiveMarkers
from controlit_ros.introspection.joint_states import JointStates
from controlit_ros.introspection.lifecycle import Lifecycle, LifecycleHooks
from controlit_ros.introspection.lifecycle_services import LifecycleServices
from controlit_ros.introspection.marker_topic import MarkerTopic
from controlit_ros.introspection.parameter_services import ParameterServices
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.save_configuration import SaveConfiguration
from controlit_ros.introspection.scene import SceneSource
from controlit_ros.introspection.state_topic import StateTopic
from controlit_ros.introspection.traffic import Traffic

__all__ = [
    "BaseTransform",
    "BindingServices",
    "ControlServices",
    "Controlled",
    "DiagnosticsArray",
    "DiagnosticsServices",
    "DiagnosticsTopics",
    "Inspected",
    "InteractiveMarkers",
    "JointStates",
    "Lifecycle",
    "LifecycleHooks",
    "LifecycleServices",
    "MarkerTopic",
    "ParameterServices",
    "RobotMirror",
    "SaveConfiguration",
    "SceneSource",
    "StateTopic",
    "Traffic",
]
