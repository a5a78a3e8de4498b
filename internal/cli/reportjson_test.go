package cli

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// refusing is a service that takes no runs.
type refusing struct{ *fakeService }

func (refusing) Submit(context.Context, api.Submission) (*api.Run, error) {
	return nil, api.Errorf(api.Overloaded, "too much")
}

// TestErrorsAsJSON asks for JSON and gets it, whatever is wrong.
func TestErrorsAsJSON(t *testing.T) {
	for _, test := range []struct {
		args   []string
		code   api.Code
		status int
		begun  bool // whether it is a command that starts a run
	}{
		{[]string{"run", "--json", "-c", "y = 1", "-i", "x:foo=1"}, api.InvalidType, 2, true},
		{[]string{"run", "--json"}, api.RequestInvalid, 2, true},
		{[]string{"run", "--nosuch", "--json", "-c", "y = 1"}, api.RequestInvalid, 2, true},
		{[]string{"run", "--json", "-c", "y = 1"}, api.Overloaded, 125, true},
		{[]string{"orchestrate", "--json", "-c", "1"}, api.Overloaded, 125, true},
		{[]string{"show", "--json"}, api.RequestInvalid, 2, false},
		{[]string{"show", "nope", "--json"}, api.NotFound, 125, false},
		{[]string{"runs", "--json", "--limit", "x"}, api.RequestInvalid, 2, false},
	} {
		got := serviceCommand(t, refusing{&fakeService{}}, test.args...)
		var doc struct {
			ExitCode *int       `json:"exit_code"`
			Error    *api.Error `json:"error"`
		}
		if err := json.Unmarshal([]byte(got.out), &doc); err != nil || doc.Error == nil {
			t.Errorf("%q printed %q: %v", test.args, got.out, err)
			continue
		}
		if doc.Error.Code != test.code || got.status != test.status || got.err == "" {
			t.Errorf("%q: %s, status %d", test.args, doc.Error.Code, got.status)
		}
		if test.begun != (doc.ExitCode != nil) || test.begun && *doc.ExitCode != -1 {
			t.Errorf("%q: the exit code is wrong: %s", test.args, got.out)
		}
	}
	if got := serviceCommand(t, refusing{&fakeService{}}, "run", "-c", "y = 1"); got.out != "" {
		t.Errorf("without --json: %q", got.out)
	}
}
