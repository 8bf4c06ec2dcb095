"""Demonstration: what `controlit demo` runs."""

from abc import ABC, abstractmethod
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from rich.markup import escape

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError
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
        try:
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
            "--transport": options.transport not in (None, "auto", "local"),
        }
        found = [name for name, is_given in given.items() if is_given]
        if found:
            raise DemoError(
                f"found {', '.join(found)}, expected none of them: {self.name} always runs once, "
                "as a whole, in simulated time within its process"
            )
