"""Beginnings: a first controller file for a robot, and packages of one's own."""
