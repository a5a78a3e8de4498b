package engine

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// interrupted leaves a run behind that has made its first call, add(1, 2), and
// was killed in the second, hold(3).
func interrupted(t *testing.T, idempotentHold bool, inputs map[string]any) (*host, *api.Run) {
	h := newHost(t)
	tools := idempotent(append(h.arithmetic(), function("hold", "x")))
	tools[len(tools)-1].Idempotent = idempotentHold
	held := make(chan struct{})
	h.functions.code["hold"] = func(ctx context.Context, _ map[string]any) (any, error) {
		close(held)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	task := orchestrate("a = add(1, 2)\nb = hold(a)\nmultiply(a, b)", integer, tools...)
	if inputs != nil {
		task.Signature.Inputs = []value.Param{{Name: "text", Type: value.Type{Kind: value.KindStr}}}
	}
	e := h.engine("a", nil)
	run := submit(t, e, api.Submission{Task: task, Inputs: inputs})
	<-held
	h.kill("a", e)
	h.functions.code["hold"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	return h, run
}

// resume resumes the run in another process.
func (h *host) resume(t *testing.T, id string, o api.ResumeOptions) (*api.Result, error) {
	t.Helper()
	e := h.engine("b", nil)
	defer e.Close()
	if _, err := e.Recover(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Resume(t.Context(), id, o); err != nil {
		t.Fatalf("resume: %v", err)
	}
	result, err := e.Wait(t.Context(), id)
	e.checkRest(t)
	checkAll(t, e)
	return result, err
}

// edit changes the n-th event of a kind, and of it what the journal would
// refuse to change.
func edit[D any](t *testing.T, h *host, run string, kind api.EventKind, n int, change func(*D)) {
	t.Helper()
	m := h.journal.(*memory)
	for i, ev := range m.events[run] {
		if ev.Kind != kind {
			continue
		}
		if n--; n > 0 {
			continue
		}
		var d D
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			t.Fatal(err)
		}
		change(&d)
		m.events[run][i].Data, _ = json.Marshal(d)
		return
	}
	t.Fatalf("run %s has no such %s", run, kind)
}

// TestReplayMismatch (D03): what the code does differs from what the journal
// holds. The run ends, says how, and does nothing.
func TestReplayMismatch(t *testing.T) {
	started := func(n int, change func(*api.CallStartedData)) func(*testing.T, *host, string) {
		return func(t *testing.T, h *host, run string) { edit(t, h, run, api.EventCallStarted, n, change) }
	}
	for _, c := range []struct {
		name   string
		tamper func(*testing.T, *host, string)
		says   []string
	}{
		{"another tool", started(1, func(d *api.CallStartedData) { d.Tool = "multiply" }), []string{"call 1", "add", "multiply"}},
		{"other arguments", started(1, func(d *api.CallStartedData) { d.Inputs = api.DigestOf(nil) }), []string{"call 1", "another call", `"x":1`}},
		{"other arguments of a call under way", started(2, func(d *api.CallStartedData) { d.Inputs = api.DigestOf(nil) }), []string{"call 2", "another call"}},
		{"another version of a tool", started(1, func(d *api.CallStartedData) { d.TaskDigest = api.DigestOf(nil) }), []string{"call 1", "another version"}},
		{"an answer of no call", func(t *testing.T, h *host, run string) {
			edit(t, h, run, api.EventCallEnded, 1, func(d *api.CallEndedData) { d.Call = 7 })
		}, []string{"call 7"}},
		{"other code", func(t *testing.T, h *host, run string) {
			h.recode(t, run, "add(5, 5)")
		}, []string{"call 1", `"x":5`, `"x":1`}},
		{"code that calls less", func(t *testing.T, h *host, run string) {
			h.recode(t, run, "add(1, 2)")
		}, []string{"call 2", "hold"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, run := interrupted(t, true, nil)
			c.tamper(t, h, run.ID)
			before := len(h.functions.done)
			_, err := h.resume(t, run.ID, api.ResumeOptions{})
			failure := api.AsError(err)
			if failure.Code != api.ReplayMismatch || failure.Details.Expected == "" || failure.Details.Got == "" {
				t.Fatalf("got %+v", failure)
			}
			for _, words := range c.says {
				if !strings.Contains(failure.Message, words) {
					t.Errorf("%q does not say %q", failure.Message, words)
				}
			}
			if done := h.functions.done[before:]; len(done) > 0 {
				t.Errorf("%v were carried out", done)
			}
		})
	}
}

// recode changes the code of a run behind its back.
func (h *host) recode(t *testing.T, run, code string) {
	t.Helper()
	m := h.journal.(*memory)
	digest := m.records[run].TaskDigest
	task := new(api.Task)
	if err := json.Unmarshal(m.tasks[digest], task); err != nil {
		t.Fatal(err)
	}
	task.Code = code
	m.tasks[digest], _ = json.Marshal(task)
	clear(m.snapshots)
}

// A run that failed before it came to a call that is in doubt does not hide
// that: resuming it must not do the call again unasked.
func TestDoubtOutlivesOtherFailures(t *testing.T) {
	h, run := interrupted(t, false, nil)
	edit(t, h, run.ID, api.EventCallStarted, 1, func(d *api.CallStartedData) { d.Inputs = api.DigestOf(nil) })
	_, err := h.resume(t, run.ID, api.ResumeOptions{})
	failure := api.AsError(err)
	if failure.Code != api.OutcomeUnknown || !strings.Contains(failure.Message, "hold") || !strings.Contains(failure.Message, "call 1") {
		t.Fatalf("got %+v", failure)
	}
	e := h.engine("c", nil)
	defer e.Close()
	if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); api.AsError(err).Code != api.Conflict {
		t.Errorf("resume: %v", err)
	}
	if n := h.functions.count("hold"); n != 0 {
		t.Errorf("hold was carried out %d times", n)
	}
	result, err := h.resume(t, run.ID, api.ResumeOptions{RetryUnknown: true})
	if got := valueFrom(t, result, err); got != int64(9) || h.functions.count("add") != 1 {
		t.Errorf("got %v, add was carried out %d times", got, h.functions.count("add"))
	}
}

// TestMissingBlobs (D05): a run whose large values are gone says so, and stays
// as it is until they are back.
func TestMissingBlobs(t *testing.T) {
	h, run := interrupted(t, true, map[string]any{"text": strings.Repeat("x", 1<<20)})
	move := func(from, to string) {
		if err := os.Rename(h.dir+from, h.dir+to); err != nil {
			t.Fatal(err)
		}
	}
	move("/blobs", "/elsewhere")
	e := h.engine("b", nil)
	defer e.Close()
	_, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{})
	if failure := api.AsError(err); failure == nil || failure.Code != api.NotFound || !strings.Contains(failure.Message, "large value") || failure.Hint == "" {
		t.Errorf("got %+v", failure)
	}
	move("/elsewhere", "/blobs")
	result, err := h.resume(t, run.ID, api.ResumeOptions{})
	if got := valueFrom(t, result, err); got != int64(9) || h.functions.count("add") != 1 {
		t.Errorf("got %v, add was carried out %d times", got, h.functions.count("add"))
	}
}

