package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// runsFlags are the flags of glovebox runs.
type runsFlags struct {
	statuses []string
	task     string
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
				runs, more, err := collectRuns(cmd.Context(), service, query, f.limit)
				if err != nil {
					return err
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
	flags.StringVar(&f.task, "task", "", "only runs of the task `NAME`")
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

func (f *runsFlags) query() (api.RunQuery, error) {
	q := api.RunQuery{Task: f.task, Top: !f.all}
	if f.limit < 1 || f.limit > maxRuns {
		return q, usage("--limit %d is not from 1 to %d", f.limit, maxRuns)
	}
	known := []string{"queued", "running", "interrupted", "succeeded", "failed", "canceled"}
	for _, word := range f.statuses {
		if !slices.Contains(known, word) {
			e := usage("there is no status %q", word).hint("it is one of %s", strings.Join(known, ", "))
			if near := api.Nearest(word, known); near != "" {
				e = e.hint("did you mean %s?", near)
			}
			return q, e
		}
		q.Status = append(q.Status, api.Status(word))
	}
	return q, nil
}

// collectRuns reads pages until there are enough runs; more says that there
// would be further ones.
func collectRuns(ctx context.Context, service api.Service, q api.RunQuery, limit int) (runs []api.Run, more bool, err error) {
	for {
		q.Limit = min(limit-len(runs), pageOfRuns)
		page, err := service.Runs(ctx, q)
		if err != nil {
			return nil, false, err
		}
		runs = append(runs, page.Runs...)
		if page.Next == "" || len(page.Runs) == 0 || len(runs) >= limit {
			return runs[:min(limit, len(runs))], page.Next != "" || len(runs) > limit, nil
		}
		q.Cursor = page.Next
	}
}

func (c *cli) printRuns(runs []api.Run, more bool) error {
	t := c.table("RUN", "TASK", "KIND", "STATUS", "CREATED", "TIME", "")
	for _, run := range runs {
		t.row(run.ID, taskOf(&run), string(run.Kind), string(run.Status), clock(run.Created), took(&run, time.Now()), remark(&run))
	}
	if err := t.flush(); err != nil {
		return err
	}
	if more {
		return c.printLines([]string{"... more; raise --limit to see them"})
	}
	return nil
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
	}
	return ""
}
