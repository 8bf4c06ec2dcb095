"""Built from setup.cfg."""

from setuptools import setup

setup()
