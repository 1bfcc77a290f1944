"""A page in a real browser, driven over Chromium's DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

CHROMIUM = shutil.which("chromium")
_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Page:
    """One tab. `faults` collects errors of the page's scripts, and what the page failed to load."""

    def __init__(self, line):
        self._line, self._number, self.faults = line, 0, []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters) -> dict:
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            said = json.loads(self._line.recv(timeout=60))
            if said.get("id") == self._number:
                assert "error" not in said, said
                return said["result"]
            self._note(said)

    def _note(self, said: dict) -> None:
        told = said.get("params", {})
        if said.get("method") == "Runtime.exceptionThrown":
            self.faults.append(told["exceptionDetails"])
        elif said.get("method") == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.faults.append(told["entry"])

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression: str):
        """What a JavaScript expression gives; a promise is waited for."""
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def wait(self, expression: str, seconds: float = 60):
        """The first true value of the expression."""
        end = time.monotonic() + seconds
        while not (value := self.value(expression)):
            assert time.monotonic() < end, f"{expression} in vain; faults: {self.faults}"
            time.sleep(0.02)
        return value

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of an element."""
        found = f"document.querySelector({json.dumps(selector)})"
        x, y = self.value(
            f"(() => {{ const each = {found}; each.scrollIntoView({{block: 'nearest'}}); "
            "const box = each.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, *keys: str) -> None:
        """Keys of the keyboard: "Tab", "Enter", "ArrowLeft", "d"."""
        for key in keys:
            text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else None)
            more = {"text": text} if text else {}
            number = _CODES.get(key, ord(key[0].upper()))
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=number, **more)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=number)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def look_like(self, width: int, height: int, *, dark: bool = False) -> None:
        """The size of the window, a phone's below 500 pixels, and light or dark."""
        phone = width < 500
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, *, whole: bool = False) -> bytes:
        """What is seen, or the whole page, as a PNG."""
        said = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(said["data"])


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A tab of a browser of its own, whose files are in `folder`."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
    command = [CHROMIUM, *flags, f"--user-data-dir={folder / 'profile'}", "about:blank"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env={**os.environ, "HOME": str(folder)}, **quiet)
    try:
        told = folder / "profile" / "DevToolsActivePort"
        end = time.monotonic() + 60
        while not (told.exists() and len(told.read_text().splitlines()) == 2):
            assert time.monotonic() < end and process.poll() is None, "the browser doesn't start"
            time.sleep(0.05)
        port = told.read_text().splitlines()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=60) as reply:
            tab = next(each for each in json.load(reply) if each["type"] == "page")
        with connect(tab["webSocketDebuggerUrl"], max_size=None, open_timeout=60) as line:
            yield Page(line)
    finally:
        process.terminate()
        process.wait(30)
