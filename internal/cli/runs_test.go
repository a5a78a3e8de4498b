package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestInstant(t *testing.T) {
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"": {}, "2026-01-31": time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), "2026-01-31 01:02:03": time.Date(2026, 1, 31, 1, 2, 3, 0, time.UTC),
		"2026-01-31T01:02:03Z": time.Date(2026, 1, 31, 1, 2, 3, 0, time.UTC), "2h": now.Add(-2 * time.Hour), "7d ago": now.Add(-7 * 24 * time.Hour),
	} {
		if got, err := instant("--since", text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"yesterday", "-2h", "2026-13-01"} {
		if _, err := instant("--since", text, now); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestRunsAreNarrowed(t *testing.T) {
	service := twoRuns()
	run(t, service, "runs", "--kind", "sandbox", "--parent", "06h08ja", "--since", "2026-01-31T00:00:00Z", "--until", "2026-02-01T00:00:00Z")
	want := api.RunQuery{Kind: api.KindSandbox, Parent: oneRun, Limit: defaultRuns,
		Since: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	if diff := cmp.Diff(want, service.queries[len(service.queries)-1]); diff != "" {
		t.Error(diff)
	}
	for _, kind := range api.Kinds() {
		if got := run(t, twoRuns(), "runs", "--kind", string(kind)); got.status != 0 {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	for line, want := range map[string]string{
		"--kind box": `there is no kind "box"`, "--since now": "is no time", "--task t@one": `"one" is no version`,
	} {
		if got := run(t, twoRuns(), append([]string{"runs"}, strings.Fields(line)...)...); got.status != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestMoreRuns: what is no run is not on standard output.
func TestMoreRuns(t *testing.T) {
	got := run(t, twoRuns(), "runs", "--limit", "1")
	if strings.Count(got.out, "\n") != 2 || got.err != "... more; raise --limit to see them\n" {
		t.Errorf("%+v", got)
	}
}

func TestStartSuggestsEnvironments(t *testing.T) {
	order := statsTask()
	order.Name = "desk.order"
	service := &fakeService{tasks: map[string]*api.TaskVersion{"desk.order": order}}
	if got := run(t, service, "start", "order"); !strings.Contains(got.err, "did you mean desk.order?") {
		t.Error(got.err)
	}
}

func TestCheckSaysThatAllIsWell(t *testing.T) {
	if text, _ := onTerminal(t, &fakeService{}, "check", "-c", "1"); text != "nothing would fail\r\n" {
		t.Errorf("a terminal gets %q", text)
	}
	expect(t, run(t, &fakeService{}, "check", "-c", "1"), printed{})
}

// TestCommandsHaveGroups: the help lists only Cobra's own without.
func TestCommandsHaveGroups(t *testing.T) {
	for _, cmd := range (&cli{}).root().Commands() {
		if cmd.GroupID == "" && cmd.Runnable() {
			t.Errorf("%s is in no group", cmd.Name())
		}
	}
	if got := run(t, nil); !strings.Contains(got.out, "\nRun code:\n  agent ") {
		t.Errorf("help:\n%s", got.out)
	}
}

// deskRuns are three runs of two versions of desk.order.
func deskRuns() *fakeService {
	now := time.Now()
	return &fakeService{children: map[string][]api.Run{"": {
		{ID: oneRun, Task: "desk.order", Version: "desk.order@2", Kind: api.KindSandbox, Status: api.StatusFailed, Created: now.Add(-3 * time.Minute),
			Error: api.Errorf(api.NonzeroExit, "no")},
		{ID: anotherRun, Task: "desk.order", Version: "desk.order@1", Kind: api.KindSandbox, Status: api.StatusSucceeded, Created: now.Add(-50 * time.Hour)},
		{ID: "run-06h08jb13eh2oahr8sso19e3", Task: "desk.order", Version: "desk.order@1", Kind: api.KindSandbox, Status: api.StatusRunning},
	}}}
}

// TestRunsOfOneVersion: what the table prints as the task finds the same runs.
func TestRunsOfOneVersion(t *testing.T) {
	got := run(t, deskRuns(), "runs", "--task", "desk.order@1")
	if got.status != 0 || got.err != "" || strings.Count(got.out, "desk.order@1") != 2 || strings.Contains(got.out, "desk.order@2") {
		t.Errorf("%+v", got)
	}
	if got := run(t, deskRuns(), "runs", "--task", "desk.order@1", "--limit", "1"); strings.Count(got.out, "desk.order@1") != 1 || got.err == "" {
		t.Errorf("%+v", got)
	}
}

func TestRunsOfAnUnknownTask(t *testing.T) {
	for name, want := range map[string]string{
		"desk.oder":    "glovebox: no run and no deployed task is called desk.oder\n  hint: did you mean desk.order?\n",
		"desk.order@7": "glovebox: no run and no deployed task is called desk.order@7\n",
		"order":        "glovebox: no run and no deployed task is called order\n  hint: did you mean desk.order?\n",
	} {
		if got := run(t, deskRuns(), "runs", "--json", "--task", name); got.err != want || got.out != "[]\n" || got.status != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	deployed := &fakeService{tasks: map[string]*api.TaskVersion{"desk.order": statsTask()}}
	if got := run(t, deployed, "runs", "--task", "desk.order"); got.err != "" {
		t.Errorf("a deployed task that has not run: %+v", got)
	}
}

// TestRunsOnATerminal: statuses have colours, times are relative, and no row is
// wider than the terminal. A pipe gets none of this.
func TestRunsOnATerminal(t *testing.T) {
	text, _ := onTerminal(t, deskRuns(), "runs")
	for _, want := range []string{"\x1b[31mfailed\x1b[0m ", "\x1b[32msucceeded\x1b[0m ", "\x1b[33mrunning\x1b[0m", "  3 min ago"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%q", want, text)
		}
	}
	for _, line := range display(t, text) {
		if columns(line) > 80 {
			t.Errorf("a row has %d columns: %q", columns(line), line)
		}
	}
	got := run(t, deskRuns(), "runs")
	if strings.Contains(got.out, "\x1b") || strings.Contains(got.out, "ago") || !strings.Contains(got.out, string(api.NonzeroExit)) {
		t.Errorf("a pipe gets\n%q", got.out)
	}
}

func TestFittedRuns(t *testing.T) {
	list, runs := "RUN  STATUS  REST\na    failed  word\n", []api.Run{{Status: api.StatusFailed}}
	for _, test := range []struct {
		width    int
		coloured bool
		want     string
	}{
		{80, false, list},
		{80, true, "RUN  STATUS  REST\na    \x1b[31mfailed\x1b[0m  word\n"},
		{15, true, "RUN  STATUS  R…\na    \x1b[31mfailed\x1b[0m  w…\n"},
		{8, true, "RUN  ST…\na    fa…\n"},
	} {
		if got := fitted(list, runs, test.width, test.coloured); got != test.want {
			t.Errorf("%+v:\n%q", test, got)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		0: "0 s ago", 59 * time.Second: "59 s ago", 3*time.Minute + time.Second: "3 min ago", 5 * time.Hour: "5 h ago",
		25 * time.Hour: "1 day ago", 50 * time.Hour: "2 days ago", 7 * 24 * time.Hour: clock(now.Add(-7 * 24 * time.Hour)), -time.Hour: clock(now.Add(time.Hour)),
	} {
		if got := ago(now.Add(-d), now); got != want {
			t.Errorf("%s: %q", d, got)
		}
	}
	if got := ago(time.Time{}, now); got != "" {
		t.Errorf("the zero time is %q", got)
	}
}
