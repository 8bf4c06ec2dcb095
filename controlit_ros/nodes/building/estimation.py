"""What tells where the base is from what the robot feels."""

from controlit_ros.configuration import PluginKind
from controlit_ros.constraints import ConstraintSet
from controlit_ros.estimation import BaseEstimator, EstimatorParts
from controlit_ros.estimation.base_estimator import NAME
from controlit_ros.model import InertialUnit, RobotDescription
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.robots import RobotInterface

DEFAULT_TYPE = "ContactAided"


def create_estimator(builder: SectionBuilder, robot: RobotDescription) -> BaseEstimator | None:
    """Return the estimator of the file with its parameters; `None`: there is none.

    Args:
        builder: Of the configuration.
        robot: Its structure, the sensors need not be known.
    """
    values = builder.configuration.estimation
    if values is None:
        return None
    rest = {key: value for key, value in values.items() if key != "type"}
    kind = str(values.get("type", DEFAULT_TYPE))
    estimator: BaseEstimator | None = builder.create(
        PluginKind.ESTIMATOR, kind, (NAME, "type"), NAME, robot
    )
    if estimator is None or not builder.fill(estimator, rest, (NAME,)):
        builder.unbuilt.add(NAME)
        return None
    return estimator


def unit_of(builder: SectionBuilder, robot: RobotDescription) -> InertialUnit | None:
    """Return the unit that the estimator of the file listens to; `None`: there is none."""
    quiet = SectionBuilder(builder.configuration)  # what is wrong is told once, later
    estimator = create_estimator(quiet, robot)
    return None if estimator is None else estimator.unit


def build_estimator(
    builder: SectionBuilder, robot: RobotDescription, constraints: ConstraintSet
) -> BaseEstimator | None:
    """Return the estimator of the file, configured; `None`: there is none."""
    estimator = create_estimator(builder, robot)
    if estimator is not None:
        builder.configure(estimator, (NAME,), EstimatorParts(robot, constraints.contacts))
    return estimator


def check_estimation(
    builder: SectionBuilder, interface: RobotInterface, estimator: BaseEstimator | None
) -> None:
    """See that nobody else tells where the base is, and that it can move."""
    if estimator is None:
        return
    if interface.setup.fixed_base:
        builder.problems.add(
            (NAME,), "a contact bolts the root link to the world, which needs no estimation"
        )
    if builder.configuration.parameters.odometry_source != "robot":
        builder.problems.add(
            ("parameters", "odometry_source"),
            "found 'topic' beside a section estimation, expected one of both",
        )
