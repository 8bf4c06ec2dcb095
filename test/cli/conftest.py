"""The real console command, in processes of its own."""

import os

import pytest
from console_processes import CONTROLLERS, Here, Shell
from dds_isolation import domain_environment
from patience import GENEROUS

from controlit_bench.free_domain import free_domain
from controlit_ros.cli.main import main


@pytest.fixture(scope="module")
def shell():
    """Commands in a domain of this module, so that runs side by side do not mix."""
    made = Shell(free_domain())
    yield made
    made.close()


@pytest.fixture(scope="module")
def servo(shell, tmp_path_factory):
    """A running controller with a simulator, shared by the tests of a module."""
    folder = tmp_path_factory.getbasetemp()
    background = shell.start("run", CONTROLLERS / "hand.yaml", "--set", f"save_folder={folder}")
    background.wait_for_log("-> active")
    return background


@pytest.fixture
def controlit(capsys):
    """Run a command within this process; return exit code, standard output and error."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def here(shell, controlit, monkeypatch):
    """Commands of this process in the domain of the module."""
    for name in list(os.environ):
        if name.startswith(("ROS_", "CYCLONEDDS_", "CONTROLIT_")):
            monkeypatch.delenv(name)
    for name, value in domain_environment(shell.domain).items():
        monkeypatch.setenv(name, value)
    for name in (
        *("cli.remote_parameters.TIMEOUT", "cli.remote_parameters.PATIENCE"),
        *("cli.controller_services.TIMEOUT", "cli.service_command.TIMEOUT"),
        "client.network.PATIENCE",
    ):
        monkeypatch.setattr(f"controlit_ros.{name}", GENEROUS)
    return Here(controlit)


@pytest.fixture
def controllers():
    return CONTROLLERS
