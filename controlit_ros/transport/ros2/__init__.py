"""The native transport: a node of `rclpy`, where ROS 2 is installed and sourced."""

from .transport import RclpyTransport
