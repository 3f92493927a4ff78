"""Types into a program that runs in a pseudo-terminal, and measures what comes back.

One JSON request per line on stdin, one JSON answer per line on stdout; see pty.ts.
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
    def start(self, request):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execvpe(request["command"][0], request["command"], request["env"])
        size = struct.pack("HHHH", request["rows"], request["columns"], 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        self.times, self.text = [], b""
        return self.pid

    def read_until(self, moment):
        """Reads what comes until the moment; the time of each chunk is taken when it can be read."""
        while True:
            left = moment - time.monotonic()
            ready, _, _ = select.select([self.master], [], [], max(0, left))
            if not ready:
                return
            now = time.monotonic()
            try:
                self.text = (self.text + os.read(self.master, 65536))[-20000:]
            except OSError:
                return
            self.times.append(now)

    def type(self, request):
        self.times = []
        sent = []
        due = time.monotonic()
        for key, interval in zip(request["keys"], request["intervals"]):
            due += interval
            self.read_until(due)
            before = time.monotonic()
            os.write(self.master, key.encode())
            sent.append([before, time.monotonic()])
        self.read_until(time.monotonic() + 0.3)
        return {"sent": sent, "read": self.times}

    def rest(self, request):
        before = -1
        while len(self.times) > before:
            before = len(self.times)
            self.read_until(time.monotonic() + request["quiet"])

    def see(self, request):
        limit = time.monotonic() + 20
        while request["text"].encode() not in self.text:
            if time.monotonic() > limit:
                raise TimeoutError(self.text)
            self.read_until(time.monotonic() + 0.005)

    def cpu(self, _request):
        with open(f"/proc/{self.pid}/stat", encoding="utf8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, _request):
        os.kill(self.pid, signal.SIGTERM)
        self.read_until(time.monotonic() + 0.5)
        os.close(self.master)
        os.waitpid(self.pid, 0)


typist = Typist()
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(getattr(typist, asked["do"])(asked)), flush=True)
