package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/value"
)

// RunResult is a run and its result as JSON. Fields that a Run and a Result
// share are in the run.
type RunResult struct {
	Run     *Run           `json:"run"`
	Outputs []OutputResult `json:"outputs,omitempty"` // in declaration order
	Stdout  []byte         `json:"stdout,omitempty"`  // base64
	Stderr  []byte         `json:"stderr,omitempty"`  // base64
}

// OutputResult is an output as JSON.
type OutputResult struct {
	Name  string          `json:"name"`  // as it was declared
	Type  value.Type      `json:"type"`  // as it was declared
	Value json.RawMessage `json:"value"` // as the type says
}

// EvaluationResult is the result of an evaluation as JSON.
type EvaluationResult struct {
	Outputs   []OutputResult `json:"outputs,omitempty"` // in declaration order; none beside an error
	Stdout    []byte         `json:"stdout,omitempty"`  // base64
	Stderr    []byte         `json:"stderr,omitempty"`  // base64; of a sandbox, as all down to network
	ExitCode  int            `json:"exit_code"`         // -1 if there is none
	Image     string         `json:"image,omitempty"`   // the digest of the lock of the image
	Network   []Connection   `json:"network,omitempty"` // the connections that were tried
	Calls     []MadeCall     `json:"calls"`             // in the order in which they began, the first 1000
	CallsMade int            `json:"calls_made"`        // how many there were
	Timings   Timings        `json:"timings"`
	Usage     Usage          `json:"usage"`
	Error     *Error         `json:"error,omitempty"` // why the code failed, or did not start
}

// EncodeEvaluation writes the result of an evaluation, which is nil if it did
// not start, and its error, as the JSON of an EvaluationResult. It returns
// bad_output for a value that does not fit its type.
func EncodeEvaluation(r *Result, failure *Error) ([]byte, error) {
	doc := EvaluationResult{Calls: []MadeCall{}, ExitCode: -1, Error: failure}
	if r != nil {
		doc.Stdout, doc.Stderr, doc.ExitCode, doc.Image, doc.Network = r.Stdout, r.Stderr, r.ExitCode, r.Image, r.Network
		doc.CallsMade, doc.Timings, doc.Usage = r.CallsMade, r.Timings, r.Usage
		doc.Calls = append(doc.Calls, r.Calls...)
		var err error
		if doc.Outputs, err = EncodeOutputs(r.Outputs); err != nil {
			return nil, err
		}
	}
	return encode(doc)
}

// DecodeEvaluation reads what EncodeEvaluation wrote. The failure is how the
// evaluation ended.
func DecodeEvaluation(text []byte) (r *Result, failure *Error, err error) {
	var doc EvaluationResult
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, nil, Errorf(RequestInvalid, "the result is not valid JSON: %w", err)
	}
	r = &Result{
		Stdout: doc.Stdout, Stderr: doc.Stderr, ExitCode: doc.ExitCode, Image: doc.Image, Network: doc.Network,
		Attempts: 1, Timings: doc.Timings, Usage: doc.Usage, Calls: doc.Calls, CallsMade: doc.CallsMade,
	}
	r.Outputs, err = decodeOutputs(doc.Outputs)
	return r, doc.Error, err
}

// EncodeResult writes a run with its result, which may be nil, as the JSON of a
// RunResult. It returns bad_output for a value that does not fit its type.
func EncodeResult(run *Run, r *Result) ([]byte, error) {
	doc := RunResult{Run: run}
	if r != nil {
		doc.Stdout, doc.Stderr = r.Stdout, r.Stderr
		var err error
		if doc.Outputs, err = EncodeOutputs(r.Outputs); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	err := doc.Write(&text)
	return text.Bytes(), err
}

// Write writes the JSON of a result. The texts of its outputs, which may be long,
// go out as they are; encoding/json would check and copy them.
func (r RunResult) Write(w io.Writer) error {
	outputs := r.Outputs
	r.Outputs = nil
	text, err := encode(r)
	if err != nil {
		return err
	}
	if len(outputs) == 0 {
		return write(w, text)
	}
	between := append(text[:len(text)-1], `,"outputs":[`...)
	for _, o := range outputs {
		head, err := encode(struct {
			Name string     `json:"name"`
			Type value.Type `json:"type"`
		}{o.Name, o.Type})
		if err != nil {
			return err
		}
		between = append(append(between, head[:len(head)-1]...), `,"value":`...)
		if err := errors.Join(write(w, between), write(w, o.Value)); err != nil {
			return err
		}
		between = []byte("},")
	}
	return write(w, []byte("}]}"))
}

func write(w io.Writer, text []byte) error {
	_, err := w.Write(text)
	return err
}

// EncodeOutputs writes each output as its type says. It returns bad_output for a
// value that does not fit it.
func EncodeOutputs(outputs []Output) ([]OutputResult, error) {
	var encoded []OutputResult
	for _, o := range outputs {
		value, err := value.EncodeJSON(o.Type, o.Value)
		if err != nil {
			return nil, BadValue(BadOutput, "output", o.Name, err)
		}
		encoded = append(encoded, OutputResult{o.Name, o.Type, value})
	}
	return encoded, nil
}

func encode(doc any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // values stay as they are, byte for byte
	if err := e.Encode(doc); err != nil {
		return nil, Errorf(Internal, "the result cannot be written as JSON: %w", err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), nil
}

// DecodeResult reads what EncodeResult wrote. The result of a run that has not
// ended is what is known so far.
func DecodeResult(text []byte) (*Run, *Result, error) {
	var doc RunResult
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, nil, Errorf(RequestInvalid, "the result is not valid JSON: %w", err)
	}
	if doc.Run == nil {
		return nil, nil, Errorf(RequestInvalid, "the result names no run").WithDetails(Details{Field: "run", Expected: "a run", Got: "nothing"})
	}
	run := doc.Run
	r := &Result{
		RunID: run.ID, Stdout: doc.Stdout, Stderr: doc.Stderr, ExitCode: run.ExitCode, Image: run.Image, Cached: run.Cached,
		Attempts: run.Attempts, Timings: run.Timings, Usage: run.Usage, Network: run.Network,
	}
	var err error
	if r.Outputs, err = decodeOutputs(doc.Outputs); err != nil {
		return nil, nil, err
	}
	return run, r, nil
}

func decodeOutputs(encoded []OutputResult) ([]Output, error) {
	var outputs []Output
	for _, o := range encoded {
		value, err := value.DecodeJSON(o.Type, o.Value)
		if err != nil {
			return nil, BadValue(BadOutput, "output", o.Name, err)
		}
		outputs = append(outputs, Output{o.Name, o.Type, value})
	}
	return outputs, nil
}
