// Package difftest compares the interpreter with CPython: the programs of
// testdata/py, whose expectations are files beside them, and programs made at
// random, for which python3 has to be there.
package difftest

import (
	"os"
	"path/filepath"
	"strings"
)

// Program is one program of the corpus.
type Program struct {
	File   string // the file it stands in
	Line   int    // the line of the file at which it begins, from 1
	Source string
}

const (
	separator = "# ---\n"
	prelude   = "# prelude\n"
)

// ReadPrograms reads the programs of a file. A line "# ---" separates them; a
// file that begins with a line "# prelude" has a first part that belongs to
// each of the others.
func ReadPrograms(path string) ([]Program, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(string(data), separator)
	line, common := 1, ""
	if strings.HasPrefix(parts[0], prelude) {
		common, parts = parts[0], parts[1:]
		line += strings.Count(common, "\n") + 1
	}
	programs := make([]Program, 0, len(parts))
	for _, part := range parts {
		programs = append(programs, Program{path, line, common + part})
		line += strings.Count(part, "\n") + 1
	}
	return programs, nil
}

// Files lists the files of programs in a folder.
func Files(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "*.py"))
}

// Differs returns why the program means something else here than in CPython,
// or "". A line "# differs: REASON" of the program says so.
func (p Program) Differs() string {
	_, rest, _ := strings.Cut(p.Source, "# differs: ")
	reason, _, _ := strings.Cut(rest, "\n")
	return reason
}
