package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// doubtful is a run in doubt whose process was killed within a call of pay.
type doubtful struct {
	*starters
	engine *Engine // that the next process has
	run    *api.Run
	doubt  *api.Run
}

// parents are tasks that call step(5) and then pay with what it gave, and give
// what that gave, or -1 if it raises a ValueError that says "lost".
func (s *starters) parents() map[string]*api.Task {
	step, pay := function("step", "x"), function("pay", "x")
	code := "paid = step(5)\ntry:\n    got = pay(paid)\nexcept ValueError as e:\n    got = -1 if str(e) == 'lost' else 0\nstep(got)"
	flow := orchestrate(code, integer, step, pay)
	inner := *flow
	inner.Name = "inner"
	s.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
		if _, err := s.call(ctx, &step, 5); err != nil {
			return nil, err
		}
		got, err := s.call(ctx, &pay, 5)
		if x := api.AsError(err); err != nil && x.Details.Exception != nil && x.Details.Exception.Type == "ValueError" && x.Details.Exception.Message == "lost" {
			return int64(-1), nil
		}
		return got, err
	}
	parents := asParents("main")
	parents["orchestrator"], parents["nested"] = flow, orchestrate("inner()", integer, inner)
	return parents
}

// inDoubt starts a task, kills its process within pay, and with tried lets the
// next process try to resume it.
func inDoubt(t *testing.T, name string, tried bool) *doubtful {
	s := &starters{host: newHost(t)}
	first := s.start("a")
	began := make(chan struct{}, 1)
	s.functions.code["step"], s.functions.code["pay"] = echo, hangs(began)
	run := submit(t, first, api.Submission{Task: s.parents()[name]})
	<-began
	s.kill("a", first)
	s.functions.code["pay"] = echo
	e := s.start("b")
	if _, err := e.Recover(t.Context(), tried); err != nil {
		t.Fatal(err)
	}
	if tried {
		if _, err := e.Wait(t.Context(), run.ID); !errors.Is(err, &api.Error{Code: api.OutcomeUnknown}) {
			t.Fatalf("the run ended with %v", err)
		}
	}
	return &doubtful{s, e, run, s.payment(e, run)}
}

// payment returns the run of pay at or below another one.
func (s *starters) payment(e *Engine, root *api.Run) *api.Run {
	page, err := e.Runs(s.t.Context(), api.RunQuery{Root: root.ID})
	for _, run := range page.Runs {
		if run.Task == "pay" {
			return &run
		}
	}
	s.t.Fatalf("run %s has no call of pay: %v", root.ID, err)
	return nil
}

// resume resumes the run in one more process.
func (d *doubtful) resume(owner string) (*api.Result, error) {
	d.t.Helper()
	e := d.start(owner)
	if _, err := e.Resume(d.t.Context(), d.run.ID, api.ResumeOptions{RetryUnknown: true}); err != nil {
		d.t.Fatal(err)
	}
	return e.Wait(d.t.Context(), d.run.ID)
}

// TestResolve answers a call in doubt: the run resumes with the answer, in
// another process, and the call is not made again, whoever asks for it.
func TestResolve(t *testing.T) {
	for _, name := range []string{"orchestrator", "nested", "function", "cell"} {
		for how, want := range map[string]int64{`7`: 7, "": -1} {
			for _, tried := range []bool{false, true} {
				t.Run(name+" "+how+" "+strconv.FormatBool(tried), func(t *testing.T) {
					d := inDoubt(t, name, tried)
					o := api.Resolution{Value: json.RawMessage(how)}
					if how == "" {
						o = api.Resolution{Failed: "lost", Exception: "ValueError", Call: d.doubt.ID}
					}
					resolved, err := d.engine.Resolve(t.Context(), d.run.ID, o)
					if err != nil {
						t.Fatal(err)
					}
					if resolved.ID != d.doubt.ID || resolved.Resolved.IsZero() || (resolved.Status == api.StatusSucceeded) != (how != "") || resolved.Attempts != 1 {
						t.Errorf("the run of the call is now %+v", resolved)
					}
					d.kill("b", d.engine)
					result, err := d.resume("c")
					if got := valueFrom(t, result, err); got != want {
						t.Errorf("the run gave %v instead of %d", got, want)
					}
					if n := len(d.functions.keys["pay"]); n != 1 {
						t.Errorf("pay was carried out %d times", n)
					}
					if n := len(d.functions.keys["step"]); n != 2 && strings.HasSuffix(name, "e") || n > 2 {
						t.Errorf("step was carried out %d times", n)
					}
					d.starters.engine.checkRest(t)
					checkAllOf(t, d.host)
				})
			}
		}
	}
}

