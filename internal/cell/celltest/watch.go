package celltest

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

var watchChecks = []check{
	{"one directory", watchOne},
	{"a tree that grows", watchTree},
	{"directories that are moved", watchMoved},
	{"R04_more_events_than_are_taken", watchOverflow},
	{"R04_more_directories_than_are_watched", watchMany},
	{"end", watchEnd},
	{"refused", watchRefused},
}

// events are those of a directory that is being watched.
type events struct {
	x    *session
	next func() (api.FileEvent, error, bool)
}

func (x *session) watch(path string, recursive bool) events {
	x.t.Helper()
	next, stop := iter.Pull2(x.cell.WatchFiles(x.ctx, path, recursive, asUser))
	x.t.Cleanup(stop)
	e := events{x, next}
	if first := e.one(); first.Type != api.FilesWatched {
		x.t.Fatalf("the first event is %+v", first)
	}
	return e
}

func (e events) one() api.FileEvent {
	e.x.t.Helper()
	event, err, more := e.next()
	if err != nil || !more {
		e.x.t.Fatalf("no event: %v", describe(err))
	}
	return event
}

// until returns the events up to one, as words.
func (e events) until(last string) string {
	e.x.t.Helper()
	var seen []string
	for {
		event := e.one()
		seen = append(seen, event.Type+" "+event.Path)
		if seen[len(seen)-1] == last {
			return strings.Join(seen, ", ")
		}
		if len(seen) > 1000 {
			e.x.t.Fatalf("no %s in %s", last, seen)
		}
	}
}

func watchOne(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir w w/sub; touch w/old").prints(t, "")
	e := x.watch("/work/w", false)
	x.write("/work/w/new", "content", api.WriteOptions{})
	for _, want := range []string{api.FileCreated, api.FileChmod, api.FileWritten} {
		event := e.one()
		if event.Type != want || event.Path != "new" || event.Info == nil || event.Info.Path != "/work/w/new" {
			t.Errorf("got %+v, want %s", event, want)
		}
	}
	x.sh("touch w/sub/unseen; mv w/old w/moved; chmod 600 w/moved; rm w/moved; mkdir w/end").prints(t, "")
	got := e.until("create end")
	if want := "rename old, create moved, chmod moved, remove moved, create end"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func watchTree(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir -p w/a/b").prints(t, "")
	e := x.watch("/work/w", true)
	x.sh("echo x > w/a/b/f").prints(t, "")
	if got := e.until("write a/b/f"); got != "create a/b/f, write a/b/f" {
		t.Errorf("got %s", got)
	}
	x.sh("mkdir -p w/n/m/o; echo y > w/n/m/o/f; mkdir w/end").prints(t, "")
	got := e.until("create end")
	for _, name := range []string{"n", "n/m", "n/m/o", "n/m/o/f"} {
		if n := strings.Count(got+",", "create "+name+","); n != 1 {
			t.Errorf("%d events say that %s was made: %s", n, name, got)
		}
	}
	if !strings.Contains(got, "write n/m/o/f") {
		t.Errorf("nothing says that n/m/o/f was written: %s", got)
	}
	x.sh("echo z > w/n/m/o/g; rm -r w/n; mkdir w/end2").prints(t, "")
	got = e.until("create end2")
	for _, want := range []string{"create n/m/o/g", "remove n/m/o/g", "remove n/m/o", "remove n"} {
		if !strings.Contains(got+",", want+",") {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func watchMoved(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir -p w/a/b").prints(t, "")
	e := x.watch("/work/w", true)
	x.sh("mv w/a w/c; echo x > w/c/b/f; mv w/c away; echo y > away/b/g; mkdir w/end").prints(t, "")
	got := e.until("create end")
	if !strings.Contains(got, "rename a, create c") || !strings.Contains(got, "create c/b/f") || !strings.Contains(got, "rename c, ") || strings.Contains(got, "/g") {
		t.Errorf("got %s", got)
	}
}

// watchOverflow makes more events than anybody takes: the cell holds a bounded
// number of them, says that some are lost, and continues.
func watchOverflow(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir w").prints(t, "")
	e := x.watch("/work/w", false)
	x.python(`
for i in range(30000):
    with open("w/%d" % (i % 50), "w") as f: f.write("x")
`).succeeds(t)
	count := 0
	for e.one().Type != api.FilesOverflow {
		count++
	}
	if count < 1000 || count > 20000 {
		t.Errorf("%d events came before the others were lost", count)
	}
	x.eventually(func() bool {
		x.sh("mkdir w/end; rmdir w/end").prints(t, "")
		for {
			event := e.one()
			if event.Path == "end" && event.Type == api.FileRemoved {
				return true
			}
			if event.Type == api.FilesOverflow {
				return false
			}
		}
	}, "no event came after the others were lost")
}

func watchMany(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("import os; [os.makedirs('w/%d/%d' % (i, j)) for i in range(100) for j in range(85)]").succeeds(t)
	var last error
	for _, err := range x.cell.WatchFiles(x.ctx, "/work/w", true, asUser) {
		last = err
	}
	failsWith(t, last, api.LimitExceeded, "path")
	x.watch("/work/w/1", true)
}

func watchEnd(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir w v").prints(t, "")
	e := x.watch("/work/w", true)
	x.sh("rmdir w").prints(t, "")
	if got := e.until("remove ."); got != "remove ." {
		t.Errorf("got %s", got)
	}
	if event, err, more := e.next(); more {
		t.Errorf("after the end: %+v, %v", event, err)
	}
	ctx, cancel := context.WithCancel(x.ctx)
	next, stop := iter.Pull2(x.cell.WatchFiles(ctx, "/work/v", true, asUser))
	defer stop()
	next()
	cancel()
	_, err, _ := next()
	failsWith(t, err, api.Canceled, "")
	for i := range 100 {
		for event := range x.cell.WatchFiles(x.ctx, "/work/v", true, asUser) {
			if event.Type != api.FilesWatched {
				t.Fatalf("watch %d begins with %+v", i, event)
			}
			break
		}
	}
	x.sh("echo alive").prints(t, "alive\n")
}

func watchRefused(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("touch file; mkdir -m 0 closed").prints(t, "")
	for path, code := range map[string]api.Code{"/work/none": api.NotFound, "/work/file": api.RequestInvalid, "/work/closed": api.Conflict} {
		for event, err := range x.cell.WatchFiles(x.ctx, path, false, asUser) {
			if err == nil {
				t.Fatal(fmt.Sprint(path, " gives ", event))
			}
			failsWith(t, err, code, "path")
		}
	}
}
