package difftest

import (
	"cmp"
	"flag"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
)

var (
	programs  = flag.Int("programs", 0, "how many random programs to compare with CPython; 0 means 400, and 100 with -short")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first of them")
)

// batch is how many programs CPython runs in one process.
const batch = 200

// TestRandomPrograms compares programs made at random with CPython, and shrinks
// the first ones that differ.
func TestRandomPrograms(t *testing.T) {
	needPython(t)
	failures, all := 0, cmp.Or(*programs, 400)
	if *programs == 0 && testing.Short() {
		all = 100
	}
	for done := 0; done < all && failures < 5; done += batch {
		nodes := make([]*node, min(batch, all-done))
		sources := make([]string, len(nodes))
		for i := range nodes {
			nodes[i] = generate(*firstSeed+uint64(done+i), 15)
			sources[i] = nodes[i].source()
		}
		for i, differs := range differ(t, sources) {
			if differs && failures < 5 {
				failures++
				report(t, *firstSeed+uint64(done+i), nodes[i])
			}
		}
	}
}

func report(t *testing.T, seed uint64, program *node) {
	small := shrink(program, func(sources []string) []bool { return differ(t, sources) }).source()
	want, err := AskCPython([]string{small})
	if err != nil {
		t.Fatal(err)
	}
	t.Errorf("seed %d:\n%s\n%s", seed, strings.TrimPrefix(small, setting), Difference(want[0], run(small, py.Extended)))
}

// differ tells which programs CPython and the machine disagree about.
func differ(t *testing.T, sources []string) []bool {
	t.Helper()
	if len(sources) == 0 {
		return nil
	}
	want, err := AskCPython(sources)
	if err != nil {
		t.Fatal(err)
	}
	found := make([]bool, len(sources))
	for i, source := range sources {
		if want[i].Error == "Expired" || strings.Contains(want[i].Output, "MemoryError") {
			continue // limits are not CPython's
		}
		found[i] = Difference(want[i].WithoutSetOrder(), run(source, py.Extended).WithoutSetOrder()) != ""
	}
	return found
}
