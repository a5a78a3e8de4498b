package cli

import (
	"context"
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
		askTerminal(&spec)
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

// askTerminal asks for a terminal like the one of this process.
func askTerminal(spec *api.ProcessSpec) {
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	if name := os.Getenv("TERM"); name != "" && spec.Env["TERM"] == "" {
		spec.Env["TERM"] = name
	}
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
