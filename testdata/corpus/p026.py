"""Parse web server access logs and summarize traffic."""
import re
from collections import Counter, defaultdict
from datetime import datetime

LOG = """\
10.0.0.1 - - [10/Oct/2023:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326 0.012
10.0.0.2 - alice [10/Oct/2023:13:55:40 +0000] "POST /api/login HTTP/1.1" 401 128 0.230
10.0.0.2 - alice [10/Oct/2023:13:56:02 +0000] "POST /api/login HTTP/1.1" 200 512 0.250
garbage line that does not match
10.0.0.3 - - [10/Oct/2023:14:01:12 +0000] "GET /missing?id=3 HTTP/1.1" 404 - 0.003
10.0.0.1 - - [10/Oct/2023:14:02:00 +0000] "GET /api/items?page=2 HTTP/1.1" 500 64 1.900
10.0.0.1 - - [10/Oct/2023:14:03:30 +0000] "GET /api/items?page=3 HTTP/1.1" 200 4096 0.140
"""

LINE = re.compile(
    r"""
    (?P<ip>\S+)\s\S+\s(?P<user>\S+)\s
    \[(?P<time>[^\]]+)\]\s
    "(?P<method>[A-Z]+)\s(?P<path>\S+)\s[^"]*"\s
    (?P<status>\d{3})\s(?P<size>\d+|-)\s(?P<seconds>[\d.]+)
    """,
    re.VERBOSE,
)

entries = []
skipped = 0
for line in LOG.splitlines():
    match = LINE.match(line)
    if not match:
        skipped += 1
        continue
    entry = match.groupdict()
    entry["time"] = datetime.strptime(entry["time"], "%d/%b/%Y:%H:%M:%S %z")
    entry["status"] = int(entry["status"])
    entry["size"] = 0 if entry["size"] == "-" else int(entry["size"])
    entry["seconds"] = float(entry["seconds"])
    entry["path"], _, entry["query"] = entry["path"].partition("?")
    entries.append(entry)

status_classes = Counter(f"{e['status'] // 100}xx" for e in entries)
latency = defaultdict(list)
for e in entries:
    latency[e["path"]].append(e["seconds"])

print(f"{len(entries)} entries, {skipped} skipped")
for path, times in sorted(latency.items(), key=lambda kv: -max(kv[1])):
    print(f"{path:<14} n={len(times)} max={max(times):.3f}s avg={sum(times) / len(times):.3f}s")

{
    "status": dict(status_classes),
    "bytes": sum(e["size"] for e in entries),
    "users": sorted({e["user"] for e in entries} - {"-"}),
    "busiest_hour": Counter(e["time"].hour for e in entries).most_common(1)[0],
    "first": entries[0]["time"].isoformat(),
}
