"""The console command in a process whose watchdogs mind no busy machine.

What they do is tested where they watch a servo that is held up on purpose. A shared machine holds
up any process for half a second, and a servo that is called stuck for that refuses changes.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

from controlit_ros.cli.main import NUMERICAL_THREADS, console

BOUNDS = {
    "controlit_ros.servo.liveliness": ("LIMIT",),
    "controlit_ros.parameters.applied": ("PATIENCE",),
    "controlit_ros.introspection.probe": ("PATIENCE",),
    "controlit_ros.nodes.servo_lifecycle": ("ACTIVATION_PATIENCE", "DEACTIVATION_PATIENCE"),
}


def be_patient():
    """Let nobody give up on a servo because the machine is busy."""
    for variable in NUMERICAL_THREADS:  # before anything imports NumPy, as the command does it
        os.environ.setdefault(variable, "1")
    sys.path.append(str(Path(__file__).parents[1]))
    generous = import_module("patience").GENEROUS
    for module, names in BOUNDS.items():
        for name in names:
            assert getattr(import_module(module), name) > 0.0
            setattr(import_module(module), name, generous)


if __name__ == "__main__":
    be_patient()
    console()
