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
	log := New(path, func() {}, Bound{})
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
		log := New(path, func() {}, Bound{Bytes: sure})
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
	if info, err := os.Stat(path); err != nil || info.Size() < sure || info.Size() > sure+7*maxEntry {
		t.Errorf("the file: %v, %v", info.Size(), err)
	}
	if kept < sure/7 || cut == 0 || !last.Cut || last.Stream != "system" {
		t.Errorf("the log has %d bytes and %d cuts; it ends with %+v", kept, cut, last)
	}
}

// TestLogNeedsRoom: what is longer than every log may be ends where the disk is full, and
// says so; an attempt that has room again continues.
func TestLogNeedsRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for rooms := range 2 {
		log := New(path, func() {}, Bound{Bytes: 10 * sure, Room: func() bool { rooms--; return rooms >= 0 }})
		for range sure/len(megabyte) + 8 {
			log.Add("stdout", megabyte)
		}
		log.Close()
	}
	var ends []string
	bytes, seq := 0, int64(0)
	for entry, err := range Read(path) {
		if seq++; err != nil || entry.Seq != seq {
			t.Fatalf("entry %d is %d, %v", seq, entry.Seq, err)
		}
		if bytes += len(entry.Bytes()); entry.Cut {
			ends = append(ends, entry.Text)
		}
	}
	const full = "the log ends here: the disk has no room for a longer one\n"
	if len(ends) != 2 || ends[0] != full || ends[1] != full || bytes < sure+room/2 || bytes > sure+2*room {
		t.Errorf("%d bytes, ends %q", bytes, ends)
	}
}

var megabyte = bytes.Repeat([]byte("a line of what a program prints\n"), 1<<15)

// TestLastIsBounded: what a result has of a long log is its end.
func TestLastIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := New(path, func() {}, Bound{})
	for range 40 {
		log.Add("stdout", megabyte)
	}
	log.Add("stdout", []byte("the end"))
	log.Close()
	if stdout, _ := Last(path); len(stdout) != maxLast || !bytes.HasSuffix(stdout, []byte("\nthe end")) {
		t.Errorf("%d bytes", len(stdout))
	}
}
