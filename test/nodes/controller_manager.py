"""A controller_manager of ros2_control for tests: its services, and hardware that obeys at once."""

import threading

import numpy as np

from controlit_ros.interfaces import new
from controlit_ros.nodes.controller_switch import BROADCASTER, LIST, SWITCH
from controlit_ros.robots.ros2_control import FLOATS
from controlit_ros.robots.topic import JOINT_STATE
from controlit_ros.transport import COMMAND, SENSOR_STATE

STATE_PERIOD = 0.005  # [s]


class ControllerManager:
    """Lists and switches controllers as ros2_control does with strictness STRICT and BEST_EFFORT.

    Its hardware is where the active controller commands it to be (position, velocity), or stands
    still (effort).

    Args:
        transport: Carries it all.
        joints: In the order of the forwarding controllers.
        forwarding: Controllers that forward commands, and what each commands.
        rival: A controller that is active at first and commands the position of the first joint.
    """

    def __init__(self, transport, joints, forwarding, *, rival="arm_controller"):
        self.joints = list(joints)
        self.states = {rival: "active", **dict.fromkeys(forwarding, "inactive")}
        self.needs = {rival: [f"{joints[0]}/position"]}
        self.needs |= {key: [f"{j}/{kind}" for j in joints] for key, kind in forwarding.items()}
        self.broadcaster = "active"
        self.refusal = ""
        self.commands = []
        self.switches = []
        self.position = np.zeros(len(joints))
        self._states = transport.publisher("/joint_states", JOINT_STATE, COMMAND)
        transport.serve("/controller_manager/list_controllers", LIST, self._list)
        transport.serve("/controller_manager/switch_controller", SWITCH, self._switch)
        for controller, kind in forwarding.items():
            transport.subscribe(
                f"/{controller}/commands",
                FLOATS,
                lambda message, controller=controller, kind=kind: self._take(
                    controller, kind, message
                ),
                SENSOR_STATE,
            )
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._tell)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._stopping.set()
        self._thread.join()

    def _list(self, _request):
        entries = [
            {
                "name": name,
                "state": state,
                "type": "forward_command_controller/ForwardCommandController",
                "claimed_interfaces": self.needs[name] if state == "active" else [],
                "required_command_interfaces": self.needs[name],
            }
            for name, state in self.states.items()
        ]
        told = {"name": "broadcaster", "state": self.broadcaster, "type": BROADCASTER}
        return new(f"{LIST}_Response", controller=[*entries, told])

    def _switch(self, request):
        on, off = list(request.activate_controllers), list(request.deactivate_controllers)
        kept = [n for n, s in self.states.items() if s == "active" and n not in off]
        taken = {joint for name in kept for joint in self.needs[name]}
        clash = [name for name in on if taken & set(self.needs.get(name, ()))]
        if self.refusal:
            return new(f"{SWITCH}_Response", ok=False, message=self.refusal)
        if clash or not set(on) <= set(self.states):
            return new(f"{SWITCH}_Response", ok=False, message=f"{clash or on} cannot be active")
        self.switches.append((on, off))
        self.states |= {**dict.fromkeys(off, "inactive"), **dict.fromkeys(on, "active")}
        return new(f"{SWITCH}_Response", ok=True)

    def _take(self, controller, kind, message):
        if self.states[controller] != "active":
            return
        values = np.array(message.data)
        self.commands.append(values)
        if kind == "position":
            self.position = values

    def _tell(self):
        count, before = 0, self.position
        while not self._stopping.wait(STATE_PERIOD):
            count += 1
            position = self.position
            velocity, before = (position - before) / STATE_PERIOD, position
            self._states.publish(
                new(
                    JOINT_STATE,
                    header={"stamp": {"sec": count}},
                    name=self.joints,
                    position=position,
                    velocity=velocity,
                    effort=np.full(len(self.joints), np.nan),  # nobody measures it
                )
            )
