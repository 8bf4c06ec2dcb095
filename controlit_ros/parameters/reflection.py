"""ParameterReflection: how the parts of a controller show what can be set and seen."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from controlit_ros.errors import did_you_mean
from controlit_ros.parameters.number_in_memory import NumberInMemory
from controlit_ros.parameters.parameter import Parameter, ParameterError

Declared = TypeVar("Declared", bound=Parameter)


class ParameterReflection:
    """Base of everything that has parameters (paper section 4.4).

    Args:
        name: Name of the owner, unique within a controller.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._parameters: dict[str, Parameter] = {}

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The declared parameters by name, in order of declaration."""
        return self._parameters

    def declare(self, name: str, default: Any, **properties: Any) -> Parameter:
        """Declare a parameter once; see `Parameter` for the properties."""
        return self._declare(Parameter(name, default, owner=self.name, **properties))

    def declare_in_memory(self, name: str, default: float, **properties: Any) -> NumberInMemory:
        """Declare a number that a kernel writes; see `NumberInMemory`."""
        return self._declare(NumberInMemory(name, default, owner=self.name, **properties))

    def _declare(self, parameter: Declared) -> Declared:
        name = parameter.name
        if name in self._parameters:
            raise ParameterError(f"{self.name}.{name} is declared twice")
        self._parameters[name] = parameter
        return parameter

    def rename(self, name: str) -> None:
        """Take another name, parameters included; before anything refers to them."""
        self.name = name
        for parameter in self._parameters.values():
            parameter.owner = name

    def retract(self, parameter: Parameter) -> None:
        """Take back a declaration, before anything refers to the parameter."""
        del self._parameters[parameter.name]

    def parameter(self, name: str) -> Parameter:
        """Look up a parameter.

        Raises:
            ParameterError: There is none of that name; the text lists the nearest.
        """
        try:
            return self._parameters[name]
        except KeyError:
            raise ParameterError(
                f"{self.name} has no parameter {name!r}{did_you_mean(name, self._parameters)}"
            ) from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class UnknownParameterError(ParameterError, KeyError):
    """There is no parameter of that name; a `KeyError`, as mappings raise."""

    __str__ = Exception.__str__  # KeyError would quote the message


class ParameterDirectory(Mapping[str, Parameter]):
    """Every parameter of a controller by full name, `owner.name`.

    Raises:
        ParameterError: Two owners have the same name.
    """

    def __init__(self, owners: Iterable[ParameterReflection]) -> None:
        self._parameters: dict[str, Parameter] = {}
        for owner in owners:
            self.add(owner)

    def add(self, owner: ParameterReflection) -> None:
        """Take in a part, for whoever looks from now on.

        Raises:
            ParameterError: There is a part of that name.
        """
        known = self._parameters.copy()  # others may iterate over it
        for parameter in owner.parameters.values():
            if parameter.full_name in known:
                raise ParameterError(f"{parameter.full_name} exists twice: {owner!r} repeats it")
            known[parameter.full_name] = parameter
        self._parameters = known

    def remove(self, owner: ParameterReflection) -> None:
        """Forget a part."""
        leaving = set(owner.parameters.values())
        self._parameters = {n: p for n, p in self._parameters.items() if p not in leaving}

    def exchange(self, former: ParameterReflection, new: ParameterReflection) -> None:
        """Take in a part in the place of one of the same name."""
        leaving = set(former.parameters.values())
        known = {n: p for n, p in self._parameters.items() if p not in leaving}
        known |= {p.full_name: p for p in new.parameters.values()}
        self._parameters = known

    def __getitem__(self, full_name: str) -> Parameter:
        """Look up a parameter.

        Raises:
            UnknownParameterError: There is none of that name; the text lists the nearest.
        """
        try:
            return self._parameters[full_name]
        except KeyError:
            owner, _, name = full_name.rpartition(".")
            known = [entry.name for entry in self._parameters.values() if entry.owner == owner]
            hint = did_you_mean(name, known) if known else did_you_mean(full_name, self)
            raise UnknownParameterError(f"unknown parameter {full_name!r}{hint}") from None

    def __contains__(self, full_name: object) -> bool:
        return full_name in self._parameters

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)
