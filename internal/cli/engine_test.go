package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/host"
)

// TestWithoutEngine shows what commands answer on a system without an engine:
// each names the server as the way to go, and help and versions work.
func TestWithoutEngine(t *testing.T) {
	t.Setenv(serverVariable, "")
	t.Setenv("GLOVEBOX_HOME", t.TempDir())
	for _, test := range []struct {
		args   []string
		status int
		out    string // a part of standard output
	}{
		{[]string{"run", "-c", "1"}, 125, ""},
		{[]string{"runs"}, 125, ""},
		{[]string{"serve"}, 125, ""},
		{[]string{"prune"}, 0, ""},
		{[]string{"image", "ls"}, 125, ""},
		{[]string{"doctor"}, 1, serverVariable},
		{[]string{"version"}, 0, "no gVisor"},
		{[]string{"--help"}, 0, "Run code"},
	} {
		var out, errs bytes.Buffer
		status := Main(Program{Engine: host.None{}}, test.args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		named := test.status != 125 || strings.Contains(errs.String(), "the engine needs Linux") && strings.Contains(errs.String(), serverVariable)
		if status != test.status || !strings.Contains(out.String(), test.out) || !named {
			t.Errorf("%q: status %d, want %d\n%s%s", test.args, status, test.status, out.String(), errs.String())
		}
	}
}

// optionsEngine keeps what it is opened with.
type optionsEngine struct {
	host.None
	opened *[]host.Options
}

func (e optionsEngine) Open(ctx context.Context, o host.Options) (host.System, error) {
	*e.opened = append(*e.opened, o)
	return e.None.Open(ctx, o)
}

// TestReadersOpenAnyHome holds commands that only look to opening a home that
// cannot be written, such as that of a full disk.
func TestReadersOpenAnyHome(t *testing.T) {
	t.Setenv(serverVariable, "")
	var reading []bool
	commands := [][]string{{"doctor"}, {"doctor", "--deep"}, {"runs"}, {"image", "ls"}, {"start", "task"}}
	for _, args := range commands {
		var opened []host.Options
		var out, errs bytes.Buffer
		Main(Program{Engine: optionsEngine{opened: &opened}}, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		reading = append(reading, len(opened) == 1 && opened[0].Reading)
	}
	if want := []bool{true, true, true, true, false}; !slices.Equal(reading, want) {
		t.Errorf("%q opened to read: %v, want %v", commands, reading, want)
	}
}

// TestLimitsOfServe holds each flag that limits a server to the option that it is.
func TestLimitsOfServe(t *testing.T) {
	t.Setenv(serverVariable, "")
	var opened []host.Options
	var out, errs bytes.Buffer
	args := []string{"serve", "--max-cells", "1", "--max-runs", "2", "--max-sessions", "3"}
	Main(Program{Engine: optionsEngine{opened: &opened}}, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if len(opened) != 1 || opened[0].MaxCells != 1 || opened[0].MaxRuns != 2 || opened[0].MaxSessions != 3 {
		t.Errorf("opened with %+v: %s", opened, &errs)
	}
}
