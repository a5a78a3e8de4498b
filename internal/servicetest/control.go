package servicetest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// idempotency: the same key and contents are the same run, done once, also when
// it has ended or failed; with other contents it is a conflict.
func idempotency(s *suite) {
	inc, n := s.counter("inc")
	submit := func(key string, task *api.Task, x int) (*api.Run, error) {
		return s.service.Submit(s.Context(), api.Submission{Task: task, Inputs: map[string]any{"x": x}, IdempotencyKey: key})
	}
	first, err := submit("k1", &inc, 1)
	s.must(err)
	_, err = s.service.Wait(s.Context(), first.ID)
	s.must(err)
	again, err := submit("k1", &inc, 1)
	s.must(err)
	if again.ID != first.ID || again.IdempotencyKey != "k1" || n.get() != 1 {
		s.Errorf("run %s, then %s, done %d times", first.ID, again.ID, n.get())
	}
	_, err = submit("k1", &inc, 2)
	s.wantCode(err, api.Conflict)
	changed := inc
	changed.Doc = "another task"
	_, err = submit("k1", &changed, 1)
	s.wantCode(err, api.Conflict)
	other, err := submit("k2", &inc, 1)
	s.must(err)
	if other.ID == first.ID {
		s.Error("another key is the same run")
	}
	_, err = submit("bad\nkey", &inc, 1)
	s.wantCode(err, api.InvalidTask)
}

// group: a run keeps the name of its group, which is one line for people.
func group(s *suite) {
	inc, _ := s.counter("inc")
	submit := func(group string) (*api.Run, error) {
		return s.service.Submit(s.Context(), api.Submission{Task: &inc, Inputs: map[string]any{"x": 1}, Group: group})
	}
	run, err := submit("größe 1")
	s.must(err)
	_, err = s.service.Wait(s.Context(), run.ID)
	s.must(err)
	if got := s.get(run.ID).Group; got != "größe 1" {
		s.Errorf("the group is %q", got)
	}
	for _, wrong := range []string{"two\nlines", "\x1b[31m", strings.Repeat("x", 513)} {
		_, err := submit(wrong)
		s.wantCode(err, api.InvalidTask)
	}
}

// idempotencyAtOnce: submissions at the same time are one run.
func idempotencyAtOnce(s *suite) {
	inc, n := s.counter("inc")
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			run, err := s.service.Submit(s.Context(), api.Submission{Task: &inc, Inputs: map[string]any{"x": 1}, IdempotencyKey: "k"})
			if err != nil {
				s.Error(err)
				return
			}
			ids[i] = run.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			s.Fatalf("runs: %v", ids)
		}
	}
	_, err := s.service.Wait(s.Context(), ids[0])
	s.must(err)
	if n.get() != 1 {
		s.Errorf("done %d times", n.get())
	}
}

// cancel: a run that is canceled ends as such, and keeps the reason; one that
// has ended cannot be canceled.
func cancel(s *suite) {
	g := s.gate("gate")
	id := s.submit(&g.task, map[string]any{"x": 1}).ID
	<-g.begun
	s.must(s.service.Cancel(s.Context(), id, "enough"))
	_, err := s.service.Wait(s.Context(), id)
	s.wantCode(err, api.Canceled)
	if <-g.ended == nil {
		s.Error("the function was not told")
	}
	if run := s.get(id); run.Status != api.StatusCanceled || run.Error == nil || run.Error.Code != api.Canceled || run.Ended.IsZero() {
		s.Errorf("the run: %+v", run)
	}
	reasons := 0
	for _, e := range collect(s, s.service.Events(s.Context(), id, 0)) {
		var data api.CancelRequestedData
		if e.Kind == api.EventCancelRequested && json.Unmarshal(e.Data, &data) == nil && data.Reason == "enough" {
			reasons++
		}
	}
	if reasons != 1 {
		s.Errorf("%d events have the reason", reasons)
	}
	s.wantCode(s.service.Cancel(s.Context(), id, ""), api.Conflict)
}

