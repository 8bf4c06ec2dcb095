"""The servo while somebody hears every topic, and what it tells of that at its end."""

import time
from typing import Any

from controlit_bench.listener import Listener
from controlit_bench.network import servo_and_network


def summary_while_heard(duration: float, *, transport: str = "dds") -> dict[str, Any]:
    """Return the summary that a servo leaves after a time with a subscriber on each topic.

    Args:
        duration: How long it is heard [s].
        transport: Name of the servo's transport.

    Raises:
        ControlItError: It does not start.
    """
    with servo_and_network(duration, transport=transport) as (servo, network):
        Listener(network).await_compiled(servo)
        time.sleep(duration)
        servo.stop()
        return servo.left_summary()
