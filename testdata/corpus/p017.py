"""Order project tasks by dependencies and compute the critical path."""
from graphlib import CycleError, TopologicalSorter

TASKS = {
    "design": (5, []),
    "database": (4, ["design"]),
    "backend": (8, ["database"]),
    "frontend": (6, ["design"]),
    "integration": (3, ["backend", "frontend"]),
    "docs": (2, ["frontend"]),
    "release": (1, ["integration", "docs"]),
}

graph = {name: set(deps) for name, (_, deps) in TASKS.items()}
order = list(TopologicalSorter(graph).static_order())

earliest: dict[str, int] = {}
for name in order:
    duration, deps = TASKS[name]
    start = max((earliest[d] + TASKS[d][0] for d in deps), default=0)
    earliest[name] = start

project_end = max(earliest[n] + TASKS[n][0] for n in TASKS)

latest: dict[str, int] = {}
for name in reversed(order):
    successors = [s for s, (_, deps) in TASKS.items() if name in deps]
    finish = min((latest[s] for s in successors), default=project_end)
    latest[name] = finish - TASKS[name][0]

slack = {name: latest[name] - earliest[name] for name in TASKS}
critical = sorted((n for n in TASKS if slack[n] == 0), key=earliest.__getitem__)

print(f"{'task':<12}{'start':>6}{'end':>5}{'slack':>7}")
for name in sorted(TASKS, key=lambda n: (earliest[n], n)):
    marker = " *" if name in critical else ""
    print(f"{name:<12}{earliest[name]:>6}{earliest[name] + TASKS[name][0]:>5}{slack[name]:>7}{marker}")

try:
    list(TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order())
except CycleError as exc:
    print("cycle detected among", sorted(set(exc.args[1])))

{"duration": project_end, "critical_path": " -> ".join(critical), "slack": slack}
