"""The folder `msg` beside this file holds the messages, as in a package of ROS 2."""
