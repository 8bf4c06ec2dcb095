"""page_panels: which panels a page has, and where."""

from collections.abc import Callable

from controlit_console.page import Page, Panel
from controlit_console.panels.control_panel import ControlPanel
from controlit_console.panels.joints_panel import JointsPanel
from controlit_console.panels.modes_panel import ModesPanel
from controlit_console.panels.notes_panel import NotesPanel
from controlit_console.panels.parts_panel import PartKind, PartsPanel
from controlit_console.panels.play_panel import PlayPanel
from controlit_console.panels.plot_panel import PlotPanel
from controlit_console.panels.record_panel import RecordPanel
from controlit_console.panels.sensors_panel import SensorsPanel
from controlit_console.panels.servo_panel import ServoPanel
from controlit_console.panels.why_panel import WhyPanel
from controlit_console.quick_icons import quick_icons

WIDTH = 430  # [px]

_PANELS: dict[str, Callable[[Page], Panel]] = {
    "Tasks": lambda page: PartsPanel(page, PartKind.TASK),
    "Constraints": lambda page: PartsPanel(page, PartKind.CONSTRAINT),
    "Parts": lambda page: PartsPanel(page, PartKind.OTHER),
    "Modes": ModesPanel,
    "Joints": JointsPanel,
    "Sensors": SensorsPanel,
    "Plot": PlotPanel,
    "Why": WhyPanel,
    "Notes": NotesPanel,
    "Servo": ServoPanel,
    "Play": PlayPanel,
    "Record": RecordPanel,
}
"""By the word on the tab."""


def add_panels(page: Page) -> None:
    """Put all panels on a page: what steers beside the robot or above the rest on the right."""
    gui = page.gui
    gui.main_panel.dock_right()
    gui.main_panel.set_width(WIDTH)
    gui.set_panel_label("controlit")
    with quick_icons():
        page.panels.append(ControlPanel(page))
        tabs = gui.add_tab_group()
        for name, panel in _PANELS.items():
            with tabs.add_tab(name):
                page.panels.append(panel(page))
