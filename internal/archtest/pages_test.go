package archtest

import (
	"os"
	"path/filepath"
	"regexp"
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

// namedPath is a path of this repository in a page. NAME stands for one to choose.
var namedPath = regexp.MustCompile("`((?:internal|cmd|api|py|clients|docs|testdata|examples|\\.ci|\\.github)/[A-Za-z0-9_./-]+)`")

// TestPathsOfContributing holds the guide for newcomers to files that there are.
func TestPathsOfContributing(t *testing.T) {
	found := 0
	for _, line := range linesOf(t, "CONTRIBUTING.md") {
		for _, match := range namedPath.FindAllStringSubmatch(line, -1) {
			if strings.Contains(match[1], "NAME") {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
				t.Errorf("CONTRIBUTING.md names %s, which does not exist", match[1])
			}
		}
	}
	if found == 0 {
		t.Error("CONTRIBUTING.md names no file")
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
