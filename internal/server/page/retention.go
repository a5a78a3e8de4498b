package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// shownTasks is how many tasks the page of the system names whose runs have a time of
// their own.
const shownTasks = 100

// retained is what the page of the system says about what goes by itself.
type retained struct {
	*api.Retention
	Tasks []fact // whose runs have a time of their own
	More  int    // of them
}

func newRetained(r *api.Retention) retained {
	names := slices.Sorted(maps.Keys(r.Runs))
	shown := retained{Retention: r, More: max(0, len(names)-shownTasks)}
	for _, name := range names[:min(len(names), shownTasks)] {
		shown.Tasks = append(shown.Tasks, fact{Name: "Runs of " + name, Text: keptWords(r.Runs[name])})
	}
	return shown
}

// taskRow is a deployed task in their list.
type taskRow struct {
	api.TaskVersion
	Kept time.Duration // its runs after their end; 0 until somebody prunes
}

type tasksData struct {
	Tasks []taskRow
	Kept  *api.Retention
}

func newTasks(tasks []api.TaskVersion, r *api.Retention) tasksData {
	data := tasksData{Kept: r}
	for _, t := range tasks {
		data.Tasks = append(data.Tasks, taskRow{TaskVersion: t, Kept: r.OfRuns(t.Name)})
	}
	return data
}

// keptUntil is when a run goes by itself; empty if it does not, or goes with the run that
// made it.
func keptUntil(run *api.Run, r *api.Retention) string {
	d := r.OfRuns(run.Task)
	if d == 0 || !run.Status.Ended() || cmp.Or(run.Root, run.ID) != run.ID {
		return ""
	}
	return "at least until " + clock(run.Ended.Add(d))
}

// keptWords says how long something is kept.
func keptWords(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d == 0:
		return "until pruned"
	case d == day:
		return "1 day"
	case d%day == 0:
		return fmt.Sprintf("%d days", d/day)
	case d%time.Hour == 0 && d < 2*day:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0 && d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return took(d)
}