// TestResolvedFailureIsRaisedOnce: who resumes a run once more that did not
// handle the failure has the call made, with the key that it had.
func TestResolvedFailureIsRaisedOnce(t *testing.T) {
	for _, name := range []string{"orchestrator", "nested", "function", "cell"} {
		for _, tried := range []bool{false, true} {
			t.Run(name+" "+strconv.FormatBool(tried), func(t *testing.T) { raisedOnce(t, name, tried) })
		}
	}
}

// TestResolvedFailureWithinAMillisecond: which try of a call is the newest does not
// depend on their ids, which are in no order if the clock stands still.
func TestResolvedFailureWithinAMillisecond(t *testing.T) {
	for range 20 {
		for _, name := range []string{"nested", "function"} {
			synctest.Test(t, func(t *testing.T) { raisedOnce(t, name, true) })
		}
	}
}

// raisedOnce resolves a call as failed and resumes the run twice: the first time
// the failure is raised, the second time the call is made again.
func raisedOnce(t *testing.T, name string, tried bool) {
	d := inDoubt(t, name, tried)
	if _, err := d.engine.Resolve(t.Context(), d.run.ID, api.Resolution{Failed: "gone"}); err != nil {
		t.Fatal(err)
	}
	d.kill("b", d.engine)
	if _, err := d.resume("c"); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("the run ended with %v", err)
	}
	if n := len(d.functions.keys["pay"]); n != 1 {
		t.Errorf("pay was carried out %d times", n)
	}
	result, err := d.resume("d")
	if got := valueFrom(t, result, err); got != int64(5) {
		t.Errorf("the run gave %v", got)
	}
	if keys := d.functions.keys["pay"]; len(keys) != 2 || keys[0] != keys[1] {
		t.Errorf("pay was given the keys %q", keys)
	}
	checkAllOf(t, d.host)
}

// TestResolveARunThatNobodyCalled ends it with that.
func TestResolveARunThatNobodyCalled(t *testing.T) {
	for how, want := range map[string]api.Status{"3": api.StatusSucceeded, "": api.StatusFailed} {
		s := &starters{host: newHost(t)}
		first := s.start("a")
		began := make(chan struct{}, 1)
		s.functions.code["pay"] = hangs(began)
		pay := function("pay", "x")
		run := submit(t, first, api.Submission{Task: &pay, Inputs: map[string]any{"x": 1}})
		<-began
		s.kill("a", first)
		e := s.start("b")
		o := api.Resolution{Value: json.RawMessage(how)}
		if how == "" {
			o = api.Resolution{Failed: "lost"}
		}
		if _, err := e.Resolve(t.Context(), run.ID, o); err != nil {
			t.Fatal(err)
		}
		result, err := e.Wait(t.Context(), run.ID)
		if how != "" {
			if got := valueFrom(t, result, err); got != int64(3) {
				t.Errorf("the run gave %v", got)
			}
		} else if !errors.Is(err, &api.Error{Code: api.PythonException}) || api.AsError(err).Outcome != api.Failed {
			t.Errorf("the run failed with %v", err)
		}
		if now, err := e.Run(t.Context(), run.ID); err != nil || now.Status != want || now.Resolved.IsZero() {
			t.Errorf("the run is %+v: %v", now, err)
		}
		checkAllOf(t, s.host)
	}
}

