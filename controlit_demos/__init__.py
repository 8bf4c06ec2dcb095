"""Demonstrations: programs that steer a running controller from outside, over topics."""
