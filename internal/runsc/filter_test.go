package runsc

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/bpf"
)

// compilerName is argv[0] of a process that writes a filter as gVisor compiles
// it, for the priority in argv[1].
const compilerName = "filter-compiler"

func TestMain(m *testing.M) {
	if os.Args[0] == compilerName {
		os.Exit(compiler())
	}
	os.Exit(m.Run())
}

func compiler() int {
	info := systrapInfo()
	if priority, err := strconv.ParseUint(os.Args[1], 10, 64); err == nil {
		info = prioritized{info, priority}
	}
	filter, err := compileFilter(info)
	if err != nil {
		return 1
	}
	binary.Write(os.Stdout, binary.LittleEndian, filter)
	return 0
}

// compiled returns the filter that gVisor compiles in a process that is number
// 1 of its namespace, as a sandbox is.
func compiled(t *testing.T, priority string) []byte {
	cmd := exec.Command("/proc/self/exe", priority)
	cmd.Args[0] = compilerName
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
	}
	filter, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return filter
}

var update = flag.Bool("update", false, "write the filter of this architecture")

func TestFilterFresh(t *testing.T) {
	path, want := "filters/"+runtime.GOARCH+".bpf", compiled(t, fmt.Sprint(uint64(anyPriority)))
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil && runtime.GOARCH != "amd64" {
		t.Skipf("there is none for %s, so gVisor compiles it in each sandbox; go test ./internal/runsc -run Fresh -update writes it", runtime.GOARCH)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what gVisor compiles; write it again with: go test ./internal/runsc -run Fresh -update", path)
	}
}

// TestSavedFilterIsCompiledFilter: a sandbox installs, instruction for
// instruction, the filter that gVisor would have installed, whatever the nice
// value of the process.
func TestSavedFilterIsCompiledFilter(t *testing.T) {
	for _, nice := range []int{-20, -2, -1, 0, 1, 10, 19} {
		saved := decode(t, compiled(t, fmt.Sprint(uint64(anyPriority))))
		priority := uint64(nice + 1)
		got, want := withPriority(saved, priority), decode(t, compiled(t, fmt.Sprint(priority)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("niceness %d (-gVisor's +saved):\n%s", nice, diff)
		}
	}
	own := decode(t, compiled(t, "own"))
	if saved, ok := savedFilter(); ok && !cmp.Equal(own, saved) {
		t.Errorf("at this process's priority the saved filter is not gVisor's:\n%s", cmp.Diff(own, saved))
	}
}

func decode(t *testing.T, data []byte) []bpf.Instruction {
	filter := make([]bpf.Instruction, len(data)/binary.Size(bpf.Instruction{}))
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, filter); err != nil {
		t.Fatal(err)
	}
	if len(filter) < 100 {
		t.Fatalf("the filter has %d instructions", len(filter))
	}
	return filter
}
