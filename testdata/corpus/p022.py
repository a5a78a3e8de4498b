"""Priority job queue with preemption by deadline (earliest deadline first)."""
import heapq
import itertools
from dataclasses import dataclass
from typing import Iterable


@dataclass
class Job:
    name: str
    arrival: int
    work: int
    deadline: int
    remaining: int = 0
    finished_at: int | None = None

    def __post_init__(self) -> None:
        self.remaining = self.work

    @property
    def late(self) -> bool:
        return self.finished_at is not None and self.finished_at > self.deadline


def simulate(jobs: Iterable[Job]) -> list[tuple[int, str]]:
    pending = sorted(jobs, key=lambda j: j.arrival)
    tie = itertools.count()
    ready: list[tuple[int, int, Job]] = []
    timeline: list[tuple[int, str]] = []
    now = 0
    while pending or ready:
        while pending and pending[0].arrival <= now:
            job = pending.pop(0)
            heapq.heappush(ready, (job.deadline, next(tie), job))
        if not ready:
            timeline.append((now, "idle"))
            now = pending[0].arrival
            continue
        job = ready[0][2]
        if not timeline or timeline[-1][1] != job.name:
            timeline.append((now, job.name))
        job.remaining -= 1
        now += 1
        if job.remaining == 0:
            heapq.heappop(ready)
            job.finished_at = now
    return timeline


jobs = [
    Job("backup", 0, 6, 20),
    Job("report", 2, 3, 8),
    Job("alert", 3, 1, 4),
    Job("sync", 14, 4, 16),
]
timeline = simulate(jobs)
print(" ".join(f"{t}:{name}" for t, name in timeline))
for job in jobs:
    print(f"{job.name:<8} finished {job.finished_at:>3} deadline {job.deadline:>3} {'LATE' if job.late else 'ok'}")

[job for job in jobs if job.late]
