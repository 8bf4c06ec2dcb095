"""Explanations: why a controller does what it does, computed away from the servo.

Who only reads explanations imports `explanation`, which needs nothing of the controller.
"""
