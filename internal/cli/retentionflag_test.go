package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestRetentionFlags(t *testing.T) {
	f := retentionFlags{older: duration(720 * time.Hour), runs: []string{"desk.a=12h", "b= 7d"}}
	got, err := f.retention()
	want := api.Retention{OlderThan: 720 * time.Hour, Runs: map[string]time.Duration{"desk.a": 12 * time.Hour, "b": 168 * time.Hour}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := (&retentionFlags{}).retention(); err != nil || got.Any() {
		t.Errorf("no flags: %+v, %v", got, err)
	}
}

func TestWrongRetentionFlags(t *testing.T) {
	for want, f := range map[string]retentionFlags{
		"--prune-older-than is 1s, expected at least 1m": {older: duration(time.Second)},
		`"desk.a", expected TASK=TIME`:                   {runs: []string{"desk.a"}},
		`"=7d", expected TASK=TIME`:                      {runs: []string{"=7d"}},
		`of a is "soon"`:                                 {runs: []string{"a=soon"}},
		`of a is "0d"`:                                   {runs: []string{"a=0d"}},
		`of a is "59s"`:                                  {runs: []string{"a=59s"}},
		"names a twice":                                  {runs: []string{"a=1d", "a=2d"}},
	} {
		if _, err := f.retention(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
