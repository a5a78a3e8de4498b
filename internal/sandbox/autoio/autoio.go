// Package autoio is the runner: the Python program that stands below Python code
// in a cell. It waits for a job, runs the code as a script or with its inputs as
// variables, and reports the outputs. The files beside this one are its parts;
// start.py is where it starts, and loads the others from texts, so that the code
// cannot meet them as modules.
//
// The tests run it by the Python of the host.
package autoio

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/tuning"
)

//go:embed *.py
var source embed.FS

// noTexts is where the texts of the parts go in a program.
const noTexts = "TEXTS = {}"

// Every cell gets the runner, and to put it together takes about a millisecond.
var (
	rehearsing   = sync.OnceValue(func() []byte { return withTexts(text("start"), true) })
	unrehearsing = sync.OnceValue(func() []byte { return withTexts(text("start"), false) })
)

// Program returns the runner as one file, which must not be written to.
func Program() []byte {
	if tuning.On(tuning.Rehearsal) {
		return rehearsing()
	}
	return unrehearsing()
}

// CompileProgram returns what compiles the parts of a runner in a directory.
func CompileProgram(dir string) []byte {
	program := strings.Replace(text("compile"), `HERE = ""`, "HERE = "+strconv.QuoteToASCII(dir+"/"), 1)
	return withTexts(program, tuning.On(tuning.Rehearsal))
}

func text(name string) string {
	content, _ := source.ReadFile(name + ".py")
	return string(content)
}

// withTexts puts the texts of all parts into a program: start and compile are
// programs, and no parts.
func withTexts(program string, rehearsal bool) []byte {
	var texts strings.Builder
	names, _ := fs.Glob(source, "*.py")
	for _, file := range names {
		part := strings.TrimSuffix(file, ".py")
		if part == "start" || part == "compile" {
			continue
		}
		content := text(part)
		if part == "rehearse" && !rehearsal {
			content = ""
		}
		fmt.Fprintf(&texts, "    %q: %s,\n", part, strconv.QuoteToASCII(content))
	}
	return []byte(strings.Replace(program, noTexts, "TEXTS = {\n"+texts.String()+"}", 1))
}
