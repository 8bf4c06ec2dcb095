"""ParameterMirror: the parameters of a servo in another process, as they are there."""

from collections.abc import Callable

import numpy as np

from controlit_ros.nodes.process_layout import ProcessLayout
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import SharedMailbox


class ParameterMirror:
    """Brings the parameters of the front up to date with those of the servo.

    Posted values are in the mirror at once; what the servo changes itself (outputs, goals it
    latched) comes with `refresh`. A value that was posted and still waits to be applied is kept,
    so nobody reads what was before a change that was confirmed.

    Args:
        mailbox: Takes changes to the servo; numbers the parameters alike on both sides.
        layout: Where the servo runs.
        has_begun: Tells whether the servo ever made cycles; before, it changes nothing by itself
            and is not asked, as it may be compiling its kernels for a minute.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        layout: ProcessLayout,
        has_begun: Callable[[], bool],
    ) -> None:
        self._has_begun = has_begun
        self._mailbox = mailbox
        self._ask = layout.call(self._report)

    def refresh(self) -> None:
        """Take over all values of the servo; does nothing where servo and front share them."""
        mailbox = self._mailbox
        if not isinstance(mailbox, SharedMailbox) or not self._has_begun():
            return
        settled, values = self._ask()
        for number, value in values.items():
            mailbox.adopt(
                number, np.frombuffer(value) if isinstance(value, bytes) else value, settled
            )

    def _report(self) -> tuple[int, dict[int, object]]:
        """Return which posts count and the values after them, by number; servo's process."""
        assert isinstance(self._mailbox, SharedMailbox)
        settled = self._mailbox.settled
        return settled, {
            number: p.value.tobytes() if p.is_array else p.value
            for number, p in self._mailbox.numbered.items()
        }
