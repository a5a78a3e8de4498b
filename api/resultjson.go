package api

import (
	"bytes"
	"encoding/json"

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

// EncodeResult writes a run with its result, which may be nil, as the JSON of a
// RunResult. It returns bad_output for a value that does not fit its type.
func EncodeResult(run *Run, r *Result) ([]byte, error) {
	doc := RunResult{Run: run}
	if r != nil {
		doc.Stdout, doc.Stderr = r.Stdout, r.Stderr
		for _, o := range r.Outputs {
			value, err := value.EncodeJSON(o.Type, o.Value)
			if err != nil {
				return nil, BadValue(BadOutput, "output", o.Name, err)
			}
			doc.Outputs = append(doc.Outputs, OutputResult{o.Name, o.Type, value})
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // values stay as they are, byte for byte
	if err := e.Encode(doc); err != nil {
		return nil, Errorf(Internal, "the result of run %s cannot be written as JSON: %w", run.ID, err)
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
	for _, o := range doc.Outputs {
		value, err := value.DecodeJSON(o.Type, o.Value)
		if err != nil {
			return nil, nil, BadValue(BadOutput, "output", o.Name, err)
		}
		r.Outputs = append(r.Outputs, Output{o.Name, o.Type, value})
	}
	return run, r, nil
}
