# Gives programs raw system calls, and their results as the name of an error.
import ctypes, errno, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return "ok" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")
arm = platform.machine() == "aarch64"
def denied(name, x86, arm64, *args):
    result = call(arm64 if arm else x86, *args)
    if result not in ("EPERM", "EACCES", "ENOSYS", "ENODEV", "ENOTSUP", "EOPNOTSUPP"): print(name, result)
