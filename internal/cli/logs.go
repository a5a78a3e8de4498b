package cli

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/glovebox-dev/glovebox/api"
)

// The streams of a log.
const (
	streamStdout = "stdout"
	streamStderr = "stderr"
)

func (c *cli) logsCommand() *cobra.Command {
	var follow, asJSON bool
	cmd := &cobra.Command{
		Use: "logs RUN", Short: "Print what a run printed", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(runIDs),
		Long: "Print what a run printed: its standard output to standard output, the rest to\n" +
			"standard error. Lines of Glovebox itself begin with \"glovebox: \". On a terminal,\n" +
			"control characters are made visible.",
		RunE: func(cmd *cobra.Command, args []string) error {
			print := c.logPrinter()
			if asJSON {
				print = func(e api.LogEntry) error { return printJSON(c.Out, e) }
			}
			return c.with(cmd.Context(), func(service api.Service) error {
				return copyLogs(cmd.Context(), service, args[0], 0, follow, print)
			})
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on until the run has ended")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON for each piece")
	return cmd
}

// logPrinter prints entries of a log where they belong.
func (c *cli) logPrinter() func(api.LogEntry) error {
	stdout, stderr := forTerminal(c.Out), forTerminal(c.Err)
	return func(e api.LogEntry) (err error) {
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
}

// forTerminal returns w, or if it is a terminal, one on which control characters
// other than the end of a line become visible.
func forTerminal(w io.Writer) io.Writer {
	inner := w
	if watched, ok := w.(watched); ok {
		inner = watched.Writer
	}
	if f, ok := inner.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return harmless{w}
	}
	return w
}

// harmless makes control characters visible.
type harmless struct {
	io.Writer
}

func (h harmless) Write(p []byte) (int, error) {
	lines := strings.Split(strings.ReplaceAll(string(p), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	if _, err := io.WriteString(h.Writer, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}
