package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

const schedulesHelp = `List schedules, which start deployed tasks by time. A file of tasks describes them,
and glovebox deploy makes them; see docs/guides/schedules.md.

They start something only while glovebox serve works on the home. These commands
ask the server that GLOVEBOX_URL names, or the one of this home, and work without
one, too.`

func (c *cli) schedulesCommand() *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, _ []string) error {
		return c.withServer(cmd.Context(), func(service api.Service) error {
			schedules, err := service.Schedules(cmd.Context())
			if err != nil {
				return err
			}
			return c.printSchedules(asJSON, schedules)
		})
	}
	cmd := &cobra.Command{
		Use: "schedules", Short: "List what starts deployed tasks by time", Long: schedulesHelp, Args: cobra.NoArgs, RunE: list,
		Example: "  glovebox schedules\n  glovebox schedules show stats.nightly\n  glovebox schedules pause stats.nightly",
	}
	ls := &cobra.Command{Use: "ls", Short: "List schedules", Args: cobra.NoArgs, RunE: list}
	jsonFlag(cmd, &asJSON)
	jsonFlag(ls, &asJSON)
	cmd.AddCommand(reader(ls), reader(c.scheduleShow()), c.schedulePause(), c.scheduleResume(), c.scheduleRun(), c.scheduleRemove())
	return cmd
}

// withServer calls f with the server of the home, if one answers, or else with the
// engine of this process.
func (c *cli) withServer(ctx context.Context, f func(api.Service) error) error {
	c.findServer()
	return c.with(ctx, f)
}

// noteNoServer says that nothing happens by itself without a server.
func (c *cli) noteNoServer(what string) {
	if c.findServer(); !c.remote {
		fmt.Fprintf(c.Err, "glovebox: note: no server works on this home; %s while one does: glovebox serve\n", what)
	}
}

const schedulesNeed = "schedules start something only"

func (c *cli) printSchedules(asJSON bool, schedules []api.Schedule) error {
	if len(schedules) > 0 {
		c.noteNoServer(schedulesNeed)
	}
	if asJSON {
		return printJSON(c.Out, append([]api.Schedule{}, schedules...))
	}
	t := c.table("SCHEDULE", "TASK", "TIMES", "ZONE", "NEXT")
	for _, s := range schedules {
		t.row(s.Name, s.Task, s.Cron, cmp.Or(s.Zone, "UTC"), nextOf(s))
	}
	return t.flush()
}

// nextOf is the next time of a schedule as the clock here shows it, or why there
// is none.
func nextOf(s api.Schedule) string {
	switch {
	case s.Paused:
		return "paused"
	case s.Next.IsZero():
		return "ended"
	}
	return clock(s.Next)
}

func (c *cli) scheduleShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a schedule, its next times and last starts", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(scheduleNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				s, err := service.Schedule(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, s)
				}
				return c.printSchedule(s)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printSchedule(s *api.Schedule) error {
	c.noteNoServer(schedulesNeed)
	t := c.table("SCHEDULE", "TASK", "TIMES", "ZONE", "CATCH UP", "OVERLAP", "NEXT")
	t.row(s.Name, s.Task, s.Cron, cmp.Or(s.Zone, "UTC"), string(cmp.Or(s.CatchUp, api.CatchUpSkip)), string(cmp.Or(s.Overlap, api.OverlapSkip)), nextOf(*s))
	if err := t.flush(); err != nil {
		return err
	}
	if len(s.NextTimes) > 0 {
		fmt.Fprintln(c.Out)
		t = c.table("NEXT TIMES")
		for _, next := range s.NextTimes {
			t.row(clock(next))
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	if len(s.LastStarts) == 0 {
		return nil
	}
	fmt.Fprintln(c.Out)
	return c.printStarts(s.LastStarts)
}

func (c *cli) printStarts(starts []api.ScheduledStart) error {
	t := c.table("PLANNED", "STATE", "RUN", "STATUS", "")
	for _, start := range starts {
		planned := clock(start.Planned)
		if start.Manual {
			planned += " by hand"
		}
		t.row(planned, string(start.State), start.Run, string(start.Status), cut(start.Reason, maxCell))
	}
	return t.flush()
}

func (c *cli) schedulePause() *cobra.Command {
	return c.scheduleChange("pause NAME", "Keep a schedule from starting anything", func(ctx context.Context, service api.Service, name string) (string, error) {
		_, err := service.PauseSchedule(ctx, name)
		return "paused", err
	})
}

func (c *cli) scheduleResume() *cobra.Command {
	return c.scheduleChange("resume NAME", "Continue a schedule with its next time", func(ctx context.Context, service api.Service, name string) (string, error) {
		s, err := service.ResumeSchedule(ctx, name)
		if err != nil {
			return "", err
		}
		if s.Next.IsZero() {
			return "ended", nil
		}
		return "next at " + clock(s.Next), nil
	})
}

func (c *cli) scheduleRemove() *cobra.Command {
	return c.scheduleChange("rm NAME", "Forget a schedule and its starts; its runs stay", func(ctx context.Context, service api.Service, name string) (string, error) {
		return "removed", service.RemoveSchedule(ctx, name)
	})
}

// scheduleChange is a command that changes one schedule, and says how it is then.
func (c *cli) scheduleChange(use, short string, change func(context.Context, api.Service, string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(scheduleNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				state, err := change(cmd.Context(), service, args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Out, "%s: %s\n", visible(args[0]), state)
				return err
			})
		},
	}
}

func (c *cli) scheduleRun() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "run NAME", Short: "Start the task of a schedule now", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(scheduleNames),
		Long: "Start the task of a schedule now, with the inputs of the schedule, also if it is\n" +
			"paused or an earlier run is under way. Without a server the start is kept, and\n" +
			"the next server makes the run.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				start, err := service.RunSchedule(cmd.Context(), args[0], "")
				if err != nil {
					return err
				}
				if start.State == api.StartFailed {
					return api.Errorf(api.Conflict, "the task was not started: %s", start.Reason)
				}
				if start.State == api.StartPlanned {
					c.noteNoServer("the run is made")
				}
				if asJSON {
					return printJSON(c.Out, start)
				}
				return c.printStarts([]api.ScheduledStart{*start})
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func scheduleNames(ctx context.Context, service api.Service) ([]string, error) {
	schedules, err := service.Schedules(ctx)
	names := make([]string, len(schedules))
	for i, s := range schedules {
		names[i] = s.Name
	}
	return names, err
}