// TestResolveRefuses calls that are not in doubt or are under way, and answers
// of another type.
func TestResolveRefuses(t *testing.T) {
	d := inDoubt(t, "orchestrator", true)
	refused := func(e *Engine, id string, o api.Resolution, code api.Code, words string) *api.Error {
		t.Helper()
		_, err := e.Resolve(t.Context(), id, o)
		if !errors.Is(err, &api.Error{Code: code}) || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: got %v, want %s with %q", o, err, code, words)
		}
		return api.AsError(err)
	}
	seven := json.RawMessage("7")
	for _, o := range []api.Resolution{{}, {Value: seven, Failed: "x"}, {Value: seven, Exception: "ValueError"}, {Failed: "x", Exception: "a b"}, {Failed: strings.Repeat("x", 9000)}} {
		if e := refused(d.engine, d.run.ID, o, api.RequestInvalid, "expected"); e.Details.Field == "" || e.Details.Expected == "" || e.Details.Got == "" {
			t.Errorf("the details are %+v", e.Details)
		}
	}
	if e := refused(d.engine, d.run.ID, api.Resolution{Value: json.RawMessage(`"7"`)}, api.InvalidInput, "result"); e.Details.Field != "result" || e.Details.Expected != "int" {
		t.Errorf("the details are %+v", e.Details)
	}
	refused(d.engine, d.run.ID, api.Resolution{Value: seven, Call: "1"}, api.Conflict, "is not in doubt")
	refused(d.engine, d.run.ID, api.Resolution{Value: seven, Call: "9"}, api.NotFound, "has no call")
	refused(d.engine, d.run.ID, api.Resolution{Value: seven, Call: "run-none"}, api.NotFound, "has no call")
	refused(d.engine, "run-none", api.Resolution{Value: seven}, api.NotFound, "run-none")
	if _, err := d.engine.Resolve(t.Context(), d.run.ID, api.Resolution{Value: seven, Call: "2"}); err != nil {
		t.Fatal(err)
	}
	refused(d.engine, d.run.ID, api.Resolution{Value: seven, Call: "2"}, api.Conflict, "is not in doubt")
	refused(d.engine, d.run.ID, api.Resolution{Value: seven}, api.Conflict, "nothing of run")

	began := make(chan struct{}, 1)
	d.functions.code["pay"] = hangs(began)
	run := submit(t, d.engine, api.Submission{Task: d.parents()["orchestrator"]})
	<-began
	other := d.start("c")
	refused(d.engine, run.ID, api.Resolution{Value: seven}, api.Conflict, "is under way")
	refused(other, run.ID, api.Resolution{Value: seven, Call: "2"}, api.Conflict, "is under way")
	refused(other, d.payment(other, run).ID, api.Resolution{Value: seven}, api.Conflict, "is under way")
}

// TestResolveOneOfSeveral has two calls in doubt: the caller must name one.
func TestResolveOneOfSeveral(t *testing.T) {
	s := &starters{host: newHost(t)}
	first := s.start("a")
	began := make(chan struct{}, 2)
	s.functions.code["pay"] = hangs(began)
	run := submit(t, first, api.Submission{Task: orchestrate("sum(glovebox_map('pay', [1, 2]))", integer, function("pay", "x"))})
	<-began
	<-began
	s.kill("a", first)
	e := s.start("b")
	_, err := e.Resolve(t.Context(), run.ID, api.Resolution{Value: json.RawMessage("7")})
	if !errors.Is(err, &api.Error{Code: api.Conflict}) || !strings.Contains(err.Error(), "2 calls") {
		t.Errorf("got %v", err)
	}
	for call, v := range map[string]string{"1": "30", "2": "12"} {
		if _, err := e.Resolve(t.Context(), run.ID, api.Resolution{Call: call, Value: json.RawMessage(v)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	result, err := e.Wait(t.Context(), run.ID)
	if got := valueFrom(t, result, err); got != int64(42) {
		t.Errorf("got %v", got)
	}
}

// TestResolveWithSeveralOutputs, which are a list, and with a file, which is
// named by its bytes alone.
func TestResolveValues(t *testing.T) {
	s := &starters{host: newHost(t)}
	e := s.start("a")
	bytes, err := e.config.Blobs.Put(t.Context(), strings.NewReader("paid"), 0)
	if err != nil {
		t.Fatal(err)
	}
	file := `{"path": "/etc/passwd", "sha256": "` + bytes.Digest + `"}`
	for answer, words := range map[string]string{
		`[1, ` + file + `]`: "", `[1]`: "a list of the 2 outputs", `1`: "a list of the 2 outputs", `[1, "/etc/passwd"]`: "digest", `[1,`: "a list",
	} {
		pay := function("pay")
		pay.Signature.Outputs = []value.Param{{Name: "n", Type: integer}, {Name: "bill", Type: value.MustType("File")}}
		began := make(chan struct{}, 1)
		s.functions.code["pay"] = hangs(began)
		first := s.start("before")
		run := submit(t, first, api.Submission{Task: &pay})
		<-began
		s.kill("before", first)
		_, err := e.Resolve(t.Context(), run.ID, api.Resolution{Value: json.RawMessage(answer)})
		if words != "" {
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: got %v, want %q", answer, err, words)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		now, err := e.Run(t.Context(), run.ID)
		if err != nil || !strings.Contains(string(now.Outputs), `"path":"passwd"`) || !strings.Contains(string(now.Outputs), `"size":4`) {
			t.Errorf("the outputs are %s: %v", now.Outputs, err)
		}
	}
}
