# Writes to settings of the kernel that have led out of containers, and reads its memory. It
# writes what is there already, so that nothing changes where it may.
import glob, os
paths = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory",
         "/proc/sysrq-trigger", "/proc/kcore", "/proc/kmsg", "/proc/kallsyms", "/proc/acpi", "/proc/scsi", "/proc/timer_list", "/proc/bus/pci",
         "/sys/kernel/uevent_helper", "/sys/kernel/debug", "/sys/firmware", "/sys/power/state", "/sys/module", "/proc/sys/fs/binfmt_misc/register"]
paths += glob.glob("/sys/fs/cgroup/**/release_agent", recursive=True) + glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)
for path in paths:
    try:
        with open(path, "r+b", 0) as f:
            try: value = (f.read(4096) or b"").split(b"\n")[0]
            except OSError: value = b""
            f.seek(0); f.write(value)
        print("wrote to", path)
    except OSError:
        pass
for path in ("/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/kmsg"):
    try:
        if open(path, "rb", 0).read(1): print("read", path)
    except OSError:
        pass
