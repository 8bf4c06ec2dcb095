"""Gains that a robot bears, found by trying them in simulation."""
