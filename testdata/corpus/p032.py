"""Parse multi-line Python-style tracebacks out of an application log."""
import re
from dataclasses import asdict, dataclass

LOG = '''\
2024-04-01 10:00:00,001 INFO app: started
2024-04-01 10:00:02,120 ERROR app: request failed
Traceback (most recent call last):
  File "app/main.py", line 42, in handle
    result = compute(payload)
  File "app/core.py", line 7, in compute
    return payload["value"] / payload["count"]
ZeroDivisionError: division by zero
2024-04-01 10:00:03,500 WARNING app: slow response
2024-04-01 10:00:04,000 ERROR worker: job 17 crashed
Traceback (most recent call last):
  File "app/worker.py", line 13, in run
    job.execute()
KeyError: 'path'
2024-04-01 10:00:05,000 INFO app: stopped
'''

HEADER = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) ([A-Z]+) (\w+): (.*)$")
FRAME = re.compile(r'^  File "([^"]+)", line (\d+), in (\w+)$')
EXCEPTION = re.compile(r"^(\w+(?:Error|Exception)): (.*)$")


@dataclass
class Crash:
    logger: str
    message: str
    exception: str = ""
    detail: str = ""
    frames: tuple[str, ...] = ()

    @property
    def location(self) -> str:
        return self.frames[-1] if self.frames else "?"


def crashes(lines):
    current = None
    for line in lines:
        if m := HEADER.match(line):
            if current and current.exception:
                yield current
            level, logger, message = m.group(3, 4, 5)
            current = Crash(logger, message) if level == "ERROR" else None
        elif current is not None:
            if m := FRAME.match(line):
                current.frames += (f"{m[1]}:{m[2]} {m[3]}",)
            elif m := EXCEPTION.match(line):
                current.exception, current.detail = m.groups()
    if current and current.exception:
        yield current


found = list(crashes(LOG.splitlines()))
for crash in found:
    print(f"[{crash.logger}] {crash.exception}: {crash.detail}  at {crash.location}")

[asdict(crash) for crash in found]
