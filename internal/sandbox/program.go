package sandbox

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// maxArguments bounds the values that are offered as arguments, all together,
// and what a task may set as arguments and variables, all together: Linux takes
// no more than 2 MiB of both.
const maxArguments = 512 << 10 // bytes

// sourcePath is where the code is in the cell. That of auto-IO is hidden by a
// dot, so that no import finds it: a task called json may import json.
func (a *attempt) sourcePath() string {
	if a.mode == api.AutoIO {
		return layout.Work + "/." + a.task.SourceName()
	}
	return layout.Work + "/" + a.task.SourceName()
}

// argv is the program that runs, or what code finds as sys.argv. Values never
// pass through a shell.
func (a *attempt) argv() []string {
	switch a.mode {
	case api.AutoIO:
		return []string{a.task.SourceName()}
	case api.Verbatim:
		return slices.Concat([]string{a.sourcePath()}, a.inputs.arguments(a.task.Stdin), a.task.Arguments)
	case api.CommandMode:
		return slices.Concat(a.task.Command, a.task.Arguments)
	}
	return entrypoint(a.image, a.task.Arguments)
}

// entrypoint does as Docker does: arguments take the place of the image's own.
func entrypoint(image *Image, arguments []string) []string {
	if len(arguments) > 0 {
		return slices.Concat(image.Entrypoint, arguments)
	}
	return slices.Concat(image.Entrypoint, image.Cmd)
}

// arguments offers every input as --name value, in declaration order. A file is
// its path, a collection of files JSON with their paths, and a file that is None
// is left out. A value that begins with "-" and is no number is joined to its
// name by "=". The standard input is left out: what reads that takes no option
// for it. What cannot be an argument is left out, and is in its file all the same: a value
// with NUL, one that is not valid UTF-8, one of 128 KiB or more, and whatever
// follows once all values have reached 512 KiB.
func (in inputs) arguments(stdin string) []string {
	var argv []string
	left := maxArguments
	for _, i := range in {
		value := i.path()
		if i.source == nil {
			value = string(i.text())
		}
		word := "--" + i.param.Name + "=" + value
		if i.absent() || i.param.Name == stdin || strings.ContainsRune(value, 0) || !utf8.ValidString(value) || len(word) > maxArgument || len(word) > left {
			continue
		}
		left -= len(word)
		if strings.HasPrefix(value, "-") && !isNumber(value) {
			argv = append(argv, word)
			continue
		}
		argv = append(argv, "--"+i.param.Name, value)
	}
	return argv
}

// isNumber reports what argparse takes for a negative number and so for a
// value: -1, -1.5, -.5.
func isNumber(s string) bool {
	digits, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if point {
		return allDigits(digits) && allDigits(fraction) && fraction != ""
	}
	return allDigits(digits) && digits != ""
}

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// stdinPath is the file that the program has as standard input; "" for none.
func (a *attempt) stdinPath() string {
	if a.task.Stdin == "" {
		return ""
	}
	return layout.Inputs + "/" + a.task.Stdin
}

// workingDir is /work for code. A command starts where its image says, and in
// /work if the image says nothing.
func (a *attempt) workingDir() string {
	dir := a.image.WorkingDir
	if isPython(a.mode) || dir == "" || dir == "/" {
		return layout.Work
	}
	return dir
}
