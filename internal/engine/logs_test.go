package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
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
	log := newRunLog(path, func() {})
	log.add("stdout", []byte("a\n"))
	log.add("stdout", []byte("b\n"))
	log.close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	for _, torn := range []string{`{"seq":2,"te`, strings.Repeat("x", 9*maxLogEntry)} {
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
	log := newRunLog(path, func() {})
	log.add("stdout", []byte("b\n"))
	log.close()
}

// TestLogIsCut is I15: a log has a bound, and says where it was cut.
func TestLogIsCut(t *testing.T) {
	for name, text := range map[string]string{"text": "x", "control characters": "\x01"} {
		t.Run(name, func(t *testing.T) { testLogIsCut(t, bytes.Repeat([]byte(text), 1<<20)) })
	}
}

func testLogIsCut(t *testing.T, text []byte) {
	path := filepath.Join(t.TempDir(), "log")
	for range 2 { // the second attempt continues the log of the first
		log := newRunLog(path, func() {})
		for range 9 {
			log.add("stdout", text)
		}
		log.close()
	}
	kept, cut := 0, 0
	var last api.LogEntry
	for entry, err := range readLog(path) {
		if err != nil {
			t.Fatal(err)
		}
		if last = entry; entry.Cut {
			cut++
			continue
		}
		kept += len(entry.Bytes())
	}
	if info, err := os.Stat(path); err != nil || info.Size() < maxLogBytes || info.Size() > maxLogBytes+7*maxLogEntry {
		t.Errorf("the file: %v, %v", info.Size(), err)
	}
	if kept < maxLogBytes/7 || cut == 0 || !last.Cut || last.Stream != "system" {
		t.Errorf("the log has %d bytes and %d cuts; it ends with %+v", kept, cut, last)
	}
}
