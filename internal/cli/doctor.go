package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

func (c *cli) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Say which isolation is active, what each limit rests on, and what is missing", Args: cobra.NoArgs,
		Long: "Say which isolation is active and why, what each limit rests on here, what is\n" +
			"missing and how to get it. The exit status is 1 if a run would be refused.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			system, err := app.Open(cmd.Context(), app.Options{})
			if err != nil {
				e := api.AsError(err)
				return c.diagnose([]cell.Finding{{Subject: "start", Fatal: true, Detail: e.Message, Remedy: e.Hint}})
			}
			defer system.Close()
			return c.diagnose(system.Findings(cmd.Context()))
		},
	}
}

// diagnose prints the findings and fails if one of them is fatal.
func (c *cli) diagnose(findings []cell.Finding) error {
	if err := printFindings(c.Out, findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.Fatal {
			fmt.Fprintln(c.Out, "\nA run would be refused.")
			return silentExit(1)
		}
	}
	fmt.Fprintln(c.Out, "\nReady to run.")
	return nil
}

func printFindings(w io.Writer, findings []cell.Finding) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range findings {
		fmt.Fprintf(table, "%s\t%s\t%s\n", verdict(f), f.Subject, visible(f.Detail))
		if f.Remedy != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", visible(f.Remedy))
		}
	}
	return table.Flush()
}

func verdict(f cell.Finding) string {
	switch {
	case f.Fatal:
		return "FAIL"
	case !f.OK:
		return "warn"
	}
	return "ok"
}
