"""Diagnosis of sensors that report false values."""

from controlit_ros.faults.encoder_monitor import EncoderMonitor

__all__ = ["EncoderMonitor"]
