package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestExitStatus(t *testing.T) {
	tests := []struct {
		e    *api.Error
		want int
	}{
		{api.Errorf(api.InvalidInput, "x"), 2},
		{api.Errorf(api.Timeout, "x"), 124},
		{api.Errorf(api.OutOfMemory, "x"), 137},
		{api.Errorf(api.Canceled, "x"), 130},
		{api.Errorf(api.CommandNotFound, "x"), 127},
		{api.Errorf(api.PythonException, "x"), 1},
		{api.Errorf(api.NonzeroExit, "x").WithDetails(api.Details{ExitCode: 42}), 42},
		{api.Errorf(api.NonzeroExit, "x"), 125},
		{api.Errorf(api.Signaled, "x").WithDetails(api.Details{Signal: "SIGSEGV"}), 139},
		{api.Errorf(api.Signaled, "x").WithDetails(api.Details{Signal: "SIGKILL"}), 137},
		{api.Errorf(api.Signaled, "x").WithDetails(api.Details{Signal: "unheard of"}), 137},
	}
	for _, tt := range tests {
		if got := exitStatus(tt.e); got != tt.want {
			t.Errorf("exitStatus(%v, %+v) = %d, want %d", tt.e, tt.e.Details, got, tt.want)
		}
	}
}

func TestReport(t *testing.T) {
	syntax := api.Errorf(api.SyntaxError, "SyntaxError: invalid syntax, at x.py:12").WithDetails(api.Details{
		Exception: &api.Exception{Frames: []api.Frame{{File: "x.py", Line: 12, Column: 9, Source: "    y = = 2\n"}}},
	})
	syntax.Attempts = 3
	build := api.Errorf(api.BuildFailed, "the step failed").WithHint("").WithDetails(api.Details{Log: "one\nt\x1b[31mwo\n"})
	tests := []struct {
		name   string
		err    error
		hidden bool
		status int
		want   string
	}{
		{"nothing", nil, false, 0, ""},
		{"usage", usage("no %s", "file").hint("name one"), false, 2, "glovebox: no file\n  hint: name one\n"},
		{"printed already", silentExit(1), false, 1, ""},
		{"shown", syntax, false, 1, "glovebox: syntax_error: SyntaxError: invalid syntax, at x.py:12 (after 3 attempts)\n  hint: correct the line that the error shows\n"},
		{"hidden", syntax, true, 1, "glovebox: syntax_error: SyntaxError: invalid syntax, at x.py:12 (after 3 attempts)\n" +
			"     --> x.py:12\n  12 | y = = 2\n     |     ^\n  hint: correct the line that the error shows\n"},
		{"log", build, false, 125, "glovebox: build_failed: the step failed\n  | one\n  | t\ufffd[31mwo\n"},
		{"lines", usage("one\n  hint: t\x1bwo"), false, 2, "glovebox: one\n      hint: t\ufffdwo\n"},
		{"foreign", errors.New("boom"), false, 125, "glovebox: internal: boom\n  hint: this is a defect: please report it with the whole message\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			c := &cli{Streams: Streams{Err: &b}, reached: true, hidden: tt.hidden}
			if status := c.report(tt.err); status != tt.status {
				t.Errorf("status = %d, want %d", status, tt.status)
			}
			if diff := cmp.Diff(b.String(), tt.want); diff != "" {
				t.Errorf("stderr (-got +want):\n%s", diff)
			}
		})
	}
}

func TestPlaceOfOddColumns(t *testing.T) {
	for _, frame := range []api.Frame{
		{File: "x", Line: 1, Column: 900, Source: "short"},
		{File: "x", Line: 1, Column: -5, Source: "short"},
		{File: "x", Line: 1, Column: 1, Source: "      indented"},
		{File: "x", Line: -1, Source: "\t\n"},
	} {
		text := place(&api.Error{Details: api.Details{Exception: &api.Exception{Frames: []api.Frame{frame}}}})
		if strings.Contains(text, "^") {
			t.Errorf("place(%+v) has a caret:\n%s", frame, text)
		}
	}
}

func TestLastLinesAreBounded(t *testing.T) {
	shown := lastLines(strings.Repeat("line\n", 1000) + "end\n")
	if n := strings.Count(shown, "\n"); n != maxLogLines || !strings.HasSuffix(shown, "  | end\n") {
		t.Errorf("%d lines:\n%s", n, shown)
	}
}

func TestNearestFlag(t *testing.T) {
	help := "  -c, --code CODE   run\n      --memory SIZE   limit\n      --network DOMAINS\n"
	for name, want := range map[string]string{"memroy": "memory", "cod": "code", "netwrok": "network", "frobnicate": ""} {
		if got := nearestFlag(help, name); got != want {
			t.Errorf("nearestFlag(%q) = %q, want %q", name, got, want)
		}
	}
}
