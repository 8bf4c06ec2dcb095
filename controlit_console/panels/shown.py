"""Shown: a piece of HTML that is sent only when it has changed."""

from viser import GuiApi


class Shown:
    """A piece of the page.

    Args:
        gui: Where it stands, in the container that is open.
        content: What it shows at first.
    """

    def __init__(self, gui: GuiApi, content: str = "") -> None:
        self._handle = gui.add_html(content)
        self._content = content

    def show(self, content: str) -> None:
        """Show something else."""
        if content != self._content:
            self._content = content
            self._handle.content = content
