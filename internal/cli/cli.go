// Package cli is the command line of Glovebox: one file a command. What a
// program wrote goes to standard output; everything that Glovebox itself has
// to say goes to standard error.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the command line that args hold, without the name of the program,
// and returns the exit status. version names the build.
//
// The first SIGINT or SIGTERM cancels what is under way and cleans up; the
// second ends the process at once.
func Main(version string, args []string, s Streams) int {
	return (&cli{Streams: s, version: version, connect: connect}).main(args)
}

func (c *cli) main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not ignored: programs that are started would inherit that
	read, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	c.Out = watched{c.Out, func() { gone(errBrokenPipe) }}
	c.remote = os.Getenv(serverVariable) != ""
	root := c.root()
	root.SetArgs(args)
	err := root.ExecuteContext(read)
	if errors.Is(context.Cause(read), errBrokenPipe) {
		return brokenPipeStatus
	}
	return c.report(err)
}

// cli is what all commands share.
type cli struct {
	Streams
	version string
	reached bool   // whether what was wrong with the command line is behind us
	hidden  bool   // whether the program's own standard error was not shown
	run     string // the run that failed, if it can be looked at and resumed

	connect func(ctx context.Context, isolation string) (api.Service, error)
	remote  bool // whether it connects to a server
}

func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "glovebox",
		Short: "Run code that nobody has reviewed, so that it can do its job and nothing else",
		Long: "Glovebox runs Python or any command once, in a disposable gVisor cell with\n" +
			"declared packages, typed inputs and outputs, and no network unless it is given;\n" +
			"and orchestrators, which are restricted Python that can only call its tools.\n\n" +
			"With " + serverVariable + " set, and " + tokenVariable + " if the server asks for one, commands speak to\n" +
			"that server; else everything happens in this process.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRun: func(*cobra.Command, []string) { c.reached = true },
	}
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		c.runCommand(), c.orchestrateCommand(), c.checkCommand(), c.promptCommand(),
		c.deployCommand(), c.tasksCommand(), c.startCommand(),
		c.runsCommand(), c.showCommand(), c.logsCommand(), c.cancelCommand(), c.resumeCommand(), c.rerunCommand(),
		c.imageCommand(), c.secretCommand(), c.cacheCommand(), c.warmCommand(), c.serveCommand(), c.doctorCommand(), c.pruneCommand(), c.versionCommand())
	return root
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return usage("%s needs a command", cmd.CommandPath()).hint("run: %s --help", cmd.CommandPath())
	}}
	cmd.AddCommand(commands...)
	return cmd
}

func unknownCommand(cmd *cobra.Command, name string) error {
	e := usage("unknown command %q for %q", name, cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return e.hint("did you mean %s?", strings.Join(near, " or "))
	}
	return e.hint("run: %s --help", cmd.CommandPath())
}
