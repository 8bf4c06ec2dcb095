"""Configuration: the validated content of a configuration file."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, Strict

from controlit_ros.configuration.described import Described
from controlit_ros.configuration.entries import (
    BehaviourEntry,
    BindingEntry,
    CompoundTaskEntry,
    ConstraintEntry,
    ConstraintSetEntry,
    EventEntry,
    InequalityEntry,
    ModesEntry,
    Name,
    TaskEntry,
    WholeBodyControllerEntry,
)
from controlit_ros.configuration.location import KeyPath, Location, Origin
from controlit_ros.configuration.mimic_constraints import apart_from_mimics, mimics_what_is_fixed
from controlit_ros.configuration.parameters import ControllerParameters
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import (
    DescriptionFile,
    read_robot_description,
)
from controlit_ros.model.stated_limits import state_limits

TEXT_SOURCE = "<text>"
"""Source of a configuration that was given as text."""

_Loose = Strict(strict=False)


class Configuration(Described):
    """A controller, described but not built (paper, appendices B and D).

    `compound_task` and `constraint_set` name every declared task and constraint: those the file
    leaves out are disabled.
    """

    name: Name
    """Name of the controller, the namespace of its topics."""
    robot_description: str = Field(min_length=1)
    """URDF: package://, file://, a path (relative to this file), or the text."""
    semantic_description: str | None = Field(default=None, min_length=1)
    """SRDF with the postures that initial_position and goal_position name: package://, file://, or
    a path (relative to this file). None: the one beside the URDF, or in the folder srdf beside that
    of the URDF."""
    parameters: ControllerParameters = ControllerParameters()
    """What holds for the controller as a whole."""
    robot_interface: dict[str, Any] = Field(default={})
    """Parameters of the robot interface."""
    simulator: dict[str, Any] = Field(default={})
    """Parameters of the simulated robot, whichever robot interface joins it: those of the interface
    MuJoCo, which robot_interface may refine."""
    whole_body_controller: dict[str, Any] = Field(default={})
    """Parameters of the controller; with whole_body_controllers, which is active."""
    whole_body_controllers: Annotated[tuple[WholeBodyControllerEntry, ...], _Loose] = ()
    """Whole-body controllers that can take each other's place while the servo runs; the first is
    active unless whole_body_controller.active names another."""
    friction_compensation: dict[str, Any] | None = None
    """How friction of the joints is compensated; no section: not at all."""
    estimation: dict[str, Any] | None = None
    """Who tells where the base of a free robot is from what it feels: `type`, and the parameters of
    that estimator; no section: the robot interface, or odometry_source."""
    servo_clock: dict[str, Any] = Field(default={})
    """Parameters of the servo clock."""
    tasks: Annotated[tuple[TaskEntry, ...], _Loose] = ()
    """Declared tasks."""
    constraints: Annotated[tuple[ConstraintEntry, ...], _Loose] = ()
    """Declared constraints."""
    inequalities: Annotated[tuple[InequalityEntry, ...], _Loose] = ()
    """What a WholeBodyQP keeps whatever the tasks want; where not all can be kept, the last gives
    way first."""
    behaviours: Annotated[tuple[BehaviourEntry, ...], _Loose] = ()
    """What leads tasks and contacts on the servo's clock: walking, for example."""
    compound_task: Annotated[tuple[CompoundTaskEntry, ...], _Loose] = ()
    """How the tasks take part at the start."""
    constraint_set: Annotated[tuple[ConstraintSetEntry, ...], _Loose] = ()
    """Which constraints hold at the start."""
    bindings: Annotated[tuple[BindingEntry, ...], _Loose] = ()
    """Parameters tied to topics."""
    events: Annotated[tuple[EventEntry, ...], _Loose] = ()
    """Events."""
    modes: ModesEntry | None = None
    """Modes; no section: all parts are as the file says, and all commands are taken."""

    _origin: Origin = PrivateAttr(default=Origin(TEXT_SOURCE, {}))

    def model_post_init(self, context: Any, /) -> None:
        """Remember where the configuration comes from, when the loader tells."""
        if isinstance(context, Origin):
            self._origin = context

    @property
    def source(self) -> str:
        """Name of the file, for messages."""
        return self._origin.source

    @property
    def folder(self) -> Path:
        """Where relative paths begin."""
        return Path() if self.source == TEXT_SOURCE else Path(self.source).parent

    @property
    def save_folders(self) -> tuple[Path, ...]:
        """Below which the running controller may save configurations."""
        stated = self.parameters.save_folder
        extra = () if stated is None else (self.folder / Path(stated).expanduser(),)
        return extra if self.source == TEXT_SOURCE else (self.folder, *extra)

    @property
    def text(self) -> str:
        """The text it was loaded from, without what was set from outside; empty for none."""
        return self._origin.text

    @property
    def overridden(self) -> frozenset[KeyPath]:
        """Entries that were set from outside the text."""
        return self._origin.overridden

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is legal but probably not meant."""
        return self._origin.warnings

    def locate(self, path: KeyPath) -> Location:
        """Return where an entry stands, for example `("tasks", 2, "kp")`.

        What the file does not hold is located at what should hold it.
        """
        return self._origin.locate(path)

    def collector(self) -> ProblemCollector:
        """Return a collector of problems found while building this configuration."""
        return ProblemCollector(self._origin)

    def read_robot_description(self) -> DescriptionFile:
        """Read the description of the robot, with the limits and locked joints of this file.

        Joints that mimic locked ones are fixed, too.

        Raises:
            LockedJointError: Joints cannot be locked.
            RobotDescriptionError: It vanished since the configuration was loaded.
            UrdfError: It is not sound, and limits or locked joints are stated.
        """
        found = read_robot_description(self.robot_description, self.folder)
        parameters = self.parameters
        limits = {"effort": parameters.effort_limits, "velocity": parameters.velocity_limits}
        found = found._replace(urdf=state_limits(found.urdf, limits))
        follows = parameters.mimic_joints and mimics_what_is_fixed(found.urdf)
        if not parameters.locked_joints and not follows:
            return found
        is_apart = apart_from_mimics(self.model_dump()) if parameters.mimic_joints else None
        # launch files read configurations, too, and do without the libraries of the model
        from controlit_ros.model import lock_joints  # noqa: PLC0415 - see above

        return found._replace(urdf=lock_joints(found.urdf, parameters.locked_joints, is_apart))


def configuration_schema() -> dict[str, Any]:
    """Return the JSON schema of configuration files, with units and bounds."""
    schema = Configuration.model_json_schema()
    properties = schema["$defs"]["BindingEntry"]["properties"]["properties"]
    mapping = {"$ref": properties.pop("$ref", "#/$defs/BindingProperties")}
    properties["anyOf"] = [{"type": "array", "items": mapping}, mapping]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
