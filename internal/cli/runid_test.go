package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	oneRun     = "run-06h08javjpqri8hgfcd29ntt"
	anotherRun = "run-06h08jb13eh2oahr8sso19e2"
)

func twoRuns() *fakeService {
	f := &fakeService{result: &api.Result{}, runs: map[string]*api.Run{}, children: map[string][]api.Run{}}
	for _, id := range []string{oneRun, anotherRun} {
		f.runs[id] = &api.Run{ID: id, Task: "t", Kind: api.KindSandbox, Status: api.StatusSucceeded, Signature: &api.Signature{}}
		f.children[""] = slices.Insert(f.children[""], 0, *f.runs[id])
	}
	return f
}

// TestRunsAreCalledByTheirBeginnings, and by "latest", wherever a run is named.
func TestRunsAreCalledByTheirBeginnings(t *testing.T) {
	for name, want := range map[string]string{
		oneRun: oneRun, "run-06h08ja": oneRun, "06h08ja": oneRun, "06h08jb": anotherRun, "latest": anotherRun,
	} {
		for _, line := range []string{"show", "logs", "outputs", "wait", "events", "cancel", "cache explain", "resume", "rerun", "resolve --value 1"} {
			service := twoRuns()
			service.explain = &api.CacheExplanation{}
			if got := run(t, service, append(strings.Fields(line), name)...); got.status != 0 || got.err != "" {
				t.Errorf("%s %s: %+v", line, name, got)
			}
			if line == "cancel" && !cmp.Equal(service.canceled, []string{want}) {
				t.Errorf("%s means %v, want %s", name, service.canceled, want)
			}
		}
	}
}

func TestRunsThatAreNotCalledSo(t *testing.T) {
	got := run(t, twoRuns(), "show", "06h08j")
	want := "glovebox: the ids of several runs begin with 06h08j:\n    " + anotherRun + "  t, \n    " + oneRun + "  t, \n  hint: write more of the id\n"
	expect(t, got, printed{err: want, status: 2})
	for name, message := range map[string]string{"06h08jc": "there is no run 06h08jc", "06": "there is no run 06", "run-": "there is no run run-"} {
		if got := run(t, twoRuns(), "show", name); !strings.Contains(got.err, message) || strings.Contains(got.err, "several") {
			t.Errorf("%s: %s", name, got.err)
		}
	}
	if got := run(t, &fakeService{}, "show", "latest"); !strings.Contains(got.err, "there is no run yet") {
		t.Error(got.err)
	}
	many := twoRuns()
	for _, c := range "012345" {
		id := strings.Replace(oneRun, "j", "j"+string(c), 1)[:wholeID]
		many.runs[id] = &api.Run{ID: id}
	}
	if got := run(t, many, "show", "06h08j"); strings.Count(got.err, "run-") != maxCandidates || !strings.Contains(got.err, "    ...\n") {
		t.Errorf("candidates: %s", got.err)
	}
}
