package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// failure is a call that failed, and the exception that it raised in the code.
type failure struct {
	Class   string          `json:"class"`
	Message string          `json:"message"`
	Call    *api.FailedCall `json:"call"`
}

// failures are the last calls that failed. An exception that the code does not
// catch is taken for that of the last of them whose class and message it has.
type failures []failure

// maxFailures bounds the failures that are remembered.
const maxFailures = 100

func (f *failures) add(one failure) {
	if len(*f) == maxFailures {
		*f = append(failures{}, (*f)[1:]...)
	}
	*f = append(*f, one)
}

// of returns the call that an exception, or one that it was raised from, comes
// from; nil if it comes from none.
func (f failures) of(x *py.Exception) *api.FailedCall {
	for ; x != nil; x = x.Cause {
		for _, one := range slices.Backward(f) {
			if one.raised(x) {
				return one.Call
			}
		}
	}
	return nil
}

// first returns the first call that such an exception comes from; nil if it comes
// from none.
func (f failures) first(x *py.Exception) *api.FailedCall {
	for ; x != nil; x = x.Cause {
		if i := slices.IndexFunc(f, func(one failure) bool { return one.raised(x) }); i >= 0 {
			return f[i].Call
		}
	}
	return nil
}

func (f *failure) raised(x *py.Exception) bool {
	return f.Class == x.Class && (f.Message == x.Message || f.Class == "KeyError" && "'"+f.Message+"'" == x.Message)
}

// tooDeep is the message of the RecursionError at the limit of the depth, which
// code may catch.
const tooDeep = "maximum recursion depth exceeded"

// explain says why the code failed.
func (a *attempt) explain(ctx context.Context, err error) error {
	var x *py.Exception
	if !errors.As(err, &x) {
		return a.limited(ctx, err)
	}
	exception := Describe(a.req.Task.SourceName(), x)
	if call := a.failed.of(x); call != nil {
		e := api.Errorf(api.CallFailed, "call %d of %s failed: %s", call.ID, call.Tool, call.Error.Message)
		return e.WithDetails(api.Details{Exception: exception, Call: call})
	}
	if x.Class == "RecursionError" && x.Message == tooDeep {
		most := specOf(a.req.Task).Limits.Depth
		if most == 0 {
			most = py.DefaultDepth
		}
		return api.Errorf(api.LimitExceeded, "%s: limit %d", placed(x), most).WithHint("%s", limitHint(py.DepthLimit)).
			WithDetails(api.Details{Exception: exception, Field: "limits.depth", Limit: int64(most)})
	}
	e := api.Errorf(api.PythonException, "%s", placed(x))
	if hint := fix(a.req.Task, x); hint != "" {
		e = e.WithHint("%s", hint)
	}
	return e.WithDetails(api.Details{Exception: exception})
}

// placed is the last line of a traceback, and the line of the code.
func placed(x *py.Exception) string {
	if len(x.Lines) == 0 {
		return x.Error()
	}
	return fmt.Sprintf("%s (line %d)", x.Error(), x.Lines[len(x.Lines)-1].Line)
}

// limited says which limit ended the code. An error that is none is a defect.
func (a *attempt) limited(ctx context.Context, err error) error {
	var limit *py.LimitError
	if !errors.As(err, &limit) {
		return api.Errorf(api.Internal, "the interpreter failed: %w", err)
	}
	used := a.usage()
	switch limit.Limit {
	case py.Canceled:
		return canceled(ctx)
	case py.MemoryLimit:
		return api.Errorf(api.OutOfMemory, "the code needed more than its memory limit of %d bytes", limit.Max).
			WithHint("keep less at once, or raise the memory limit: --max-memory, limits.memory of the task, or max_memory in Python").
			WithDetails(api.Details{Field: "limits.memory", Limit: limit.Max, Peak: used.Memory})
	case py.TimeLimit:
		return api.Errorf(api.Timeout, "the code computed for longer than its time limit of %v; waiting for tools does not count", time.Duration(limit.Max)).
			WithHint("do less in one run, or raise the time limit: --timeout, limits.time of the task, or timeout_ms in Python").
			WithDetails(api.Details{Field: "limits.time", Limit: limit.Max, Duration: used.Time})
	}
	return api.Errorf(api.LimitExceeded, "%w", limit).WithHint("%s", limitHint(limit.Limit)).
		WithDetails(api.Details{Field: "limits." + string(limit.Limit), Limit: limit.Max})
}

func limitHint(limit py.LimitKind) string {
	if limit == py.DepthLimit {
		return "nest fewer calls, or raise the depth limit: --max-depth, limits.depth of the task, or max_stack_depth in Python"
	}
	return fmt.Sprintf("do less in one run, or raise limits.%s of the task", limit)
}

// canceled says why a context ended.
func canceled(ctx context.Context) error {
	var e *api.Error
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &e):
		return e
	case errors.Is(cause, context.DeadlineExceeded):
		return api.Errorf(api.Timeout, "the attempt took longer than its time limit: %w", cause)
	default:
		return api.Errorf(api.Canceled, "the run was cancelled: %w", cause)
	}
}

// unstarted says why the code could not start: its inputs are wrong, or too
// large.
func (a *attempt) unstarted(ctx context.Context, err error) error {
	var limit *py.LimitError
	if errors.As(err, &limit) {
		return a.limited(ctx, limit)
	}
	return err
}

// badResult says why the value of the last expression is no output.
func (a *attempt) badResult(ctx context.Context, output value.Param, err error) error {
	var limit *py.LimitError
	if errors.As(err, &limit) {
		return a.limited(ctx, limit)
	}
	var x *py.Exception
	if errors.As(err, &x) && x.Cause != nil {
		return a.exceptionInResult(output, x)
	}
	hint := "the output is the value of the last expression: make it fit the declared type, or change the declaration"
	if end := ending(a.req.Task); end != "" {
		hint = "the output is the value of the last expression, and there is none: " + end
	}
	return api.BadValue(api.BadOutput, "output", output.Name, err).WithHint("%s", hint)
}

// exceptionInResult is the error of a result with an exception in it, the first:
// that of the call that it comes from, or of the program that made it.
func (a *attempt) exceptionInResult(output value.Param, x *py.Exception) error {
	call := a.failed.first(x.Cause)
	if call == nil {
		return api.BadValue(api.BadOutput, "output", output.Name, x).
			WithHint("an exception is no value to return: give str(e) of it, or raise it")
	}
	at := ""
	if where, _, _ := strings.Cut(x.Message, ": "); strings.HasPrefix(where, "[") || strings.HasPrefix(where, ".") {
		at = ", at " + where
	}
	e := api.Errorf(api.CallFailed, "call %d of %s failed: %s; its exception is in the result%s", call.ID, call.Tool, call.Error.Message, at)
	return e.WithHint("leave exceptions out, as in [r for r in results if not isinstance(r, Exception)], or let the first failure end the run, with return_exceptions=False").
		WithDetails(api.Details{Exception: Describe(a.req.Task.SourceName(), x.Cause), Call: call, Field: output.Name})
}
