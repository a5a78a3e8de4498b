package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a service whose runs, tasks and blobs are given by tests. What a page must
// not ask for panics.
type fake struct {
	api.Service
	mu       sync.Mutex
	runs     []*api.Run
	events   []api.Event // of any run, after the first
	task     api.Task
	tasks    []api.TaskVersion
	logs     []api.LogEntry
	blobs    map[string][]byte
	asked    []string // of what changes something
	rerun    api.RerunOptions
	sent     api.Submission
	resolved api.Resolution
	decided  api.Decision
	unsigned bool // approvals come without a signature
	refuse   error
	more     string // the cursor of each page of runs
	sessions []api.Session
	kept     api.Retention
	happens  chan api.Event
	stored   map[string][]byte // by what was stored
	tree     string            // what was stored last, as "path=text" each
}

func (f *fake) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return "", 0, err
	}
	if f.stored == nil {
		f.stored = map[string][]byte{}
	}
	f.stored[string(text)] = text
	return fmt.Sprintf("%x", sha256.Sum256(text)), int64(len(text)), nil
}

func (f *fake) PutTree(_ context.Context, dir string) (value.Dir, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		all = append(all, name+"="+string(text))
		return err
	})
	f.tree = strings.Join(all, " ")
	return value.Dir{Path: dir, Size: 3, Files: len(all), SHA256: strings.Repeat("b", 64)}, err
}

func (f *fake) note(words ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, strings.Join(words, " "))
	return f.refuse
}

func (f *fake) Run(_ context.Context, id string) (*api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.runs {
		if r.ID == id {
			run := *r
			return &run, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no run %s", id)
}

func (f *fake) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page := api.RunPage{Next: f.more}
	for _, r := range f.runs {
		if !hasAll(r.Labels, q.Labels) || q.Trigger != "" && (r.Trigger == nil || "schedule:"+r.Trigger.Schedule != q.Trigger) || q.Parent != "" && r.Parent != q.Parent || q.Task != "" && r.Task != q.Task || q.Top && r.Parent != "" || q.Status != nil && !slices.Contains(q.Status, r.Status) || r.ID <= q.Cursor {
			continue
		}
		if len(page.Runs) == q.Limit {
			page.Next = page.Runs[q.Limit-1].ID
			break
		}
		run := *r
		run.Inputs, run.Outputs, run.Signature = nil, nil, nil
		page.Runs = append(page.Runs, run)
	}
	return page, nil
}

func hasAll(labels, wanted map[string]string) bool {
	for name, text := range wanted {
		if labels[name] != text {
			return false
		}
	}
	return true
}

func (f *fake) RunTask(context.Context, string) (*api.Task, error) { return &f.task, nil }

func (f *fake) Logs(_ context.Context, _ string, after int64, _ bool) iter.Seq2[api.LogEntry, error] {
	if after < 0 {
		after += int64(len(f.logs))
	}
	return func(yield func(api.LogEntry, error) bool) {
		for _, e := range f.logs {
			if e.Seq > after && !yield(e, nil) {
				return
			}
		}
	}
}

func (f *fake) Events(ctx context.Context, id string, _ int64) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		if !yield(api.Event{Run: id, Seq: 1, Time: begin, Kind: api.EventCreated, Data: json.RawMessage(`{"x":"` + `\u003cb\u003e"}`)}, nil) {
			return
		}
		for _, e := range f.events {
			if !yield(e, nil) {
				return
			}
		}
		for f.happens != nil {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-f.happens:
				if !ok || !yield(e, nil) {
					return
				}
			}
		}
	}
}

func (f *fake) Cancel(_ context.Context, id, _ string) error { return f.note("cancel", id) }

func (f *fake) Resume(_ context.Context, id string, _ api.ResumeOptions) (*api.Run, error) {
	return &api.Run{ID: id}, f.note("resume", id)
}

func (f *fake) Resolve(_ context.Context, id string, o api.Resolution) (*api.Run, error) {
	f.resolved = o
	return &api.Run{ID: id}, f.note("resolve", id)
}

func (f *fake) Rerun(_ context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	f.rerun = o
	return &api.Run{ID: "run-new"}, f.note("rerun", id)
}

func (f *fake) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	f.sent = s
	return &api.Run{ID: "run-new"}, f.note("submit", s.Name)
}

func (f *fake) ExplainCache(_ context.Context, id string) (*api.CacheExplanation, error) {
	return &api.CacheExplanation{
		Run: id, Mode: api.CacheAuto, Verdict: "miss", Reason: hostile, Key: "sha256:key", Nearest: "run-0",
		Parts: []api.CachePart{{Name: hostile, Value: hostile}}, Differs: []api.CachePart{{Name: "input x", Value: hostile, Was: hostile}},
	}, nil
}

