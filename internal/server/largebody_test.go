package server

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

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
		`{"inputs"  {"x": 1}}`, `{"inputs": {"x": "` + "\xff" + `"}}`, `{"inputs": {"x": 1}, "name": "` + "\xff" + `"}`, `{"inputs": {"x": "ü \u20ac 😀"}}`, `{"inputs": {"x": "` + "😀"[:3] + `"}}`, `{"task": {"code": "\"inputs\": {"}, "inputs": {"x": 1}}`,
	} {
		var small, large submission
		want := decodeStrictly([]byte(body), &small)
		rest, inputs := cut(t, iotest.OneByteReader, body)
		if again, same := cut(t, whole, body); string(again) != string(rest) || string(same) != string(inputs) {
			t.Errorf("%s: cut into %s and %s, piece by piece into %s and %s", body, again, same, rest, inputs)
		}
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

// cut cuts the inputs out of a body that comes in pieces.
func cut(t *testing.T, pieces func(io.Reader) io.Reader, body string) (rest, inputs []byte) {
	t.Helper()
	remainder, section, err := cutInputs(inPieces{strings.NewReader(body), pieces}, int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if rest, err = io.ReadAll(remainder); err == nil && section != nil {
		inputs, err = io.ReadAll(section)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rest, inputs
}

func whole(r io.Reader) io.Reader { return r }

// inPieces gives what is read as some reader does.
type inPieces struct {
	text   *strings.Reader
	pieces func(io.Reader) io.Reader
}

func (p inPieces) ReadAt(b []byte, at int64) (int, error) {
	return p.pieces(io.NewSectionReader(p.text, at, p.text.Size()-at)).Read(b)
}

// Inputs that are no floats are read into memory, and floats are not.
func TestLongInputs(t *testing.T) {
	params := []value.Param{{Name: "x", Type: value.MustType("list[float]")}}
	for text, float := range map[string]bool{`{"x": [1.5, 2]}`: true, `{"x": ["NaN"]}`: false, `{"x": [1.5,]}`: false} {
		given := &submission{}
		given.takeInputs(context.WithValue(t.Context(), apartKey{}, &apart{io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))}))
		inputs, ok, err := given.decodeLong(params)
		if ok != float || err != nil || !ok && string(given.Inputs) != text {
			t.Errorf("%s: %s, %t, %v; kept %s", text, inputs.JSON(), ok, err, given.Inputs)
		}
	}
}

// Surrogates in the text are refused, in a large body as in a small one, though
// values can have them.
func TestLongInputsAreUTF8(t *testing.T) {
	text := `{"x": ["` + "\xed\xa0\x80" + `"]}`
	given := &submission{long: io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))}
	_, ok, err := given.decodeLong([]value.Param{{Name: "x", Type: value.MustType("list[str]")}})
	if ok || api.AsError(err).Message != "the body is not UTF-8" {
		t.Errorf("got %t, %v", ok, err)
	}
}

func TestResultEchoesNoInputs(t *testing.T) {
	run := &api.Run{ID: "r", Inputs: []byte(`{"x":7}`), Outputs: []byte(`{"y":8}`)}
	text, err := json.Marshal(withoutValues(run))
	if err != nil || strings.Contains(string(text), `{"x":7}`) || strings.Contains(string(text), `{"y":8}`) {
		t.Errorf("got %s, %v", text, err)
	}
	if string(run.Inputs) != `{"x":7}` || string(run.Outputs) != `{"y":8}` {
		t.Error("the run itself has lost its inputs or outputs")
	}
}
