package servicetest

import (
	"encoding/json"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// sentSignals: code gets the value that somebody sends, with its type.
func sentSignals(s *suite) {
	task := orchestrator("due() + n", "n: int", "int")
	task.Orchestrator.Tools = []api.Task{{
		Name: "due", Kind: api.KindSignal, Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindInt}}}},
	}}
	id := s.submit(task, map[string]any{"n": 4}).ID
	_, err := s.service.Signal(s.Context(), id, "due", api.Signal{Value: json.RawMessage(`"x"`), Wait: time.Minute})
	s.wantCode(err, api.InvalidInput)
	_, err = s.service.Signal(s.Context(), id, "dew", api.Signal{Value: json.RawMessage("5")})
	s.wantCode(err, api.Conflict)
	for range 2 { // the second under the same key is no second one
		taken, err := s.service.Signal(s.Context(), id, "due", api.Signal{Value: json.RawMessage("5"), By: "Ada", Key: "k"})
		s.must(err)
		if taken.Kind != api.KindSignal || taken.Decision == nil || taken.Decision.By != "Ada" || string(taken.Decision.Arguments) != `{"result":5}` {
			s.Fatalf("taken: %+v", taken)
		}
	}
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if result.Outputs[0].Value != int64(9) {
		s.Errorf("got %v", result.Outputs)
	}
}
