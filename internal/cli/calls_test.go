package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func eventOf(t *testing.T, kind api.EventKind, at time.Duration, data any) api.Event {
	t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return api.Event{Kind: kind, Time: time.Unix(0, 0).Add(at), Data: text}
}

// screenOf is what a terminal shows of progress now.
func screenOf(t *testing.T, b *strings.Builder) []string {
	t.Helper()
	return display(t, strings.ReplaceAll(b.String(), "\n", "\r\n"))
}

// TestCallsOnATerminal: calls are shown as they begin and end, in few lines.
func TestCallsOnATerminal(t *testing.T) {
	var b strings.Builder
	p, clock := progressAt(&b, 60)
	w := &callWatcher{line: p, service: &fakeService{}}
	ctx, stop := context.WithCancel(t.Context())
	defer w.stages.Wait()
	defer stop()
	w.take(ctx, eventOf(t, api.EventAttemptStarted, 0, api.AttemptStartedData{}))
	if diff := cmp.Diff([]string{"0s  calls: 0 done"}, screenOf(t, &b)); diff != "" {
		t.Error(diff)
	}
	w.take(ctx, eventOf(t, api.EventCallStarted, 0, api.CallStartedData{Call: 1, Tool: "slow", Run: "run-a"}))
	w.take(ctx, eventOf(t, api.EventCallStarted, 0, api.CallStartedData{Call: 2, Tool: "kept", Reused: true}))
	for i := range 20 {
		n := uint64(i + 3)
		w.take(ctx, eventOf(t, api.EventCallStarted, time.Second, api.CallStartedData{Call: n, Tool: fmt.Sprintf("t%d", n), Run: "run-b"}))
		status := api.StatusSucceeded
		if i == 19 {
			status = api.StatusFailed
		}
		w.take(ctx, eventOf(t, api.EventCallEnded, time.Second+20*time.Millisecond, api.CallEndedData{Call: n, Status: status}))
	}
	clock.pass(3 * time.Second)
	p.calls.open[1].step = api.Progress{Stage: "build", Message: "python: numpy"}
	p.tick()
	want := []string{
		"3s  calls: 19 done, 1 reused, 1 failed, 1 running",
		"  1 slow  3s  python: numpy", "  18 t18  succeeded in 20ms", "  19 t19  succeeded in 20ms",
		"  20 t20  succeeded in 20ms", "  21 t21  succeeded in 20ms", "  22 t22  failed in 20ms",
	}
	if diff := cmp.Diff(want, screenOf(t, &b)); diff != "" {
		t.Error(diff)
	}
	p.show(api.Progress{Stage: "retry", Message: "trying again in 16.7s: it failed"})
	if got := screenOf(t, &b)[0]; got != "3s  trying again in 16.7s: it failed" {
		t.Errorf("shown %q", got)
	}
	p.clear()
	if got := strings.Join(screenOf(t, &b), ""); got != "" {
		t.Errorf("left %q", got)
	}
}

// TestImagesOfTools shows that the image of a tool is built, also without a
// terminal.
func TestImagesOfTools(t *testing.T) {
	var b strings.Builder
	p, _ := progressAt(&b, 0)
	p.showOf("stats", api.Progress{Stage: "build", Message: "python: numpy"})
	p.showOf("stats", api.Progress{Stage: "run", Message: "running"})
	if b.String() != "stats python: numpy\n" {
		t.Errorf("showed %q", b.String())
	}
}

// TestVerbose: what tools print is shown with their names, if asked for.
func TestVerbose(t *testing.T) {
	service := &fakeService{stdout: "own\n", result: resultOf(int64(7), "Any"), log: []api.LogEntry{
		{Seq: 1, Stream: "stdout", Text: "one\ntw"}, {Seq: 2, Stream: "system", Text: "attempt 2\n"}, {Seq: 3, Stream: "stderr", Text: "o"},
	}}
	service.events = []api.Event{eventOf(t, api.EventCallStarted, 0, api.CallStartedData{Call: 1, Tool: "add", Run: "run-2"}),
		eventOf(t, api.EventCallEnded, 0, api.CallEndedData{Call: 1, Status: api.StatusSucceeded})}
	expect(t, run(t, service, "orchestrate", "--durable", "-c", "1", "-v"), printed{out: `{"result":7}` + "\n", err: "own\nadd: one\nadd: two\n"})
	service.closed = 0
	expect(t, run(t, service, "orchestrate", "-c", "1"), printed{out: `{"result":7}` + "\n", err: "own\n"})
}
