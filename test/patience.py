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
