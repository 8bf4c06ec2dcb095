"""Modes as everybody sees them and asks for them."""

from functools import partial

from controlit_ros.modes import Mode, ModeServices
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing


def offer_modes(crossing: Crossing, arbitration: Arbitration) -> ModeServices:
    """Let everybody see and ask for modes; actions end whose goals are taken no longer."""
    stack, leads = crossing.stack, arbitration.leads
    modes = stack.modes

    def observe(mode: Mode) -> None:
        assert modes is not None  # or there would be none to observe
        with leads.lock:
            for task in stack.tasks.tasks:
                if leads.is_led(task.name) and modes.refuses(mode.name, task.goal):
                    why = f"mode {mode.name} does not take goals of {task.name}"
                    leads.end(task.name, crossing.now, why)

    return ModeServices(
        modes,
        arbitration.gate,
        arbitration.remote,
        lambda: crossing.now,
        crossing.clock_offset,
        partial(crossing.complain, "modes"),
        observe,
        crossing.transport,
    )
