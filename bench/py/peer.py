"""A peer of the benchmark: one process that answers lines of JSON.

python3 peer.py cpython|monty

{"op": "run", "source": ...}    -> {"seconds": ..., "value": ...}
{"op": "parts", "source": ..., "programs": [...]}
                                -> {name: value in seconds or bytes, ...}

The seconds of a run are taken around the call of run() inside the process that
computes, so neither pipes nor compilation count. The source of a parts request
is the agent program that is compiled; the programs are those by which the cost
of limits is measured.
"""

import json
import sys
import time

TAIL = "\nrun()\n"  # the last line of every program


def median_time(action, rounds=9, calls=1):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            action()
        times.append((time.perf_counter() - begin) / calls)
    return sorted(times)[rounds // 2]


class CPython:
    """Plain CPython without a sandbox: the yardstick."""

    version = "CPython " + sys.version.split()[0]

    def run(self, source):
        names = {}
        exec(source.removesuffix(TAIL), names)
        begin = time.perf_counter()
        value = names["run"]()
        return time.perf_counter() - begin, repr(value)

    def parts(self, source, programs):
        import pickle

        code = compile("1+1", "main", "eval")
        strings = ["string number %d" % i for i in range(10000)]
        dumped = pickle.dumps(strings)
        return {
            "compile_run": median_time(lambda: eval("1+1"), calls=2000),
            "run_only": median_time(lambda: eval(code), calls=2000),
            "compile_agent": median_time(lambda: compile(source, "main", "exec"), calls=50),
            "dump_10k": median_time(lambda: pickle.dumps(strings), calls=20),
            "load_10k": median_time(lambda: pickle.loads(dumped), calls=20),
            "size_10k": len(dumped),
        }


CLOCK = "\nimport time as clock\nbegan = clock.perf_counter()\n"
TIMED = CLOCK + "value = run()\nended = clock.perf_counter()\n(ended - began, repr(value))\n"
PAUSED = "x = tool(1)\nx\n"
STRINGS = "strings = [f'string number {i}' for i in range(10000)]\nx = tool(1)\nlen(strings)\n"


class Monty:
    """pydantic-monty: a pool of worker processes."""

    def __init__(self):
        import pydantic_monty

        self.api = pydantic_monty
        self.version = "pydantic-monty " + pydantic_monty.__version__
        self.pool = pydantic_monty.Monty(max_processes=4).__enter__()

    def session(self, **limits):
        # A million of suspensions, because the default of 1000 ends the loop of tool calls.
        return self.pool.checkout(limits={"max_suspensions": 10**6, **limits})

    def run(self, source, **limits):
        with self.session(**limits) as session:
            return tuple(session.feed_run(source.removesuffix(TAIL) + TIMED))

    def parts(self, source, programs):
        return self.starts() | self.compiles(source) | self.calls() | self.dumps() | self.limits(programs)

    def limits(self, programs):
        """How much slower programs are with a limit of memory and one of time."""
        import math

        limits = {"max_memory": 50 << 20, "max_feed_duration_secs": 30}
        ratios = []
        for source in programs:
            on, off = [], []
            for _ in range(9):
                on.append(self.run(source, **limits)[0])
                off.append(self.run(source)[0])
            ratios.append(sorted(on)[4] / sorted(off)[4])
        return {"limits_cost": math.exp(sum(map(math.log, ratios)) / len(ratios))}

    def starts(self):
        """What a host sees: with the pipe, in a session that is there and in a new one."""

        def fresh():
            with self.session() as session:
                session.feed_run("1+1")

        def cold():
            with self.api.Monty() as pool, pool.checkout() as session:
                session.feed_run("1+1")

        with self.session() as session:
            warm = median_time(lambda: session.feed_run("1+1"), calls=50)
        return {"host_warm_session": warm, "host_new_session": median_time(fresh, calls=20), "host_cold": median_time(cold)}

    def compiles(self, source):
        """What the worker itself needs, by eval and exec inside the sandbox."""
        wrapped = "def main():\n" + "".join("    " + line + "\n" for line in source.splitlines())
        loops = {"compile_run": ("eval('1+1')", 2000), "compile_agent": ("exec(source)", 100)}
        found = {}
        for name, (statement, calls) in loops.items():
            code = f"{CLOCK}for _ in range({calls}):\n    {statement}\n(clock.perf_counter() - began) / {calls}\n"
            try:
                with self.session() as session:
                    found[name] = sorted(session.feed_run(code, inputs={"source": wrapped}) for _ in range(9))[4]
            except self.api.MontyError as e:
                print(f"{name}: {e}", file=sys.stderr)
        return found

    def calls(self):
        """A tool call: paused and resumed by the host, and by a callback."""
        loop = "for i in range(1000):\n    tool(i)\n"

        def paused(session):
            snapshot = session.feed_start(loop)
            while not isinstance(snapshot, self.api.MontyComplete):
                snapshot = snapshot.resume({"return_value": 1})

        with self.session() as session:
            return {
                "tool_call": median_time(lambda: paused(session)) / 1000,
                "tool_callback": median_time(lambda: session.feed_run(loop, external_lookup={"tool": lambda i: 1})) / 1000,
            }

    def dumps(self):
        return self.dump("small", PAUSED) | self.dump("10k", STRINGS)

    def dump(self, name, source):
        with self.session() as session:
            snapshot = session.feed_start(source)
            dumped = snapshot.dump()
            found = {
                "dump_" + name: median_time(snapshot.dump, calls=20),
                "size_" + name: len(dumped),
                "memory_" + name: self.worker_memory(),
            }
        loads = []
        for _ in range(9):
            with self.session() as session:
                begin = time.perf_counter()
                session.load_snapshot(dumped)
                loads.append(time.perf_counter() - begin)
        return found | {"load_" + name: sorted(loads)[4]}

    def worker_memory(self):
        """Private bytes of the biggest worker: each paused instance keeps one."""
        import os

        biggest = 0
        task = f"/proc/{os.getpid()}/task"
        for thread in os.listdir(task):
            with open(f"{task}/{thread}/children") as children:
                pids = children.read().split()
            for pid in pids:
                with open(f"/proc/{pid}/smaps_rollup") as rollup:
                    private = sum(int(line.split()[1]) for line in rollup if line.startswith("Private"))
                biggest = max(biggest, private * 1024)
        return biggest


def main():
    peer = {"cpython": CPython, "monty": Monty}[sys.argv[1]]()
    print(json.dumps({"version": peer.version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["op"] == "parts":
                answer = peer.parts(request["source"], request["programs"])
            else:
                seconds, value = peer.run(request["source"])
                answer = {"seconds": seconds, "value": value}
        except Exception as e:  # a program that a peer cannot run is a line of the report
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), flush=True)


main()
