"""Paths: where a goal is at every time, between waypoints, on circles, on the sphere."""
