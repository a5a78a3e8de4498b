package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

func TestBadValue(t *testing.T) {
	_, err := value.Normalize(value.MustType("list[dict[str, int]]"), []any{map[string]any{"x": "abc"}})
	e := BadValue(InvalidInput, "input", "payload", err)
	if want := `input payload[0].x: expected int, got str "abc"`; e.Message != want || e.Code != InvalidInput {
		t.Errorf("got %s %q, want %q", e.Code, e.Message, want)
	}
	if want := (Details{Field: "payload[0].x", Expected: "int", Got: `str "abc"`}); !reflect.DeepEqual(e.Details, want) {
		t.Errorf("got %+v, want %+v", e.Details, want)
	}
}

func TestBadValueOfTooManyParts(t *testing.T) {
	list := "[" + strings.Repeat("0,", 4194304) + "0]"
	_, err := value.DecodeJSON(value.MustType("list"), []byte(list))
	out := BadValue(BadOutput, "output", "y", err)
	if out.Code != OutputTooLarge || out.Message != "output y has more parts than the 4194304 that a value may have" || out.Details.Limit != 4194304 {
		t.Errorf("as an output: %s %.200s %+v", out.Code, out.Message, out.Details)
	}
	if in := BadValue(InvalidInput, "input", "y", err); in.Code != InvalidInput {
		t.Errorf("as an input: %s %.200s", in.Code, in.Message)
	}
}

// An error of package value has the code, the details and the hint of one of
// this package wherever one is asked for.
func TestErrorsOfPackageValue(t *testing.T) {
	_, err := value.ParseType("list[itn]")
	e := AsError(fmt.Errorf("outer: %w", err))
	if e.Code != InvalidType || e.Message != `type "list[itn]": unknown type "itn"` || e.Hint != "did you mean int?" {
		t.Errorf("got %s %q, hint %q", e.Code, e.Message, e.Hint)
	}
	if want := (Details{Got: `"itn"`, Expected: "a type", Suggestion: "int"}); !reflect.DeepEqual(e.Details, want) {
		t.Errorf("got %+v, want %+v", e.Details, want)
	}
	_, err = value.ParseType("list[")
	if e := AsError(err); e.Code != InvalidType || !reflect.DeepEqual(e.Details, Details{Got: `"list["`, Expected: "a type"}) || e.Hint != InvalidType.Info().Hint {
		t.Errorf("got %v %+v, hint %q", e, e.Details, e.Hint)
	}
	_, err = value.Param{Name: "n", Type: value.MustType("int")}.WithDefault("x")
	if e := AsError(err); e.Code != InvalidTask || e.Message != `default of n: expected int, got str "x"` || e.Details.Field != "n" {
		t.Errorf("got %v %+v", e, e.Details)
	}
	if _, ok := FindError(errors.New("other")); ok {
		t.Error("an error of nobody's is found as one")
	}
	var s Signature
	if err := json.Unmarshal([]byte(`{"inputs":[{"name":"x","type":"nope"}]}`), &s); !errors.Is(AsError(err), &Error{Code: InvalidType}) {
		t.Errorf("got %v, want invalid_type", err)
	}
}
