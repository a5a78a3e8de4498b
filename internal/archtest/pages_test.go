package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShortPages keeps what everybody reads first short enough to be read.
func TestShortPages(t *testing.T) {
	if lines := len(linesOf(t, "README.md")); lines > 150 {
		t.Errorf("README.md has %d lines, expected at most 150: move a part to docs", lines)
	}
	words := 0
	for _, line := range linesOf(t, "docs", "reference", "glossary.md") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| word ") {
			words++
		}
	}
	if words == 0 || words > 40 {
		t.Errorf("the glossary has %d words, expected at most 40: leave out those that every reader knows", words)
	}
}

func linesOf(t *testing.T, path ...string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
