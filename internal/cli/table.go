package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// table is a list for people. Its cells may hold what nobody has reviewed.
type table struct {
	w *tabwriter.Writer
}

func (c *cli) table(head ...string) table {
	t := table{tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)}
	t.row(head...)
	return t
}

func (t table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = visible(cell)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

func (t table) flush() error { return t.w.Flush() }

// printLines prints one thing a line.
func (c *cli) printLines(lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(c.Out, visible(line)); err != nil {
			return err
		}
	}
	return nil
}

// jsonFlag makes a command print JSON instead of text for people.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// clock writes a time as the clock here shows it; nothing for the zero time.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.DateTime)
}
