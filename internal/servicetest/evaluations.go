package servicetest

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// evaluation: an evaluation gives what a run would give, makes no run of itself,
// and says which runs its calls became: none for a function of this process,
// one for a tool that asks for more.
func evaluation(s *suite) {
	add := s.function("add", "x: int, y: int", "int", func(in map[string]any) (any, error) {
		return in["x"].(int64) + in["y"].(int64), nil
	})
	again := s.function("again", "x: int", "int", func(in map[string]any) (any, error) { return in["x"], nil })
	again.Retries = 1
	flow := orchestrator("print('hello')\nadd(x, 1) + again(2) + twice(3)", "x: int", "int", add, again,
		*called("twice", orchestrator("x * 2", "x: int", "int")))
	var out strings.Builder
	var mu sync.Mutex
	heard := map[uint64]api.MadeCall{}
	result, err := s.service.Evaluate(s.Context(), api.Evaluation{
		Task: flow, Inputs: map[string]any{"x": 5}, Stdout: &out,
		Called: func(c api.MadeCall) {
			mu.Lock()
			defer mu.Unlock()
			heard[c.ID] = c
		},
	})
	s.must(err)
	if len(result.Outputs) != 1 || result.Outputs[0].Value != int64(14) || result.RunID != "" {
		s.Errorf("result %+v", result)
	}
	if out.String() != "hello\n" || string(result.Stdout) != "hello\n" {
		s.Errorf("printed %q, the result has %q", out.String(), result.Stdout)
	}
	if result.CallsMade != 3 || len(result.Calls) != 3 || result.Calls[0].Tool != "add" || result.Calls[0].Run != "" {
		s.Fatalf("calls %+v", result.Calls)
	}
	for _, call := range result.Calls[1:] {
		if run := s.get(call.Run); run.Task != call.Tool || run.Status != api.StatusSucceeded || run.Parent != "" {
			s.Errorf("call %+v is the run %+v", call, run)
		}
		if heard[call.ID] != call {
			s.Errorf("told of %+v, want %+v", heard[call.ID], call)
		}
	}
	page, err := s.service.Runs(s.Context(), api.RunQuery{})
	s.must(err)
	if len(page.Runs) != 2 {
		s.Errorf("there are %d runs, want those of the two calls", len(page.Runs))
	}
}

func called(name string, t *api.Task) *api.Task {
	t.Name = name
	return t
}

// evaluationByName: a deployed task is evaluated by its name, with a clock that
// the evaluation grants.
func evaluationByName(s *suite) {
	flow := called("today", orchestrator("import datetime\n(x, datetime.date.today().isoformat())", "x: int", "Any"))
	_, err := s.service.Deploy(s.Context(), api.Deployment{Tasks: []api.Task{*flow}})
	s.must(err)
	result, err := s.service.Evaluate(s.Context(), api.Evaluation{
		Name: "today", Inputs: map[string]any{"x": 1}, Clock: api.FixedClock(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)),
	})
	s.must(err)
	if got := asJSON(result.Outputs[0].Value); !strings.Contains(got, "2024-02-29") {
		s.Errorf("got %s", got)
	}
}

// evaluationFails: the error is that of the code, with what was called and
// printed beside it.
func evaluationFails(s *suite) {
	fail := s.function("fail", "", "int", func(map[string]any) (any, error) { return nil, api.Errorf(api.Timeout, "too slow") })
	result, err := s.service.Evaluate(s.Context(), api.Evaluation{Task: orchestrator("print('a')\nfail()", "", "int", fail)})
	e := s.wantCode(err, api.CallFailed)
	if e.Details.Call == nil || e.Details.Call.ID != 1 || strings.Contains(e.Hint, "resume") {
		s.Errorf("error %+v", e)
	}
	if result == nil || string(result.Stdout) != "a\n" || result.CallsMade != 1 || result.Calls[0].Error == nil || result.Calls[0].Error.Code != api.Timeout {
		s.Errorf("the result beside it: %+v", result)
	}
	long := orchestrator("while True:\n    pass", "", "")
	long.Orchestrator.Limits.Steps = 10_000
	_, err = s.service.Evaluate(s.Context(), api.Evaluation{Task: long})
	s.wantCode(err, api.LimitExceeded)
	slow := orchestrator("import time\ntime.sleep(60)", "", "")
	slow.Timeout = 50 * time.Millisecond
	_, err = s.service.Evaluate(s.Context(), api.Evaluation{Task: slow})
	s.wantCode(err, api.Timeout)
}

// evaluationRefused: what cannot be evaluated is refused before anything starts,
// with the field that is wrong.
func evaluationRefused(s *suite) {
	fine := func() *api.Task { return orchestrator("1", "", "int") }
	retried, cached, wrong := fine(), fine(), fine()
	retried.Retries, cached.Cache, wrong.Code = 1, api.CacheAuto, "x"
	for name, test := range map[string]struct {
		asked api.Evaluation
		code  api.Code
		field string
	}{
		"nothing":           {api.Evaluation{}, api.InvalidTask, "task"},
		"both":              {api.Evaluation{Task: fine(), Name: "n"}, api.InvalidTask, "task"},
		"absent":            {api.Evaluation{Name: "absent"}, api.NotFound, ""},
		"a function":        {api.Evaluation{Task: &api.Task{Kind: api.KindFunction, Function: &api.Function{ID: "f"}}}, api.InvalidTask, "kind"},
		"starts runs":       {api.Evaluation{Task: &api.Task{Code: "1", StartsRuns: true}}, api.InvalidTask, "starts_runs"},
		"without cells":     {api.Evaluation{Task: &api.Task{Code: "1"}}, api.IsolationUnavailable, "kind"},
		"retries":           {api.Evaluation{Task: retried}, api.InvalidTask, "retries"},
		"a cache":           {api.Evaluation{Task: cached}, api.InvalidTask, "cache"},
		"a file":            {api.Evaluation{Task: orchestrator("1", "f: Optional[File]", "int"), Inputs: map[string]any{"f": nil}}, api.InvalidTask, "signature"},
		"a tool with files": {api.Evaluation{Task: orchestrator("1", "", "int", api.Task{Name: "t", Code: "1", Signature: api.Signature{Outputs: params("f: File")}})}, api.InvalidTask, "orchestrator.tools"},
		"a wrong input":     {api.Evaluation{Task: orchestrator("x", "x: int", "int"), Inputs: map[string]any{"x": "a"}}, api.InvalidInput, "x"},
		"wrong code":        {api.Evaluation{Task: wrong}, api.CheckFailed, ""},
		"a wrong clock":     {api.Evaluation{Task: fine(), Clock: "noon"}, api.InvalidTask, "orchestrator.clock"},
	} {
		_, err := s.service.Evaluate(s.Context(), test.asked)
		if e := s.wantCode(err, test.code); test.field != "" && e.Details.Field != test.field {
			s.Errorf("%s: field %q, want %q: %v", name, e.Details.Field, test.field, e)
		}
	}
}

// evaluationGivenUp: when its context ends, so does what it called, a run too.
func evaluationGivenUp(s *suite) {
	direct, asRun := s.gate("direct"), s.gate("asrun")
	asRun.task.Retries = 1
	for _, g := range []*gate{direct, asRun} {
		ctx, stop := context.WithCancel(s.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := s.service.Evaluate(ctx, api.Evaluation{Task: orchestrator(g.task.Name+"(1)", "", "int", g.task)})
			ended <- err
		}()
		<-g.begun
		stop()
		s.wantCode(<-ended, api.Canceled)
		<-g.ended
	}
}
