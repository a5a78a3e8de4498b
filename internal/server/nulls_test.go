package server

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestNullsAreRefused(t *testing.T) {
	h := start(t)
	first := h.submit()
	for body, field := range map[string]string{
		`{"task": null, "name": "deployed"}`: "task",
		`{"name": null}`:                     "name",
		`{"task": {}, "inputs": null}`:       "inputs",
		`{"task": {"command": [null]}}`:      "task.command",
		`{"task": {"env": {"A": null}}}`:     "task.env.A",
		`{"task": {"orchestrator": {"tools": [{"signature": {"inputs": [{"name": null, "type": "int"}]}}]}}}`: "task.orchestrator.tools.signature.inputs.name",
	} {
		if p := failed(t, h.ask("POST", "/v1/runs", body)); p.Status != 422 || p.Details.Field != field {
			t.Errorf("%s: %d, field %q", body, p.Status, p.Details.Field)
		}
	}
	for _, path := range []string{"/v1/runs", "/v1/runs/" + first + "/rerun", "/v1/runs/" + first + "/cancel", "/v1/runs/" + first + "/resume"} {
		if p := failed(t, h.ask("POST", path, "null", "Content-Type: application/json")); p.Status != 422 {
			t.Errorf("%s: %d", path, p.Status)
		}
	}
	// The values of the user's may be None, at any depth, beside numbers of any size.
	task := `{"task": {"signature": {"inputs": [{"name": "x", "type": "Any", "default": null}]}}, "inputs": {"x": [null, {"task": null}, 1` + strings.Repeat("0", 400) + `]}}`
	if res := h.ask("POST", "/v1/runs", task); res.StatusCode != 201 {
		t.Errorf("None as a value: %s", text(t, res))
	}
}

func TestEmptyParametersAreRefused(t *testing.T) {
	h := start(t)
	for _, query := range []string{"until=", "since", "task=&limit=1", "status="} {
		p := failed(t, h.ask("GET", "/v1/runs?"+query, ""))
		if name, _, _ := strings.Cut(query, "="); p.Status != 422 || p.Details.Field != name {
			t.Errorf("%s: %d, field %q", query, p.Status, p.Details.Field)
		}
	}
}

// TestZeroResourcesAreRefused: 0 is no limit, and would be read as the default.
func TestZeroResourcesAreRefused(t *testing.T) {
	h := start(t)
	for body, field := range map[string]string{
		`{"task": {"name": "t", "resources": {"cpu": 0}}}`:                "task.resources.cpu",
		`{"task": {"name": "t", "resources": {"cpu": 1, "memory": 0}}}`:   "task.resources.memory",
		`{"task": {"name": "t", "resources": {"pids": -0}}}`:              "task.resources.pids",
		`{"task": {"name": "t", "retries": 0, "resources": {"disk": 0}}}`: "task.resources.disk",
	} {
		res := h.ask("POST", "/v1/runs", body)
		if p := expect(t, res, 422, api.RequestInvalid); p.Details.Field != field || !strings.Contains(p.Hint, "leave it out") {
			t.Errorf("%s: %+v", body, p)
		}
	}
	good := `{"task": {"name": "t", "retries": 0, "resources": {"cpu": 0.5}, "signature": {"inputs": [{"name": "resources", "type": "Any"}]}}, "inputs": {"resources": {"cpu": 0}}}`
	if res := h.ask("POST", "/v1/runs", good); res.StatusCode != 201 {
		t.Errorf("status %d: %s", res.StatusCode, text(t, res))
	}
}
