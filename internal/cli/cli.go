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
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Program is the program whose command line this is.
type Program struct {
	Version string      // names the build
	Engine  host.Engine // of this machine
}

// Main runs the command line that args hold, without the name of the program,
// and returns the exit status.
//
// The first SIGINT, SIGTERM or SIGHUP cancels what is under way and cleans up;
// the second ends the process immediately. SIGQUIT keeps its meaning in Go: it
// prints all goroutines and ends the process.
func Main(p Program, args []string, s Streams) int {
	defer prepareTerminals(s)()
	c := &cli{Streams: s, version: p.Version, engine: p.Engine}
	c.connect, c.interpreter = c.connectHere, p.Engine.Interpreter
	return c.main(args)
}

func (c *cli) main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not ignored: programs that are started would inherit that
	read, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	var unwritten atomic.Pointer[unwrittenError]
	c.Out = watched{c.Out, func() { gone(errBrokenPipe) }, func(err error) { unwritten.CompareAndSwap(nil, &unwrittenError{err}) }}
	c.remote = os.Getenv(serverVariable) != ""
	root := c.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(read)
	if errors.Is(context.Cause(read), errBrokenPipe) {
		return brokenPipeStatus
	}
	if lost := unwritten.Load(); lost != nil && (err == nil || errors.Is(err, lost.error)) {
		return lost.report(c.Err, c.evaluated)
	}
	return c.conclude(cmd, args, err)
}

// cli is what all commands share.
type cli struct {
	Streams
	version  string
	engine   host.Engine
	reached  bool   // whether what was wrong with the command line is behind us
	hidden   bool   // whether the program's own standard error was not shown
	answered bool   // whether the result was printed as JSON, with its error
	reading  string // what standard input is read for
	reads    bool   // whether the command only reads what is kept
	run      string // the run that failed, if it can be looked at and resumed

	connect     func(ctx context.Context, isolation string) (api.Service, error)
	interpreter func() (api.Service, error) // of this process, without a home
	remote      bool                        // whether it connects to a server
	server      string                      // the URL of the one that was found, if the environment names none
	evaluated   bool                        // whether nothing is kept of what was asked for
}

func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "glovebox",
		Short: "Run unreviewed code, so that it can do its job and nothing else",
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
		SilenceErrors: true, SilenceUsage: true, Version: c.version,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) { c.reached, c.reads = true, cmd.Annotations[onlyReads] != "" },
	}
	root.SetVersionTemplate("glovebox {{.Version}}\n")
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(flagError)
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Run code:", []*cobra.Command{c.runCommand(), c.orchestrateCommand(), c.agentCommand(), c.generateCommand(), c.checkCommand(), c.promptCommand()}},
		{"Keep cells:", []*cobra.Command{c.sessionCommand(), c.shellCommand()}},
		{"Deployed tasks:", []*cobra.Command{c.deployCommand(), reader(c.tasksCommand()), c.startCommand(), reader(c.schedulesCommand()), reader(c.hooksCommand())}},
		{"Runs:", []*cobra.Command{reader(c.runsCommand()), reader(c.showCommand()), reader(c.logsCommand()), reader(c.eventsCommand()), reader(c.outputsCommand()), reader(c.reportCommand()), c.waitCommand(),
			reader(c.notificationsCommand()), c.cancelCommand(), c.resumeCommand(), c.resolveCommand(), c.rerunCommand(),
			reader(c.approvalsCommand()), c.approveCommand(), c.refuseCommand(), c.signalCommand()}},
		{"What runs use:", []*cobra.Command{c.imageCommand(), c.secretCommand(), c.cacheCommand(), c.warmCommand()}},
		{"This host:", []*cobra.Command{c.serveCommand(), c.openCommand(), c.evaluatorCommand(), c.montyCommand(), c.mcpCommand(), c.e2bCommand(), reader(c.doctorCommand()), c.pruneCommand(), c.journalCommand(), c.nodeCommand(), c.ownerCommand(), c.tokenCommand(), c.blobsCommand(), c.versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range g.commands {
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(typesTopic())
	return root
}

// onlyReads marks a command that can do its work where nothing can be written.
const onlyReads = "reads"

// reader marks a command as one that only reads what is kept.
func reader(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{onlyReads: "yes"}
	return cmd
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
