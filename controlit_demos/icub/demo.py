"""IcubDemo: iCub squats, shifts its weight, reaches too far and is pushed, on a slippery floor."""

from controlit_demos.comparison.comparison_demo import ComparisonDemo
from controlit_demos.icub.balance_scenario import BalanceScenario


class IcubDemo(ComparisonDemo):
    """iCub squats, shifts its weight, reaches past its reach and is pushed, with friction 0.5."""

    name = "icub"
    title = "iCub on its feet"
    configuration_name = BalanceScenario.configuration_name
    scenarios = (BalanceScenario,)
