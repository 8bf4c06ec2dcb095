"""page_panels: which panels a page has, and where."""

from viser import Icon

from controlit_console.page import Page
from controlit_console.panels.control_panel import ControlPanel
from controlit_console.panels.joints_panel import JointsPanel
from controlit_console.panels.modes_panel import ModesPanel
from controlit_console.panels.notes_panel import NotesPanel
from controlit_console.panels.parts_panel import PartsPanel
from controlit_console.panels.plot_panel import PlotPanel
from controlit_console.panels.servo_panel import ServoPanel
from controlit_console.panels.why_panel import WhyPanel

WIDTH = 430  # [px]


def add_panels(page: Page) -> None:
    """Put all panels on a page: what steers beside the robot, the rest on the right."""
    gui = page.gui
    page.panels.append(ControlPanel(page))
    gui.main_panel.dock_right()
    gui.main_panel.set_width(WIDTH)
    gui.set_panel_label("controlit")
    tabs = gui.add_tab_group()
    with tabs.add_tab("Tasks", Icon.TARGET):
        page.panels.append(PartsPanel(page, are_tasks=True))
    with tabs.add_tab("Constraints", Icon.LINK):
        page.panels.append(PartsPanel(page, are_tasks=False))
    with tabs.add_tab("Modes", Icon.SITEMAP):
        page.panels.append(ModesPanel(page))
    with tabs.add_tab("Joints", Icon.ADJUSTMENTS_HORIZONTAL):
        page.panels.append(JointsPanel(page))
    with tabs.add_tab("Plot", Icon.CHART_LINE):
        page.panels.append(PlotPanel(page))
    with tabs.add_tab("Why", Icon.QUESTION_MARK):
        page.panels.append(WhyPanel(page))
    with tabs.add_tab("Notes", Icon.BELL):
        page.panels.append(NotesPanel(page))
    with tabs.add_tab("Servo", Icon.ACTIVITY):
        page.panels.append(ServoPanel(page))
