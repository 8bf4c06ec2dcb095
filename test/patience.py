"""How long tests wait for what is sure to come, where they do not poll."""

GENEROUS = 600.0
"""Time that others have on a busy machine; only bounds a failing test [s]."""

HOLDS_ON = (
    *("--set", "state_timeout=10"),
    *("--set", "pause_limit=10"),
    *("--set", "overrun_limit=1000000"),
    *("--set", "updater_timeout=60"),
)
"""Options of `run` for a servo that goes on controlling although the machine held it up."""

PATIENCE_WITH_SERVOS = (
    "controlit_ros.parameters.applied.PATIENCE",
    "controlit_ros.introspection.probe.PATIENCE",
)
"""How long changes and questions wait for a cycle, in the process of the test."""


def wait_for_servos(monkeypatch):
    """Let no change and no question be given up because the machine is busy."""
    for name in PATIENCE_WITH_SERVOS:
        monkeypatch.setattr(name, GENEROUS)
