package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// TestPrintedByTheLastAttempt: who asks later gets what who waited got. That the
// log was cut begins no attempt.
func TestPrintedByTheLastAttempt(t *testing.T) {
	h := newHost(t)
	e := h.engine("one", h.journal)
	log := newRunLog(e.logPath("run"), func() {})
	log.add("stdout", []byte("first\n"))
	log.add("stderr", []byte("first\n"))
	log.add("system", []byte("attempt failed\n"))
	log.add("stdout", []byte("a\n"))
	log.add("stdout", []byte("b\n"))
	log.append(api.LogEntry{Stream: "system", Text: "the log ends here\n", Cut: true})
	log.close()
	if stdout, stderr := e.printed("run"); string(stdout) != "a\nb\n" || len(stderr) > 0 {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
}

func TestWithDigests(t *testing.T) {
	v := []any{value.File{Path: "/runs/a", SHA256: "other"}, value.Tuple{value.Dir{Path: "/runs/b", Files: 2}}, int64(1)}
	content := []any{value.File{Path: "a", Size: 1, SHA256: "1"}, value.Tuple{value.Dir{Path: "b", Size: 2, Files: 2, SHA256: "2"}}, int64(1)}
	want := []any{value.File{Path: "/runs/a", Size: 1, SHA256: "1"}, value.Tuple{value.Dir{Path: "/runs/b", Size: 2, Files: 2, SHA256: "2"}}, int64(1)}
	got, err := withDigests(v, content)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
