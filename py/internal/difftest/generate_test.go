package difftest

import (
	"slices"
	"strings"
	"testing"
)

// TestGeneratedProgramsRun shows that programs made at random are programs: no
// syntax errors, and most of them run to their end.
func TestGeneratedProgramsRun(t *testing.T) {
	needPython(t)
	sources := make([]string, 200)
	for i := range sources {
		sources[i] = generate(uint64(i), 20).source()
	}
	outcomes, err := AskCPython(sources)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for i, o := range outcomes {
		if o.Error == "Expired" || strings.HasSuffix(o.Error, "SyntaxError") || o.Error == "IndentationError" {
			t.Errorf("seed %d: %s in line %d of\n%s", i, o.Message, o.Line, sources[i])
		}
		if o.Error == "" {
			ended++
		}
	}
	if ended < len(sources)/4 {
		t.Errorf("%d of %d programs run to their end, want a quarter", ended, len(sources))
	}
	t.Logf("%d of %d ran to their end", ended, len(sources))
}

func TestGenerateIsDeterministic(t *testing.T) {
	first, again, other := generate(7, 20).source(), generate(7, 20).source(), generate(8, 20).source()
	if first != again {
		t.Error("the same seed made two programs")
	}
	if first == other {
		t.Error("two seeds made the same program")
	}
}

func TestShrink(t *testing.T) {
	wanted := ".upper()"
	var program *node
	for seed := uint64(0); program == nil; seed++ {
		if p := generate(seed, 20); strings.Contains(p.source(), wanted) {
			program = p
		}
	}
	small := shrink(program, func(sources []string) []bool {
		has := make([]bool, len(sources))
		for i, s := range sources {
			has[i] = strings.Contains(strings.TrimPrefix(s, setting), wanted)
		}
		return has
	})
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(small.source(), setting)), "\n")
	if len(lines) > 4 || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, wanted) }) {
		t.Errorf("shrank to\n%s", strings.Join(lines, "\n"))
	}
}
