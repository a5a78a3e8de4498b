// Package report reads what the runner in a cell reports: the values of the
// outputs of auto-IO, or the error that ended the code. It comes as the last line
// of the control stream, or in a file where the code has closed that.
//
// The code of the user can write to both, so that a report is no more to be
// trusted than any output: its text is bounded and waits on disk, its members are
// parts of that text, and each value is decoded by its declared type alone.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds on a report.
const (
	Extra    = 2 << 20 // bytes beside the values
	maxError = 4 << 20 // bytes of the error
)

// document is a report as it is written. Its members are parts of one text.
type document struct {
	ok      bool
	outputs []byte
	failure []byte
}

func parseDocument(text []byte) (d document, err error) {
	err = members(text, func(name string, text []byte) error {
		switch name {
		case "ok":
			return json.Unmarshal(text, &d.ok)
		case "outputs":
			d.outputs = text
		case "file_outputs":
			// which outputs are files is known from their types
		case "error":
			d.failure = text
		default:
			return fmt.Errorf("unknown field %s", value.Quote(name))
		}
		return nil
	})
	return d, err
}

// Report is a report whose parts are known to be bounded.
type Report struct {
	outputs map[string][]byte // of declared names only
	err     *failure          // nil if the code ran to its end
}

// failure is the error of code that did not run to its end.
type failure struct {
	Kind      api.Code    `json:"kind"`
	Type      string      `json:"type"`
	Message   string      `json:"message"`
	Frames    []api.Frame `json:"frames"`
	Traceback string      `json:"traceback"`
	Name      string      `json:"name"`
	Path      string      `json:"path"` // below the output, such as "[2].x"
	Expected  string      `json:"expected"`
	Got       string      `json:"got"`
}

// charge holds the values, as text, to the limit of all outputs.
func (r *Report) charge(declared []value.Param, limit int64) error {
	var total int64
	for _, p := range declared {
		if total += int64(len(r.outputs[p.Name])); total > limit {
			return outputs.TooLarge(p, limit, total)
		}
	}
	return nil
}

func parse(text []byte, declared []value.Param) (*Report, error) {
	d, err := parseDocument(text)
	if err != nil {
		return nil, damaged(err)
	}
	if !d.ok {
		return parseFailure(d.failure)
	}
	outputs, err := parseOutputs(d.outputs, declared)
	if err != nil {
		return nil, damaged(err)
	}
	return &Report{outputs: outputs}, nil
}

func parseFailure(text []byte) (*Report, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, damaged(errors.New("it has neither outputs nor an error"))
	}
	if len(text) > maxError {
		return nil, damaged(fmt.Errorf("its error has %d bytes", len(text)))
	}
	var e failure
	if err := decodeStrictly(text, &e); err != nil {
		return nil, damaged(err)
	}
	return &Report{err: &e}, nil
}

// parseOutputs keeps what is declared.
func parseOutputs(text []byte, declared []value.Param) (map[string][]byte, error) {
	if len(text) == 0 {
		return nil, errors.New("it has no outputs")
	}
	outputs := map[string][]byte{}
	return outputs, members(text, func(name string, text []byte) error {
		if !slices.ContainsFunc(declared, func(p value.Param) bool { return p.Name == name }) {
			return errors.New("it has outputs that are not declared")
		}
		outputs[name] = text
		return nil
	})
}

func decodeStrictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("something follows it")
	}
	return nil
}

func damaged(err error) error {
	return api.Errorf(api.BadOutput, "the report of the run is damaged: %w", err).
		WithHint("the code must not write below %s", layout.Runner).
		WithDetails(api.Details{Field: layout.ResultName, Expected: "the report as the runner writes it"})
}

// Failed reports whether the code did not run to its end.
func (r *Report) Failed() bool { return r.err != nil }

// Failure is the error of a report that has Failed.
func (r *Report) Failure(sig api.Signature, details api.Details) error {
	e := r.err
	switch e.Kind {
	case api.SyntaxError, api.PythonException:
		details.Exception = e.exception()
		out := traceback.Error(details.Exception).WithDetails(details)
		if e.Kind == api.PythonException && out.Code == api.SyntaxError {
			return api.Errorf(api.PythonException, "%s", out.Message).WithDetails(details)
		}
		return out
	case api.MissingOutput, api.BadOutput:
		return r.outputFailure(sig)
	}
	return damaged(fmt.Errorf("it has an error of kind %s", value.Quote(string(e.Kind))))
}

func (r *Report) outputFailure(sig api.Signature) error {
	e := r.err
	for _, p := range sig.Outputs {
		if p.Name != e.Name {
			continue
		}
		if e.Kind == api.MissingOutput {
			return unassigned(p)
		}
		bad := &value.Error{
			Path: streams.Clean(e.Path, traceback.MessageBytes), Expected: streams.Clean(e.Expected, traceback.MessageBytes), Got: streams.Clean(e.Got, traceback.MessageBytes),
		}
		return api.BadValue(api.BadOutput, "output", p.Name, bad)
	}
	return damaged(fmt.Errorf("it speaks of output %s, which is not declared", value.Quote(e.Name)))
}

func (e *failure) exception() *api.Exception {
	x := &api.Exception{
		Type: streams.Clean(e.Type, traceback.MessageBytes), Message: streams.Clean(e.Message, streams.ExcerptBytes), Traceback: streams.Clean(e.Traceback, streams.ExcerptBytes),
	}
	for _, f := range e.Frames[max(0, len(e.Frames)-traceback.MaxFrames):] {
		x.Frames = append(x.Frames, api.Frame{
			File: streams.Clean(f.File, traceback.MessageBytes), Line: max(0, f.Line), Column: max(0, f.Column),
			Function: streams.Clean(f.Function, traceback.MessageBytes), Source: streams.Clean(f.Source, traceback.MessageBytes),
		})
	}
	return x
}

func unassigned(p value.Param) *api.Error {
	return api.Errorf(api.MissingOutput, "output %s is missing: the code ended without a variable of that name", value.Quote(p.Name)).
		WithHint("assign a value of type %s to %s at the top level of the code", p.Type, p.Name).
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
}

// Variable is the value of an output as the runner has reported it. It is not
// there, and not missed, where the output is to be found as files.
func (r *Report) Variable(p value.Param) (value any, ok bool, err error) {
	inner, _ := files.Required(p.Type)
	text, ok := r.outputs[p.Name]
	switch {
	case inner.Files() && !ok:
		return nil, false, nil
	case !ok:
		return nil, false, unassigned(p)
	}
	value, err = outputs.DecodeReported(p, text)
	return value, true, err
}
