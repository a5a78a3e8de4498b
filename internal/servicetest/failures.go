package servicetest

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// functionErrors: the error of a function is that of its run, whoever asks.
func functionErrors(s *suite) {
	for _, test := range []struct {
		err  error
		code api.Code
	}{
		{errors.New("it is over"), api.FunctionFailed},
		{api.Errorf(api.Timeout, "too slow").WithHint("be quick").WithDetails(api.Details{Field: "f", Limit: 3}), api.Timeout},
		{api.Errorf(api.OutOfMemory, "too big"), api.OutOfMemory},
	} {
		fails := s.function("fails"+string(test.code), "", "int", func(map[string]any) (any, error) { return nil, test.err })
		id := s.submit(&fails, nil).ID
		result, err := s.service.Wait(s.Context(), id)
		e := s.wantCode(err, test.code)
		if result == nil || result.RunID != id || result.Attempts != 1 {
			s.Errorf("%s: the result beside the error: %+v", test.code, result)
		}
		run := s.get(id)
		if run.Status != api.StatusFailed || asJSON(run.Error) != asJSON(e) {
			s.Errorf("%s: %s, Wait has\n%s, the run has\n%s", test.code, run.Status, asJSON(e), asJSON(run.Error))
		}
		if want := api.AsError(test.err); test.code != api.FunctionFailed && (e.Message != want.Message || e.Hint != want.Hint || asJSON(e.Details) != asJSON(want.Details)) {
			s.Errorf("got %+v, want %+v", e, want)
		}
		if !strings.Contains(e.Message, strings.TrimPrefix(test.err.Error(), string(test.code)+": ")) {
			s.Errorf("the message is lost: %v", e)
		}
	}
}

// codeErrors: what the code of an orchestrator raises is a python_exception with
// its type and line, and a limit that it hits has its own code.
func codeErrors(s *suite) {
	_, err := s.run(orchestrator("x = 1\nx / 0", "", "float"), nil)
	e := s.wantCode(err, api.PythonException)
	if x := e.Details.Exception; x == nil || x.Type != "ZeroDivisionError" || len(x.Frames) != 1 || x.Frames[0].Line != 2 {
		s.Errorf("got %+v", x)
	}
	big := orchestrator("x = [0]\nwhile True:\n    x = x + x", "", "")
	big.Orchestrator.Limits.Memory = 1 << 20
	_, err = s.run(big, nil)
	s.wantCode(err, api.OutOfMemory)
	long := orchestrator("while True:\n    pass", "", "")
	long.Orchestrator.Limits.Steps = 10_000
	_, err = s.run(long, nil)
	s.wantCode(err, api.LimitExceeded)
	_, err = s.run(orchestrator("x", "x: Any", "int"), map[string]any{"x": "text"})
	s.wantCode(err, api.BadOutput)
}

// callErrors: the code can catch what a tool fails with, as the class that
// stands for it; what it does not catch names the call.
func callErrors(s *suite) {
	fail := s.function("fail", "how: str", "int", func(in map[string]any) (any, error) {
		return nil, api.Errorf(api.Code(in["how"].(string)), "as it was told")
	})
	for code, class := range map[api.Code]string{
		api.Timeout: "TimeoutError", api.OutOfMemory: "MemoryError", api.NonzeroExit: "RuntimeError", api.FunctionFailed: "RuntimeError",
	} {
		flow := orchestrator("try:\n    fail(how)\nexcept "+class+" as e:\n    got = str(e)\ngot", "how: str", "str", fail)
		if got, ok := s.value(flow, map[string]any{"how": string(code)}).(string); !ok || !strings.Contains(got, "as it was told") {
			s.Errorf("%s: the code caught %q", code, got)
		}
	}
	result, err := s.run(orchestrator("x = 1\n\nfail('timeout')", "", "int", fail), nil)
	e := s.wantCode(err, api.CallFailed)
	call, x := e.Details.Call, e.Details.Exception
	if call == nil || call.ID != 1 || call.Tool != "fail" || call.Error == nil || call.Error.Code != api.Timeout {
		s.Fatalf("the call: %+v", call)
	}
	if x == nil || len(x.Frames) != 1 || x.Frames[0].Line != 3 {
		s.Errorf("the lines of the orchestrator: %+v", x)
	}
	if below := s.get(call.Run); below.Parent != result.RunID || below.Status != api.StatusFailed || below.Error.Code != api.Timeout {
		s.Errorf("the run of the call: %+v", below)
	}
}

// nothingThere: every request for what does not exist is not_found.
func nothingThere(s *suite) {
	ctx, id := s.Context(), "none"
	_, run := s.service.Run(ctx, id)
	_, ran := s.service.RunTask(ctx, id)
	_, wait := s.service.Wait(ctx, id)
	_, resume := s.service.Resume(ctx, id, api.ResumeOptions{})
	_, resolve := s.service.Resolve(ctx, id, api.Resolution{Failed: "no"})
	_, rerun := s.service.Rerun(ctx, id, api.RerunOptions{})
	_, explain := s.service.ExplainCache(ctx, id)
	_, task := s.service.Task(ctx, id)
	_, versions := s.service.Versions(ctx, id)
	_, rollback := s.service.Rollback(ctx, id, 1)
	_, environment := s.service.Environment(ctx, id)
	_, submit := s.service.Submit(ctx, api.Submission{Name: id})
	_, _, blob := s.service.OpenBlob(ctx, strings.Repeat("0", 64))
	tool, _ := s.counter("tool")
	_, parent := s.service.Submit(ctx, api.Submission{Task: &tool, Inputs: map[string]any{"x": 1}, Parent: id})
	for name, err := range map[string]error{
		"Run": run, "RunTask": ran, "Wait": wait, "Resume": resume, "Resolve": resolve, "Rerun": rerun, "ExplainCache": explain, "Task": task, "Versions": versions, "Rollback": rollback,
		"Environment": environment, "Submit": submit, "OpenBlob": blob, "Parent": parent, "Cancel": s.service.Cancel(ctx, id, ""),
		"Events": lastError(s.service.Events(ctx, id, 0)), "Logs": lastError(s.service.Logs(ctx, id, 0, false)),
		"live Logs": lastError(s.service.Logs(ctx, id, 0, true)),
	} {
		if !errors.Is(err, &api.Error{Code: api.NotFound}) {
			s.Errorf("%s: got %v, want not_found", name, err)
		}
	}
	_, err := s.service.Environment(ctx, "none@3")
	s.wantCode(err, api.NotFound)
}
