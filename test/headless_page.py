"""A page without a browser: it speaks viser's protocol, so that no test needs a display."""

import contextlib
import threading

import msgspec.msgpack
import viser
import zstandard
from patience import GENEROUS
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

HEADER = 16  # [bytes] lengths before and after compression
CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": (1.0, 0.0, 0.0, 0.0),
    "position": (1.0, 1.0, 1.0),
    "fov": 1.0,
    "near": 0.1,
    "far": 100.0,
    "image_height": 600,
    "image_width": 800,
    "look_at": (0.0, 0.0, 0.0),
    "up_direction": (0.0, 0.0, 1.0),
}


class HeadlessPage:
    """What a page shows, and what its operator does.

    Args:
        port: Of the console.
        poll: Waits for a condition.

    Attributes:
        gui: Elements by their number: a mapping of their properties.
        handles: What can be dragged, by name: number of the page that owns it.
        turns: How scene nodes are turned, by name; quaternions wxyz.
        places: Where they are, by name.
        docked: Where panels stand, by their number: what viser calls a position.
        size: Of its picture [px].
    """

    def __init__(self, port, poll, size=(800, 600)):
        self._poll = poll
        self.gui = {}
        self.handles = {}
        self.turns = {}
        self.places = {}
        self.docked = {}
        self._socket = connect(
            f"ws://127.0.0.1:{port}",
            subprotocols=[f"viser-v{viser.__version__}"],
            compression=None,
            max_size=None,
            open_timeout=GENEROUS,
        )
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        width, height = size
        self._send({**CAMERA, "image_width": width, "image_height": height})

    @property
    def is_open(self):
        """Whether the console still talks to it."""
        return self._thread.is_alive()

    def shows(self, text):
        """Tell whether a text is on the page."""
        return any(text in str(props.get("content", "")) for props in list(self.gui.values()))

    def wait_for(self, text):
        self._poll(lambda: self.shows(text))

    def element(self, label):
        """Return the number of an element by its label, once it is there."""
        return self._poll(lambda: self._labelled(label))

    def click(self, label):
        self.set(label, value=True)

    def set(self, label, value):
        uuid = self.element(label)
        self._send({"type": "GuiUpdateMessage", "uuid": uuid, "updates": {"value": value}})

    def press_stop(self):
        self._poll(lambda: "command" in self.gui)
        self._send({"type": "CommandTriggerMessage", "uuid": self.gui["command"]["uuid"]})

    def drag(self, kind, name, **more):
        """Send a message about a handle: `DragStart`, `Update` or `DragEnd`."""
        owner = self.handles[name]
        message = {"type": f"TransformControls{kind}Message", "name": name, "owner": owner}
        self._send({**message, **more})

    def send(self, kind, **fields):
        """Send any message, whether or not the page would."""
        self._send({"type": kind, **fields})

    def send_raw(self, data):
        """Send what may be no message at all."""
        with contextlib.suppress(ConnectionClosed):
            self._socket.send(data)

    def close(self):
        self._socket.close()
        self._thread.join(GENEROUS)

    def _labelled(self, label):
        found = [uuid for uuid, props in list(self.gui.items()) if props.get("label") == label]
        return found[0] if found else None

    def _send(self, message):
        self._socket.send(msgspec.msgpack.encode(message))

    def _listen(self):
        with contextlib.suppress(ConnectionClosed):
            for data in self._socket:
                length = int.from_bytes(data[8:HEADER], "little")
                told = zstandard.ZstdDecompressor().decompress(
                    data[HEADER : HEADER + length], int.from_bytes(data[:8], "little")
                )
                for message in msgspec.msgpack.decode(told)["messages"]:
                    self._take(message)

    def _take(self, message):
        kind = message["type"]
        if kind == "GuiUpdateMessage":
            self.gui.get(message["uuid"], {}).update(message["updates"])
        elif kind == "GuiRemoveMessage":
            self.gui.pop(message["uuid"], None)
        elif kind == "GuiSetPanelPositionMessage":
            self.docked[message["uuid"]] = message["position"]
        elif kind == "RegisterCommandMessage":
            self.gui["command"] = {"uuid": message["uuid"]}
        elif kind == "TransformControlsMessage":
            self.handles[message["name"]] = message["owner"]
        elif kind == "SetOrientationMessage":
            self.turns[message["name"]] = message["wxyz"]
        elif kind == "SetPositionMessage":
            self.places[message["name"]] = message["position"]
        elif kind == "RemoveSceneNodeMessage":
            self.handles.pop(message["name"], None)
        elif kind.startswith("Gui") and "uuid" in message and "props" in message:
            self.gui[message["uuid"]] = dict(message["props"])
