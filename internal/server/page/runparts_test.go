package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestAttempts tells tries apart by the events of a run, also where a process died.
func TestAttempts(t *testing.T) {
	b := newBrowser(t, hostileService())
	run, err := b.fake.Run(t.Context(), "run-3")
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.page.attemptsOf(t.Context(), run)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d attempts, %v", len(all), err)
	}
	if a := all[0]; a.Outcome != "failed" || a.Took != 2*time.Second || a.Error == nil || len(a.Calls) != 1 || a.Calls[0].Status != "" {
		t.Errorf("the first: %+v", a)
	}
	if a := all[1]; a.Outcome != "succeeded" || a.Took != 6*time.Second || len(a.Samples) != 2 {
		t.Errorf("the second: %+v", a)
	}
	line := newTimeline(&branch{run: run, attempts: all}, b.page.Now())
	var classes []string
	for _, bar := range line.Rows[0].Bars {
		classes = append(classes, bar.Class)
	}
	if got := fmt.Sprint(classes); got != "[s-failed queue s-succeeded]" {
		t.Errorf("bars %s", got)
	}
	b.fake.events = b.fake.events[:1]
	running := *run
	running.Status, running.Attempts, running.Ended = api.StatusRunning, 1, time.Time{}
	if all, err = b.page.attemptsOf(t.Context(), &running); err != nil || len(all) != 1 || all[0].Outcome != "running" || all[0].Took != time.Minute {
		t.Errorf("under way: %+v, %v", all, err)
	}
	b.fake.events = append(b.fake.events, api.Event{Kind: api.EventInterrupted, Time: begin.Add(time.Second)})
	running.Status = api.StatusCanceled
	if all, err = b.page.attemptsOf(t.Context(), &running); err != nil || len(all) != 1 || all[0].Outcome != "interrupted" || all[0].Took != time.Second {
		t.Errorf("of a process that died: %+v, %v", all, err)
	}
}

