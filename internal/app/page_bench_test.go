package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// BenchmarkPage measures what a server needs for pages of a home with 100,000 runs,
// one of which has 2,000 calls, and how large they are.
func BenchmarkPage(b *testing.B) {
	a := openApp(b, b.TempDir())
	fillJournal(b, a.db.Journal(), 98_000, 2000)
	s, err := server.New(server.Config{Service: a.Service(), TokenHash: server.HashToken("token")})
	if err != nil {
		b.Fatal(err)
	}
	cookies := signIn(b, s.Handler(), "token")
	for name, address := range map[string]string{
		"list": "/page/runs", "list/failed": "/page/runs?status=failed", "list/task": "/page/runs?task=task-3", "list/text": "/page/runs?text=nothing+like+it",
		"list/label": "/page/runs?label=third%3D1", "list/labels": "/page/runs?label=all%3Dyes&label=rare%3D7", "list/label-failed": "/page/runs?label=all%3Dyes&status=failed",
		"list/label-none": "/page/runs?label=all%3Dyes&status=canceled", "list/labels-apart": "/page/runs?label=odd%3Dyes&label=even%3Dyes", "list/label-failed-apart": "/page/runs?label=odd%3Dyes&status=failed",
		"list/with-calls": "/page/runs?calls=1", "run/2000-calls": "/page/runs/run-parent", "run/one": "/page/runs/run-000001",
	} {
		b.Run(name, func(b *testing.B) {
			size, before := 0, processorTime(b)
			for b.Loop() {
				size = visit(b, s.Handler(), address, cookies).Len()
			}
			b.ReportMetric((processorTime(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(size)/1000, "kB")
		})
	}
}

// processorTime is what this process has used, which the load of the host does not
// change as much as the time that passes.
func processorTime(b *testing.B) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// visit returns a page as a browser gets it that has signed in.
func visit(b *testing.B, h http.Handler, address string, cookies []*http.Cookie) *bytes.Buffer {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Host = "localhost"
	r.Header.Set("Accept", "text/html")
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		b.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body
}

// signIn returns the cookies of a browser that has signed in.
func signIn(b *testing.B, h http.Handler, token string) []*http.Cookie {
	r := httptest.NewRequest(http.MethodPost, "/page/sign-in", strings.NewReader(url.Values{"token": {token}}.Encode()))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		b.Fatalf("signing in: %d %s", w.Code, w.Body)
	}
	return w.Result().Cookies()
}

// fillJournal writes runs that have ended, as an engine would have left them, and one
// more that called others.
func fillJournal(b *testing.B, j journal.Journal, runs, calls int) {
	task, err := json.Marshal(api.Task{Name: "task", Kind: api.KindOrchestrator, Code: "1", Orchestrator: &api.Orchestrator{}})
	if err != nil {
		b.Fatal(err)
	}
	begin := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var last journal.Receipt
	submit := func(id, parent string, call, n int) {
		r := journal.Record{Fence: 1, Seq: 2, Run: api.Run{
			ID: id, Root: id, Task: fmt.Sprint("task-", n%7), Kind: api.KindFunction, TaskDigest: "sha256:task", Status: api.StatusSucceeded,
			Created: begin.Add(time.Duration(n) * time.Second), Attempts: 1, Parent: parent, Call: uint64(call),
			Labels: map[string]string{"all": "yes", "third": fmt.Sprint(n % 3), "rare": fmt.Sprint(n % 30_000), [...]string{"even", "odd"}[n%2]: "yes"},
		}}
		if parent != "" {
			r.Root = parent
		}
		r.Started, r.Ended = r.Created.Add(time.Millisecond), r.Created.Add(900*time.Millisecond)
		r.Timings = api.Timings{Queue: time.Millisecond, Exec: 899 * time.Millisecond, Total: 900 * time.Millisecond}
		if n%50 == 0 {
			r.Status, r.Error = api.StatusFailed, api.Errorf(api.CallFailed, "it did not work").WithHint("try it again")
		}
		if id == "run-parent" {
			r.Kind, r.Calls, r.Ended = api.KindOrchestrator, calls, r.Created.Add(time.Duration(calls)*time.Second)
		}
		last = j.Submit(journal.Change{Record: r, Tasks: map[string]json.RawMessage{"sha256:task": task}, Events: []api.Event{
			{Run: id, Seq: 1, Time: r.Created, Kind: api.EventCreated, Data: []byte(`{}`)}, {Run: id, Seq: 2, Time: r.Ended, Kind: api.EventEnded, Data: []byte(`{}`)},
		}})
	}
	for n := range runs {
		submit(fmt.Sprintf("run-%06d", n), "", 0, n)
	}
	submit("run-parent", "", 0, runs)
	for n := range calls {
		submit(fmt.Sprintf("run-call-%06d", n), "run-parent", n+1, runs+n)
	}
	if err := last.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
}
