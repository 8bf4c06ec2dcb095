"""CommandKind: what a task's command means."""

from enum import Enum


class CommandKind(Enum):
    """What a task's command means."""

    ACCELERATION = "acceleration"
    FORCE = "force"
    EFFORT = "effort"
    """Of joints; what the rows are is known when the controller computes (`Task.refer`)."""
    PUSH = "push"
    """A wrench that moves a body as if it were pushed by it (`Task.refer`)."""
    INTERNAL_FORCE = "internal force"
    """A force between contacts, which moves nothing: `τ_internal = (J Uᵀ)ᵀ command`."""
