package celltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/attack/programs"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var visibleChecks = []check{
	{"user", visibleUser},
	{"environment", visibleEnvironment},
	{"directory", visibleDirectory},
	{"hostname", visibleHostname},
	{"H02_descriptors", visibleDescriptors},
	{"H06_processes", visibleProcesses},
	{"H08_host_files", visibleHostFiles},
	{"H08_other_environments", visibleOtherEnvironments},
	{"mounts", visibleMounts},
	{"H10_capabilities", visibleCapabilities},
	{"root of the cell", visibleRoot},
	{"work directory", visibleWork},
}

func visibleUser(t *testing.T, s *suite) {
	s.open(t).python("import os; print(os.getresuid(), os.getresgid(), set(os.getgroups()) - {1000})").
		prints(t, "(1000, 1000, 1000) (1000, 1000, 1000) set()\n")
}

func visibleEnvironment(t *testing.T, s *suite) {
	x := s.open(t)
	x.exec(cell.Command{Argv: []string{"/usr/bin/env"}, Env: []string{"A=1", "B=two words"}}).prints(t, "A=1\nB=two words\n")
	x.exec(cell.Command{Argv: []string{"/usr/bin/env"}, Env: []string{}}).prints(t, "")
}

func visibleDirectory(t *testing.T, s *suite) {
	s.open(t).exec(cell.Command{Argv: []string{"/bin/pwd"}, Dir: "/usr/lib"}).prints(t, "/usr/lib\n")
}

func visibleHostname(t *testing.T, s *suite) {
	o := s.open(t).python("import os; print(os.uname().nodename)")
	o.succeeds(t)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(o.stdout) == host {
		t.Errorf("the cell has the name of the host, %q", host)
	}
}

func visibleDescriptors(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(programs.Descriptors.Code).prints(t, programs.Descriptors.Want)
	x.pythonRoot(programs.Descriptors.Code).prints(t, programs.Descriptors.Want)
	x.python(`
import os
seen = set()
for pid in os.listdir("/proc"):
    for fd in range(64):
        for way in ("/proc/%s/fd/%d/../../../.." % (pid, fd), "/proc/%s/cwd" % pid, "/proc/%s/root" % pid):
            try:
                os.chdir(way)
                seen.add(os.getcwd())
            except OSError:
                pass
print(all(os.path.exists(os.path.join(d)) for d in seen), "unreachable" in "".join(seen))
`).prints(t, "True False\n")
}

func visibleProcesses(t *testing.T, s *suite) {
	x := s.open(t)
	const code = "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()))"
	x.python(code).prints(t, "[1]\n")
	o := x.pythonRoot("import os; print(os.getpid() < 1000, os.getppid())")
	o.prints(t, "True 1\n")
}

// visibleHostFiles looks for files that are on this host, one of which the
// test makes, and for the doors that containers have left open elsewhere.
func visibleHostFiles(t *testing.T, s *suite) {
	canary := filepath.Join(t.TempDir(), "canary")
	if err := os.WriteFile(canary, []byte("host"), 0o644); err != nil {
		t.Fatal(err)
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{canary, executable, filepath.Join(wd, "celltest.go"), s.dir, s.rootFS, "/proc/1/root/" + canary}
	x := s.open(t)
	x.python(programs.HostFiles.Code, paths...).prints(t, programs.HostFiles.Want)
	x.pythonRoot(programs.HostFiles.Code, paths...).prints(t, programs.HostFiles.Want)
}

// visibleOtherEnvironments reads the environment of every process, as root of
// the cell too: that of the host must not be in it.
func visibleOtherEnvironments(t *testing.T, s *suite) {
	t.Setenv("GLOVEBOX_TEST_CANARY", programs.EnvironmentCanary)
	holds(programs.OtherEnvironments)(t, s)
}

func visibleMounts(t *testing.T, s *suite) {
	o := s.open(t).python("print(open('/proc/mounts').read() + open('/proc/self/mountinfo').read())")
	o.succeeds(t)
	for _, leak := range []string{s.dir, s.rootFS, filepath.Dir(s.rootFS), "/dev/vd", "/dev/sd", "/dev/nvme"} {
		if strings.Contains(o.stdout, leak) {
			t.Errorf("the mounts of the cell show %q of the host:\n%s", leak, o.stdout)
		}
	}
}

func visibleCapabilities(t *testing.T, s *suite) {
	s.open(t).python(programs.Capabilities.Code).prints(t, programs.Capabilities.Want)
}

// visibleRoot is for image builds: root of the cell can install packages, and
// is not root of anything else.
func visibleRoot(t *testing.T, s *suite) {
	s.open(t).pythonRoot(`
import os
open("/usr/local/bin/tool", "w").write("#!/bin/sh\n")
os.chmod("/usr/local/bin/tool", 0o755)
os.chown("/usr/local/bin/tool", 7, 8)
os.mkdir("/opt/new")
os.symlink("/opt/new", "/opt/link")
st = os.stat("/usr/local/bin/tool")
print(os.getuid(), st.st_uid, st.st_gid, os.path.isdir("/opt/link"))
`).prints(t, "0 7 8 True\n")
}

func visibleWork(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/var/outputs", directory("result"))
	x.python(`
import os
open("/work/a", "w").write("a")
open("/var/outputs/result/a", "w").write("a")
for path in ("/etc/passwd", "/usr/bin/python3", "/new", "/var/outputs/other"):
    try:
        open(path, "a")
        print("could write", path)
    except OSError:
        pass
print(os.path.expanduser("~"))
`).prints(t, "/work\n")
}
