"""What callers are told when a service does not answer."""

from controlit_ros.errors import did_you_mean

from .graph import Endpoint, Graph


def no_service(service: Endpoint, timeout: float, graph: Graph) -> str:
    """Return the text for a service that is not there; it names known services near that name."""
    found = graph.service(service.name)
    if found is not None and found.server_count and found.types != (service.type_name,):
        return (
            f"service {service.name} has the type {' and '.join(found.types)}, "
            f"not {service.type_name}"
        )
    if found is not None and found.server_count:
        return (
            f"service {service.name} ({service.type_name}) is there but was not reached within "
            f"{timeout:g} s; where its middleware is another one, the same RMW_IMPLEMENTATION helps"
        )
    others = [name for name in graph.served if name != service.name]
    return (
        f"service {service.name} ({service.type_name}) did not appear within {timeout:g} s"
        f"{did_you_mean(service.name, others)}"
    )


def went_away(service: Endpoint) -> str:
    """Return the text for a service that disappeared during the call."""
    return (
        f"service {service.name} ({service.type_name}) went away during the call; "
        "it may or may not have carried it out"
    )


def no_answer(service: Endpoint, timeout: float) -> str:
    """Return the text for a service that is there but keeps silent."""
    return (
        f"service {service.name} ({service.type_name}) did not answer within {timeout:g} s; "
        "its log tells whether the handler failed"
    )
