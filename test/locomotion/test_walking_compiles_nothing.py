"""What a walk calls is compiled before it begins: seen in a process that has compiled nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from patience import GENEROUS

pytestmark = pytest.mark.processes

PROGRAM = """
import importlib, pkgutil
import numpy as np
from standing_talos import PERIOD, StandingTalos
from controlit_ros import kernels
from controlit_ros.kernels.late_code import LateDispatcher

def compiled():
    modules = [importlib.import_module(f"{kernels.__name__}.{m.name}")
               for m in pkgutil.iter_modules(kernels.__path__)]
    found = {name: kernel for module in modules for name, kernel in vars(module).items()}
    return {name: len(kernel.signatures) for name, kernel in found.items()
            if isinstance(kernel, LateDispatcher)}

talos = StandingTalos()
talos.walking.parameter("adapts_steps").set(True)
talos.begin()
before, random = compiled(), np.random.default_rng(1)
for cycle in range(3000):
    if cycle % 97 in (0, 20):
        pushed = (0.6, 0.6, 0.0) if cycle % 97 == 0 else (0.0, 0.0, 0.0)
        talos.state.base_velocity[:3] = random.normal(size=3) * pushed
        talos.model.update(talos.state)
    talos.advance(PERIOD, (0.2, 0.0, 0.1) if cycle % 700 < 500 else (0.0, 0.0, 0.0))
walking = talos.walking
print(walking.steps_made.value > 5 and walking.changes.value > 5)
print({name: number for name, number in compiled().items() if number != before[name]})
"""
FOLDERS = (Path(__file__).parent, Path(__file__).parents[1])


def test_its_cycles_compile_nothing():
    paths = [str(folder) for folder in FOLDERS]
    program = f"import sys; sys.path[:0] = {paths}\n{PROGRAM}"
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, timeout=GENEROUS, check=True,
    )  # fmt: skip
    walked, news = run.stdout.splitlines()
    assert walked == "True"
    assert news == "{}"
