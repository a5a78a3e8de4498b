package evaluation

import (
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Returned is the answer of a tool that returned these outputs.
func Returned(call uint64, tool *api.Task, outputs map[string]any) api.Answer {
	a := api.Answer{ID: call, Time: time.Now()}
	params := tool.Signature.Outputs
	for _, p := range params {
		if _, ok := outputs[p.Name]; !ok {
			a.Err = api.Errorf(api.MissingOutput, "the function returned no output %q", p.Name)
			return a
		}
	}
	switch len(params) {
	case 0:
	case 1:
		a.Value = outputs[params[0].Name]
	default:
		several := make(value.Tuple, len(params))
		for i, p := range params {
			several[i] = outputs[p.Name]
		}
		a.Value = several
	}
	return a
}

// Failed is the answer of a tool that failed. The error is that of the
// evaluation: after an outcome that is not known, or the end of a run that
// somebody cancelled, the code cannot go on.
func Failed(call uint64, tool *api.Task, run string, e *api.Error) (api.Answer, error) {
	a := api.Answer{ID: call, Time: time.Now(), Run: run}
	at := api.Details{Call: &api.FailedCall{ID: call, Tool: tool.Name, Run: run, Error: e}}
	switch {
	case e.Outcome == api.Unknown && !tool.Idempotent:
		return a, api.Errorf(api.OutcomeUnknown, "it is not known whether call %d, of %s, took effect: %s", call, tool.Name, e.Message).
			WithHint("look whether it did, then evaluate again").WithDetails(at)
	case e.Code == api.Canceled && run != "":
		return a, api.Errorf(api.CallFailed, "call %d, of %s, was cancelled: %s", call, tool.Name, e.Message).WithDetails(at)
	}
	a.Err = e
	return a, nil
}

// Unresumable corrects the hint of an error of which the table of codes says
// that the run can be resumed: here is none.
func Unresumable(e *api.Error) error {
	if e == nil {
		return nil
	}
	if e.Code != api.CallFailed || e.Hint != "" && e.Hint != e.Code.Info().Hint {
		return e
	}
	return e.WithHint("read the error of the call; evaluate again when its cause is gone")
}
