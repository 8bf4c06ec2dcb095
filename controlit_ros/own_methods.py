"""Methods of one's own, of which what is inherited beside them does not hold."""

from collections.abc import Iterable


def has_own(owner: object, methods: Iterable[str]) -> bool:
    """Tell whether a class, or an object, itself has one of the methods, whatever it inherits."""
    return not vars(owner).keys().isdisjoint(methods)


def presume(cls: type, attribute: str, value: object, methods: Iterable[str]) -> None:
    """Set an attribute that tells of methods, where a class has one of them and does not tell.

    Args:
        cls: The class, as it is being made (`__init_subclass__`).
        attribute: What tells of the methods.
        value: What holds of methods that nothing is known of.
        methods: Names of the methods.
    """
    if has_own(cls, methods) and attribute not in vars(cls):
        setattr(cls, attribute, value)
