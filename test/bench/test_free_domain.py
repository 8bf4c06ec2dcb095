"""Benchmarks and tests choose a domain nobody is in."""

import socket

import pytest
from dds_isolation import domain_environment

from controlit_bench import free_domain as module
from controlit_bench.free_domain import free_domain
from controlit_ros.errors import ControlItError
from controlit_ros.transport import open_transport

pytestmark = pytest.mark.processes


def test_a_domain_somebody_is_in_is_not_chosen(monkeypatch):
    monkeypatch.setattr(module, "HIGHEST_DOMAIN", 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 7400 + 250 + 10 + 2 * 3))  # the fourth process of domain 1
        with pytest.raises(ControlItError, match="in every domain from 1 to 1"):
            free_domain()


def test_a_domain_this_process_was_in_is_not_chosen_again(monkeypatch):
    pytest.importorskip("cyclonedds")
    domain = free_domain()
    for name, value in domain_environment(domain).items():
        monkeypatch.setenv(name, value)
    open_transport("_passing", name="dds").close()
    monkeypatch.setattr(module.random, "sample", lambda domains, count: [domain])
    with pytest.raises(ControlItError, match="in every domain"):
        free_domain()