// cancelBelow: the calls of a run end with it, however deep they are.
func cancelBelow(s *suite) {
	g := s.gate("gate")
	inner := orchestrator("gate(1)", "", "int", g.task)
	inner.Name = "inner"
	id := s.submit(orchestrator("inner()", "", "int", *inner), nil).ID
	<-g.begun
	s.must(s.service.Cancel(s.Context(), id, ""))
	_, err := s.service.Wait(s.Context(), id)
	s.wantCode(err, api.Canceled)
	if <-g.ended == nil {
		s.Error("the function was not told")
	}
	tree := s.ids(api.RunQuery{Root: id, Status: []api.Status{api.StatusCanceled}})
	if len(tree) != 3 {
		s.Errorf("%d runs of the tree are canceled, want 3", len(tree))
	}
}

// child: a run that a task asks for is below that task's run, and ends with it.
func child(s *suite) {
	parent, child := s.gate("parent"), s.gate("child")
	above := s.submit(&parent.task, map[string]any{"x": 1})
	<-parent.begun
	below, err := s.service.Submit(s.Context(), api.Submission{Task: &child.task, Inputs: map[string]any{"x": 2}, Parent: above.ID})
	s.must(err)
	<-child.begun
	if below.Parent != above.ID || below.Root != above.ID || below.Call != 0 || above.Root != above.ID {
		s.Errorf("the child: parent %s, root %s, call %d", below.Parent, below.Root, below.Call)
	}
	s.must(s.service.Cancel(s.Context(), above.ID, ""))
	_, err = s.service.Wait(s.Context(), below.ID)
	s.wantCode(err, api.Canceled)
	_, err = s.service.Wait(s.Context(), above.ID)
	s.wantCode(err, api.Canceled)
	_, err = s.service.Submit(s.Context(), api.Submission{Task: &child.task, Inputs: map[string]any{"x": 3}, Parent: above.ID})
	s.wantCode(err, api.Conflict)
}

// resume: a failed run continues as the same run, and calls that succeeded are
// not executed again.
func resume(s *suite) {
	inc, done := s.counter("inc")
	var tries count
	flaky := s.function("flaky", "x: int", "int", func(in map[string]any) (any, error) {
		if tries.add() == 1 {
			return nil, errors.New("not yet")
		}
		return in["x"].(int64) * 10, nil
	})
	id := s.submit(orchestrator("a = inc(1)\nprint('a is', a)\nb = flaky(a)\ninc(b)", "", "int", inc, flaky), nil).ID
	_, err := s.service.Wait(s.Context(), id)
	s.wantCode(err, api.CallFailed)
	run, err := s.service.Resume(s.Context(), id, api.ResumeOptions{})
	s.must(err)
	if run.ID != id || run.Status.Ended() {
		s.Errorf("it goes on as run %s, %s", run.ID, run.Status)
	}
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if got := s.only(result); got != int64(21) || done.get() != 2 || tries.get() != 2 {
		s.Errorf("got %v; inc was done %d times, flaky %d times", got, done.get(), tries.get())
	}
	if now := s.get(id); now.Status != api.StatusSucceeded || now.Error != nil {
		s.Errorf("the run: %s, %v", now.Status, now.Error)
	}
}

// resumeRefused: what succeeded or is under way cannot go on; what was canceled
// can.
func resumeRefused(s *suite) {
	g := s.gate("gate")
	id := s.submit(&g.task, map[string]any{"x": 1}).ID
	<-g.begun
	_, err := s.service.Resume(s.Context(), id, api.ResumeOptions{})
	s.wantCode(err, api.Conflict)
	s.must(s.service.Cancel(s.Context(), id, ""))
	_, err = s.service.Wait(s.Context(), id)
	s.wantCode(err, api.Canceled)
	g.open <- struct{}{}
	_, err = s.service.Resume(s.Context(), id, api.ResumeOptions{RetryUnknown: true})
	s.must(err)
	_, err = s.service.Wait(s.Context(), id)
	s.must(err)
	_, err = s.service.Resume(s.Context(), id, api.ResumeOptions{})
	s.wantCode(err, api.Conflict)
}