func (f *fake) Check(context.Context, *api.Task) ([]api.Problem, error) {
	return []api.Problem{{Level: "error", Line: 2, Message: "it would fail"}}, nil
}

func (f *fake) Tasks(context.Context) ([]api.TaskVersion, error) { return f.tasks, nil }

func (f *fake) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	name, _, _ := strings.Cut(ref, "@")
	for i := range f.tasks {
		if f.tasks[i].Name == name {
			return &f.tasks[i], nil
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
}

func (f *fake) Versions(context.Context, string) ([]api.TaskVersion, error) { return f.tasks, nil }

func (f *fake) Rollback(_ context.Context, name string, version int) (*api.TaskVersion, error) {
	return &f.tasks[0], f.note("rollback", name)
}

func (f *fake) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	b, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob")
	}
	return io.NopCloser(bytes.NewReader(b)), int64(len(b)), nil
}

func (f *fake) Sessions(context.Context, api.SessionQuery) (api.SessionPage, error) {
	return api.SessionPage{Sessions: f.sessions}, nil
}

func (f *fake) Session(_ context.Context, id string) (*api.Session, error) {
	for i := range f.sessions {
		if f.sessions[i].ID == id {
			return &f.sessions[i], nil
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no session %s", id)
}

func (f *fake) Contexts(context.Context, string) ([]api.Context, error) { return nil, nil }

func (f *fake) SessionUsage(context.Context, string, time.Time, time.Time) ([]api.UsageSample, error) {
	return []api.UsageSample{{CPUs: 1, Memory: 1 << 20, MemoryLimit: 1 << 30}}, nil
}

func (f *fake) SessionConnections(context.Context, string) ([]api.Connection, error) {
	return []api.Connection{{Time: begin, Host: hostile, Port: 443, Method: hostile, Path: hostile, Reason: hostile}}, nil
}

func (f *fake) SessionEvents(context.Context, string, int64, bool) iter.Seq2[api.SessionEvent, error] {
	return func(yield func(api.SessionEvent, error) bool) {
		yield(api.SessionEvent{Seq: 1, Time: begin, Type: "running", State: api.SessionRunning, Detail: hostile}, nil)
	}
}

func (f *fake) KillSession(_ context.Context, id string) error { return f.note("kill", id) }

func (f *fake) Images(context.Context) ([]api.ImageInfo, error) {
	return []api.ImageInfo{{ID: "sha256:abc", Name: hostile, Size: 100 << 20, Created: begin}}, nil
}

func (f *fake) Image(context.Context, string) (*api.ImageInfo, error) {
	return &api.ImageInfo{ID: "sha256:abc", Name: hostile, Record: json.RawMessage(`{"name":"</pre><script>alert(1)</script>","lock":{"base":{"ref":"<script>alert(1)</script>"},
		"packages":[{"name":"<script>alert(1)</script>","version":"1.2","url":"javascript:alert(1)"}],"system_packages":[{"name":"<b>","version":"<i>"}]},"layers":[{"digest":"sha256:<x>","size":5}]}`)}, nil
}

func (f *fake) Doctor(context.Context, bool) ([]api.Finding, error) {
	return []api.Finding{{Subject: "memory", OK: true, Detail: hostile}, {Subject: "disk", Fatal: true, Remedy: hostile}}, nil
}

func (f *fake) Retention(context.Context) (*api.Retention, error) {
	kept := f.kept
	return &kept, nil
}

func (f *fake) Cells(context.Context) ([]api.LiveCell, error) {
	return []api.LiveCell{
		{Run: "run-1", Task: hostile, Image: "sha256:abc", ImageName: hostile, Warm: true, Began: begin, CPU: time.Second, Memory: 3 << 20, Resources: api.Resources{Memory: 1 << 30}},
		{Session: "s1", Image: "sha256:abc", Began: begin},
	}, nil
}

func (f *fake) WarmPools(context.Context) ([]api.WarmPool, error) {
	return []api.WarmPool{{Image: "sha256:abc", ImageName: hostile}}, nil
}

func (f *fake) Workers(context.Context) ([]api.Worker, error) {
	return []api.Worker{{Name: hostile, Connected: true}}, nil
}

func (f *fake) Nodes(context.Context) ([]api.Node, error) {
	return []api.Node{{ID: "node-1", Host: hostile, State: api.NodeDraining, Self: true, Runs: 2}}, nil
}

func (f *fake) Schedules(context.Context) ([]api.Schedule, error) {
	return []api.Schedule{*f.nightly()}, nil
}

func (f *fake) Schedule(context.Context, string) (*api.Schedule, error) { return f.nightly(), nil }

func (f *fake) nightly() *api.Schedule {
	return &api.Schedule{
		ScheduleSpec: api.ScheduleSpec{Name: "nightly", Task: "desk.order", Cron: hostile, Zone: hostile, Inputs: json.RawMessage(`{"x":"</script><script>alert(1)</script>"}`)},
		Environment:  hostile, Next: begin, NextTimes: []time.Time{begin},
		LastStarts: []api.ScheduledStart{{ID: "1", Planned: begin, State: api.StartFailed, Reason: hostile}, {ID: "2", Planned: begin, State: api.StartStarted, Run: "run-1", Status: api.StatusFailed}},
	}
}

func (f *fake) Hooks(context.Context) ([]api.Hook, error) {
	return []api.Hook{{HookSpec: api.HookSpec{Name: "push", Task: "desk.order", Secret: "KEY"}}}, nil
}

func (f *fake) Hook(context.Context, string) (*api.Hook, error) {
	return &api.Hook{
		HookSpec: api.HookSpec{Name: "push", Task: "desk.order", Secret: "KEY", Body: hostile}, Environment: hostile,
		LastCalls: []api.HookCall{{Time: begin, Message: hostile, State: api.CallRefused, Reason: hostile}, {Time: begin, Message: "m", State: api.CallStarted, Run: "run-1"}},
	}, nil
}

func (f *fake) PauseHook(ctx context.Context, name string) (*api.Hook, error) {
	return nil, f.note("pause hook", name)
}

func (f *fake) Deliveries(_ context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	d := api.Delivery{ID: "msg-1", Run: "run-1", Event: api.NotifyFailed, URL: hostile, State: api.DeliveryFailed, Attempts: 10, Answer: 503, Reason: hostile}
	if q.Run != "" && q.Run != "run-1" {
		return api.DeliveryPage{}, nil
	}
	return api.DeliveryPage{Deliveries: []api.Delivery{d}, Next: "more"}, nil
}

func (f *fake) Redeliver(_ context.Context, id string) (*api.Delivery, error) {
	return &api.Delivery{ID: id, Run: "run-1"}, f.note("redeliver", id)
}

func (f *fake) PauseSchedule(_ context.Context, name string) (*api.Schedule, error) {
	return f.nightly(), f.note("pause", name)
}

func (f *fake) RunSchedule(_ context.Context, name, key string) (*api.ScheduledStart, error) {
	return &api.ScheduledStart{}, f.note("run", name, key)
}

func (f *fake) Secrets(context.Context) ([]string, error) { return []string{"KEY"}, nil }

var begin = time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)

const token = "the token of the server"

// browser asks one page for things, as a browser does that has signed in.
type browser struct {
	t      *testing.T
	page   *Page
	fake   *fake
	cookie string
}

func newBrowser(t *testing.T, f *fake) *browser {
	t.Helper()
	p, err := New(Config{Service: f, TokenHash: hashOf(token), Version: "test", Now: func() time.Time { return begin.Add(time.Minute) }, Beat: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, page: p, fake: f}
	b.cookie = p.keys.cookie(p.Now().Add(time.Hour))
	return b
}

func (b *browser) request(method, address string, form url.Values) *http.Request {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, address, body)
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookieName, Value: b.cookie})
	}
	return r
}

