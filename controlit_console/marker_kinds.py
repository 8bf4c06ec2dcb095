"""Numbers of visualization_msgs/msg/Marker."""

DELETE = 2
ARROW, CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST, TRIANGLE_LIST = 0, 1, 2, 3, 4, 5, 11
