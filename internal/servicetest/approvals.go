package servicetest

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
)

// approvals: a run that asks is executed as a person decides, once.
func approvals(s *suite) {
	task := orchestrator("n * 2", "n: int", "int")
	task.Approval = &api.Approval{}
	id := s.submit(task, map[string]any{"n": 4}).ID
	page, err := s.service.Approvals(s.Context(), api.ApprovalQuery{})
	s.must(err)
	if len(page.Approvals) != 1 || page.Waiting != 1 || page.Approvals[0].Run != id || string(page.Approvals[0].Arguments) != `{"n":4}` {
		s.Fatalf("the list: %+v", page)
	}
	_, err = s.service.Decide(s.Context(), id, api.Decision{Approved: true, Arguments: json.RawMessage(`{"n": "x"}`)})
	s.wantCode(err, api.InvalidInput)
	d := api.Decision{Approved: true, Arguments: json.RawMessage(`{"n": 5}`), By: "Ada", Reason: "more", Key: "k"}
	for range 2 {
		asked, err := s.service.Decide(s.Context(), id, d)
		s.must(err)
		if asked.Decision == nil || asked.Decision.By != "Ada" || asked.Decision.Reason != "more" || string(asked.Arguments) != `{"n":4}` {
			s.Fatalf("decided: %+v", asked)
		}
	}
	_, err = s.service.Decide(s.Context(), id, api.Decision{By: "Grace"})
	s.wantCode(err, api.Conflict)
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if result.Outputs[0].Value != int64(10) {
		s.Errorf("got %v", result.Outputs)
	}
	_, err = s.service.Approval(s.Context(), "run-none")
	s.wantCode(err, api.NotFound)
}
