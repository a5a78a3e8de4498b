package runlog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSeek holds a reader to every entry after a number, wherever it begins, also where
// lines are torn.
func TestSeek(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := New(path, func() {}, Bound{})
	for i := range 5000 {
		log.Add("stdout", []byte(fmt.Sprintln("line", i, strings.Repeat("x", 200*(i%9)))))
	}
	log.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, tail := range map[string]string{"whole": "", "torn at the end": `{"seq":50`} {
		if err := os.WriteFile(path, append(whole, tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := LastSeq(path); got != 5000 {
			t.Errorf("%s: the last entry is said to be %d", name, got)
		}
		for _, after := range []int64{-5, 0, 1, 2500, 4998, 4999, 5000, 9999} {
			r := NewReader(path)
			r.SkipTo(after)
			read, next := 0, int64(0)
			for {
				entry, err := r.Next()
				if err != nil {
					break
				}
				if read++; entry.Seq > after {
					next = entry.Seq
					break
				}
			}
			want := max(after, 0) + 1
			if want > 5000 {
				want = 0
			}
			if next != want || read > 1500 {
				t.Errorf("%s, after %d: entry %d came as number %d, expected %d soon", name, after, next, read, want)
			}
			r.Close()
		}
	}
	if got := LastSeq(filepath.Join(t.TempDir(), "none")); got != 0 {
		t.Errorf("a log that is not there ends with %d", got)
	}
}
