package attack

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// manyTexts is code that reports 16 MB of text as a list of millions of parts,
// past the runner.
const manyTexts = `
import os
report = ('{"ok":true,"outputs":{"x":[' + '"a",' * 4_100_000 + '"a"]},"file_outputs":[]}').encode()
os.write(4, b"\n")
view = memoryview(report)
while view:
    view = view[os.write(4, view):]
os._exit(0)
`

// Small cells whose outputs take far more memory than their text do not take the
// server with them, and cost no neighbour its result.
func TestAttackO09_OutputsThatGrow(t *testing.T) {
	const budget, beside = 800 << 20, 448 << 20
	s := serve(t, home, "--value-memory", strconv.Itoa(budget))
	before := residentOf(t, s.cmd.Process.Pid)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			e := s.ask("", "run", "-o", "x:list[str]", "-c", manyTexts+fmt.Sprint("# ", i))
			if e.status != 0 || len(e.stdout) < 16_000_000 {
				t.Errorf("attacker: %d, %d bytes, %.300s", e.status, len(e.stdout), e.stderr)
			}
		})
	}
	if e := s.ask("", "run", "-o", "x:int", "-c", "import time; time.sleep(5); x = 42"); e.status != 0 || !strings.Contains(e.stdout, "42") {
		t.Errorf("neighbour: %d, %s %s", e.status, e.stdout, e.stderr)
	}
	all.Wait()
	if took := residentOf(t, s.cmd.Process.Pid) - before; took > budget+beside {
		t.Errorf("the server took %d MiB", took>>20)
	}
}

// TestAttackO09_OutputTooLargeForTheServer: an output beyond the memory for all
// values is refused, with that reason.
func TestAttackO09_OutputTooLargeForTheServer(t *testing.T) {
	s := serve(t, home, "--value-memory", "100Mi")
	s.ask("", "run", "--json", "-o", "x:list[str]", "-c", manyTexts).fails(t, "output_too_large", "memory")
}

// residentOf returns the most memory that a process has held, in bytes.
func residentOf(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
