"""Points as heights: how a position travels as `greeting_plugin/msg/Height`."""

from controlit_ros.plugins import Conversion, Parameter, Quantity
from controlit_ros.scripting import new

HEIGHT = "greeting_plugin/msg/Height"


def heights(parameter: Parameter) -> list[Conversion]:
    """Return how a point of the world is told by its height alone; none for anything else."""
    if parameter.quantity is not Quantity.POINT:
        return []
    return [
        Conversion(
            HEIGHT,
            lambda message: [*parameter.value[:2], message.height],
            lambda values, _stamp: new(HEIGHT, height=values[2]),
        )
    ]