// resolve: a call whose process fell silent is in doubt until a person resolves
// it; then the run continues with that answer, and does not make the call
// again.
func resolve(s *suite) {
	var made count
	pay := s.function("pay", "x: int", "int", func(map[string]any) (any, error) {
		made.add()
		return nil, api.Errorf(api.WorkerLost, "it fell silent")
	})
	flow := orchestrator("try:\n    x = pay(1)\nexcept ValueError:\n    x = -2\nx + 1", "", "int", pay)
	for how, want := range map[string]any{`5`: int64(6), "": int64(-1)} {
		o := api.Resolution{Value: json.RawMessage(how)}
		if how == "" {
			o = api.Resolution{Call: "1", Failed: "it was not", Exception: "ValueError"}
		}
		id := s.submit(flow, nil).ID
		_, err := s.service.Wait(s.Context(), id)
		s.wantCode(err, api.OutcomeUnknown)
		_, err = s.service.Resolve(s.Context(), id, api.Resolution{Value: json.RawMessage(`"text"`)})
		if e := s.wantCode(err, api.InvalidInput); e.Details.Field != "result" || e.Details.Expected != "int" {
			s.Errorf("the details are %+v", e.Details)
		}
		_, err = s.service.Resolve(s.Context(), id, api.Resolution{})
		s.wantCode(err, api.RequestInvalid)
		call, err := s.service.Resolve(s.Context(), id, o)
		s.must(err)
		if call.Parent != id || call.Resolved.IsZero() || !call.Status.Ended() {
			s.Errorf("the call is %+v", call)
		}
		_, err = s.service.Resolve(s.Context(), id, o)
		s.wantCode(err, api.Conflict)
		_, err = s.service.Resume(s.Context(), id, api.ResumeOptions{RetryUnknown: true})
		s.must(err)
		result, err := s.service.Wait(s.Context(), id)
		s.must(err)
		if got := s.only(result); got != want {
			s.Errorf("the run gave %v, want %v", got, want)
		}
	}
	if n := made.get(); n != 2 {
		s.Errorf("the call was made %d times in two runs", n)
	}
}

// rerun: a new run of changed code reuses the calls that both make in the same
// way, unless the caller refuses that.
func rerun(s *suite) {
	inc, a := s.counter("inc")
	dec, b := s.counter("dec")
	task := orchestrator("x = inc(1)\ndec(x)", "", "int", inc, dec)
	first := s.submit(task, nil).ID
	_, err := s.service.Wait(s.Context(), first)
	s.must(err)
	changed := *task
	changed.Code = "x = inc(1)\ndec(x + 10)"
	for i, test := range []struct {
		options api.RerunOptions
		want    int64
		a, b    int // calls in all, afterwards
	}{
		{api.RerunOptions{}, 3, 1, 1},
		{api.RerunOptions{Task: &changed}, 13, 1, 2},
		{api.RerunOptions{Code: "dec(inc(1))"}, 3, 1, 2},
		{api.RerunOptions{From: 2}, 3, 1, 3},
		{api.RerunOptions{From: 1}, 3, 2, 4},
		{api.RerunOptions{Fresh: true}, 3, 3, 5},
	} {
		run, err := s.service.Rerun(s.Context(), first, test.options)
		s.must(err)
		if run.ID == first || run.RerunOf != first {
			s.Errorf("%d: run %s of %s", i, run.ID, run.RerunOf)
		}
		result, err := s.service.Wait(s.Context(), run.ID)
		s.must(err)
		if got := s.only(result); got != test.want || a.get() != test.a || b.get() != test.b {
			s.Errorf("%d: got %v; inc %d and dec %d times, want %v, %d and %d", i, got, a.get(), b.get(), test.want, test.a, test.b)
		}
	}
}

