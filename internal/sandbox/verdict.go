package sandbox

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// What the report of the runner may have. Parsed values need many times the
// memory of their text, so that collections are bounded far more tightly.
const (
	maxValues      = 64 << 20 // bytes of all values that are not files, as text; a File has no such bound
	maxCollection  = 32 << 20 // bytes of one value with values in it
	maxReportError = 4 << 20  // bytes of the error in a report
	reportExtra    = 2 << 20  // bytes beside the values
)

// getter takes files out of a cell.
type getter interface {
	Get(ctx context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error
}

// report is what the runner in the cell writes, as result.json. The user's code
// can write there as well, so it is no more to be trusted than its output.
type report struct {
	OK          bool            `json:"ok"`
	Outputs     json.RawMessage `json:"outputs"`
	FileOutputs json.RawMessage `json:"file_outputs"`
	Error       json.RawMessage `json:"error"`
}

// verdict is a report whose parts are known to be bounded.
type verdict struct {
	outputs map[string]json.RawMessage // of declared names only
	err     *verdictError              // nil if the code ran to its end
}

type verdictError struct {
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

// verdict returns what the runner reports, by itself or where the code has taken
// the way to us, in a file. It returns nil if there is nothing: the interpreter
// did not live to report.
func (a *attempt) verdict(ctx context.Context, c getter) (*verdict, error) {
	declared := a.task.Signature.Outputs
	text, err := a.piped.report()
	if err != nil {
		return nil, err
	}
	if text == nil {
		return readVerdict(ctx, c, a.limits, declared)
	}
	found, err := parseVerdict(text, declared)
	if err == nil {
		err = found.charge(declared, a.limits.Outputs)
	}
	return found, err
}

// reportBytes bounds a report.
func reportBytes(limits api.RunLimits) int64 { return min(limits.Outputs, maxValues) + reportExtra }

// readVerdict reads a report from its file.
func readVerdict(ctx context.Context, c getter, limits api.RunLimits, declared []api.Param) (*verdict, error) {
	var found *verdict
	bound := cell.GetLimits{Bytes: reportBytes(limits), Files: 1}
	err := c.Get(ctx, resultDir, []string{resultName}, bound, func(h *tar.Header, r io.Reader) error {
		if h.Typeflag != tar.TypeReg {
			return damaged(errors.New("it is " + kindOf(h.FileInfo().Mode())))
		}
		text, err := io.ReadAll(io.LimitReader(r, bound.Bytes))
		if err != nil {
			return err
		}
		found, err = parseVerdict(text, declared)
		return err
	})
	var large *api.Error
	if errors.As(err, &large) && large.Code == api.OutputTooLarge {
		return nil, large.WithHint("write large data to a File or a DataFrame")
	}
	if err == nil && found != nil {
		err = found.charge(declared, limits.Outputs)
	}
	return found, err
}

// charge holds the values, as text, to the limit of all outputs.
func (v *verdict) charge(declared []api.Param, limit int64) error {
	var total int64
	for _, p := range declared {
		if total += int64(len(v.outputs[p.Name])); total > limit {
			return valueTooLarge(p, limit, total)
		}
	}
	return nil
}

func parseVerdict(text []byte, declared []api.Param) (*verdict, error) {
	var r report
	if err := decodeStrictly(text, &r); err != nil {
		return nil, damaged(err)
	}
	if !r.OK {
		return parseFailure(r.Error)
	}
	outputs, err := parseOutputs(r.Outputs, declared)
	if err != nil {
		return nil, damaged(err)
	}
	return &verdict{outputs: outputs}, nil
}

func parseFailure(text []byte) (*verdict, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, damaged(errors.New("it has neither outputs nor an error"))
	}
	if len(text) > maxReportError {
		return nil, damaged(fmt.Errorf("its error has %d bytes", len(text)))
	}
	var e verdictError
	if err := decodeStrictly(text, &e); err != nil {
		return nil, damaged(err)
	}
	return &verdict{err: &e}, nil
}

// parseOutputs keeps what is declared. It reads one value after the other, so
// that a million names cost nothing.
func parseOutputs(text []byte, declared []api.Param) (map[string]json.RawMessage, error) {
	outputs := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("its outputs are no object")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(declared, func(p api.Param) bool { return p.Name == name })
		if i < 0 {
			return nil, errors.New("it has outputs that are not declared")
		}
		outputs[declared[i].Name] = value
	}
	return outputs, nil
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
		WithHint("the code must not write below %s", runnerDir).
		WithDetails(api.Details{Field: resultName, Expected: "the report as the runner writes it"})
}

// failure is the error that the runner reports.
func (v *verdict) failure(sig api.Signature, details api.Details) error {
	e := v.err
	switch e.Kind {
	case api.SyntaxError, api.PythonException:
		details.Exception = e.exception()
		out := exceptionError(details.Exception).WithDetails(details)
		if e.Kind == api.PythonException && out.Code == api.SyntaxError {
			return api.Errorf(api.PythonException, "%s", out.Message).WithDetails(details)
		}
		return out
	case api.MissingOutput, api.BadOutput:
		return v.outputFailure(sig)
	}
	return damaged(fmt.Errorf("it has an error of kind %s", api.Quote(string(e.Kind))))
}

func (v *verdict) outputFailure(sig api.Signature) error {
	e := v.err
	for _, p := range sig.Outputs {
		if p.Name != e.Name {
			continue
		}
		if e.Kind == api.MissingOutput {
			return unassigned(p)
		}
		bad := &api.ValueError{
			Path: clean(e.Path, messageBytes), Expected: clean(e.Expected, messageBytes), Got: clean(e.Got, messageBytes),
		}
		return api.BadValue(api.BadOutput, "output", p.Name, bad)
	}
	return damaged(fmt.Errorf("it speaks of output %s, which is not declared", api.Quote(e.Name)))
}

func (e *verdictError) exception() *api.Exception {
	x := &api.Exception{
		Type: clean(e.Type, messageBytes), Message: clean(e.Message, excerptBytes), Traceback: clean(e.Traceback, excerptBytes),
	}
	for _, f := range e.Frames[max(0, len(e.Frames)-maxFrames):] {
		x.Frames = append(x.Frames, api.Frame{
			File: clean(f.File, messageBytes), Line: max(0, f.Line), Column: max(0, f.Column),
			Function: clean(f.Function, messageBytes), Source: clean(f.Source, messageBytes),
		})
	}
	return x
}

func unassigned(p api.Param) *api.Error {
	return api.Errorf(api.MissingOutput, "output %s is missing: the code ended without a variable of that name", api.Quote(p.Name)).
		WithHint("assign a value of type %s to %s at the top level of the code", p.Type, p.Name).
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
}

func badOutput(p api.Param, got, expected string) *api.Error {
	return api.Errorf(api.BadOutput, "output %s is %s, expected %s", api.Quote(p.Name), got, expected).
		WithDetails(api.Details{Field: p.Name, Got: got, Expected: expected})
}
