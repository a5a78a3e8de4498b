package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

func (c *cli) sessionKill() *cobra.Command {
	return &cobra.Command{
		Use: "kill SESSION...", Short: "End sessions and everything in them", Args: cobra.MinimumNArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				for _, arg := range args {
					id, err := sessionID(cmd.Context(), s, arg)
					if err == nil {
						err = s.KillSession(cmd.Context(), id)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func (c *cli) sessionPause() *cobra.Command {
	var o api.PauseOptions
	cmd := &cobra.Command{
		Use: "pause SESSION", Short: "Save a session and end its cell; the next use resumes it", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				_, err := s.PauseSession(cmd.Context(), id, o)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&o.FilesOnly, "files-only", false, "without processes, which end")
	cmd.Flags().StringVar(&o.Reason, "reason", "", "why, for people")
	return cmd
}

func (c *cli) sessionResume() *cobra.Command {
	return &cobra.Command{
		Use: "resume SESSION", Short: "Continue a paused session", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				_, err := s.ResumeSession(cmd.Context(), id)
				return err
			})
		},
	}
}

func (c *cli) sessionFork() *cobra.Command {
	var o api.ForkOptions
	var labels []string
	var timeout duration
	var asJSON bool
	cmd := &cobra.Command{
		Use: "fork SESSION", Short: "Make sessions that continue from the state of this one, and print their ids", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Count < 1 || o.Count > api.MaxForks {
				return usage("--count %d is not from 1 to %d", o.Count, api.MaxForks)
			}
			if o.Labels, err = parseLabels("label", labels); err != nil {
				return err
			}
			o.Timeout = time.Duration(timeout)
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				forks, err := s.ForkSession(cmd.Context(), id, o)
				if err != nil {
					return err
				}
				return c.printForks(asJSON, forks)
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Count, "count", 1, "make `N` of them")
	flags.BoolVar(&o.FilesOnly, "files-only", false, "without processes and memory")
	flags.StringArrayVar(&labels, "label", nil, "label as `NAME=VALUE`, beside those of the session; repeatable")
	flags.Var(&timeout, "timeout", "how long they live at most; the default is that of the session")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// printForks prints those that there are; of those that there are not, the first
// error counts.
func (c *cli) printForks(asJSON bool, forks []api.Fork) error {
	if asJSON {
		if err := printJSON(c.Out, append([]api.Fork{}, forks...)); err != nil {
			return err
		}
	}
	var failed error
	for _, f := range forks {
		switch {
		case f.Session == nil && failed == nil && f.Error != nil:
			failed = f.Error
		case f.Session != nil && !asJSON:
			if _, err := fmt.Fprintln(c.Out, f.Session.ID); err != nil {
				return err
			}
		}
	}
	return failed
}

func (c *cli) sessionSnapshot() *cobra.Command {
	return group("snapshot", "Take, list and remove snapshots, and make images of them", c.snapshotNew(), reader(c.snapshotList()), c.snapshotImage(), c.snapshotRemove())
}

func (c *cli) snapshotNew() *cobra.Command {
	var o api.SnapshotOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use: "new SESSION", Short: "Save the state of a session, which continues, and print its id", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox session snapshot new latest --name tools:1\n  glovebox session new --snapshot tools:1",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				taken, err := s.NewSnapshot(cmd.Context(), id, o)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, taken)
				}
				_, err = fmt.Fprintln(c.Out, taken.ID)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&o.Name, "name", "", "`NAME` of it, which moves from an older one")
	cmd.Flags().BoolVar(&o.Memory, "with-processes", false, "with its processes and their memory")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) snapshotList() *cobra.Command {
	var session string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List snapshots, the newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withSessions(cmd.Context(), func(s api.Sessions) (err error) {
				id := session
				if session != "" {
					if id, err = sessionID(cmd.Context(), s, session); err != nil {
						return err
					}
				}
				return c.printSnapshots(cmd.Context(), s, id, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "only those of this `SESSION`")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printSnapshots(ctx context.Context, s api.Sessions, session string, asJSON bool) error {
	list, err := s.Snapshots(ctx, session)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.Out, append([]api.Snapshot{}, list...))
	}
	t := c.table("SNAPSHOT", "NAME", "SESSION", "PROCESSES", "SIZE", "CREATED")
	for _, shot := range list {
		t.row(shot.ID, shot.Name, shot.Session, yesNo(shot.Memory), quantity.FormatSize(shot.Size), clock(shot.Created))
	}
	return t.flush()
}

func (c *cli) snapshotImage() *cobra.Command {
	var o api.SnapshotImageOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use: "image SNAPSHOT", Short: "Make an image of the files of a snapshot, and print its id", Args: cobra.ExactArgs(1),
		Example: "  glovebox session snapshot image tools:1 --name tools\n  glovebox image push tools registry.example.org/tools:1",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				image, err := s.SnapshotImage(cmd.Context(), args[0], o)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, image)
				}
				_, err = fmt.Fprintln(c.Out, image.ID)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&o.Name, "name", "", "`NAME` of the image, by which it can be pushed and inspected")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) snapshotRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm SNAPSHOT...", Short: "Remove snapshots, by id or name; sessions that were started from them stay", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				for _, ref := range args {
					if err := s.RemoveSnapshot(cmd.Context(), ref); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
