"""Rest: how long control rests after something that would come again at once."""

import math

REST = 2.0  # [s] in the safe state after the first time, doubled with each until
LONGEST_REST = 60.0  # [s], forgotten after as long without one


class Rest:
    """Keeps the robot in the safe state for a while, longer each time; servo thread."""

    def __init__(self) -> None:
        self._duration = REST
        self._until = self._began_at = -math.inf
        self._text = ""

    def restart(self) -> None:
        """Forget everything: time begins anew, or a user asks again."""
        self._duration = REST
        self._until = self._began_at = -math.inf

    def begin(self, text: str, now: float) -> None:
        """Rest from now on.

        Args:
            text: Why.
            now: Time on the servo's clock [s].
        """
        if now >= self._until:
            calm = now - self._began_at
            is_again = 0.0 <= calm <= LONGEST_REST
            self._duration = min(2.0 * self._duration, LONGEST_REST) if is_again else REST
        self._began_at = now
        self._until = now + self._duration
        self._text = f"{text}; control rests for {self._duration:g} s"

    def complaint(self, now: float) -> str:
        """Return why the robot shall stay in the safe state; empty: it need not."""
        return self._text if now < self._until else ""
