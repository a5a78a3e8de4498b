package catalog

import (
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// around is how many equal lines stand around a difference.
const around = 3

// maxCells bounds the table of the comparison. Texts that need a larger one are
// shown as replaced as a whole, between what they begin and end with in common.
const maxCells = 4 << 20

// Diff shows what changed from task a to task b, line by line: "-" stands
// before lines of a, "+" before lines of b, and a space before lines of both, of
// which only those near a change are shown. It is empty if nothing changed.
func Diff(a, b *api.Task) string {
	edits := compare(describe(a), describe(b))
	near := make([]bool, len(edits))
	changed := false
	for i, e := range edits {
		if e.sign == ' ' {
			continue
		}
		changed = true
		for j := max(0, i-around); j < min(len(edits), i+around+1); j++ {
			near[j] = true
		}
	}
	if !changed {
		return ""
	}
	return shown(edits, near)
}

func shown(edits []edit, near []bool) string {
	var text strings.Builder
	skipped := false
	for i, e := range edits {
		switch {
		case near[i]:
			text.WriteString(string(e.sign) + " " + e.line + "\n")
		case !skipped:
			text.WriteString("...\n")
		}
		skipped = !near[i]
	}
	return text.String()
}

// edit is one line of a comparison.
type edit struct {
	sign byte // ' ', '-' or '+'
	line string
}

// compare finds a longest common subsequence of lines.
func compare(a, b []string) []edit {
	var head, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head, a, b = append(head, edit{' ', a[0]}), a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail, a, b = append(tail, edit{' ', a[len(a)-1]}), a[:len(a)-1], b[:len(b)-1]
	}
	edits := append(head, middle(a, b)...)
	for i := range tail {
		edits = append(edits, tail[len(tail)-1-i])
	}
	return edits
}

// middle compares what lies between.
func middle(a, b []string) []edit {
	if len(a) > 0 && len(b) > maxCells/len(a) {
		return append(all('-', a), all('+', b)...)
	}
	longest := table(a, b)
	var edits []edit
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return append(append(edits, all('-', a[i:])...), all('+', b[j:])...)
}

// table holds the length of the longest common subsequence of a[i:] and b[j:].
func table(a, b []string) [][]int32 {
	longest := make([][]int32, len(a)+1)
	for i := range longest {
		longest[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	return longest
}

func all(sign byte, lines []string) []edit {
	edits := make([]edit, len(lines))
	for i, line := range lines {
		edits[i] = edit{sign, line}
	}
	return edits
}