// rerunFresh: a fresh run, and all below it, have nothing of the cache, and what
// would be ignored is refused.
func rerunFresh(s *suite) {
	inc, a := s.counter("inc")
	inc.Cache = api.CacheAuto
	task := orchestrator("inc(1)", "", "int", inc)
	task.Cache = api.CacheAuto
	first := s.submit(task, nil).ID
	_, err := s.service.Wait(s.Context(), first)
	s.must(err)
	for i, test := range []struct {
		options api.RerunOptions
		cached  bool
		calls   int // in all, afterwards
	}{
		{api.RerunOptions{}, true, 1},
		{api.RerunOptions{Cache: api.CacheDisable}, false, 1}, // the call is reused
		{api.RerunOptions{Fresh: true}, false, 2},
		{api.RerunOptions{Fresh: true, Cache: api.CacheOverride}, false, 3},
	} {
		run, err := s.service.Rerun(s.Context(), first, test.options)
		s.must(err)
		result, err := s.service.Wait(s.Context(), run.ID)
		s.must(err)
		if result.Cached != test.cached || a.get() != test.calls {
			s.Errorf("%d: cached %v after %d calls, want %v and %d", i, result.Cached, a.get(), test.cached, test.calls)
		}
	}
	leaf := s.submit(&inc, map[string]any{"x": 1}).ID
	_, err = s.service.Wait(s.Context(), leaf)
	s.must(err)
	for _, test := range []struct {
		run     string
		options api.RerunOptions
		field   string
	}{
		{first, api.RerunOptions{Fresh: true, From: 1}, "from"},
		{first, api.RerunOptions{From: 2}, "from"},
		{leaf, api.RerunOptions{From: 1}, "from"},
		{first, api.RerunOptions{Fresh: true, Cache: api.CacheAuto}, "cache"},
		{first, api.RerunOptions{Cache: "never"}, "cache"},
		{first, api.RerunOptions{Task: task, SkipCheck: true}, "skip_check"},
		{leaf, api.RerunOptions{SkipCheck: true}, "skip_check"},
	} {
		_, err := s.service.Rerun(s.Context(), test.run, test.options)
		if e := s.wantCode(err, api.InvalidTask); e.Details.Field != test.field {
			s.Errorf("%+v: %v names %q", test.options, e, e.Details.Field)
		}
	}
	_, err = s.service.Rerun(s.Context(), first, api.RerunOptions{Code: "inc(1) if True else ink(1)"})
	if e := s.wantCode(err, api.CheckFailed); len(e.Details.Problems) != 1 {
		s.Errorf("got %+v", e.Details)
	}
	run, err := s.service.Rerun(s.Context(), first, api.RerunOptions{Code: "inc(1) if True else ink(1)", SkipCheck: true})
	s.must(err)
	_, err = s.service.Wait(s.Context(), run.ID)
	s.must(err)
	ran, err := s.service.RunTask(s.Context(), run.ID)
	s.must(err)
	if ran.Code != "inc(1) if True else ink(1)" || !ran.Orchestrator.SkipCheck || len(ran.Orchestrator.Tools) != 1 {
		s.Errorf("it ran %s", asJSON(ran))
	}
}

// rerunInputs: a rerun can replace inputs, as the task declares them.
func rerunInputs(s *suite) {
	join := s.function("join", "a: bytes, b: Optional[bytes]", "bytes", func(in map[string]any) (any, error) {
		b, _ := in["b"].([]byte)
		return append(append([]byte{}, in["a"].([]byte)...), b...), nil
	})
	first := s.submit(&join, map[string]any{"a": []byte{1}, "b": []byte{2}}).ID
	_, err := s.service.Wait(s.Context(), first)
	s.must(err)
	run, err := s.service.Rerun(s.Context(), first, api.RerunOptions{Inputs: map[string]any{"b": []byte{255}}})
	s.must(err)
	result, err := s.service.Wait(s.Context(), run.ID)
	s.must(err)
	if got := text(s.only(result)); got != text([]byte{1, 255}) {
		s.Errorf("got %s", got)
	}
	_, err = s.service.Rerun(s.Context(), first, api.RerunOptions{Inputs: map[string]any{"c": 1}})
	s.wantCode(err, api.InvalidInput)
	_, err = s.service.Rerun(s.Context(), first, api.RerunOptions{Inputs: map[string]any{"a": "text"}})
	s.wantCode(err, api.InvalidInput)
}

