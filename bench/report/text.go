package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Table returns all groups as one Markdown table.
func (r *Report) Table() string {
	var t strings.Builder
	t.WriteString("| work | by | n | median | p95 | p99 | a second | compared |\n")
	t.WriteString("|---|---|---:|---:|---:|---:|---:|---|\n")
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(&t, "| **%s** | | | | | | | |\n", g.Title)
		for j := range g.Rows {
			t.WriteString(g.Rows[j].line())
		}
		if g.Failed != "" {
			fmt.Fprintf(&t, "| failed | %s | | | | | | |\n", cell(g.Failed))
		}
	}
	return t.String()
}

func (r *Row) line() string {
	if r.Absent != "" {
		return fmt.Sprintf("| %s | %s | | | | | | absent: %s |\n", cell(r.Work), cell(r.Name), cell(r.Absent))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", cell(r.Work), cell(r.Name), r.count(),
		r.Unit.Text(r.Median), r.optional(r.P95), r.optional(r.P99), perSecond(r.PerSecond), r.Compared())
}

// count is empty for what is one number, however many samples it came from.
func (r *Row) count() string {
	if len(r.Samples) < 2 {
		return ""
	}
	return strconv.Itoa(len(r.Samples))
}

func (r *Row) optional(v float64) string {
	if v == 0 || len(r.Samples) < 2 {
		return ""
	}
	return r.Unit.Text(v)
}

func perSecond(v float64) string {
	if v == 0 {
		return ""
	}
	return digits(v)
}

// Compared says the ratio in words.
func (r *Row) Compared() string {
	if r.Ratio == 0 {
		return ""
	}
	text := digits(r.Ratio) + " of " + r.Against
	inverse := digits(1 / r.Ratio)
	switch {
	case r.PerSecond > 0:
		return digits(r.Ratio) + "x as many as " + r.Against
	case r.Unit == Milliseconds && r.Ratio < 1:
		return text + " (" + inverse + "x faster)"
	case r.Unit != Number && r.Ratio < 1:
		return text + " (" + inverse + "x less)"
	default:
		return digits(r.Ratio) + "x " + r.Against
	}
}

// Text writes a value of the unit with as many digits as it is worth.
func (u Unit) Text(v float64) string {
	switch {
	case u == Number:
		return digits(v)
	case u == Milliseconds && v > 0 && v < 0.1:
		return digits(v*1000) + " µs"
	case u == Milliseconds && v >= 10_000:
		return digits(v/1000) + " s"
	default:
		return digits(v) + " " + string(u)
	}
}

// digits writes three digits that count, and never an exponent.
func digits(v float64) string {
	switch {
	case v >= 100 || v == 0:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v >= 0.1:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case v >= 0.001:
		return strconv.FormatFloat(v, 'f', 4, 64)
	default:
		return strconv.FormatFloat(v, 'f', 6, 64)
	}
}

// longest is how much of a text a cell of the table shows; the JSON has all.
const longest = 200

// cell makes text fit a cell of a table: one line, no bars, not too long.
func cell(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "..."
	}
	return strings.ReplaceAll(s, "|", "\\|")
}

// GoalTable returns the figures that were to be reached.
func (r *Report) GoalTable() string {
	var t strings.Builder
	t.WriteString("| figure | to reach | seen | |\n|---|---|---|---|\n")
	for _, g := range r.Goals {
		verdict := "**missed**"
		switch {
		case g.Met:
			verdict = "reached"
		case g.Seen == "":
			verdict = "not measured"
		}
		fmt.Fprintf(&t, "| %s | %s | %s | %s |\n", cell(g.What), cell(g.Want), cell(g.Seen), verdict)
	}
	return t.String()
}
