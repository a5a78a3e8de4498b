package runlog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestPrintedByTheLastAttempt: who asks later gets what who waited got. That the
// log was cut begins no attempt.
func TestPrintedByTheLastAttempt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := New(path, func() {})
	log.Add("stdout", []byte("first\n"))
	log.Add("stderr", []byte("first\n"))
	log.Add("system", []byte("attempt failed\n"))
	log.Add("stdout", []byte("a\n"))
	log.Add("stdout", []byte("b\n"))
	log.append(api.LogEntry{Stream: "system", Text: "the log ends here\n", Cut: true})
	log.Close()
	if stdout, stderr := Last(path); string(stdout) != "a\nb\n" || len(stderr) > 0 {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
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
		log := New(path, func() {})
		for range 9 {
			log.Add("stdout", text)
		}
		log.Close()
	}
	kept, cut := 0, 0
	var last api.LogEntry
	for entry, err := range Read(path) {
		if err != nil {
			t.Fatal(err)
		}
		if last = entry; entry.Cut {
			cut++
			continue
		}
		kept += len(entry.Bytes())
	}
	if info, err := os.Stat(path); err != nil || info.Size() < maxBytes || info.Size() > maxBytes+7*maxEntry {
		t.Errorf("the file: %v, %v", info.Size(), err)
	}
	if kept < maxBytes/7 || cut == 0 || !last.Cut || last.Stream != "system" {
		t.Errorf("the log has %d bytes and %d cuts; it ends with %+v", kept, cut, last)
	}
}