// TestOtherOrder (D04): calls that end in another order after a restart give
// the same, and the journal keeps the order of each attempt.
func TestOtherOrder(t *testing.T) {
	code := "order = []\nasync def one(i):\n    order.append(await add(i, 0))\nawait gather(*[one(i) for i in range(8)])\nsorted(order) + [len(order)]"
	host := newHost(t)
	for left := range 16 {
		synctest.Test(t, func(t *testing.T) {
			h := host.anew()
			tools := idempotent(h.arithmetic())
			backwards := false
			h.functions.code["add"] = func(ctx context.Context, in map[string]any) (any, error) {
				after := time.Duration(in["x"].(int64)) * time.Second
				if backwards {
					after = time.Minute - after
				}
				select {
				case <-time.After(after):
					return in["x"], nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			dying := newCrashing(h.journal, 1+left)
			e := h.engine("a", dying)
			run := submit(t, e, api.Submission{Task: orchestrate(code, anything, tools...)})
			<-dying.died
			close(dying.gone)
			h.kill("a", e)
			backwards = true
			result, err := h.resume(t, run.ID, api.ResumeOptions{})
			got, _ := valueFrom(t, result, err).([]any)
			want := []any{int64(0), int64(1), int64(2), int64(3), int64(4), int64(5), int64(6), int64(7), int64(8)}
			if !slices.Equal(got, want) {
				t.Errorf("after %d submissions: %v", left, got)
			}
		})
	}
}

// TestCrashWhileCallsAreReused: a call that an earlier one answers is written
// in one piece, so that a process that dies in between leaves no call to
// execute.
func TestCrashWhileCallsAreReused(t *testing.T) {
	h, run := broken(t, newHost(t))
	before := h.journal.(*memory).changes
	if _, err := h.resume(t, run.ID, api.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	steps := h.journal.(*memory).changes - before
	for left := 1; left < steps; left++ {
		h, run := broken(t, h)
		dying := newCrashing(h.journal, left)
		e := h.engine("b", dying)
		if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
			t.Fatal(err)
		}
		<-dying.died
		close(dying.gone)
		h.kill("b", e)
		result, err := h.resume(t, run.ID, api.ResumeOptions{})
		if got := valueFrom(t, result, err); got != int64(3) || h.functions.count("add") != 3 {
			t.Errorf("after %d submissions: %v, add was carried out %d times", left, got, h.functions.count("add"))
		}
	}
}

// broken leaves a run behind that failed in its fourth call, which would not
// fail now.
func broken(t *testing.T, h *host) (*host, *api.Run) {
	h = h.anew()
	tools := idempotent(append(h.arithmetic()[:1], function("mend", "x")))
	h.functions.code["mend"] = func(context.Context, map[string]any) (any, error) {
		return nil, api.Errorf(api.FunctionFailed, "broken")
	}
	e := h.engine("a", nil)
	run := submit(t, e, api.Submission{Task: orchestrate("n = 0\nfor i in range(3): n = add(n, i)\nmend(n)", integer, tools...)})
	if _, err := e.Wait(t.Context(), run.ID); api.AsError(err).Code != api.CallFailed {
		t.Fatalf("got %v", err)
	}
	h.kill("a", e)
	h.functions.code["mend"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	return h, run
}

// TestLongInputs: inputs that are a blob have the digest that they have anywhere,
// those of a run and of a call alike, so that a cache and a replay know them.
func TestLongInputs(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	list := value.Param{Name: "x", Type: value.MustType("list[float]")}
	count := function("count")
	count.Signature.Inputs = []value.Param{list}
	h.functions.code["count"] = func(_ context.Context, inputs map[string]any) (any, error) { return len(inputs["x"].([]any)), nil }
	task := orchestrate("count(x)", integer, count)
	task.Signature.Inputs = []value.Param{list}
	given := value.OfFloats(list, slices.Repeat([]float64{0.1}, 20_000))
	run, err := e.Submit(t.Context(), api.Submission{Task: task, Checked: given})
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.Wait(t.Context(), run.ID)
	if got := valueFrom(t, result, err); got != int64(20_000) {
		t.Errorf("the call counted %v floats", got)
	}
	recs, _, err := h.journal.List(t.Context(), api.RunQuery{Limit: 10})
	if err != nil || len(recs) != 2 {
		t.Fatalf("%d runs, %v; want the run and its call", len(recs), err)
	}
	for _, rec := range recs {
		if rec.InputsDigest != given.Digest() || "sha256:"+rec.InputsPayload.Blob != given.Digest() {
			t.Errorf("run of %s has inputs %s in blob %q; want %s", rec.Task, rec.InputsDigest, rec.InputsPayload.Blob, given.Digest())
		}
	}
}
