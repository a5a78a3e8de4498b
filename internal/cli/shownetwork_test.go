package cli

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestShowNetwork shows what a run tried on the network, one line each whatever its
// program wrote.
func TestShowNetwork(t *testing.T) {
	requests := []api.Connection{
		{Host: "a.example", Port: 443, Allowed: true, BytesIn: 10},
		{Host: "a.example", Port: 443, Method: "POST", Path: "/v1/x", Status: 200, Allowed: true, BytesOut: 2048, Secrets: []string{"key"}},
		{Host: "a.example", Port: 443, Method: "GET", Path: "/a\nstatus failed\x1b[2J", Status: 403, Reason: "GET is not allowed"},
	}
	service := &fakeService{
		runs:    map[string]*api.Run{"run-1": {ID: "run-1", Task: "pay", Kind: api.KindSandbox, Status: api.StatusSucceeded}},
		tasksOf: map[string]*api.Task{"run-1": {Name: "pay", Code: "x", Network: api.Network{Allow: []string{"a.example"}}}},
		result:  &api.Result{Network: requests},
	}
	got := run(t, service, "show", "run-1")
	for _, line := range []string{
		"  a.example:443  10 B in, 0 B out\n", "  POST  a.example:443/v1/x  200  0 B in, 2.0 KiB out  with key\n",
		"  GET  a.example:443/a status failed\ufffd[2J  403  0 B in, 0 B out  (GET is not allowed)  refused\n",
	} {
		if !strings.Contains(got.out, line) {
			t.Errorf("there is no line %q in\n%s", line, got.out)
		}
	}
	service.closed = 0
	if got := run(t, service, "show", "run-1", "--json"); !strings.Contains(got.out, `"method":"POST","path":"/v1/x","status":200,"secrets":["key"]`) {
		t.Errorf("printed %s", got.out)
	}
	service.closed, service.result.Network = 0, make([]api.Connection, 30)
	if got := run(t, service, "show", "run-1"); !strings.Contains(got.out, "  10 before these") || strings.Count(got.out, "refused") != maxShownConnections {
		t.Errorf("printed %s", got.out)
	}
}
