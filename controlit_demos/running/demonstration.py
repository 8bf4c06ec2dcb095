"""Demonstration: what `controlit demo` runs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.markup import escape

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.running.own_domain import own_domain
from controlit_demos.running.terminable import terminable
from controlit_ros.cli.companion import companion, via
from controlit_ros.configuration import Configuration
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.shown_controller import ShownController
from controlit_ros.scripting import SimulatedController
from controlit_ros.share import share_directory

SUCCESS, FAILURE, INTERRUPTED = 0, 1, 130


class Demonstration(ABC):
    """Shows what a controller can do, and judges it.

    Args:
        options: What the user wants.
        console: Where to write.

    Attributes:
        name: Of the demonstration.
        title: Of its table.
        configuration_name: File of the controller below `config`.
        configuration: The file itself, or the one that the user wants.
        folder: Of the report.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    configuration_name: ClassVar[str]

    def __init__(self, options: DemoOptions, console: Console | None = None) -> None:
        now = datetime.now().astimezone()
        self.options = options
        self.configuration = (
            options.configuration or share_directory() / "config" / self.configuration_name
        )
        self.folder = options.folder or Path("reports") / f"{self.name}-{now:%Y%m%d-%H%M%S}"
        self.console = console or Console()
        self._created = now.isoformat(timespec="seconds")

    def run(self) -> int:
        """Run the demonstration; return the exit code of the command."""
        options = self.options
        screen = companion("console", via(options.transport)) if options.screen else nullcontext()
        try:
            with own_domain(), terminable(), screen:
                return self.show()
        except KeyboardInterrupt:
            self.console.print("interrupted")
            return INTERRUPTED
        except (ControlItError, OSError) as error:
            self.console.print(f"[red]demo failed:[/red] {escape(str(error))}", highlight=False)
            return FAILURE

    @abstractmethod
    def show(self) -> int:
        """Do what is shown; return the exit code of the command.

        Raises:
            ControlItError: It cannot go on.
        """

    def simulated(
        self, configuration: str | Path | Configuration, overrides: Mapping[str, Any] | None = None
    ) -> SimulatedController:
        """Return a controller in this process, in simulated time: that of the wall if it is shown.

        Raises:
            ControlItError: The configuration is wrong, or its robot needs real time.
        """
        if self.options.screen:
            return ShownController(configuration, overrides, network=self.options.transport)
        return SimulatedController(configuration, overrides)

    @property
    def is_within_process(self) -> bool:
        """Whether nothing needs to leave this process, or only for those who look at it."""
        return self.options.screen or self.options.transport in (None, "auto", "local")

    def refuse_options_of_runs(self) -> None:
        """Refuse what has no meaning for a demonstration that is one run in simulated time.

        Raises:
            DemoError: The user wants such a thing.
        """
        options = self.options
        given = {
            "--duration": options.duration is not None,
            "--interface": options.interface is not None,
            "--runs": options.runs != 1,
            "--transport": not self.is_within_process,
        }
        found = [name for name, is_given in given.items() if is_given]
        if found:
            raise DemoError(
                f"found {', '.join(found)}, expected none of them: {self.name} always runs once, "
                "as a whole, in simulated time within its process"
            )
