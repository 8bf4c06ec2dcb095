"""Benchmarks: what `controlit bench` measures and `make bench-check` guards."""

from controlit_ros.benchmarking.machine import Machine, describe_machine
from controlit_ros.benchmarking.section import Section
from controlit_ros.benchmarking.timing import Quantiles, interleaved

__all__ = ["Machine", "Quantiles", "Section", "describe_machine", "interleaved"]
