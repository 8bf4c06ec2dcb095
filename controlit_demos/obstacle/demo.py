"""ObstacleDemo: an arm makes way for a ball, and two arms for each other."""

from controlit_demos.comparison.comparison_demo import ComparisonDemo
from controlit_demos.obstacle.arms_scenario import ArmsScenario
from controlit_demos.obstacle.ball_scenario import BallScenario


class ObstacleDemo(ComparisonDemo):
    """Panda makes way for a ball that moves, Baxter's arms for each other, with and without rows.

    Both by `WholeBodyQP`, which keeps distances, and by `WBOSC`, which knows none.
    """

    name = "obstacle"
    title = "Distances that are kept"
    configuration_name = BallScenario.configuration_name
    scenarios = (BallScenario, ArmsScenario)
