package celltest

import (
	"testing"

	"github.com/glovebox-dev/glovebox/internal/attack/programs"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var hostChecks = []check{
	{"H01_runner_binary", hostRunnerBinary},
	{"H04_kernel_settings", holds(programs.KernelSettings)},
	{"H05_mounts", hostMounts},
	{"H06_ptrace", hostPtrace},
	{"H07_system_calls", holds(programs.SystemCalls)},
	{"H10_set_uid", hostSetUID},
	{"H11_devices", holds(programs.Devices)},
	{"H12_terminal", hostTerminal},
	{"H13_clock_and_power", hostClockAndPower},
	{"image is read-only", hostImageReadOnly},
}

// holds wants a program to find nothing, as the user and as root of the cell.
func holds(p programs.Program) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		x := s.open(t)
		x.python(p.Code).prints(t, p.Want)
		x.pythonRoot(p.Code).prints(t, p.Want)
	}
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
	first.python(programs.RunnerBinary.Code, "1", "self").prints(t, programs.RunnerBinary.Want)
	first.pythonRoot(programs.RunnerBinary.Code, "1").prints(t, programs.RunnerBinary.Want) // its own program is a file of the cell, and root's to change
	first.death()
	s.open(t).pythonRoot(digest).prints(t, before.stdout)
}

// hostMounts tries, as the user and as root of the cell, to change what is
// mounted. Whatever a new user namespace allows stays inside the cell's own
// kernel: it must show nothing of the host.
func hostMounts(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(programs.Mounts.Code).prints(t, programs.Mounts.Want)
	x.python(programs.Namespaces.Code).prints(t, programs.Namespaces.Want)
	x.pythonRoot(programs.MountsOfRoot.Code).prints(t, programs.MountsOfRoot.Want)
}

// hostPtrace reaches for the only other process there is, the guest. A child of
// its own proves that the same calls would work if they were allowed.
func hostPtrace(t *testing.T, s *suite) {
	code := programs.Preamble + `
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
	x := s.open(t)
	x.python(programs.Clock.Code+`
denied("sethostname", 170, 161, ctypes.c_char_p(b"evil"), 4)
`).prints(t, programs.Clock.Want)
	x.pythonRoot(programs.Clock.Code).prints(t, programs.Clock.Want)
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
