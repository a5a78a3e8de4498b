package difftest

import (
	"fmt"
	"regexp"
	"strings"
)

// unordered finds the error of a comparison, whose classes depend on the order
// in which a set gives its items.
var unordered = regexp.MustCompile(`'<' not supported between instances of '(\w+)' and '(\w+)'`)

// WithoutSetOrder writes the classes of failed comparisons in one order: sets
// iterate in another order than CPython's.
func (o Outcome) WithoutSetOrder() Outcome {
	o.Output = unordered.ReplaceAllStringFunc(o.Output, sortedClasses)
	o.Message = unordered.ReplaceAllStringFunc(o.Message, sortedClasses)
	return o
}

func sortedClasses(message string) string {
	c := unordered.FindStringSubmatch(message)
	return fmt.Sprintf("cannot compare '%s' and '%s'", min(c[1], c[2]), max(c[1], c[2]))
}

// Difference tells in a few lines how an outcome differs from CPython's, or
// returns "": the first line of output that is another one, and how the
// programs ended.
func Difference(cpython, ours Outcome) string {
	var b strings.Builder
	if ended := cpython.ending(); ended != ours.ending() {
		fmt.Fprintf(&b, "CPython ends: %.300s\nours ends:    %.300s\n", ended, ours.ending())
	}
	if cpython.Output != ours.Output {
		b.WriteString(firstLine(cpython.Output, ours.Output))
	}
	return b.String()
}

func (o Outcome) ending() string {
	switch {
	case o.Error != "":
		return fmt.Sprintf("%s: %s (line %d)", o.Error, o.Message, o.Line)
	case o.Value != nil:
		return "value " + *o.Value
	}
	return "without a value"
}

func firstLine(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("line %d of the output\nCPython: %s\nours:    %s\n", i+1, lineAt(a, i), lineAt(b, i))
}

func lineAt(lines []string, i int) string {
	if i >= len(lines) {
		return "(nothing)"
	}
	return fmt.Sprintf("%.400s", lines[i])
}
