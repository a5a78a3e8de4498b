package glovebox

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
)

// Types of code in sessions.
type (
	// CodeRequest asks for an execution.
	CodeRequest = api.CodeRequest
	// CodeEvent is something that comes of an execution.
	CodeEvent = api.CodeEvent
)

// CodeResult is what came of code.
type CodeResult struct {
	Stdout, Stderr string
	// Text is the value of the last expression as its interpreter writes it; empty
	// without one.
	Text string
	// Results are that value and what else was displayed, in every form that each
	// has by MIME type.
	Results []map[string]json.RawMessage
}

// Run executes Python in the interpreter of the session, which keeps its state, and
// returns what came of it, also beside an error. An exception is python_exception.
func (s *Session) Run(ctx context.Context, code string) (*CodeResult, error) {
	return s.RunCode(ctx, CodeRequest{Code: code})
}

// RunCode is Run of any language, in any interpreter.
func (s *Session) RunCode(ctx context.Context, r CodeRequest) (*CodeResult, error) {
	result := &CodeResult{}
	size := 0
	var raised error
	for e, err := range s.Stream(ctx, r) {
		if err != nil {
			return result, err
		}
		if size += len(e.Text); size > maxOutput {
			return result, api.Errorf(api.OutputTooLarge, "the code printed more than %d bytes", maxOutput).
				WithHint("take it in pieces, with Session.Stream").WithDetails(api.Details{Limit: maxOutput})
		}
		for _, form := range e.Data {
			size += len(form)
		}
		if err := result.take(e); err != nil {
			raised = err
		}
	}
	return result, raised
}

// Stream executes code and yields what comes of it. Ending the iteration early
// interrupts the code.
func (s *Session) Stream(ctx context.Context, r CodeRequest) iter.Seq2[CodeEvent, error] {
	return s.service.RunCode(ctx, s.id, r)
}

// take adds an event, and returns the error that it is.
func (c *CodeResult) take(e CodeEvent) error {
	switch {
	case e.Error != nil:
		return api.Errorf(api.PythonException, "%s: %s", e.Error.Name, e.Error.Value).
			WithDetails(api.Details{Exception: &api.Exception{Type: e.Error.Name, Message: e.Error.Value, Traceback: e.Error.Traceback}})
	case e.Type == api.CodeStdout:
		c.Stdout += e.Text
	case e.Type == api.CodeStderr:
		c.Stderr += e.Text
	case e.Type == api.CodeResult:
		c.Results = append(c.Results, e.Data)
		if e.Main {
			_ = json.Unmarshal(e.Data["text/plain"], &c.Text) // without that form it stays empty
		}
	}
	return nil
}
