package runlog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// marks are the number and the beginning of each entry of a log.
func marks(t *testing.T, path string) (all []string) {
	for e, err := range Read(path) {
		if err != nil {
			all = append(all, "torn")
			continue
		}
		all = append(all, fmt.Sprintf("%d:%d:%v", e.Seq, e.Line, e.Continues))
	}
	return all
}

// TestLinesAreCounted: entries say which line begins in them, over all streams, and whether
// they go on with one. A later process counts on, also behind a line that was torn.
func TestLinesAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := New(path, func() {}, Bound{})
	add := func(parts ...string) {
		for i := 0; i < len(parts); i += 2 {
			log.Add(parts[i], []byte(parts[i+1]))
		}
		log.Close()
	}
	add("stdout", "one\ntwo ", "stderr", "three\n", "stdout", "ends here", "stdout", "\nfour\nfive\xff", "stderr", "\n")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"seq":6,"line":7,"ti`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	log = New(path, func() {}, Bound{})
	add("stdout", " goes on\n", "system", "the attempt failed\n")
	want := "[1:1:false 2:3:false 3:4:true 4:4:true 5:6:false torn 6:7:true 7:7:false]"
	if got := fmt.Sprint(marks(t, path)); got != want {
		t.Errorf("the entries are %s, expected %s", got, want)
	}
}

// TestOldLogsAreNotCounted: what an older Glovebox began is continued without numbers, which
// would be wrong.
func TestOldLogsAreNotCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for name, text := range map[string]string{"an older log": `{"seq":1,"time":"2026-11-28T09:30:59Z","stream":"stdout","text":"x\n"}` + "\n", "a torn line alone": `{"seq":1,"ti`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		log := New(path, func() {}, Bound{})
		log.Add("stdout", []byte("more\n"))
		log.Close()
		got := marks(t, path)
		if last := got[len(got)-1]; !strings.HasSuffix(last, ":0:false") {
			t.Errorf("%s: the entries are %s", name, got)
		}
	}
}

// TestCountingIsOfTheEnd: a process that continues a long log reads only its end, and counts
// as one that had written all of it.
func TestCountingIsOfTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := New(path, func() {}, Bound{})
	log.Add("stderr", []byte("the line of another stream ends near"))
	for i := range 20_000 {
		log.Add("stdout", fmt.Appendf(nil, "%d\npart", i))
	}
	log.Close()
	last := lastEntries(path)
	if len(last) == 0 || len(last) > 1500 {
		t.Errorf("%d entries are read", len(last))
	}
	c := continued(last)
	e := api.LogEntry{Stream: "stdout"}
	if c.mark(&e); e.Line != 20_003 || !e.Continues {
		t.Errorf("the next entry begins with %+v, expected the end of line 20002", e)
	}
}
