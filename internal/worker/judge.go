package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// judge turns the end of a call into outputs or one error. stopped is the
// reason for which the function was asked to end, or nil.
func (a *attempt) judge(ctx context.Context, o outcome, stopped *api.Error) (map[string]any, error) {
	switch {
	case stopped == nil && o.err != nil:
		return nil, o.err
	case stopped == nil:
		return a.outputs(o)
	case o.unsent:
		stopped.Outcome = api.NotStarted
		return nil, stopped
	case o.err != nil:
		stopped.Outcome = o.err.Outcome
		return nil, stopped
	case o.done() && stopped.Code == api.Canceled:
		return a.outputs(o) // it was done before it heard of the cancellation
	}
	return nil, stopped
}

// done reports whether the function returned.
func (o outcome) done() bool { return o.outputs != nil || o.text != nil }

// canceled is the error of a run whose context ended.
func canceled(ctx context.Context, o api.Outcome) *api.Error {
	e := api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	e.Outcome = o
	return e
}

// late is the error of a function that took longer than its limit. Whether it
// had its effects is not known until it says how it ended.
func (a *attempt) late() *api.Error {
	e := timedOut(a.limit())
	e.Outcome = api.Unknown
	return e
}

func timedOut(limit time.Duration) *api.Error {
	return api.Errorf(api.Timeout, "the function took longer than its limit of %s", limit).WithDetails(api.Details{Duration: limit})
}

// lost is the error of a call whose worker ended or fell silent.
func lost(w *remote, why string, o api.Outcome) *api.Error {
	e := api.Errorf(api.WorkerLost, "worker %q %s", w.name, why)
	e.Outcome = o
	return e
}

// outputs holds what the function returned to the declared outputs.
func (a *attempt) outputs(o outcome) (map[string]any, error) {
	params := a.req.Task.Signature.Outputs
	if o.text == nil {
		return CompleteOutputs(params, o.outputs)
	}
	if limit := a.req.Task.Limits.WithDefaults().Outputs; int64(len(o.text)) > limit {
		return nil, api.Errorf(api.OutputTooLarge, "the outputs are larger than their limit of %d bytes", limit).
			WithDetails(api.Details{Limit: limit, Peak: int64(len(o.text))})
	}
	given, err := wire.Values(api.BadOutput, "output", params, o.text)
	if err != nil {
		return nil, err
	}
	if err := o.files.checkIncoming(given); err != nil {
		return nil, err
	}
	return CompleteOutputs(params, given)
}

// CompleteOutputs holds what a function returned to the declared outputs. It
// returns missing_output or bad_output.
func CompleteOutputs(params []value.Param, given map[string]any) (map[string]any, error) {
	complete := make(map[string]any, len(params))
	for _, p := range params {
		v, ok := given[p.Name]
		if !ok {
			return nil, api.Errorf(api.MissingOutput, "the function returned no output %q; the outputs are (%s)", p.Name, value.DescribeParams(params)).
				WithHint("return every declared output").
				WithDetails(api.Details{Field: p.Name, Expected: p.Type.String(), Got: "nothing"})
		}
		n, err := value.Normalize(p.Type, v)
		if err != nil {
			return nil, api.BadValue(api.BadOutput, "output", p.Name, err)
		}
		complete[p.Name] = n
	}
	for name := range given {
		if _, ok := complete[name]; !ok {
			return nil, api.Errorf(api.BadOutput, "output %.80q is not declared; the outputs are (%s)", name, value.DescribeParams(params)).
				WithDetails(api.Details{Field: value.Shorten(name, 80), Expected: "only declared outputs", Got: "a value"})
		}
	}
	return complete, nil
}

// asFailure turns the error that a function returned into that of its run. An
// *api.Error passes, with all that it says.
func asFailure(err error) *api.Error {
	var e *api.Error
	if !errors.As(err, &e) {
		return api.Errorf(api.FunctionFailed, "%s", err.Error())
	}
	return passed(e)
}

// passed returns an error of the function's as it may stand for its run. Codes
// that say something of the run itself, such as canceled, are not the
// function's to give.
func passed(e *api.Error) *api.Error {
	info := e.Code.Info()
	known := info.Code == e.Code
	if !known || e.Code == api.Canceled || e.Code == api.Interrupted || e.Code == api.Internal {
		return api.Errorf(api.FunctionFailed, "%s", strings.TrimSpace(fmt.Sprintf("%s: %s", e.Code, e.Message))).WithDetails(e.Details)
	}
	copied := *e
	copied.Attempts = 0
	if copied.Message == "" {
		copied.Message = info.Meaning
	}
	if copied.Hint == "" {
		copied.Hint = info.Hint
	}
	switch copied.Outcome {
	case api.NotStarted, api.Failed, api.Unknown:
	default:
		copied.Outcome = info.Outcome
	}
	return &copied
}
