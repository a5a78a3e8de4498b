package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// table is a list for people. Its fields may hold text that was not reviewed.
type table struct {
	w *tabwriter.Writer
}

func (c *cli) table(head ...string) table { return tableTo(c.Out, head...) }

func tableTo(w io.Writer, head ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
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

// printLines prints one thing a line, with or without the end of one.
func (c *cli) printLines(lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(c.Out, visible(strings.TrimSuffix(line, "\n"))); err != nil {
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

// ago writes how long before now a time was, as the clock shows it if that is
// more than a week, or if it is to come.
func ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero() || d < 0 || d >= 7*24*time.Hour:
		return clock(t)
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	case d < 48*time.Hour:
		return "1 day ago"
	default:
		return fmt.Sprintf("%d days ago", d/(24*time.Hour))
	}
}
