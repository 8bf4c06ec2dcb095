"""BindingManager: all bindings of a controller."""

from collections.abc import Mapping, Sequence

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.binding_factory import BindingFactory
from controlit_ros.constraints import ContactConstraint
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.parameters import Parameter, ParameterDirectory
from controlit_ros.tasks import Task

WRENCH = "geometry_msgs/msg/WrenchStamped"
WRENCH_RATE = 100.0  # [Hz] a foot that touches down takes some hundredths of a second


class BindingError(ControlItError):
    """A binding cannot be made; the text names it and the cause."""


class BindingManager:
    """Makes bindings through the factories of their transport types (paper section 4.4).

    Args:
        directory: Parameters by full name.
        factories: Binding factories by transport type.
    """

    def __init__(
        self, directory: ParameterDirectory, factories: Mapping[str, BindingFactory]
    ) -> None:
        self._directory = directory
        self._factories = factories
        self.bindings: list[Binding] = []

    def bind(self, config: BindingConfig, transport_type: str) -> Binding:
        """Make a binding.

        Raises:
            BindingError: Parameter or transport type are unknown or do not fit each other.
        """
        factory = self._factories.get(transport_type)
        if factory is None:
            hint = did_you_mean(transport_type, self._factories)
            raise BindingError(f"unknown transport type {transport_type!r}{hint}")
        try:
            binding = factory.bind(config, self._directory[config.parameter])
        except ControlItError as error:
            raise BindingError(f"binding of {config.topic!r}: {error}") from error
        self.bindings.append(binding)
        return binding

    def of(self, owner: str) -> list[Binding]:
        """Return the bindings of a part's parameters."""
        return [b for b in self.bindings if b.config.parameter.partition(".")[0] == owner]

    def unbind(self, binding: Binding) -> None:
        """Give up a binding whose factory can; its sampler is up to the caller."""
        self.bindings.remove(binding)
        if binding.close is not None:
            binding.close()

    def start(self) -> None:
        """Begin what the bindings need of this process; idempotent."""
        for factory in self._factories.values():
            factory.start()

    def stop(self) -> None:
        """End it; idempotent."""
        for factory in self._factories.values():
            factory.stop()


def default_bindings(
    tasks: Sequence[Task], stated: Sequence[BindingConfig]
) -> tuple[BindingConfig, ...]:
    """Return the bindings every task has unless the configuration states its own topic.

    Goals and feed-forward come in, error, error norm and actual value go out, on
    `<task>/<parameter>`. The goal a task follows, whoever set it, goes out on
    `<task>/reference_<quantity>` whenever it changes, and late subscribers get it.
    """
    taken = {(config.parameter, config.direction) for config in stated}
    configs: list[BindingConfig] = []
    for task in tasks:
        inputs = (task.goal, task.goal_velocity, task.goal_acceleration)
        outputs = (task.error, task.error_norm, task.actual)
        for direction, parameters in ((Direction.INPUT, inputs), (Direction.OUTPUT, outputs)):
            configs.extend(
                _default(task, parameter, direction)
                for parameter in parameters
                if parameter is not None and (parameter.full_name, direction) not in taken
            )
        if (task.goal.full_name, Direction.OUTPUT) not in taken:
            configs.append(_reference(task))
    return tuple(configs)


def contact_bindings(
    contacts: Sequence[ContactConstraint], stated: Sequence[BindingConfig]
) -> tuple[BindingConfig, ...]:
    """Return the bindings of contacts whose wrench is known, unless the configuration states one.

    What the world exerts goes out on `<contact>/wrench`, and so into bags.
    """
    taken = {config.parameter for config in stated}
    return tuple(
        BindingConfig(
            contact.wrench.full_name,
            Direction.OUTPUT,
            f"{contact.name}/wrench",
            publish_rate=WRENCH_RATE,
            message_type=WRENCH,
        )
        for contact in contacts
        if (contact.needs_reactions or contact.wrench_sensor.value)
        and contact.wrench.full_name not in taken
    )


def _default(task: Task, parameter: Parameter, direction: Direction) -> BindingConfig:
    return BindingConfig(parameter.full_name, direction, f"{task.name}/{parameter.name}")


def _reference(task: Task) -> BindingConfig:
    quantity = task.goal.name.removeprefix("goal_")
    topic = f"{task.name}/reference_{quantity}"
    return BindingConfig(task.goal.full_name, Direction.OUTPUT, topic, latched=True)
