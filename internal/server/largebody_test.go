package server

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// A large body is read as a small one is, whatever is in it.
func TestLargeBody(t *testing.T) {
	for _, body := range []string{
		`{"name": "n", "inputs": {"x": [1, {"inputs": "}"}]}, "group": "g"}`, `{"inputs": {}, "name": "n"}`, `{"inputs" : {"x":"\"}"} }`,
		`{"inputs": {"x": [1}}}`, `{"inputs": {"x": 1]}`, `{"inputs": {"x" 1}}`, `{"inputs": {"x": 1,}}`, `{"inputs": {}, "inputs": {"x": 2}}`,
		`{"inputs": {"x": 1}, "Inputs": {"x": 2}}`, `{"inputs": {"x": 1}, "\u0069nputs": {"x": 2}}`, `{"inputs": [1]}`, `{"inputs": null}`, `{"inputs": 1, "task": {}}`,
		`{"inputs": "a", "task": {}}`, `{"inputs": x{"x": 1}}`, `{"inputs": {"x": 1} 2}`, `{"inputs": {"x": 1}}}`, `{"inputs": {"x": 1}} {}`, `{"inputs": {"x": 1}`,
		`{"inputs": {"x": 1}, "inputs"` + strings.Repeat(" ", 100) + `: {"x": 2}}`, `{"inputs"` + strings.Repeat("\n", 100) + `: {"x": 1}}`,
		`{"name": null, "inputs": {"x": 1}}`, `{"other": 1, "inputs": {"x": 1}}`, `[{"inputs": {"x": 1}}]`, `{"task": {"inputs": {"x": 1}}}`, `{"inputs":: {"x": 1}}`,
		`{"inputs"  {"x": 1}}`, `{"inputs": {"x": "` + "\xff" + `"}}`, `{"inputs": {"x": 1}, "name": "` + "\xff" + `"}`, `{"task": {"code": "\"inputs\": {"}, "inputs": {"x": 1}}`,
	} {
		var small, large submission
		want := decodeStrictly([]byte(body), &small)
		rest, inputs := cutInputs([]byte(body))
		got := decodeStrictly(rest, &large)
		if inputs != nil && got == nil {
			large.Inputs = inputs
		}
		if got == nil && want != nil { // then whoever reads the inputs finds the fault
			_, err := value.Decode("input", []value.Param{{Name: "x", Type: value.MustType("Any")}}, large.Inputs)
			if err == nil {
				t.Errorf("%s: taken, and yet %v", body, want)
			}
			got = large.firstFault(err)
		}
		if (want == nil) != (got == nil) || want != nil && api.AsError(got).Code != api.AsError(want).Code {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
		if want == nil {
			if diff := cmp.Diff(small, large, cmp.AllowUnexported(submission{})); diff != "" {
				t.Errorf("%s: %s", body, diff)
			}
		}
	}
}

// The buffer of a body is used for the next one before the handler runs.
func TestLargeBodyIsCopied(t *testing.T) {
	rest, inputs := cutInputs([]byte(`{"name": "n", "inputs": {"x": 1}}`))
	var given submission
	if err := decodeStrictly(rest, &given); err != nil {
		t.Fatal(err)
	}
	given.takeInputs(context.WithValue(t.Context(), apartKey{}, &apart{inputs}))
	clear(rest)
	if given.Name != "n" || string(given.Inputs) != `{"x": 1}` {
		t.Errorf("got %s, %s", given.Name, given.Inputs)
	}
}

func TestResultEchoesNoInputs(t *testing.T) {
	run := &api.Run{ID: "r", Inputs: []byte(`{"x":7}`)}
	shown, err := resultText(200, run, nil)
	if err != nil || strings.Contains(string(shown.Body), `{"x":7}`) {
		t.Errorf("got %s, %v", shown.Body, err)
	}
	if string(run.Inputs) != `{"x":7}` {
		t.Error("the run itself has lost its inputs")
	}
}
