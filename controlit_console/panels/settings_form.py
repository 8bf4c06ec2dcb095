"""SettingsForm: what can be set on a part, made from how it describes itself."""

from typing import Any, NamedTuple

from controlit_console.page import Page
from controlit_console.parts import ParameterView, PartView, shown_value
from controlit_ros.client.plain_value import plain_value

LONGEST = 20_000  # [#] characters of a value: a goal of a hundred joints has a tenth


class _Entry(NamedTuple):
    view: ParameterView
    element: Any


class SettingsForm:
    """Fields of one part; `Apply` sets all that were edited between two cycles, all or none.

    Args:
        page: Whose.

    Attributes:
        folder: The element that all of it stands in.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self.folder = page.gui.add_folder("Settings")
        self._made: tuple[str, ...] = ()
        self._form: Any = None
        self._elements: list[Any] = []
        self._entries: dict[str, _Entry] = {}
        self._told: dict[str, Any] = {}

    def show(self, part: PartView | None) -> None:
        """Show the settings of a part; what was edited stays as it was edited."""
        settings = () if part is None else _settings(part)
        names = tuple(view.full_name for view in settings)
        if names != self._made:
            self._make(settings)
            self._made = names
        for view in settings:
            self._renew(view)

    def _make(self, settings: tuple[ParameterView, ...]) -> None:
        self._page.forget(self._elements)
        if self._form is not None:
            self._form.remove()
        self._elements, self._entries, self._told = [], {}, {}
        self._form = None
        if not settings:
            return
        gui = self._page.gui
        with self.folder:
            self._form = gui.add_form(None)
            with self._form:
                for view in settings:
                    self._add(view)
                button = self._page.for_control(gui.add_button("Apply"))
        self._elements.append(button)
        button.on_click(lambda _: self._form.submit())
        self._form.on_submit(lambda _: self._apply())

    def _add(self, view: ParameterView) -> None:
        gui = self._page.gui
        label = f"{view.name} [{view.unit}]" if view.unit else view.name
        if view.kind == "boolean" and not view.shape:
            element: Any = gui.add_checkbox(label, bool(view.value), hint=view.description)
        else:
            element = gui.add_text(label, shown_value(view.value), hint=view.description)
        self._page.for_control(element)
        self._elements.append(element)
        self._entries[view.full_name] = _Entry(view, element)
        self._told[view.full_name] = element.value

    def _renew(self, view: ParameterView) -> None:
        """Take over what the servo has now, unless the operator has edited it."""
        element = self._entries[view.full_name].element
        now = bool(view.value) if isinstance(element.value, bool) else shown_value(view.value)
        if element.value == self._told[view.full_name] and element.value != now:
            element.value = now
        if element.value == now:
            self._told[view.full_name] = now

    def _apply(self) -> None:
        edited = {
            name: entry.element.value
            for name, entry in self._entries.items()
            if entry.element.value != self._told[name]
        }
        if not edited:
            self._page.message = "Nothing was edited."
            return

        longest = max(len(str(value)) for value in edited.values())
        if longest > LONGEST:
            told = f"found {longest} characters, expected {LONGEST} at most"
            self._page.message = f"Nothing was changed: {told}."
            return

        def apply(robot: Any) -> None:
            robot.set({name: _read(value) for name, value in edited.items()})

        self._page.act(apply, f"Set {', '.join(f'{n} = {v}' for n, v in edited.items())}.")
        for name in edited:  # what was refused goes back to what is
            self._told[name] = self._entries[name].element.value


def _settings(part: PartView) -> tuple[ParameterView, ...]:
    level = tuple(p for p in part.parameters if p.name == "priority" and not p.is_fixed)
    return (*level, *part.settings)


def _read(value: Any) -> Any:
    return plain_value(value) if isinstance(value, str) else value
