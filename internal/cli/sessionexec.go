package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// execFlags are the flags of what runs in a session.
type execFlags struct {
	env     []string
	dir     string
	user    string
	timeout duration
}

func (f *execFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.env, "env", "e", nil, "environment variable as `KEY=VALUE`, or KEY to take it from here; repeatable")
	flags.StringVar(&f.dir, "dir", "", "where it starts, the `PATH` of a directory; the default is that of the session")
	flags.StringVar(&f.user, "user", "", "whom it runs as: a `NAME`, a number, or root; the default is that of the session")
	flags.Var(&f.timeout, "timeout", "limit of time")
}

func (f *execFlags) spec(argv []string) (api.ProcessSpec, error) {
	env, err := parseEnv("-e", f.env, os.LookupEnv)
	return api.ProcessSpec{Argv: argv, Env: env, Dir: f.dir, User: f.user, Timeout: time.Duration(f.timeout)}, err
}

const execHelp = `Run a command in a session, with the streams of this one.

  glovebox session exec SESSION -- COMMAND [ARG...]

Standard input is passed on as it comes. The exit status is that of the command,
or 128 and the number of the signal that ended it. With -t it gets a terminal, and
every key goes to it. With -d it continues in the background, and its number is
printed; glovebox session exec SESSION -- ps shows it, and so does
GET /v1/sessions/SESSION/processes.`

func (c *cli) sessionExec() *cobra.Command {
	var f execFlags
	var tty, detach bool
	var tag string
	cmd := &cobra.Command{
		Use: "exec SESSION [flags] -- COMMAND [ARG...]", Short: "Run a command in a session", Long: execHelp, Args: cobra.MinimumNArgs(2), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox session exec latest -- ls -l\n  tar c . | glovebox session exec latest -- tar x -C /work\n  glovebox session exec latest -t -- python3",
		RunE: func(cmd *cobra.Command, args []string) error {
			if tty && detach {
				return usage("-t and -d contradict each other").hint("give one of them")
			}
			spec, err := f.spec(args[1:])
			if err != nil {
				return err
			}
			spec.Tag = tag
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				if detach {
					return c.startDetached(cmd.Context(), s, id, spec)
				}
				return c.execute(cmd.Context(), s, id, spec, tty)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVarP(&tty, "terminal", "t", false, "give it a terminal")
	cmd.Flags().BoolVarP(&detach, "detach", "d", false, "print its number, and do not wait for its end")
	cmd.Flags().StringVar(&tag, "tag", "", "`NAME` by which it is found later")
	return cmd
}

func (c *cli) startDetached(ctx context.Context, s api.Sessions, id string, spec api.ProcessSpec) error {
	for e, err := range s.StartProcess(ctx, id, spec) {
		if err == nil {
			_, err = fmt.Fprintln(c.Out, e.PID)
		}
		return err
	}
	return api.Errorf(api.Internal, "the command was not started")
}

// execute runs a command to its end, and makes its status the one of this process.
func (c *cli) execute(ctx context.Context, s api.Sessions, id string, spec api.ProcessSpec, tty bool) error {
	spec.Stdin = !tty
	if tty {
		spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
		if name := os.Getenv("TERM"); name != "" && spec.Env["TERM"] == "" {
			spec.Env["TERM"] = name
		}
	}
	exit, err := c.attach(ctx, s, id, spec)
	switch {
	case err != nil:
		return err
	case exit.TimedOut:
		return api.Errorf(api.Timeout, "the command took longer than %s", spec.Timeout)
	case exit.Status != 0:
		return silentExit(exit.Status)
	}
	return nil
}

// shellCommand is a shell that every image with one has.
var shellCommand = []string{"sh", "-c", "command -v bash >/dev/null && exec bash -l; exec sh -l"}

func (c *cli) sessionShell() *cobra.Command {
	var f execFlags
	cmd := &cobra.Command{
		Use: "shell SESSION", Short: "Open a shell in a session", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := f.spec(shellCommand)
			if err != nil {
				return err
			}
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				return c.execute(cmd.Context(), s, id, spec, inputTerminal(c.In) >= 0)
			})
		},
	}
	f.register(cmd)
	return cmd
}

const shellHelp = `Open a shell in a cell.

  glovebox shell [flags]            a new session, killed at the end of the shell
  glovebox shell --pause [flags]    the same, but paused, and its id printed
  glovebox shell SESSION            a session that is there

Without a server the session lives in this process, so a session that is there is
a paused one, and is paused again at the end. On a server, one that was running
stays so.`

func (c *cli) shellCommand() *cobra.Command {
	var f sessionFlags
	var pause bool
	cmd := &cobra.Command{
		Use: "shell [SESSION] [flags]", Short: "Open a shell in a cell", Long: shellHelp, Args: cobra.MaximumNArgs(1), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox shell -p numpy --network public\n  glovebox shell --pause",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.Flags().NFlag() > 0 {
				return usage("%s is a session that is there, and the flags describe a new one", args[0]).hint("give one of them")
			}
			spec, err := f.spec()
			if err != nil {
				return err
			}
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				if len(args) > 0 {
					return c.shellIn(cmd.Context(), s, args[0])
				}
				return c.shellInNew(cmd.Context(), s, spec, pause)
			})
		},
	}
	f.register(c, cmd)
	cmd.Flags().BoolVar(&pause, "pause", false, "pause the session at the end, and print its id")
	return cmd
}

func (c *cli) shellInNew(ctx context.Context, s api.Sessions, spec api.SessionSpec, pause bool) error {
	made, err := c.start(ctx, s, spec)
	if err != nil {
		return err
	}
	ended := c.openShell(ctx, s, made.ID)
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	if !pause {
		return errors.Join(ended, s.KillSession(last, made.ID))
	}
	return errors.Join(ended, c.pauseAgain(last, s, made.ID))
}

// shellIn opens a shell in a session, and pauses it again if it was paused.
func (c *cli) shellIn(ctx context.Context, s api.Sessions, name string) error {
	id, err := sessionID(ctx, s, name)
	if err != nil {
		return err
	}
	before, err := s.Session(ctx, id)
	if err != nil {
		return err
	}
	if before.State == api.SessionPaused {
		if _, err := s.ResumeSession(ctx, id); err != nil {
			return err
		}
	}
	ended := c.openShell(ctx, s, id)
	if before.State != api.SessionPaused {
		return ended
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	return errors.Join(ended, c.pauseAgain(last, s, id))
}

func (c *cli) pauseAgain(ctx context.Context, s api.Sessions, id string) error {
	if _, err := s.PauseSession(ctx, id, api.PauseOptions{FilesOnly: true}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.Err, "glovebox: session %s is paused; continue it with: glovebox shell %s\n", id, id)
	return err
}

func (c *cli) openShell(ctx context.Context, s api.Sessions, id string) error {
	return c.execute(ctx, s, id, api.ProcessSpec{Argv: shellCommand, Env: map[string]string{}}, inputTerminal(c.In) >= 0)
}
