"""Introspection: topics and services that show a controller's inside."""

from controlit_ros.introspection.diagnostics_services import DiagnosticsServices
from controlit_ros.introspection.diagnostics_topics import DiagnosticsTopics
from controlit_ros.introspection.parameter_services import ParameterServices

__all__ = ["DiagnosticsServices", "DiagnosticsTopics", "ParameterServices"]
