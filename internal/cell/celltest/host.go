package celltest

import (
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

var hostChecks = []check{
	{"H01_runner_binary", hostRunnerBinary},
	{"H04_kernel_settings", hostKernelSettings},
	{"H05_mounts", hostMounts},
	{"H06_ptrace", hostPtrace},
	{"H07_system_calls", hostSystemCalls},
	{"H10_set_uid", hostSetUID},
	{"H11_devices", hostDevices},
	{"H12_terminal", hostTerminal},
	{"H13_clock_and_power", hostClockAndPower},
	{"image is read-only", hostImageReadOnly},
}

// hostRunnerBinary tries to write to the guest and to the running program. The
// guest must be the same in the next cell.
func hostRunnerBinary(t *testing.T, s *suite) {
	const digest = `
import hashlib
try: print(hashlib.sha256(open("/proc/1/exe", "rb").read()).hexdigest())
except OSError as e: print(type(e).__name__)
`
	first := s.open(t)
	before := first.pythonRoot(digest)
	before.succeeds(t)
	const attack = `
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
`
	first.python(attack, "1", "self").prints(t, "")
	first.pythonRoot(attack, "1").prints(t, "") // its own program is a file of the cell, and root's to change
	first.death()
	s.open(t).pythonRoot(digest).prints(t, before.stdout)
}

func hostKernelSettings(t *testing.T, s *suite) {
	x := s.open(t)
	const code = `
import glob, os
paths = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory",
         "/proc/sysrq-trigger", "/proc/kcore", "/proc/kmsg", "/proc/kallsyms", "/proc/acpi", "/proc/scsi", "/proc/timer_list", "/proc/bus/pci",
         "/sys/kernel/uevent_helper", "/sys/kernel/debug", "/sys/firmware", "/sys/power/state", "/sys/module", "/proc/sys/fs/binfmt_misc/register"]
paths += glob.glob("/sys/fs/cgroup/**/release_agent", recursive=True) + glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)
for path in paths:
    try:
        with open(path, "r+b", 0) as f: f.write(b"|/bin/false")
        print("wrote to", path)
    except OSError:
        pass
for path in ("/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/kmsg"):
    try:
        if open(path, "rb", 0).read(1): print("read", path)
    except OSError:
        pass
`
	x.python(code).prints(t, "")
	x.pythonRoot(code).prints(t, "")
}

// preamble gives programs raw system calls and their results as an error name.
const preamble = `
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
`

// hostMounts tries, as the user and as root of the cell, to change what is
// mounted. Whatever a new user namespace allows stays inside the cell's own
// kernel: it must show nothing of the host.
func hostMounts(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(preamble+`
p = ctypes.c_char_p
denied("mount", 165, 40, p(b"none"), p(b"/work"), p(b"tmpfs"), 0, 0)
denied("mount proc", 165, 40, p(b"none"), p(b"/work"), p(b"proc"), 0, 0)
denied("umount2", 166, 39, p(b"/proc"), 2)
denied("pivot_root", 155, 41, p(b"/work"), p(b"/work"))
denied("chroot", 161, 51, p(b"/work"))
denied("open_tree", 428, 428, -100, p(b"/"), 1)
denied("fsopen", 430, 430, p(b"tmpfs"), 0)
denied("move_mount", 429, 429, -100, p(b"/tmp"), -100, p(b"/work"), 0)
denied("setns", 308, 268, os.open("/proc/1/ns/mnt", os.O_RDONLY) if os.access("/proc/1/ns/mnt", os.R_OK) else -1, 0) if os.access("/proc/1/ns/mnt", os.R_OK) else None
`).prints(t, "")
	x.python(preamble+`
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0:
    p = ctypes.c_char_p
    for kind in (b"ext4", b"xfs", b"erofs", b"9p", b"fuse", b"cgroup2", b"cgroup", b"debugfs", b"securityfs"):
        for source in (b"/dev/vda", b"/dev/sda", b"none"):
            if libc.mount(p(source), p(b"/tmp"), p(kind), 0, None) == 0:
                print("mounted", kind, source, os.listdir("/tmp"))
`).prints(t, "")
	x.pythonRoot(preamble+`
p = ctypes.c_char_p
denied("mount", 165, 40, p(b"none"), p(b"/work"), p(b"tmpfs"), 0, 0)
denied("umount2", 166, 39, p(b"/proc"), 2)
denied("pivot_root", 155, 41, p(b"/work"), p(b"/work"))
denied("open_by_handle_at", 304, 265, -100, p(b"\0" * 64), 0)
`).prints(t, "")
}

// hostPtrace reaches for the only other process there is, the guest. A child of
// its own proves that the same calls would work if they were allowed.
func hostPtrace(t *testing.T, s *suite) {
	const code = preamble + `
import time
attach, detach, read = (117, 17, 270) if arm else (101, 17, 310)
class iovec(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]
secret, into = ctypes.create_string_buffer(b"canary"), ctypes.create_string_buffer(7)
def peek(pid):
    local, remote = iovec(ctypes.addressof(into), 7), iovec(ctypes.addressof(secret), 7)
    return call(read, pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
def take(pid):
    fd = libc.syscall(434, pid, 0)
    return call(438, fd, 0, 0) if fd >= 0 else "no pidfd"
child = os.fork()
if child == 0: time.sleep(100)
others = sorted(int(d) for d in os.listdir("/proc") if d.isdigit() and int(d) not in (os.getpid(), child))
if others != [1]: print("visible:", others)
if peek(child) != "ok" or into.value != b"canary": print("the control failed:", peek(child), into.value)
if peek(1) != "EPERM": print("process_vm_readv:", peek(1))
if call(attach, 16, 1, 0, 0) != "EPERM": print("ptrace:", call(attach, 16, 1, 0, 0))
if take(1) not in ("EPERM", "ENOSYS", "no pidfd"): print("pidfd_getfd:", take(1))
`
	x := s.open(t)
	x.python(code).prints(t, "")
}

func hostSystemCalls(t *testing.T, s *suite) {
	const code = preamble + `
buf = ctypes.create_string_buffer(4096)
denied("bpf", 321, 280, 0, buf, 128)
denied("perf_event_open", 298, 241, buf, 0, -1, -1, 0)
denied("kexec_load", 246, 104, 0, 0, 0, 0)
denied("kexec_file_load", 320, 294, -1, -1, 0, buf, 0)
denied("init_module", 175, 105, buf, 100, buf)
denied("finit_module", 313, 273, 0, buf, 0)
denied("delete_module", 176, 106, buf, 0)
denied("userfaultfd", 323, 282, 0)
denied("add_key", 248, 217, ctypes.c_char_p(b"user"), ctypes.c_char_p(b"x"), buf, 10, -3)
denied("request_key", 249, 218, ctypes.c_char_p(b"user"), ctypes.c_char_p(b"x"), 0, -3)
denied("swapon", 167, 224, buf, 0)
denied("acct", 163, 89, buf)
denied("quotactl", 179, 60, 0, buf, 0, buf)
denied("lookup_dcookie", 212, 18, 0, buf, 4096)
if not arm:
    denied("iopl", 172, 0, 3)
    denied("ioperm", 173, 0, 0, 100, 1)
    denied("modify_ldt", 154, 0, 1, buf, 16)
ring = call(425, 8, buf)
if ring == "ok": print("io_uring_setup", ring)
`
	x := s.open(t)
	x.python(code).prints(t, "")
	x.pythonRoot(code).prints(t, "")
}

// hostSetUID gives the user every way up that a file system has: programs with
// the set-uid bit, and one with capabilities.
func hostSetUID(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(`
import os, shutil, struct
shutil.copy("/usr/bin/python3", "/usr/local/bin/suid"); os.chmod("/usr/local/bin/suid", 0o6755)
shutil.copy("/usr/bin/python3", "/usr/local/bin/caps"); os.chmod("/usr/local/bin/caps", 0o755)
try: os.setxattr("/usr/local/bin/caps", "security.capability", struct.pack("<IIIII", 0x02000001, 0xffffffff, 0, 0xffffffff, 0))
except OSError: pass
`).succeeds(t)
	const code = `
import os
caps = [int(l.split()[1], 16) for l in open("/proc/self/status") if l.startswith("CapEff")]
try: os.setuid(0); print("became root")
except OSError: pass
print(os.geteuid(), os.getegid(), caps)
`
	for _, program := range []string{"/usr/local/bin/suid", "/usr/local/bin/caps"} {
		x.exec(cell.Command{Argv: []string{program, "-c", code}}).prints(t, "1000 1000 [0]\n")
	}
	o := x.exec(cell.Command{Argv: []string{"/bin/sh", "-c", "for p in su mount umount passwd newgrp chsh; do echo | $p root -c id; done; id -u"}})
	o.prints(t, "1000\n")
}

func hostDevices(t *testing.T, s *suite) {
	const code = preamble + `
import stat
for name in sorted(os.listdir("/dev")):
    st = os.lstat("/dev/" + name)
    if stat.S_ISBLK(st.st_mode): print("block device", name)
for name in ("mem", "kmem", "port", "kvm", "vhost-net", "mapper", "disk", "sda", "vda", "nvme0n1", "loop0", "loop-control", "vsock", "uinput", "snapshot"):
    if os.path.exists("/dev/" + name): print("device", name)
for mode, major, minor in ((stat.S_IFBLK, 254, 0), (stat.S_IFBLK, 8, 0), (stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 10, 232), (stat.S_IFCHR, 10, 229)):
    for dir in ("/work", "/tmp"):
        path = "%s/node%d-%d" % (dir, major, minor)
        try:
            os.mknod(path, mode | 0o666, os.makedev(major, minor))
            os.close(os.open(path, os.O_RDWR))
            print("opened", path)
        except OSError:
            pass
`
	x := s.open(t)
	x.python(code).prints(t, "")
	x.pythonRoot(code).prints(t, "")
}

// hostTerminal looks for a terminal to type into.
func hostTerminal(t *testing.T, s *suite) {
	s.open(t).python(`
import fcntl, os, termios
print([os.isatty(fd) for fd in (0, 1, 2)])
try: fds = [os.open("/dev/tty", os.O_RDWR)]; print("a controlling terminal")
except OSError: fds = []
for fd in [0, 1, 2] + fds:
    for request, data in ((termios.TIOCSTI, b"x"), (0x541C, b"\x02")):
        try: fcntl.ioctl(fd, request, data); print("typed into", fd)
        except OSError: pass
`).prints(t, "[False, False, False]\n")
}

func hostClockAndPower(t *testing.T, s *suite) {
	const code = preamble + `
import time
try: time.clock_settime(time.CLOCK_REALTIME, 0); print("set the clock")
except OSError: pass
buf = ctypes.create_string_buffer(b"\1" * 256, 256)
denied("settimeofday", 164, 170, buf, 0)
denied("adjtimex", 159, 171, buf) if not arm else None
denied("reboot", 169, 142, 0xfee1dead, 672274793, 0x4321fedc, 0)
`
	x := s.open(t)
	x.python(code+`
denied("sethostname", 170, 161, ctypes.c_char_p(b"evil"), 4)
`).prints(t, "")
	x.pythonRoot(code).prints(t, "")
}

// hostImageReadOnly changes files of the image as root of the cell. The image
// file on the host must be the same, byte for byte.
func hostImageReadOnly(t *testing.T, s *suite) {
	before := digestOfFile(t, s.rootFS)
	x := s.open(t)
	x.pythonRoot(`
import os
for dir in ("/usr/bin", "/etc"):
    for name in os.listdir(dir):
        path = os.path.join(dir, name)
        if os.path.isfile(path) and not os.path.islink(path) and "python" not in name:
            open(path, "r+b").write(b"overwritten")
print(open("/etc/passwd", "rb").read(11))
`).prints(t, "b'overwritten'\n")
	x.death()
	if after := digestOfFile(t, s.rootFS); after != before {
		t.Error("the image on the host has changed")
	}
}