// retries: a failed attempt is made again as often as the task says.
func retries(s *suite) {
	var tries count
	flaky := s.function("flaky", "", "int", func(map[string]any) (any, error) {
		if n := tries.add(); n < 2 {
			return nil, errors.New("not yet")
		}
		return int64(5), nil
	})
	flaky.Retries = 1
	result, err := s.run(&flaky, nil)
	s.must(err)
	if result.Attempts != 2 || s.only(result) != int64(5) {
		s.Errorf("got %v after %d attempts", result.Outputs, result.Attempts)
	}
}

// parallel: calls that do not wait for each other are under way together, and
// their results come in the order of the code.
func parallel(s *suite) {
	var all sync.WaitGroup
	all.Add(3)
	together := make(chan struct{})
	go func() { all.Wait(); close(together) }()
	meet := s.functionOf("meet", "x: int", "int", func(ctx context.Context, in map[string]any) (any, error) {
		all.Done()
		select {
		case <-together:
			return in["x"], nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	got := s.value(orchestrator("await gather(meet(1), meet(2), meet(3))", "", "list[int]", meet), nil)
	if text(got) != "[1,2,3]" {
		s.Errorf("got %s", text(got))
	}
}

// nested: an orchestrator is a tool like any other, and its calls are below it.
func nested(s *suite) {
	inc, _ := s.counter("inc")
	inner := orchestrator("inc(inc(x))", "x: int", "int", inc)
	inner.Name = "twice"
	id := s.submit(orchestrator("twice(twice(1)) + inc(0)", "", "int", *inner, inc), nil).ID
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if got := s.only(result); got != int64(6) {
		s.Errorf("got %v", got)
	}
	if run := s.get(id); run.Calls != 3 || run.Root != id || run.Parent != "" {
		s.Errorf("the run made %d calls", run.Calls)
	}
	if n := len(s.ids(api.RunQuery{Root: id})); n != 8 {
		s.Errorf("the tree has %d runs, want 8", n)
	}
	for i, call := range s.ids(api.RunQuery{Parent: id}) {
		run := s.get(call)
		if run.Call != uint64(i+1) || run.Root != id || run.Kind == api.KindOrchestrator && len(s.ids(api.RunQuery{Parent: call})) != 2 {
			s.Errorf("call %d: %+v", i+1, run)
		}
	}
}

// prompt: the description of what code meets needs no code.
func prompt(s *suite) {
	inc, n := s.counter("inc")
	for _, dialect := range []string{"strict", "extended"} {
		task := orchestrator("", "x: int", "int", inc)
		task.Orchestrator.Dialect = dialect
		text, err := s.service.Prompt(s.Context(), task)
		s.must(err)
		for _, part := range []string{"def inc(", "x: int", "of type int"} {
			if !strings.Contains(text, part) {
				s.Errorf("the %s prompt lacks %q:\n%s", dialect, part, text)
			}
		}
		if strings.Contains(text, "json") != (dialect == "extended") {
			s.Errorf("the %s prompt names the wrong modules:\n%s", dialect, text)
		}
	}
	if n.get() != 0 {
		s.Error("something ran")
	}
}

// check: what would fail is found before anything runs, with its place.
func check(s *suite) {
	inc, n := s.counter("inc")
	problems, err := s.service.Check(s.Context(), orchestrator("x = 1\ninc(x)\n", "", "int", inc))
	s.must(err)
	if len(problems) != 0 {
		s.Errorf("good code: %+v", problems)
	}
	problems, err = s.service.Check(s.Context(), orchestrator("x = 1\nundefined(x)\n", "", "int", inc))
	s.must(err)
	if len(problems) == 0 || problems[0].Line != 2 || problems[0].Message == "" || problems[0].Level == "" {
		s.Errorf("bad code: %+v", problems)
	}
	if n.get() != 0 {
		s.Error("something ran")
	}
}
