"""Types into a program that runs in a pseudo-terminal, and measures what comes back.

One JSON request per line on stdin, one JSON answer per line on stdout:
  {"do": "start", "command": [...], "columns": n, "rows": n, "env": {...}}  -> {"pid": n}
  {"do": "type", "keys": ["a", ...], "intervals": [seconds, ...]}           -> {"sent": [[before, after], ...], "read": [[t, n], ...]}
  {"do": "burst", "text": "..."}                                            -> {}
  {"do": "wait", "quiet": seconds, "limit": seconds}                        -> {"text": last 20000 characters}
  {"do": "cpu"}                                                             -> {"seconds": s}
  {"do": "stop"}                                                            -> {}
Times are seconds on the monotonic clock of the machine.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


class Typist:
    def __init__(self):
        self.pid = 0
        self.master = -1
        self.chunks = []
        self.text = b""

    def start(self, request):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(request["env"])
            os.execvp(request["command"][0], request["command"])
        size = struct.pack("HHHH", request["rows"], request["columns"], 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        self.chunks, self.text = [], b""
        return {"pid": self.pid}

    def read_until(self, moment):
        """Reads what comes until the moment; the time of each chunk is taken when it can be read."""
        while True:
            left = moment - time.monotonic()
            ready, _, _ = select.select([self.master], [], [], max(0, left))
            if not ready:
                return True
            now = time.monotonic()
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return False
            self.chunks.append([now, len(data)])
            self.text = (self.text + data)[-20000:]

    def type(self, request):
        self.chunks = []
        sent = []
        due = time.monotonic()
        for key, interval in zip(request["keys"], request["intervals"]):
            due += interval
            self.read_until(due)
            before = time.monotonic()
            os.write(self.master, key.encode())
            sent.append([before, time.monotonic()])
        self.read_until(time.monotonic() + 0.3)
        return {"sent": sent, "read": self.chunks}

    def burst(self, request):
        data = request["text"].encode()
        os.set_blocking(self.master, False)
        while data:
            _, writable, _ = select.select([], [self.master], [], 0.01)
            if writable:
                try:
                    data = data[os.write(self.master, data[:4096]) :]
                except BlockingIOError:
                    pass
            self.read_until(time.monotonic())
        os.set_blocking(self.master, True)
        return {}

    def wait(self, request):
        limit = time.monotonic() + request["limit"]
        while time.monotonic() < limit:
            before = len(self.chunks)
            if not self.read_until(min(limit, time.monotonic() + request["quiet"])):
                break
            if len(self.chunks) == before:
                break
        return {"text": self.text.decode("utf8", "replace")}

    def cpu(self, _request):
        with open(f"/proc/{self.pid}/stat", encoding="utf8") as file:
            fields = file.read().rpartition(")")[2].split()
        return {"seconds": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}

    def stop(self, _request):
        try:
            os.kill(self.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.wait({"quiet": 0.2, "limit": 5})
        os.close(self.master)
        os.waitpid(self.pid, 0)
        return {}


typist = Typist()
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(getattr(typist, asked["do"])(asked)), flush=True)
