package attack

import (
	"encoding/json"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/attack"
)

// TestCases has the program attack itself by all of its cases, as a person would.
func TestCases(t *testing.T) {
	e := glovebox(t, "doctor", "--attack=all", "--json")
	var report attack.Report
	if err := json.Unmarshal([]byte(e.stdout), &report); err != nil {
		t.Fatalf("--json printed %.500q: %v; stderr %.2000s", e.stdout, err, e.stderr)
	}
	if len(report.Results) != len(attack.Cases()) || e.status != 0 {
		t.Errorf("there are %d results of %d cases, and the status is %d", len(report.Results), len(attack.Cases()), e.status)
	}
	for _, r := range report.Results {
		t.Run(r.Name, func(t *testing.T) {
			if r.Verdict == attack.Unenforceable {
				t.Skipf("this host cannot enforce it: %s", r.Detail)
			}
			if r.Verdict != attack.Held {
				t.Errorf("to %s is %s: %s", r.Tries, r.Verdict, r.Detail)
			}
		})
	}
}
