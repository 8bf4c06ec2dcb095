"""What the launch files of ROS 2 are made of; needs ROS 2's package `launch`."""

from controlit_ros.launching.robot_launch import robot_launch
