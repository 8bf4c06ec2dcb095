"""What parts the DDS processes of a run of the suite from all others."""

import os

from controlit_bench.free_domain import free_domain

TAG = f"test-{os.getpid()}"
ISOLATION = f"<CycloneDDS><Domain><Discovery><Tag>{TAG}</Tag></Discovery></Domain></CycloneDDS>"
"""Hides the processes of this run of the suite from all that join one of its domains later."""


def domain_environment(domain: int | str) -> dict[str, str]:
    """Return the variables with which processes of this run meet in a domain, and nobody else."""
    return {"ROS_DOMAIN_ID": str(domain), "CYCLONEDDS_URI": ISOLATION}


def go_to_free_domain(monkeypatch) -> None:
    """Let this process and those that it starts meet in a domain that it was never in."""
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE", raising=False)
    for name, value in domain_environment(free_domain()).items():
        monkeypatch.setenv(name, value)
