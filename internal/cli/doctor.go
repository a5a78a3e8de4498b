package cli

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack"
)

func (c *cli) doctorCommand() *cobra.Command {
	var deep, asJSON bool
	var attacks attackFlags
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say which isolation is active, what each limit rests on, and what is missing", Args: cobra.NoArgs,
		Long: "Say which isolation is active and why, what each limit rests on here, what is\n" +
			"missing and how to get it. The exit status is 1 if a run would be refused.\n\n" +
			"With --deep it reads all that is kept of runs, which may take long, and says what\n" +
			"of it is damaged. With " + serverVariable + " set it is about the host of that server.\n\n" +
			"With --attack it attacks this program on this host instead, in the ways that\n" +
			"docs/THREAT_MODEL.md lists, and says what held, what this host cannot enforce and\n" +
			"what to change. That takes about a minute; --attack=all tries what takes longer\n" +
			"too. It uses a home of its own with the images of yours, and leaves nothing. The\n" +
			"exit status is 1 if an attack succeeded, or none could be tried.",
		Example: "  glovebox doctor\n  glovebox doctor --attack --html report.html\n  glovebox doctor --attack=all --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if attacks.json = asJSON; cmd.Flags().Changed("attack") {
				if deep {
					return usage("--attack and --deep contradict each other").hint("ask for one after the other")
				}
				return c.attackHere(cmd.Context(), attacks)
			}
			if attacks.html != "" {
				return usage("--html is the report of attacks").hint("give --attack too")
			}
			service, err := c.connect(cmd.Context(), "")
			if err != nil && !c.remote { // what keeps the engine from starting is a finding, too
				e := api.AsError(err)
				return c.diagnose(asJSON, []api.Finding{{Subject: "start", Fatal: true, Detail: e.Message, Remedy: e.Hint}})
			}
			if err != nil {
				return err
			}
			found, err := service.Doctor(cmd.Context(), deep)
			if err = closing(service, err); err != nil {
				return err
			}
			return c.diagnose(asJSON, found)
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "read all that is kept of runs, and say what is damaged")
	cmd.Flags().StringVar(&attacks.form, "attack", "", "attack this program on this host: short, which --attack alone means, or all")
	cmd.Flags().Lookup("attack").NoOptDefVal = string(attack.Short)
	completeFlag(cmd, "attack", oneOf([]string{string(attack.Short), string(attack.All)}))
	cmd.Flags().StringVar(&attacks.html, "html", "", "write the report of --attack to `FILE`, too, as one page of HTML")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// diagnosis is what doctor prints as JSON, and the HTTP API answers.
type diagnosis struct {
	Ready    bool          `json:"ready"`
	Findings []api.Finding `json:"findings"`
}

// diagnose prints the findings and fails if one of them is fatal.
func (c *cli) diagnose(asJSON bool, findings []api.Finding) error {
	ready := !slices.ContainsFunc(findings, func(f api.Finding) bool { return f.Fatal })
	if err := c.printDiagnosis(asJSON, diagnosis{ready, append([]api.Finding{}, findings...)}); err != nil {
		return err
	}
	if !ready {
		return silentExit(1)
	}
	return nil
}

func (c *cli) printDiagnosis(asJSON bool, d diagnosis) error {
	if asJSON {
		return printJSON(c.Out, d)
	}
	if err := printFindings(c.Out, d.Findings); err != nil {
		return err
	}
	conclusion := "Ready to run."
	if !d.Ready {
		conclusion = "A run would be refused."
	}
	_, err := fmt.Fprintln(c.Out, "\n"+conclusion)
	return err
}

func printFindings(w io.Writer, findings []api.Finding) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range findings {
		fmt.Fprintf(table, "%s\t%s\t%s\n", verdict(f), f.Subject, visible(f.Detail))
		if f.Remedy != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", visible(f.Remedy))
		}
	}
	return table.Flush()
}

func verdict(f api.Finding) string {
	switch {
	case f.Fatal:
		return "FAIL"
	case !f.OK:
		return "warn"
	}
	return "ok"
}
