package engine

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
)

// logOf reads the log of a run that has ended.
func logOf(t *testing.T, e *Engine, id string) (entries []api.LogEntry) {
	t.Helper()
	for entry, err := range e.Logs(t.Context(), id, 0, false) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry)
	}
	return entries
}

// TestLogAfterATornLine: what a killed process left unfinished hides nothing of
// what was printed after it.
func TestLogAfterATornLine(t *testing.T) {
	h := newHost(t)
	e := h.engine("one", h.journal)
	result, err := run1(t, e, orchestrate("1", anything), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := e.logPath(result.RunID)
	log := runlog.New(path, func() {}, runlog.Bound{})
	log.Add("stdout", []byte("a\n"))
	log.Add("stdout", []byte("b\n"))
	log.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	for _, torn := range []string{`{"seq":2,"te`, strings.Repeat("x", 300<<10)} {
		damaged := string(first) + "\n" + torn + "\n" + string(rest)
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		var printed []string
		for _, entry := range logOf(t, e, result.RunID) {
			printed = append(printed, entry.Text)
		}
		if diff := cmp.Diff([]string{"a\n", "b\n"}, printed); diff != "" {
			t.Errorf("%.20s -want +got:\n%s", torn, diff)
		}
	}
}

// TestLogThatCannotBeRead: it is an error, and neither an empty log nor a run
// that hangs.
func TestLogThatCannotBeRead(t *testing.T) {
	h := newHost(t)
	e := h.engine("one", h.journal)
	result, err := run1(t, e, orchestrate("print('a')", anything), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := e.logPath(result.RunID)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil { // reading it fails, for root too
		t.Fatal(err)
	}
	var got error
	for _, err := range e.Logs(t.Context(), result.RunID, 0, false) {
		got = err
	}
	if api.AsError(got).Code != api.StorageCorrupt {
		t.Errorf("got %v", got)
	}
	log := runlog.New(path, func() {}, runlog.Bound{})
	log.Add("stdout", []byte("b\n"))
	log.Close()
}
