package celltest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// settle is how long the kernel may take to show what is already decided, such
// as the end of a process that was killed.
const settle = 5 * time.Second

// eventually waits until find finds nothing, and reports what it still finds
// when the time is over.
func eventually(t *testing.T, what string, find func() []string) {
	t.Helper()
	var found []string
	for deadline := time.Now().Add(settle); time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		if found = find(); len(found) == 0 {
			return
		}
	}
	t.Errorf("%s left behind:\n%s", what, strings.Join(found, "\n"))
}

// nothingRuns fails the test while any process on the host names the cell.
func (s *suite) nothingRuns(t *testing.T, id string) {
	t.Helper()
	eventually(t, "processes of "+id, func() []string { return processesNaming(t, id) })
}

// nothingLeft fails the test while the driver keeps files on the host.
func (s *suite) nothingLeft(t *testing.T) {
	t.Helper()
	eventually(t, "files below the driver's directory", func() []string { return filesBelow(t, s.dir, s.cfg.Allow) })
}

func processesNaming(t *testing.T, text string) []string {
	return processesWhere(t, func(pid int, cmdline string) bool { return strings.Contains(cmdline, text) })
}

// relatives lists the processes that run the same program as this one, which
// is what every part of a driver in this program does, and its children.
func relatives(t *testing.T) []string {
	self, err := os.Stat("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	return processesWhere(t, func(pid int, _ string) bool {
		exe, err := os.Stat("/proc/" + strconv.Itoa(pid) + "/exe")
		return err == nil && os.SameFile(self, exe) || parentOf(pid) == os.Getpid()
	})
}

func processesWhere(t *testing.T, match func(pid int, cmdline string) bool) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err != nil {
			continue
		}
		cmdline := string(bytes.ReplaceAll(raw, []byte{0}, []byte{' '}))
		if match(pid, cmdline) {
			found = append(found, e.Name()+" "+cmdline)
		}
	}
	return found
}

// parentOf returns 0 for a process that is gone. The fields are those of
// proc_pid_stat(5).
func parentOf(pid int) int {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data[bytes.LastIndexByte(data, ')')+1:]), " ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}

func filesBelow(t *testing.T, dir string, allow []string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || path == dir {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil || slices.Contains(allow, relative) {
			return err
		}
		found = append(found, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func mountPoints(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	var points []string
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			points = append(points, fields[4])
		}
	}
	slices.Sort(points)
	return points
}

// cgroups lists every control group of the host.
func cgroups(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it went away, or is not ours to see
		}
		if entry.IsDir() {
			dirs = append(dirs, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func descriptors(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for _, e := range entries {
		link, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && !strings.HasPrefix(link, "/proc/") {
			links = append(links, link)
		}
	}
	return links
}
