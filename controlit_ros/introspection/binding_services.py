"""BindingServices: how parameters travel, on request."""

from collections.abc import Sequence

from controlit_ros.bindings import Binding
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import UnknownPartError, serve
from controlit_ros.transport import Transport

TYPE = "controlit/srv/GetBindings"


class BindingServices:
    """Serves `diagnostics/getBindings`: who steers asks where goals go instead of guessing.

    Args:
        bindings: Those of the controller; may come and go.
        transport: The service is relative to its namespace.
    """

    def __init__(self, bindings: Sequence[Binding], transport: Transport) -> None:
        self._bindings = bindings
        serve(transport, "diagnostics/getBindings", TYPE, self._answer)

    def _answer(self, request: Message) -> Message:
        wanted = request.parameter
        chosen = [binding for binding in self._bindings if _fits(binding, wanted)]
        if wanted and not chosen:
            names = {binding.config.parameter for binding in self._bindings}
            raise UnknownPartError(f"nothing is bound to {wanted!r}{did_you_mean(wanted, names)}")
        infos = [
            {
                "parameter": binding.config.parameter,
                "direction": binding.config.direction.value,
                "topic": binding.config.topic,
                "message_type": binding.message_type,
                "latched": binding.config.latched,
            }
            for binding in chosen
        ]
        return new(f"{TYPE}_Response", success=True, bindings=infos)


def _fits(binding: Binding, wanted: str) -> bool:
    parameter = binding.config.parameter
    return not wanted or wanted in (parameter, parameter.partition(".")[0])
