package page

import (
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestRetention shows how long runs are kept at tasks, at a run and at the system, and
// that nothing goes by itself where that is so.
func TestRetention(t *testing.T) {
	f := hostileService()
	f.tasks = []api.TaskVersion{{Name: "desk.order", Version: 1, Task: &f.task}}
	b := newBrowser(t, f)
	shows := func(address string, wants ...string) {
		t.Helper()
		text := b.get(address)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", address, want, text)
			}
		}
	}
	shows("/page/tasks", ">until pruned</td>", "serve --prune-older-than")
	shows("/page/tasks/desk.order", "<dd>until pruned</dd>")
	shows("/page/system", "Nothing: <code>glovebox serve --prune-older-than 30d")
	if text := b.get("/page/runs/run-1"); strings.Contains(text, "at least until") {
		t.Error("a run says when it goes, and nothing goes")
	}
	f.kept = api.Retention{
		OlderThan: 30 * 24 * time.Hour, Runs: map[string]time.Duration{"desk.order": 12 * time.Hour, "late": 24 * time.Hour}, Next: begin.Add(time.Hour),
		Last: &api.Sweep{Began: begin, Pruned: api.Pruned{Runs: api.Removed{Count: 3}, Results: 1}, More: true},
	}
	shows("/page/tasks", ">12 h</td>", "go by themselves")
	shows("/page/tasks/desk.order", "<dd>12 h</dd>")
	shows("/page/system", "<dd>30 days:", "<dt>Runs of desk.order</dt><dd>12 h</dd>", "<dt>Runs of late</dt><dd>1 day</dd>", "removed 3 runs, 0 images, 1 result, ", "; more follow", clock(begin.Add(time.Hour)))
	ended := api.Run{ID: "r", Root: "r", Task: "x", Status: api.StatusFailed, Ended: begin}
	if got, want := keptUntil(&ended, &f.kept), "at least until "+clock(begin.Add(30*24*time.Hour)); got != want {
		t.Errorf("a run: got %q, want %q", got, want)
	}
	for _, r := range []api.Run{{ID: "r", Root: "other", Status: api.StatusFailed, Ended: begin}, {ID: "r", Root: "r", Status: api.StatusRunning}} {
		if got := keptUntil(&r, &f.kept); got != "" {
			t.Errorf("%+v: got %q", r, got)
		}
	}
	f.kept.Last.Error = api.Errorf(api.StorageFull, hostile)
	if text := b.get("/page/system"); strings.Contains(text, hostile) || !strings.Contains(text, "&lt;script&gt;") {
		t.Error("an error is not shown as text")
	}
}

func TestKeptWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "until pruned", 90 * time.Second: "1 min 30 s", 5 * time.Minute: "5 min", 36 * time.Hour: "36 h", 24 * time.Hour: "1 day", 60 * time.Hour: "2 days 12 h", 720 * time.Hour: "30 days",
	} {
		if got := keptWords(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
