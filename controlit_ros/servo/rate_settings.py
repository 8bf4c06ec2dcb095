"""RateSettings: when a servo counts as slower than asked for."""

from typing import NamedTuple


class RateSettings(NamedTuple):
    """When a servo counts as slower than asked for.

    Attributes:
        share: Of the servo frequency that the mean rate must reach [-]; 0: any will do.
        gap: Longest time between two cycles [periods]; 0: any will do.
    """

    share: float = 0.95
    gap: float = 10.0

    def shortfall(self, rate: float, gap: float, wanted: float) -> str:
        """Return in words what was not reached; empty: nothing.

        Args:
            rate: Mean over some time [Hz].
            gap: Longest time between two cycles meanwhile [s].
            wanted: Servo frequency [Hz].
        """
        parts = []
        if rate < self.share * wanted:
            parts.append(f"{rate:.0f} Hz on average")
        if 0.0 < self.gap < gap * wanted:
            parts.append(f"{1e3 * gap:.1f} ms between two cycles")
        if not parts:
            return ""
        return (
            f"servo_frequency is not reached: found {' and '.join(parts)}, expected {wanted:g} Hz "
            f"(at least {self.share * wanted:.0f} Hz, no gap above {1e3 * self.gap / wanted:g} ms)"
        )
