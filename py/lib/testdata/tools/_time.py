"""What the machine's native module _time does, in terms of CPython."""

from time import monotonic, monotonic_ns, perf_counter, perf_counter_ns, time, time_ns
