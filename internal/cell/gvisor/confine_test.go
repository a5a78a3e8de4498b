package gvisor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
)

// The kernel that a cell calls is a process with no rights: this looks at it
// from outside, and at every process that runs the cell's programs.
func TestSandboxIsConfined(t *testing.T) {
	celltest.NeedReal(t)
	inGroup(t, 4)
	in := startForTest(t)
	processes := append([]int{in.cmd.Process.Pid}, descendants(t, in.cmd.Process.Pid)...)
	if len(processes) < 2 {
		t.Errorf("the sandbox has no processes for programs: %d", processes)
	}
	uid := os.Getuid()
	if uid == 0 {
		uid = 65534
	}
	want := map[string]string{
		"Uid": fmt.Sprintf("%d %[1]d %[1]d %[1]d", uid), "NoNewPrivs": "1", "Seccomp": "2",
		"CapInh": noCaps, "CapPrm": noCaps, "CapEff": noCaps, "CapBnd": noCaps, "CapAmb": noCaps,
	}
	if os.Getuid() == 0 { // others cannot leave their groups
		want["Groups"] = ""
	}
	for _, pid := range processes {
		if limits, _ := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid)); !noImage.Match(limits) {
			t.Errorf("process %d may leave an image of its memory:\n%s", pid, limits)
		}
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
		if len(tasks) == 0 {
			t.Errorf("process %d has no threads", pid)
		}
		for _, task := range tasks {
			if diff := cmp.Diff(want, statusOf(t, task, want)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", task, diff)
			}
		}
		for _, namespace := range []string{"user", "pid", "mnt", "net", "ipc", "uts"} {
			own, theirs := readlink("self", "ns", namespace), readlink(fmt.Sprint(pid), "ns", namespace)
			if theirs == own && theirs != "" {
				t.Errorf("process %d is in this process's %s namespace", pid, namespace)
			}
		}
	}
}

const noCaps = "0000000000000000"

var noImage = regexp.MustCompile(`(?m)^Max core file size +1 +1 `)

// inGroup puts this process into one more group for the time of the test, if it
// may do that.
func inGroup(t *testing.T, group int) {
	before, err := syscall.Getgroups()
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Setgroups(append(slices.Clone(before), group)) == nil {
		t.Cleanup(func() { syscall.Setgroups(before) })
	}
}

// Only root can look through the root directory and the descriptors of a
// process of another user.
func TestSandboxHasNoFiles(t *testing.T) {
	celltest.NeedReal(t)
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	inheritable(t)
	in := startForTest(t)
	proc := fmt.Sprintf("/proc/%d", in.cmd.Process.Pid)
	var found []string
	filepath.WalkDir(proc+"/root/", func(path string, _ os.DirEntry, err error) error {
		found = append(found, strings.TrimPrefix(path, proc+"/root/"))
		return err
	})
	if diff := cmp.Diff([]string{"", "proc", "proc/self", "proc/self/maps"}, found); diff != "" {
		t.Errorf("the sandbox's root directory (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(proc+"/root/file", nil, 0o600); err == nil {
		t.Error("the sandbox's root directory can be written")
	}
	mounts, _ := os.ReadFile(proc + "/mounts")
	if got := strings.Count(string(mounts), "\n"); got != 1 {
		t.Errorf("the sandbox has %d mounts:\n%s", got, mounts)
	}
	fds, _ := filepath.Glob(proc + "/fd/*")
	allowed := regexp.MustCompile(`^(/dev/null|(pipe|socket|anon_inode):.*|/memfd:.*|.*\.erofs|.*/upper-\d+ \(deleted\))$`)
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil && !allowed.MatchString(target) {
			t.Errorf("the sandbox holds %s", target)
		}
	}
}

// inheritable opens files as packages do that know nothing of children: low and
// high numbers, without the mark that they are for this process alone.
func inheritable(t *testing.T) {
	for _, least := range []uintptr{3, 100, 300, 2000} {
		fd, _, errno := syscall.Syscall(syscall.SYS_FCNTL, os.Stderr.Fd(), syscall.F_DUPFD, least)
		if errno != 0 {
			t.Fatal(errno)
		}
		file, err := os.Create(filepath.Join(t.TempDir(), "of the host"))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Dup3(int(file.Fd()), int(fd), 0); err != nil {
			t.Fatal(err)
		}
		file.Close()
		t.Cleanup(func() { syscall.Close(int(fd)) })
	}
}

func startForTest(t *testing.T) *instance {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	driver, err := New(Config{Program: program, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	started, err := driver.Start(context.Background(), cell.Spec{ID: "confined", RootFS: celltest.RootFS(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { started.Close() })
	// The guest's first word: the program of process 1 runs.
	if _, err := started.Stream().Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return started.(*instance)
}

func descendants(t *testing.T, pid int) (all []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(children)) {
			var child int
			if _, err := fmt.Sscan(field, &child); err != nil {
				t.Fatal(err)
			}
			all = append(all, child)
			all = append(all, descendants(t, child)...)
		}
	}
	return all
}

// statusOf reads the fields of a status file that are wanted.
func statusOf(t *testing.T, path string, wanted map[string]string) map[string]string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		if _, ok := wanted[name]; ok {
			got[name] = strings.Join(strings.Fields(value), " ")
		}
	}
	return got
}

func readlink(parts ...string) string {
	target, _ := os.Readlink(filepath.Join(append([]string{"/proc"}, parts...)...))
	return target
}
