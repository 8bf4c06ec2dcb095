"""Front: what controlit adds to viser's page: its look, and a space bar that stops."""

import gzip

from websockets.datastructures import Headers
from websockets.http11 import Response

TITLE = "controlit"

STYLE = """
:root {
  --mantine-primary-color-filled: #1864ab !important;
  --mantine-primary-color-filled-hover: #144f87 !important;
  --mantine-color-gray-filled: #5c636a !important;
  --mantine-color-gray-filled-hover: #495057 !important;
  --mantine-color-red-filled: #c92a2a !important;
  --mantine-color-red-filled-hover: #a61e1e !important;
  --mantine-color-dimmed: #495057 !important;
}
:root[data-mantine-color-scheme="dark"] {
  --mantine-color-dimmed: #b8bec5 !important;
  --mantine-primary-color-light-color: #74c0fc !important;
}
#root * { letter-spacing: normal !important; }
.mantine-Text-root, .mantine-Input-input, .mantine-Button-label, [role="tab"],
.mantine-Checkbox-label, .mantine-Combobox-option {
  font-size: 13px !important;
}
[role="tab"] { padding: 0 10px !important; }
[role="tab"][aria-selected="true"] { color: #1864ab !important; }
.mantine-Button-root[data-variant="outline"] {
  --button-color: #1864ab !important;
  --button-bd: 1px solid #1864ab !important;
}
:root[data-mantine-color-scheme="dark"] [role="tab"][aria-selected="true"] {
  color: #74c0fc !important;
  box-shadow: inset 0 -2px 0 0 #74c0fc !important;
}
:root[data-mantine-color-scheme="dark"] .mantine-Button-root[data-variant="outline"] {
  --button-color: #74c0fc !important;
  --button-bd: 1px solid #74c0fc !important;
}
.mantine-Text-root { line-height: 1.3 !important; overflow-wrap: break-word !important; }
.mantine-Input-input { font-variant-numeric: tabular-nums; }
.mantine-Button-root, .mantine-Input-input { min-height: 28px !important; }
.mantine-Button-root:disabled, .mantine-Button-root[data-disabled] {
  background: rgba(128, 128, 128, 0.16) !important;
  color: var(--mantine-color-dimmed) !important;
}
.mantine-Input-input:disabled {
  opacity: 1 !important;
  color: var(--mantine-color-dimmed) !important;
}
.uplot { width: 100% !important; }
.mantine-ScrollArea-content { padding-right: 10px !important; }
:focus-visible { outline: 2px solid #228be6 !important; outline-offset: 1px; }
@media (pointer: coarse) {
  .mantine-Button-root, .mantine-Input-input { min-height: 40px !important; }
}
@media (max-width: 500px) {
  .mantine-Paper-root:has([role="tab"]) { left: 0 !important; width: 100% !important; }
  .mantine-Paper-root .mantine-ScrollArea-content > div { width: 100% !important; }
  [role="tab"] { min-height: 40px !important; }
}
"""
"""One type scale, 12, 13 and 16 px (`look`); contrasts of at least 4.5 to 1; room for fingers.

On a phone the panel is as broad as the page."""

SCRIPT = """
(() => {
  const SPACE = "Space";
  const PRESSED = ["checkbox", "radio", "button", "range", "submit", "reset", "color", "file"];
  const takesText = (element) =>
    element instanceof HTMLElement && !element.readOnly && !element.disabled &&
    element.getAttribute("aria-haspopup") !== "listbox" && (
      element.isContentEditable || element.tagName === "TEXTAREA" ||
      (element.tagName === "INPUT" && !PRESSED.includes(element.type)));
  const stops = (event) =>
    event.isTrusted && event.code === SPACE &&
    (event.ctrlKey || !takesText(document.activeElement));
  window.addEventListener("keydown", (event) => {
    if (!stops(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const focused = document.activeElement;
    if (focused instanceof HTMLElement) focused.blur();
    if (event.repeat) return;
    const told = { key: " ", code: SPACE, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", told));
    document.body.dispatchEvent(new KeyboardEvent("keyup", told));
  }, true);
  window.addEventListener("keyup", (event) => {
    if (!stops(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
"""
"""The space bar stops wherever the focus is: a box or a button that has it is not pressed instead.

In a field that takes text it is a blank, and Ctrl with it stops.
"""

END = b"</head>"
HTML = "text/html"
GUARDS = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'; object-src 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""No other page may hold this one in a frame, and lead clicks to it that are meant for that one."""


class Front:
    """Furnishes the page as it is served; a page is made once."""

    def __init__(self) -> None:
        self._made: dict[bytes, bytes] = {}

    def furnish(self, response: Response) -> Response:
        """Return a response with what is added where it is the page, and guarded in any case."""
        headers = response.headers
        is_page = headers.get("Content-Type", "").startswith(HTML)
        body = bytes(response.body or b"")
        if is_page and body:
            is_packed = headers.get("Content-Encoding") == "gzip"
            if body not in self._made:
                self._made[body] = _furnished(body, is_packed=is_packed)
            body = self._made[body]
        kept = [(name, value) for name, value in headers.raw_items() if name not in _REPLACED]
        return Response(
            response.status_code,
            response.reason_phrase,
            Headers([*kept, ("Content-Length", str(len(body))), *GUARDS.items()]),
            body,
        )


_REPLACED = ("Content-Length", *GUARDS)


def _furnished(body: bytes, *, is_packed: bool) -> bytes:
    page = gzip.decompress(body) if is_packed else body
    added = f"<title>{TITLE}</title><style>{STYLE}</style><script>{SCRIPT}</script>".encode()
    page = page.replace(b"<title>Viser</title>", b"", 1).replace(END, added + END, 1)
    return gzip.compress(page) if is_packed else page
