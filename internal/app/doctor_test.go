package app

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestStateFindings(t *testing.T) {
	a := openApp(t, t.TempDir())
	details := func() string {
		var all []string
		for _, f := range a.doctor().State(t.Context(), false) {
			all = append(all, f.Subject+": "+f.Detail+" "+f.Remedy)
		}
		return strings.Join(all, "\n")
	}
	if got := details(); !strings.Contains(got, "0 runs and 0 calls; its structure is sound, and each row is what was stored") ||
		!strings.Contains(got, "blobs: 0 blobs") || strings.Contains(got, "interrupted") {
		t.Errorf("of an empty home:\n%s", got)
	}
	outputTexts(t, a, submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "kept"), Cache: api.CacheAuto}))
	if got := details(); !strings.Contains(got, "1 runs (1 succeeded) and 0 calls") ||
		!strings.Contains(got, "blobs: 3 blobs") || !strings.Contains(got, "cache: 1 results") {
		t.Errorf("after a run:\n%s", got)
	}
}
