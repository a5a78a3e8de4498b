package sandbox

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// runnerSource is the program that runs code in a cell, in its folder autoio.
//
//go:embed autoio/*.py
var runnerSource embed.FS

// noTexts is the place in a program where the texts of the parts go.
const noTexts = "TEXTS = {}"

// runnerProgram returns the runner as one file.
func runnerProgram() []byte {
	start, _ := runnerSource.ReadFile("autoio/start.py")
	return withTexts(string(start))
}

// withTexts puts the texts of all parts but start into a program.
func withTexts(program string) []byte {
	var texts strings.Builder
	_ = fs.WalkDir(runnerSource, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(runnerSource, name)
		if part := strings.TrimSuffix(path.Base(name), ".py"); part != "start" {
			fmt.Fprintf(&texts, "    %q: %s,\n", part, strconv.QuoteToASCII(string(text)))
		}
		return err
	})
	return []byte(strings.Replace(program, noTexts, "TEXTS = {\n"+texts.String()+"}", 1))
}