func (b *browser) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, r)
	return w
}

// get returns a page that is there.
func (b *browser) get(address string) string {
	b.t.Helper()
	w := b.do(b.request("GET", address, nil))
	if w.Code != http.StatusOK {
		b.t.Fatalf("%s: %d %s", address, w.Code, w.Body)
	}
	return w.Body.String()
}

// post sends a form that the page made.
func (b *browser) post(address string, fields ...string) *httptest.ResponseRecorder {
	form := url.Values{"form-token": {b.page.keys.formToken(b.cookie)}}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.do(b.request("POST", address, form))
}

// hostile is what a program may put into any text.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'` + "`{{.}}\u202e\x1b[31m"

func typeOf(text string) value.Type {
	t, err := value.ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

// hostileService has a run of each kind of text that a program can choose.
func hostileService() *fake {
	quoted, _ := json.Marshal(hostile)
	failed := api.Errorf(api.CallFailed, "%s", hostile).WithHint("%s", hostile).WithDetails(api.Details{
		Stderr: hostile, Exception: &api.Exception{Type: hostile, Message: hostile, Traceback: hostile, Frames: []api.Frame{{File: "f.py", Line: 2}}},
		Call:     &api.FailedCall{ID: 1, Tool: hostile, Run: `javascript:alert(1)`},
		Problems: []api.Problem{{Line: 1, Level: "error", Message: hostile}},
	})
	signature := api.Signature{
		Inputs:  []value.Param{{Name: "x", Type: typeOf("str")}, {Name: hostile, Type: typeOf("str")}},
		Outputs: []value.Param{{Name: "svg", Type: typeOf("File")}, {Name: "page", Type: typeOf("File")}, {Name: "png", Type: typeOf("File")}, {Name: "rows", Type: typeOf("list[dict[str, str]]")}, {Name: "csv", Type: typeOf("File")}},
	}
	name, _ := json.Marshal(hostile)
	question, _ := json.Marshal(map[string]any{"request": api.ModelRequest{System: hostile, Messages: []api.ModelMessage{{Role: hostile, Text: hostile}}}})
	answer, _ := json.Marshal(map[string]any{"answer": api.ModelAnswer{Text: hostile + "\n```python\n" + hostile + "\n```", Calls: []api.ModelCall{{Name: hostile, Arguments: hostile}}, Stop: hostile}})
	event := func(kind api.EventKind, after time.Duration, data any) api.Event {
		text, _ := json.Marshal(data)
		return api.Event{Run: "run-3", Seq: 2, Time: begin.Add(after), Kind: kind, Data: text}
	}
	return &fake{
		events: []api.Event{
			event(api.EventAttemptStarted, 0, api.AttemptStartedData{Attempt: 1}), event(api.EventCallStarted, 0, api.CallStartedData{Call: 1, Tool: hostile, Run: "run-4"}),
			event(api.EventAttemptEnded, 2*time.Second, api.AttemptEndedData{Attempt: 1, Error: failed}), event(api.EventAttemptStarted, 3*time.Second, api.AttemptStartedData{Attempt: 2}),
			event(api.EventAttemptEnded, 9*time.Second, api.AttemptEndedData{Attempt: 2, Samples: []api.RunSample{{At: time.Second, CPU: time.Second, Memory: 1 << 20}, {At: 2 * time.Second, CPU: 1500 * time.Millisecond, Memory: 3 << 20}}}),
		},
		runs: []*api.Run{{
			ID: "run-1", Root: "run-1", Labels: map[string]string{hostile: hostile}, Task: hostile, Kind: api.KindSandbox, Status: api.StatusFailed, Error: failed, Created: begin, Started: begin, Ended: begin.Add(time.Second),
			Group: hostile, Owner: hostile, Priority: 3, IdempotencyKey: hostile, Image: hostile, Version: `"onmouseover="alert(1)`, Calls: 1, Signature: &signature,
			Inputs:  json.RawMessage(`{"x":` + string(quoted) + `,` + string(name) + `:` + string(quoted) + `}`),
			Outputs: json.RawMessage(`{"svg":{"path":"a.svg","size":20,"sha256":"svg"},"page":{"path":"a.html","size":20,"sha256":"html"},"png":{"path":"a.png","size":20,"sha256":"png"},"rows":[{"a":` + string(quoted) + `}],"csv":{"path":"\"><script>.csv","size":20,"sha256":"csv"}}`),
			Network: []api.Connection{{Host: hostile, Reason: hostile}},
			Report:  &api.Report{SHA256: "html", Size: 25},
		}, {ID: "run-2", Root: "run-1", Parent: "run-1", Task: hostile, Kind: api.KindFunction, Status: api.StatusRunning, Created: begin, Started: begin}, {
			ID: "run-3", Root: "run-3", Task: hostile, Kind: api.KindAgent, Status: api.StatusSucceeded, Created: begin, Started: begin, Ended: begin.Add(10 * time.Second), Attempts: 2, Calls: 1,
		}, {
			ID: "run-4", Root: "run-3", Parent: "run-3", Task: "ask", Kind: api.KindModel, Status: api.StatusFailed, Error: failed, Created: begin, Started: begin, Ended: begin.Add(time.Second), Inputs: question, Outputs: answer,
			Usage: api.Usage{Models: api.ModelUsage{Input: 1234, CachedInput: 5, Output: 67, Cost: 0.25}},
		}},
		task:     api.Task{Name: hostile, Agent: &api.Agent{Model: api.Task{Name: "ask"}}, Code: "a = 1\n" + hostile + "\n", File: "f.py", Doc: hostile, Signature: signature},
		tasks:    []api.TaskVersion{{Name: "desk.order", Version: 1, Digest: "sha256:abc", Kind: api.KindSandbox, Doc: hostile, Created: begin, Current: true, Signature: signature, Task: &api.Task{Code: hostile, Signature: signature}}},
		logs:     []api.LogEntry{{Seq: 1, Time: begin, Stream: "stdout", Text: hostile + "\n"}},
		blobs:    map[string][]byte{"svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "html": []byte("<script>alert(1)</script>"), "png": []byte("\x89PNG\r\n\x1a\n rest"), "csv": []byte("a,b\n<script>alert(1)</script>,2\n")},
		sessions: []api.Session{{ID: "s1", State: api.SessionRunning, Created: begin, Image: hostile, Reason: hostile, Error: failed, Spec: api.SessionSpec{Labels: map[string]string{hostile: hostile}, User: hostile}}},
	}
}
