package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// states are those that a session can have.
var states = []string{"starting", "running", "pausing", "paused", "resuming", "ended", "lost"}

func (c *cli) sessionList() *cobra.Command {
	var asked, labels []string
	var all, asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use: "ls", Short: "List sessions, the newest first", Args: cobra.NoArgs,
		Example: "  glovebox session ls --state paused --label user=ada",
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := api.SessionQuery{Limit: limit}
			if limit < 1 || limit > pageOfSessions {
				return usage("--limit %d is not from 1 to %d", limit, pageOfSessions)
			}
			for _, state := range asked {
				if !slices.Contains(states, state) {
					return usage("there is no state %q", state).hint("it is one of %s", strings.Join(states, ", "))
				}
				q.State = append(q.State, api.SessionState(state))
			}
			if len(q.State) == 0 && !all {
				q.State = alive
			}
			var err error
			if q.Labels, err = parseLabels("label", labels); err != nil {
				return err
			}
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				page, err := s.Sessions(cmd.Context(), q)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.Session{}, page.Sessions...))
				}
				return c.printSessions(page)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&asked, "state", nil, "only sessions in this `STATE`: "+strings.Join(states, ", ")+"; repeatable")
	completeFlag(cmd, "state", someOf(states))
	flags.StringArrayVar(&labels, "label", nil, "only sessions with this label, `NAME=VALUE`; repeatable")
	flags.BoolVar(&all, "all", false, "also those that have ended")
	flags.IntVar(&limit, "limit", defaultRuns, "at most `N` sessions")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printSessions(page api.SessionPage) error {
	when := clock
	if terminal(c.Out) != nil {
		when = func(t time.Time) string { return ago(t, time.Now()) }
	}
	t := c.table("SESSION", "STATE", "CREATED", "ENDS", "LABELS", "")
	for _, s := range page.Sessions {
		t.row(s.ID, string(s.State), when(s.Created), clock(s.Ends), cut(labelText(s.Spec.Labels), maxCell), s.Reason)
	}
	if err := t.flush(); err != nil || page.Next == "" {
		return err
	}
	_, err := fmt.Fprintln(c.Err, "... more; raise --limit to see them")
	return err
}

// labelText writes labels in the order of their names.
func labelText(labels map[string]string) string {
	return strings.Join(api.LabelTexts(labels), " ")
}

func (c *cli) sessionShow() *cobra.Command {
	return &cobra.Command{
		Use: "show SESSION", Short: "Print all that is known of a session, as JSON", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withKept(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				session, err := s.Session(cmd.Context(), id)
				if err != nil {
					return err
				}
				return printIndented(c.Out, session)
			})
		},
	}
}

func (c *cli) sessionEvents() *cobra.Command {
	var asJSON, follow bool
	cmd := &cobra.Command{
		Use: "events SESSION", Short: "Print what happened to a session", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withKept(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				for e, err := range s.SessionEvents(cmd.Context(), id, 0, follow) {
					if err == nil {
						err = c.printSessionEvent(asJSON, e)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "continue until the session has ended")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each event")
	return cmd
}

func (c *cli) printSessionEvent(asJSON bool, e api.SessionEvent) error {
	if asJSON {
		return printJSON(c.Out, e)
	}
	detail := e.Detail
	if e.Error != nil {
		detail = strings.TrimSpace(detail + " " + e.Error.Error())
	}
	_, err := fmt.Fprintf(c.Out, "%s  %4d  %-12s %s\n", clock(e.Time), e.Seq, visible(e.Type), visible(detail))
	return err
}

func (c *cli) sessionConnections() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "connections SESSION", Short: "Print what a session connected to", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withKept(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				made, err := s.SessionConnections(cmd.Context(), id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.Connection{}, made...))
				}
				for _, one := range made {
					if _, err := fmt.Fprintf(c.Out, "%s  %s\n", clock(one.Time), connectionLine(one)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) sessionUsage() *cobra.Command {
	var asJSON bool
	var since string
	cmd := &cobra.Command{
		Use: "usage SESSION", Short: "Print what a session used", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := instant("--since", since, time.Now())
			if err != nil {
				return err
			}
			return c.withKept(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				samples, err := s.SessionUsage(cmd.Context(), id, from, time.Time{})
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.UsageSample{}, samples...))
				}
				t := c.table("TIME", "CPU", "CORES", "CPU TIME", "MEMORY", "OF", "DISK", "OF")
				for _, u := range samples {
					t.row(clock(u.Time), fmt.Sprintf("%.1f%%", u.CPUPercent), fmt.Sprint(u.CPUs), quantity.FormatDuration(u.CPU),
						quantity.FormatSize(u.Memory), quantity.FormatSize(u.MemoryLimit), quantity.FormatSize(u.Disk), quantity.FormatSize(u.DiskLimit))
				}
				return t.flush()
			})
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "only samples of this `TIME` or later: 2026-01-31T15:04:05Z, or such as 2h ago")
	jsonFlag(cmd, &asJSON)
	return cmd
}
