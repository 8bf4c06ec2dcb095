"""A state machine: the right hand goes to and fro, and waits while the left hand is up.

    controlit run package://controlit/config/dreamer/hands.yaml
    python examples/tutorials/4_state_machine.py

Events of the controller lead from one state to the next; a state says what to do when it begins.
"""

from controlit_ros.client import WaitTimeoutError, connect

CONTROLLER = "dreamer_controller"
RIGHT, LEFT = "RightHandPosition", "LeftHandPosition"
STEP = [0.10, 0.0, 0.10]  # [m] from home
EVENTS = {
    "Out": f"{RIGHT}.actual_position[0] > 0.14",
    "Home": f"{RIGHT}.actual_position[0] < 0.07",
    "Raised": f"{LEFT}.actual_position[2] > 0.85",
    "Lowered": f"{LEFT}.actual_position[2] < 0.82",
}
NEXT = {  # from a state, by an event, to a state; what is not here changes nothing
    ("going out", "Out"): "going home",
    ("going home", "Home"): "going out",
    ("going out", "Raised"): "waiting",
    ("going home", "Raised"): "waiting",
    ("waiting", "Lowered"): "going home",
}
STATES = 10  # it goes through before it ends
PATIENCE = 30.0  # [s] for an event


class Patrol:
    """Knows what to do in each state."""

    def __init__(self, robot):
        self.robot = robot
        self.hand = robot.task(RIGHT)
        home = self.hand.goal
        self.places = {"going home": home, "going out": home + STEP}
        self.motion = None
        self.states = []

    def enter(self, state):
        """Begin a state, and go on where its end has come already: an event fires only once."""
        print(f"-> {state}")
        self.states.append(state)
        if state == "waiting":
            self.motion.cancel()  # it comes to rest where it is
            return
        self.motion = self.hand.move_to(self.places[state], speed=0.1)
        if state == "going home" and self.robot.event("Home").holds:
            self.enter("going out")


def main(robot):
    """Go from state to state; return those it was in."""
    for name, expression in EVENTS.items():
        robot.add_event({"name": name, "expression": expression})
    patrol = Patrol(robot)
    try:
        with robot.events(timeout=PATIENCE) as events:
            patrol.enter("going out")
            while len(patrol.states) < STATES:
                following = NEXT.get((patrol.states[-1], events.next().name))
                if following:
                    patrol.enter(following)
    except WaitTimeoutError as error:
        print(f"nothing happens any more: {error}")
    finally:
        for name in EVENTS:
            robot.remove_event(name)
    return patrol.states


if __name__ == "__main__":
    with connect(CONTROLLER) as found:
        main(found)
