package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
	"github.com/glovebox-dev/glovebox/value"
)

// runsFlags are the flags of glovebox runs.
type runsFlags struct {
	statuses []string
	task     string
	kind     string
	trigger  string
	owner    string
	labels   []string
	parent   string
	since    string
	until    string
	limit    int
	all      bool
	json     bool
}

func (c *cli) runsCommand() *cobra.Command {
	var f runsFlags
	cmd := &cobra.Command{
		Use: "runs", Short: "List runs, the newest first", Args: cobra.NoArgs,
		Example: "  glovebox runs --status failed,interrupted\n  glovebox runs --task stats.pipeline --limit 10 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			query, err := f.query()
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(service api.Service) error {
				if query.Parent != "" {
					if query.Parent, err = runID(cmd.Context(), service, query.Parent); err != nil {
						return err
					}
				}
				runs, more, err := collectRuns(cmd.Context(), service, query, f.version(), f.limit)
				if err != nil {
					return err
				}
				if len(runs) == 0 && f.task != "" {
					c.tellUnknownTask(cmd.Context(), service, f.task)
				}
				if f.json {
					return printJSON(c.Out, append([]api.Run{}, runs...))
				}
				return c.printRuns(runs, more)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.statuses, "status", nil, "only runs of this `STATUS`: queued, running, interrupted, succeeded, failed, canceled; repeatable")
	completeFlag(cmd, "status", someOf(statuses))
	flags.StringVar(&f.task, "task", "", "only runs of the task `NAME`, or of one version of it: NAME@VERSION")
	flags.StringVar(&f.kind, "kind", "", "only runs of this `KIND`: "+strings.Join(kinds(), ", "))
	completeFlag(cmd, "kind", oneOf(kinds()))
	flags.StringVar(&f.trigger, "trigger", "", "only runs that this `TRIGGER` started: schedule:NAME or hook:NAME")
	flags.StringVar(&f.owner, "owner", "", "only runs of this `OWNER`")
	flags.StringArrayVar(&f.labels, "label", nil, "only runs with this label, `NAME=VALUE`; repeatable")
	flags.StringVar(&f.parent, "parent", "", "only calls of this `RUN`, in their order")
	flags.StringVar(&f.since, "since", "", "only runs created at this `TIME` or later: 2026-01-31, 2026-01-31T15:04:05Z, or such as 2h ago")
	flags.StringVar(&f.until, "until", "", "only runs created before this `TIME`")
	flags.IntVar(&f.limit, "limit", defaultRuns, "at most `N` runs")
	flags.BoolVar(&f.all, "all", false, "also runs that other runs started")
	jsonFlag(cmd, &f.json)
	return cmd
}

// How many runs are listed, and at most; and how many are asked for at a time.
const (
	defaultRuns = 50
	maxRuns     = 100_000
	pageOfRuns  = 1000
)

// statuses are those that a run can have.
var statuses = []string{"queued", "running", "interrupted", "succeeded", "failed", "canceled"}

// kinds are those that a run can have.
func kinds() (all []string) {
	for _, kind := range api.Kinds() {
		all = append(all, string(kind))
	}
	return all
}

// version is the version that --task names, NAME@VERSION, or empty.
func (f *runsFlags) version() string {
	if strings.Contains(f.task, "@") {
		return f.task
	}
	return ""
}

func (f *runsFlags) query() (api.RunQuery, error) {
	name, _, _ := strings.Cut(f.task, "@")
	q := api.RunQuery{Task: name, Kind: api.TaskKind(f.kind), Trigger: f.trigger, Owner: f.owner, Parent: f.parent, Top: !f.all && f.parent == ""}
	if f.limit < 1 || f.limit > maxRuns {
		return q, usage("--limit %d is not from 1 to %d", f.limit, maxRuns)
	}
	if f.kind != "" && !slices.Contains(kinds(), f.kind) {
		return q, usage("there is no kind %q", f.kind).hint("it is one of %s", strings.Join(kinds(), ", "))
	}
	if _, number, versioned := strings.Cut(f.task, "@"); versioned {
		if _, err := versionNumber(number); err != nil {
			return q, err
		}
	}
	if kind, name, named := strings.Cut(f.trigger, ":"); f.trigger != "" && (!named || name == "" || kind != "schedule" && kind != "hook") {
		return q, usage("--trigger %s names no trigger", f.trigger).hint("write schedule:NAME or hook:NAME")
	}
	var err error
	if q.Labels, err = parseLabels("label", f.labels); err != nil {
		return q, err
	}
	if q.Since, err = instant("--since", f.since, time.Now()); err != nil {
		return q, err
	}
	if q.Until, err = instant("--until", f.until, time.Now()); err != nil {
		return q, err
	}
	for _, word := range f.statuses {
		if !slices.Contains(statuses, word) {
			e := usage("there is no status %q", word).hint("it is one of %s", strings.Join(statuses, ", "))
			if near := value.Nearest(word, statuses); near != "" {
				e = e.hint("did you mean %s?", near)
			}
			return q, e
		}
		q.Status = append(q.Status, api.Status(word))
	}
	return q, nil
}

// instant reads a point in time, or how long ago it was; nothing is the zero time.
func instant(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if ago, err := quantity.ParseDuration(strings.TrimSuffix(text, " ago")); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, usage("%s %s is no time", flag, text).hint("write a date, such as 2026-01-31 or 2026-01-31T15:04:05Z, or how long ago: 2h, 7d")
}

// collectRuns reads pages until there are enough runs, of one version of a task
// if one is named; more says that there would be further ones.
func collectRuns(ctx context.Context, service api.Service, q api.RunQuery, version string, limit int) (runs []api.Run, more bool, err error) {
	for {
		q.Limit = pageOfRuns
		if version == "" {
			q.Limit = min(limit-len(runs), pageOfRuns)
		}
		page, err := service.Runs(ctx, q)
		if err != nil {
			return nil, false, err
		}
		for _, run := range page.Runs {
			if version == "" || run.Version == version {
				runs = append(runs, run)
			}
		}
		for _, id := range page.Damaged {
			runs = append(runs, damagedRun(id))
		}
		if page.Next == "" || len(page.Runs)+len(page.Damaged) == 0 || len(runs) >= limit {
			return runs[:min(limit, len(runs))], page.Next != "" || len(runs) > limit, nil
		}
		q.Cursor = page.Next
	}
}

// tellUnknownTask tells of a name that neither a run nor a deployed task has: an
// empty list alone would say that the task has not run yet.
func (c *cli) tellUnknownTask(ctx context.Context, service api.Service, ref string) {
	if _, err := service.Task(ctx, ref); err == nil || !errors.Is(err, &api.Error{Code: api.NotFound}) {
		return
	}
	name, _, versioned := strings.Cut(ref, "@")
	page, err := service.Runs(ctx, api.RunQuery{Task: name, Limit: 1})
	ran := err == nil && len(page.Runs) > 0
	if err != nil || ran && !versioned {
		return
	}
	hint := ""
	if near := nearestTask(name, knownTasks(ctx, service)); near != "" && !ran {
		hint = "did you mean " + near + "?"
	}
	printError(c.Err, "no run and no deployed task is called "+ref, "", hint)
}

// nearestTask finds the task of an environment that is called so, or a name like it.
func nearestTask(name string, known []string) string {
	if i := slices.IndexFunc(known, func(task string) bool { return strings.HasSuffix(task, "."+name) }); i >= 0 {
		return known[i]
	}
	return value.Nearest(name, known)
}

// knownTasks are the names of deployed tasks and those of the newest runs, as far
// as they can be had: they only help to suggest one.
func knownTasks(ctx context.Context, service api.Service) []string {
	names, _ := taskNames(ctx, service)
	page, _ := service.Runs(ctx, api.RunQuery{Limit: pageOfRuns})
	for _, run := range page.Runs {
		names = append(names, run.Task)
	}
	return names
}

// damagedRun stands in a list for a run of which nothing is known but its id.
func damagedRun(id string) api.Run {
	return api.Run{ID: id, Error: api.Errorf(api.StorageCorrupt, "the record of run %s is damaged", id).
		WithHint("see all that is damaged with: glovebox doctor --deep")}
}

func (c *cli) printRuns(runs []api.Run, more bool) error {
	screen := terminal(c.Out)
	when := clock
	if screen != nil {
		when = func(t time.Time) string { return ago(t, time.Now()) }
	}
	var text bytes.Buffer
	t := tableTo(&text, "RUN", "TASK", "KIND", "STATUS", "CREATED", "TIME", "")
	for _, run := range runs {
		t.row(run.ID, taskOf(&run), string(run.Kind), string(run.Status), when(run.Created), took(&run, time.Now()), remark(&run))
	}
	if err := t.flush(); err != nil {
		return err
	}
	list := text.String()
	if screen != nil && os.Getenv("TERM") != "dumb" {
		list = fitted(list, runs, screenWidth(screen), os.Getenv("NO_COLOR") == "")
	}
	if _, err := io.WriteString(c.Out, list); err != nil {
		return err
	}
	if more {
		_, err := fmt.Fprintln(c.Err, "... more; raise --limit to see them")
		return err
	}
	return nil
}

// colours are how a terminal shows the statuses; others are plain.
var colours = map[api.Status]string{
	api.StatusQueued: "2", api.StatusRunning: "33", api.StatusInterrupted: "33",
	api.StatusSucceeded: "32", api.StatusFailed: "31", api.StatusCanceled: "2",
}

// fitted cuts the rows of a list of runs to the width of a terminal, and colours
// the statuses. The head says where these stand.
func fitted(list string, runs []api.Run, width int, coloured bool) string {
	lines := strings.Split(list, "\n")
	at := strings.Index(lines[0], "STATUS")
	for i, line := range lines {
		line = cut(line, width)
		if i > 0 && i <= len(runs) && coloured {
			line = colourAt(line, at, string(runs[i-1].Status), colours[runs[i-1].Status])
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// colourAt colours word, which stands in the line behind that many characters,
// if it was not cut off.
func colourAt(line string, at int, word, colour string) string {
	characters := []rune(line)
	if colour == "" || len(characters) < at+len(word) || string(characters[at:at+len(word)]) != word {
		return line
	}
	return string(characters[:at]) + "\x1b[" + colour + "m" + word + "\x1b[0m" + string(characters[at+len(word):])
}

// taskOf names the task of a run, with its version if it has one.
func taskOf(run *api.Run) string {
	if run.Version != "" {
		return run.Version
	}
	return run.Task
}

// took is how long a run took or has taken until now.
func took(run *api.Run, now time.Time) string {
	switch {
	case run.Started.IsZero():
		return ""
	case run.Ended.IsZero() && run.Status != api.StatusRunning:
		return ""
	case run.Ended.IsZero():
		return quantity.FormatDuration(max(0, now.Sub(run.Started)))
	}
	return quantity.FormatDuration(max(0, run.Ended.Sub(run.Started)))
}

// remark says in a word or two what is special about a run.
func remark(run *api.Run) string {
	switch {
	case run.Error != nil:
		return string(run.Error.Code)
	case run.Cached:
		return "cached"
	case run.WaitsFor() != "":
		return "waits for " + run.WaitsFor()
	}
	return ""
}