func TestCompareAttempts(t *testing.T) {
	b := newBrowser(t, hostileService())
	for i, text := range []string{"one\nold\n", "one\nnew\n"} {
		b.fake.logs = append(b.fake.logs, api.LogEntry{Seq: int64(i + 2), Time: begin.Add(time.Duration(4*i+1) * time.Second), Stream: "stdout", Text: text})
	}
	b.fake.logs = b.fake.logs[1:]
	page := b.get("/page/compare?a=run-3&b=run-3&attempt-a=1&attempt-b=2")
	for _, want := range []string{"Attempt 1", "Attempt 2", ">old<", ">new<", "no answer", "none"} {
		if !strings.Contains(page, want) {
			t.Errorf("the comparison has no %q", want)
		}
	}
	for _, query := range []string{"a=run-3&attempt-a=1", "a=run-3&attempt-a=1&attempt-b=9", "a=run-3&b=run-1&attempt-a=1&attempt-b=2", "attempt-a=1&attempt-b=2"} {
		if w := b.do(b.request("GET", "/page/compare?"+query, nil)); w.Code/100 != 4 {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

// TestTurns shows each message of a conversation once, and code apart from prose.
func TestTurns(t *testing.T) {
	f := &fake{
		runs: []*api.Run{{ID: "run-0", Kind: api.KindAgent, Status: api.StatusSucceeded, Calls: 13, Usage: api.Usage{Models: api.ModelUsage{Input: 12000, Output: 12}}}},
		task: api.Task{Agent: &api.Agent{Model: api.Task{Name: "ask"}}},
	}
	said := []api.ModelMessage{{Role: api.RoleUser, Text: "the task"}}
	for i := range 12 {
		request, err := json.Marshal(map[string]any{"request": api.ModelRequest{Messages: said}})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("thought %d\n```python\ntool(%d)\n```\n", i+1, i+1)
		stop := api.StopEnd
		if i == 11 {
			text, stop = "No.", api.StopRefusal
		}
		answer, err := json.Marshal(map[string]any{"answer": api.ModelAnswer{Text: text, Stop: stop}})
		if err != nil {
			t.Fatal(err)
		}
		f.runs = append(f.runs, &api.Run{
			ID: fmt.Sprintf("run-1%02d", i), Parent: "run-0", Task: "ask", Kind: api.KindModel, Status: api.StatusSucceeded, Created: begin, Ended: begin.Add(time.Second), Inputs: request, Outputs: answer,
			Usage: api.Usage{Models: api.ModelUsage{Input: 1000, Output: 1}},
		})
		said = append(said, api.ModelMessage{Role: api.RoleAssistant, Text: text}, api.ModelMessage{Role: api.RoleUser, Text: fmt.Sprintf("result %d", i+1)})
	}
	f.runs = append(f.runs, &api.Run{ID: "run-999", Parent: "run-0", Task: "tool", Status: api.StatusSucceeded})
	b := newBrowser(t, f)
	first, second := b.get("/page/runs/run-0/turns"), b.get("/page/runs/run-0/turns?from=11")
	for text, want := range map[string][2]int{"the task": {1, 0}, "result 1<": {1, 0}, "result 10<": {0, 1}, "<code>tool(3)</code>": {1, 0}, "<code>tool(11)</code>": {0, 1}, "the model refused": {0, 1}, "1 000 tokens read": {10, 2}, "12 questions": {1, 1}} {
		if got := [2]int{strings.Count(first, text), strings.Count(second, text)}; got != want {
			t.Errorf("%q is %d times in the windows, expected %d", text, got, want)
		}
	}
	for _, query := range []string{"from=0", "from=x"} {
		if w := b.do(b.request("GET", "/page/runs/run-0/turns?"+query, nil)); w.Code/100 != 4 {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

func TestLedger(t *testing.T) {
	root := &branch{run: &api.Run{ID: "r", Task: "agent", Kind: api.KindAgent, Calls: 4, Usage: api.Usage{CPU: time.Second, Models: api.ModelUsage{Input: 30, Output: 3, Cost: 0.3}}}}
	for i := range 3 {
		root.calls = append(root.calls, &branch{run: &api.Run{ID: fmt.Sprint(i), Parent: "r", Task: "ask", Kind: api.KindModel, Usage: api.Usage{Models: api.ModelUsage{Input: 10, Output: 1, Cost: 0.1}}}})
	}
	tool := &api.Run{ID: "t", Parent: "r", Task: "tool", Kind: api.KindSandbox, Status: api.StatusFailed, Timings: api.Timings{Exec: 2 * time.Second}, Usage: api.Usage{CPU: time.Second, PeakMemory: 5}}
	root.calls = append(root.calls, &branch{run: tool})
	l := newLedger(root)
	if len(l.Rows) != 2 || l.Rows[0].Runs != 3 || l.Rows[0].Run != "" || l.Rows[0].Models.Input != 30 || l.Rows[1].Run != "t" || l.Rows[1].Failed != 1 {
		t.Errorf("rows %+v", l.Rows)
	}
	if got := l.Total; got.Runs != 4 || got.Failed != 1 || got.CPU != 2*time.Second || got.Memory != 5 || got.Models.Input != 30 || got.Executed != 2*time.Second {
		t.Errorf("in all %+v", got)
	}
	if newLedger(&branch{run: tool}) != nil {
		t.Error("a run without calls has a ledger")
	}
}

func TestChart(t *testing.T) {
	if newChart(nil) != nil || newChart([]api.RunSample{{At: time.Second}}) != nil {
		t.Error("a curve of less than two samples")
	}
	c := newChart([]api.RunSample{{At: time.Second, CPU: time.Second, Memory: 1 << 20}, {At: 2 * time.Second, CPU: 1500 * time.Millisecond, Memory: 2 << 20}})
	if c.Memory != "500,52 1000,4" || c.CPU != "500,4 1000,52" || c.MaxMemory != "2 MiB" || c.MaxCPU != "1.00" || len(c.Rows) != 2 || !strings.Contains(c.AboutMemory, "at most 2 MiB") {
		t.Errorf("%+v", c)
	}
}

// TestRunsByTheirLabels holds the list, the links to its further pages and its stream of
// changes to labels.
func TestRunsByTheirLabels(t *testing.T) {
	f := &fake{runs: []*api.Run{{ID: "run-0", Task: "other", Status: api.StatusSucceeded}}}
	for i := range pageSize + 1 {
		f.runs = append(f.runs, &api.Run{ID: fmt.Sprintf("run-1%02d", i), Task: "labelled-task", Status: api.StatusSucceeded, Labels: map[string]string{"team": "a&b", "n": "1"}})
	}
	b := newBrowser(t, f)
	page := b.get("/page/runs?label=team%3Da%26b&label=&label=n%3D1")
	for text, want := range map[string]int{
		">labelled-task</a>": pageSize, ">other</a>": 0, `name="label" value="team=a&amp;b"`: 1, `name="label" value="n=1"`: 1, `name="label" placeholder="NAME=VALUE"`: 1,
		"page/follow/runs?label=team%3Da%26b&amp;label=n%3D1": 1, "run-149&amp;label=team%3Da%26b&amp;label=n%3D1": 1, `href="../page/runs?label=team%3Da%26b">team=a&amp;b</a>`: pageSize,
	} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("%q is there %d times, expected %d", text, got, want)
		}
	}
	if w := b.do(b.request("GET", "/page/runs?label=team", nil)); w.Code != 422 && w.Code != 400 || !strings.Contains(w.Body.String(), "NAME=VALUE") {
		t.Errorf("no value: %d %s", w.Code, w.Body)
	}
}

// TestSearchesEnd: a page that is not full says that older runs were not searched.
func TestSearchesEnd(t *testing.T) {
	b := newBrowser(t, &fake{more: "older", runs: []*api.Run{{ID: "run-0", Task: "other", Status: api.StatusSucceeded}}})
	for address, none := range map[string]bool{"/page/runs?task=other": false, "/page/runs?task=none&label=a%3D1": true} {
		page := b.get(address)
		if !strings.Contains(page, ">Search older ones</a>") || strings.Contains(page, "No run is like that among those that were searched.") != none {
			t.Errorf("%s: %s", address, page)
		}
	}
}

// TestStartWithLabels: the form keeps what was written in it, and names what is wrong.
func TestStartWithLabels(t *testing.T) {
	f := hostileService()
	f.tasks[0].Signature.Inputs, f.tasks[0].Task.Signature.Inputs = nil, nil
	b := newBrowser(t, f)
	if w := b.post("/page/tasks/desk.order/start", "labels", "team=data\r\n\r\n why=a = b \r\n"); w.Code != 303 || f.sent.Labels["team"] != "data" || f.sent.Labels["why"] != "a = b" || len(f.sent.Labels) != 2 {
		t.Errorf("%d, sent %+v", w.Code, f.sent)
	}
	w := b.post("/page/tasks/desk.order/start", "labels", "team\n"+hostile)
	if body := w.Body.String(); w.Code != 422 || !strings.Contains(body, "expected NAME=VALUE") || !strings.Contains(body, ">team\n&#34;&gt;&lt;script&gt;") {
		t.Errorf("%d %s", w.Code, body)
	}
}

// TestRunsByTheirTrigger holds the list, the links to its further pages and its stream of
// changes to what started the runs.
func TestRunsByTheirTrigger(t *testing.T) {
	f := &fake{runs: []*api.Run{{ID: "run-0", Task: "other", Status: api.StatusSucceeded}}}
	for i := range pageSize + 1 {
		f.runs = append(f.runs, &api.Run{ID: fmt.Sprintf("run-1%02d", i), Task: "nightly-task", Status: api.StatusSucceeded, Trigger: &api.Trigger{Schedule: "nightly"}})
	}
	page := newBrowser(t, f).get("/page/runs?trigger=schedule:nightly")
	for text, want := range map[string]int{">nightly-task</a>": pageSize, ">other</a>": 0, `value="schedule:nightly"`: 1, "page/follow/runs?trigger=schedule%3Anightly": 1, "&amp;trigger=schedule%3Anightly": 1} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("%q is there %d times, expected %d", text, got, want)
		}
	}
}

// TestWaitingIsShown: beside the status of a run stands why it waits.
func TestWaitingIsShown(t *testing.T) {
	run := &api.Run{Status: api.StatusQueued, Waiting: &api.Waiting{Reason: api.WaitNodeSelector, Message: "no node has zone=b", Never: true}}
	if got := comment(run); got != "waits: no node has zone=b" {
		t.Errorf("got %q", got)
	}
}
