package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// The streams of a log.
const (
	streamStdout = "stdout"
	streamStderr = "stderr"
)

func (c *cli) logsCommand() *cobra.Command {
	var follow, asJSON, raw bool
	cmd := &cobra.Command{
		Use: "logs RUN", Short: "Print what a run printed", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Print what a run printed: its standard output to standard output, the rest to\n" +
			"standard error. Lines of Glovebox itself begin with \"glovebox: \". On a terminal,\n" +
			"escape sequences other than colours are made visible, unless --raw is given.",
		RunE: func(cmd *cobra.Command, args []string) error {
			print, flush := c.logPrinter(raw)
			if asJSON {
				print = func(e api.LogEntry) error { return printJSON(c.Out, e) }
			}
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				err := errors.Join(copyLogs(cmd.Context(), service, id, 0, follow, print), flush())
				if err != nil || asJSON || terminal(c.Err) == nil {
					return err
				}
				return c.tellOfCalls(cmd.Context(), service, id)
			})
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "continue until the run has ended")
	rawFlag(cmd, &raw)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each piece")
	return cmd
}

// tellOfCalls says where the rest is: what the tools of an orchestrator printed is
// in the logs of their own runs.
func (c *cli) tellOfCalls(ctx context.Context, service api.Service, id string) error {
	run, err := service.Run(ctx, id)
	if err != nil || run.Calls == 0 {
		return err
	}
	_, err = fmt.Fprintf(c.Err, "glovebox: what its calls printed is in their logs; list them with: glovebox runs --parent %s\n", id)
	return err
}

// logPrinter prints entries of a log where they belong; flush ends that.
func (c *cli) logPrinter(raw bool) (print func(api.LogEntry) error, flush func() error) {
	stdout, stderr := forTerminal(c.Out, c.Out, raw), forTerminal(c.Err, c.Err, raw)
	print = func(e api.LogEntry) (err error) {
		switch e.Stream {
		case streamStdout:
			_, err = stdout.Write(e.Bytes())
		case streamStderr:
			_, err = stderr.Write(e.Bytes())
		default:
			_, err = io.WriteString(c.Err, "glovebox: "+visible(strings.TrimRight(string(e.Bytes()), "\n"))+"\n")
		}
		return err
	}
	return print, func() error { return errors.Join(stdout.flush(), stderr.flush()) }
}

func rawFlag(cmd *cobra.Command, raw *bool) {
	cmd.Flags().BoolVar(raw, "raw", false, "pass on escape sequences to a terminal as they come")
}
