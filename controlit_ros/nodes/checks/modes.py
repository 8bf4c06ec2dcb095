"""Modes that cannot be left, or that nothing stops."""

from controlit_ros.modes import Modes
from controlit_ros.nodes.checks.findings import Findings


def mode_warnings(modes: Modes) -> Findings:
    """Yield modes without a way out, and those from which no request surely stops the robot."""
    graph = modes.graph
    stopping = {name for name, mode in modes.modes.items() if mode.stops}
    for number, name in enumerate(graph.names):
        place = ("modes", "states", number)
        ways = graph.outgoing(name)
        if not ways:
            yield place, f"no transition leads out of {name}: control must end to leave it"
        elif name not in stopping and not any(w.is_free and w.target in stopping for w in ways):
            expected = ", ".join(sorted(stopping)) or "one with commands: []"
            text = (
                f"no transition without a condition leads from {name} to a mode that takes no "
                f"commands, so that nothing surely stops the robot; expected one, to {expected}"
            )
            yield place, text
