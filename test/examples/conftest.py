"""Packages of others, installed for one Python process by their own means."""

import subprocess
import sys
from pathlib import Path

import pytest
from installing import install
from patience import GENEROUS

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Install a package without an index and nothing of ours; return an environment that has it."""
    pytest.importorskip("setuptools", "70.1", reason="pip builds with setuptools")
    environments = {}

    def of_examples(name):
        if name not in environments:
            folder = tmp_path_factory.mktemp("installed")
            source = tmp_path_factory.mktemp("source") / name
            source.mkdir()
            subprocess.run(["cp", "-r", f"{EXAMPLES / name}/.", str(source)], check=True)
            environments[name] = install(source, folder)
        return environments[name]

    return of_examples


@pytest.fixture
def python():
    """Run Python in an environment and return what it printed."""

    def run(environment, *arguments):
        result = subprocess.run(
            [sys.executable, *map(str, arguments)],
            env=environment, capture_output=True, text=True, timeout=GENEROUS, check=False,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    return run
