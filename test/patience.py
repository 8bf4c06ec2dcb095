"""How long tests wait for what is sure to come, where they do not poll."""

GENEROUS = 600.0
"""Time that others have on a busy machine; only bounds a failing test [s]."""
