package attack

import (
	"strings"
	"testing"
)

// TestAttackH12_EscapesInErrors looks at the lines that glovebox itself
// writes. What the program prints is the program's.
func TestAttackH12_EscapesInErrors(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--json", "-c", `raise ValueError("\x1b]0;owned\x07\x9b31m")`},
		{"run", "-o", "x:int", "-c", `x = "\x1b]0;owned\x07"`},
		{"run", "-o", "x:int", "-c", `import os; os._exit(0)`, "--name", "\x1b[31m"},
		{"run", "-i", "\x1b[31m=1", "-c", "pass"},
		{"run", "--\x1b[31m"},
		{"run", "-p", "\x1b[31m", "-c", "pass"},
	} {
		e := glovebox(t, args...)
		for line := range strings.Lines(e.stderr) {
			if (strings.HasPrefix(line, "glovebox:") || strings.HasPrefix(line, "  hint:")) && strings.ContainsAny(line, "\x1b\x07") {
				t.Errorf("%q wrote %q", args, line)
			}
		}
		if strings.Contains(e.stdout, "\x1b") {
			t.Errorf("%q printed %q", args, e.stdout)
		}
	}
}
