package machine

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// TestDates gives a program dates and takes them back.
func TestDates(t *testing.T) {
	wall := time.Date(2024, 2, 29, 13, 5, 9, 123456000, time.UTC)
	for _, c := range []struct {
		name, source string
		in, want     any
	}{
		{"naive", "x", value.DateTime{Wall: wall}, value.DateTime{Wall: wall}},
		{"utc", "x", value.DateTime{Wall: wall, Aware: true}, value.DateTime{Wall: wall, Aware: true}},
		{"offset", "x", value.DateTime{Wall: wall, Aware: true, Offset: -90 * time.Minute}, value.DateTime{Wall: wall, Aware: true, Offset: -90 * time.Minute}},
		{"fields", "[x.year, x.microsecond, str(x)]", value.DateTime{Wall: wall}, []any{int64(2024), int64(123456), "2024-02-29 13:05:09.123456"}},
		{"arithmetic", "import datetime\nx + datetime.timedelta(days=1)", value.DateTime{Wall: wall}, value.DateTime{Wall: wall.AddDate(0, 0, 1)}},
		{"class", "import datetime\nisinstance(x, datetime.datetime)", value.DateTime{Wall: wall}, true},
		{"delta", "x", value.Timedelta{Days: -1, Seconds: 5, Microseconds: 7}, value.Timedelta{Days: -1, Seconds: 5, Microseconds: 7}},
		{"longest", "x", value.Timedelta{Days: 999_999_999, Seconds: 86399, Microseconds: 999_999}, value.Timedelta{Days: 999_999_999, Seconds: 86399, Microseconds: 999_999}},
		{"list", "[x[0] - x[1]]", []any{value.DateTime{Wall: wall}, value.DateTime{Wall: wall.Add(-time.Hour)}}, []any{value.Timedelta{Seconds: 3600}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := dated(t, c.source, c.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// dated runs a program on an input and returns what it ends with.
func dated(t *testing.T, source string, in any) (any, error) {
	t.Helper()
	return exported(t, source, in, value.Type{Kind: value.KindAny})
}

// exported is dated for a declared result.
func exported(t *testing.T, source string, in any, declared value.Type) (any, error) {
	t.Helper()
	file, err := syntax.Parse("<code>", source)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := compile.Compile(file, compile.Options{Name: "<code>", Builtin: builtins.Is, Result: true, Predeclared: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	m := New(Link(mod, []string{"x"}, nil), testLimits, Host{})
	v, err := m.Import(in)
	if err != nil {
		return nil, err
	}
	m.SetInput(0, v)
	m.Start(context.Background())
	if m.Status() != Done {
		return nil, m.Failure()
	}
	return m.Export(m.Result(), declared)
}

// TestDateFromTool answers a call deep in a program with a datetime, which
// makes the machine import the module while the program waits.
func TestDateFromTool(t *testing.T) {
	p := toolProgram(t, "def f(a, b):\n    d = tool_echo(a)\n    return [a, b, d.year, str(d)]\nf(1, [2, f(3, 4)])")
	m := New(p, testLimits, Host{})
	m.Start(context.Background())
	for m.Status() == Waiting {
		m.Resume(context.Background(), []Answer{{ID: m.Calls()[0].ID, Value: value.DateTime{Wall: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}}})
	}
	if err := m.Failure(); err != nil {
		t.Fatal(err)
	}
	const want = "[1, [2, [3, 4, 2024, '2024-02-29 00:00:00']], 2024, '2024-02-29 00:00:00']"
	if got, err := m.Repr(); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}
