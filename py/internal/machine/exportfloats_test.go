package machine

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// TestFloatsAsFields calls a tool with lists of floats: only a long one leaves as
// Fields, and only to a host that takes them. A snapshot has the same list.
func TestFloatsAsFields(t *testing.T) {
	floats := value.MustType("list[float]")
	for source, c := range map[string]struct{ host, asFields bool }{
		"tool_echo([0.5] * 1024)":         {true, true},
		"tool_echo([0.5] * 1023)":         {true, false},
		"tool_echo([0.5] * 1024 + [1])":   {true, false},
		"tool_echo([0.5] * 1024 + [0.5])": {false, false},
	} {
		program := toolProgram(t, source)
		for _, declared := range program.Tools {
			if declared.Name == "tool_echo" {
				declared.Params = []tool.Param{{Name: "value", Type: floats}}
			}
		}
		m := New(program, testLimits, Host{Fields: c.host})
		m.Start(context.Background())
		if m.Status() != Waiting {
			t.Fatalf("%s: status %v, %v", source, m.Status(), m.Failure())
		}
		left := m.Calls()[0].Args[0]
		fields, ok := left.(value.Fields)
		if ok != c.asFields {
			t.Errorf("%s, to a host that takes Fields (%t): it is %T", source, c.host, left)
		}
		if ok {
			left, _ = fields.Value("value")
		}
		if diff := cmp.Diff(left, reload(t, m).Calls()[0].Args[0]); diff != "" {
			t.Errorf("%s after a snapshot (-before +after):\n%s", source, diff)
		}
	}
}

// TestFloatsAsFieldsCost: what leaves is paid for, and too much of it is refused.
func TestFloatsAsFieldsCost(t *testing.T) {
	program := toolProgram(t, "tool_echo([0.5] * 100_000)")
	program.Tools[3].Params = []tool.Param{{Name: "value", Type: value.MustType("list[float]")}}
	limits := testLimits
	limits.Memory = 3_000_000
	m := New(program, limits, Host{Fields: true})
	m.Start(context.Background())
	if e, ok := m.Failure().(*LimitError); !ok || e.Limit != MemoryLimit {
		t.Errorf("status %v, %v; want the memory limit", m.Status(), m.Failure())
	}
}
