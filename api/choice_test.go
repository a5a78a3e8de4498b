package api_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func chosen(choices ...string) value.Param {
	p := value.Param{Name: "mode", Type: value.Type{Kind: value.KindStr}}
	for _, text := range choices {
		p.Choices = append(p.Choices, json.RawMessage(text))
	}
	return p
}

// TestChoices refuses a run with a value that its task does not offer, however that is given.
func TestChoices(t *testing.T) {
	params := []value.Param{chosen(`"fast"`, `"slow"`)}
	for mode, good := range map[string]bool{"fast": true, "wild": false} {
		checked, err := value.Check(params, map[string]any{"mode": mode})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []api.Submission{{Checked: checked}, {Inputs: map[string]any{"mode": mode}}} {
			_, err := s.CompleteInputs(params)
			if good != (err == nil) || !good && (!errors.Is(err, &api.Error{Code: api.InvalidInput}) || !strings.Contains(err.Error(), `one of "fast", "slow"`)) {
				t.Errorf("%s: %v", mode, err)
			}
		}
	}
}

func TestWrongChoices(t *testing.T) {
	for want, s := range map[string]api.Signature{
		"expected str":           {Inputs: []value.Param{chosen(`1`)}},
		"there twice":            {Inputs: []value.Param{chosen(`"a"`, `"a"`)}},
		"which only inputs have": {Outputs: []value.Param{chosen(`"a"`)}},
	} {
		if err := s.Check(true); !errors.Is(err, &api.Error{Code: api.InvalidTask}) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := (api.Signature{Inputs: []value.Param{chosen(`"a"`, `"b"`)}}).Check(true); err != nil {
		t.Error(err)
	}
}
