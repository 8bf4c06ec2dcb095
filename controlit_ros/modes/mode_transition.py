"""ModeTransition: a way from one mode into another, and when it is open."""

from dataclasses import dataclass

from controlit_ros.parameters.expression import Expression


@dataclass(frozen=True)
class ModeTransition:
    """A way from one mode into another.

    Attributes:
        source: The mode it leaves.
        target: The mode it enters.
        guard: What must hold; `None`: nothing.
        hold: How long without a break [s].
        after: How long the mode must have lasted [s].
        wait: How long a request waits for guard and time before it is refused [s].
        automatic: Whether it is taken as soon as it is open, without a request.
        through: The mode that a request goes through first; empty: none.
    """

    source: str
    target: str
    guard: Expression | None = None
    hold: float = 0.0
    after: float = 0.0
    wait: float = 0.0
    automatic: bool = False
    through: str = ""

    @property
    def is_free(self) -> bool:
        """Whether a request is never refused nor made wait."""
        return not (self.guard or self.after or self.through or self.automatic)

    @property
    def condition(self) -> str:
        """What must be so for it to be open, in words; empty: nothing."""
        parts = []
        if self.guard is not None:
            parts.append(self.guard.text + (f" for {self.hold:g} s" if self.hold else ""))
        if self.after:
            parts.append(f"{self.after:g} s in {self.source}")
        return ", ".join(parts)
