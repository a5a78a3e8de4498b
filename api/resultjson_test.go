package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestResultRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, result := randomResult(t)
		text, err := EncodeResult(run, result)
		if err != nil {
			t.Fatal(err)
		}
		gotRun, got, err := DecodeResult(text)
		if err != nil {
			t.Fatalf("%v of %s", err, text)
		}
		if diff := cmp.Diff(run, gotRun, cmpopts.IgnoreUnexported(Error{})); diff != "" {
			t.Errorf("run: %s", diff)
		}
		if len(got.Outputs) != len(result.Outputs) {
			t.Fatalf("%d outputs of %d", len(got.Outputs), len(result.Outputs))
		}
		for i, o := range got.Outputs {
			want := result.Outputs[i]
			if o.Name != want.Name || !o.Type.Equal(want.Type) || !valuetest.Same(o.Value, want.Value) {
				t.Errorf("output %d is %#v, want %#v", i, o, want)
			}
		}
		if diff := cmp.Diff(result, got, cmpopts.IgnoreFields(Result{}, "Outputs"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("result: %s", diff)
		}
	})
}

func randomResult(t *rapid.T) (*Run, *Result) {
	run := &Run{
		ID: "r", Status: StatusFailed, Root: "r", Created: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "created"), 7).UTC(),
		Attempts: rapid.IntRange(0, 5).Draw(t, "attempts"), ExitCode: rapid.IntRange(-1, 255).Draw(t, "exit"), Cached: rapid.Bool().Draw(t, "cached"),
		Image: rapid.SampledFrom([]string{"", "sha256:1"}).Draw(t, "image"), Inputs: json.RawMessage(`{"s":"<\ud800&>"}`),
		Timings: Timings{Exec: 5}, Usage: Usage{PeakMemory: 9}, Network: []Connection{{Host: "h", Port: 443, Time: time.Unix(3, 0).UTC()}},
	}
	if rapid.Bool().Draw(t, "fails") {
		run.Error = Errorf(PythonException, "a").WithDetails(Details{Exception: &Exception{Type: "E", Frames: []Frame{{File: "f", Line: 2}}}})
	}
	bytes := rapid.SliceOfN(rapid.Byte(), 0, 20)
	result := &Result{
		RunID: run.ID, Stdout: bytes.Draw(t, "stdout"), Stderr: bytes.Draw(t, "stderr"), ExitCode: run.ExitCode, Image: run.Image,
		Cached: run.Cached, Attempts: run.Attempts, Timings: run.Timings, Usage: run.Usage, Network: run.Network,
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "outputs") {
		typ := valuetest.Type(2).Draw(t, "type")
		result.Outputs = append(result.Outputs, Output{fmt.Sprintf("o%d", i), typ, valuetest.Value(t, typ)})
	}
	return run, result
}

func TestEncodeResultWithoutResult(t *testing.T) {
	text, err := EncodeResult(&Run{ID: "r"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, result, err := DecodeResult(text)
	if err != nil || run.ID != "r" || result.RunID != "r" || len(result.Outputs) != 0 {
		t.Errorf("%v %v %v", run, result, err)
	}
}

func TestResultErrors(t *testing.T) {
	wrong := &Result{Outputs: []Output{{"n", value.Type{Kind: value.KindInt}, "text"}}}
	if _, err := EncodeResult(&Run{ID: "r"}, wrong); !errors.Is(err, &Error{Code: BadOutput}) || AsError(err).Details.Field != "n" {
		t.Errorf("encoding: %v", err)
	}
	for text, code := range map[string]Code{
		``: RequestInvalid, `{`: RequestInvalid, `[]`: RequestInvalid, `{}`: RequestInvalid, `null`: RequestInvalid,
		`{"run": {"id": "r"}, "stdout": "%"}`:                                              RequestInvalid,
		`{"run": {"id": "r"}, "outputs": [{"name": "n", "type": "list[", "value": 1}]}`:    RequestInvalid,
		`{"run": {"id": "r"}, "outputs": [{"name": "n", "type": "int", "value": "text"}]}`: BadOutput,
		`{"run": {"id": "r"}, "outputs": [{"name": "n", "type": "int"}]}`:                  BadOutput,
	} {
		if _, _, err := DecodeResult([]byte(text)); !errors.Is(err, &Error{Code: code}) {
			t.Errorf("%s: %v, want %s", text, err, code)
		}
	}
}

// FuzzDecodeResult feeds what a server sends.
func FuzzDecodeResult(f *testing.F) {
	f.Add([]byte(`{"run":{"id":"run-1","status":"succeeded"},"outputs":[{"name":"x","type":"int","value":1}],"stdout":"aGk="}`))
	f.Add([]byte(`{"run":{"id":"run-1","error":{"code":"timeout"}},"outputs":[{"name":"x","type":"list[","value":1}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		run, result, err := DecodeResult(text)
		if (run == nil || result == nil) != (err != nil) {
			t.Errorf("%q gave %v, %v, %v", text, run, result, err)
		}
	})
}
