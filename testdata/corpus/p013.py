"""Sessionize click events: split a user's events when idle for more than 30 minutes."""
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

EVENTS = [
    ("u1", "2024-05-01T09:00:00", "/home"),
    ("u2", "2024-05-01T09:01:00", "/home"),
    ("u1", "2024-05-01T09:10:00", "/products"),
    ("u1", "2024-05-01T09:10:00", "/products"),
    ("u1", "2024-05-01T10:00:00", "/cart"),
    ("u2", "2024-05-01T09:20:00", "/help"),
    ("u1", "2024-05-01T10:05:00", "/checkout"),
    ("u3", "bad-timestamp", "/home"),
    ("u2", "2024-05-02T00:00:01", "/home"),
]
IDLE = timedelta(minutes=30)


def parse_events(events):
    for user, stamp, page in events:
        try:
            yield user, datetime.fromisoformat(stamp), page
        except ValueError:
            print(f"skipping event of {user}: {stamp}")


def sessionize(events):
    sessions = []
    ordered = sorted(set(parse_events(events)))
    for user, group in groupby(ordered, key=itemgetter(0)):
        current = None
        for _, ts, page in group:
            if current is None or ts - current["end"] > IDLE:
                current = {"user": user, "start": ts, "end": ts, "pages": []}
                sessions.append(current)
            current["end"] = ts
            current["pages"].append(page)
    return sessions


sessions = sessionize(EVENTS)
for s in sessions:
    minutes = (s["end"] - s["start"]) / timedelta(minutes=1)
    print(f"{s['user']} {s['start']:%d %b %H:%M} {minutes:5.1f} min  {' > '.join(s['pages'])}")

per_user = {user: len(list(g)) for user, g in groupby(sessions, key=itemgetter("user"))}
total = sum((s["end"] - s["start"] for s in sessions), timedelta())
{"per_user": per_user, "total_time": total, "longest": max(sessions, key=lambda s: len(s["pages"]))["pages"]}
