"""WallDemo: Talos presses a wall on a floor where it could slip."""

from controlit_demos.comparison.comparison_demo import ComparisonDemo
from controlit_demos.wall.press_scenario import PressScenario


class WallDemo(ComparisonDemo):
    """Talos presses a wall with a commanded force while its other hand moves, with friction 0.2."""

    name = "wall"
    title = "Talos at a wall"
    configuration_name = PressScenario.configuration_name
    scenarios = (PressScenario,)
