package sandbox

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// The places in a cell.
const (
	workDir    = "/work"
	inputsDir  = "/var/inputs"
	outputsDir = "/var/outputs"
	runnerDir  = "/run/glovebox"
	runnerFile = runnerDir + "/importlib_bootstrap/start.py" // why it is called so is said there
	valuesDir  = runnerDir + "/inputs"                       // the JSON of inputs that are directories of files
	resultDir  = runnerDir + "/result"
	resultName = "result.json"
)

// maxArguments bounds the values that are offered as arguments, all together,
// and what a task may set as arguments and variables, all together: Linux takes
// no more than 2 MiB of both.
const maxArguments = 512 << 10 // bytes

// sourceName is the file name of the code.
func sourceName(t *api.Task) string {
	switch {
	case t.File != "":
		return t.File
	case t.Name != "":
		return t.Name + ".py"
	}
	return "sandbox.py"
}

// sourcePath is where the code is in the cell. That of auto-IO is hidden by a
// dot, so that no import finds it: a task called json may import json.
func (a *attempt) sourcePath() string {
	if a.mode == api.AutoIO {
		return workDir + "/." + sourceName(a.task)
	}
	return workDir + "/" + sourceName(a.task)
}

// argv is the program that runs, or what code finds as sys.argv. Values never
// pass through a shell.
func (a *attempt) argv() []string {
	switch a.mode {
	case api.AutoIO:
		return []string{sourceName(a.task)}
	case api.Verbatim:
		return slices.Concat([]string{a.sourcePath()}, a.inputs.arguments(), a.task.Arguments)
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
// name by "=". What
// cannot be an argument is left out, and is in its file all the same: a value
// with NUL, one that is not valid UTF-8, one of 128 KiB or more, and whatever
// follows once all values have reached 512 KiB.
func (in inputs) arguments() []string {
	var argv []string
	left := maxArguments
	for _, i := range in {
		value := i.path()
		if i.source == nil {
			value = string(i.text)
		}
		word := "--" + i.param.Name + "=" + value
		if i.absent() || strings.ContainsRune(value, 0) || !utf8.ValidString(value) || len(word) > maxArgument || len(word) > left {
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

// workingDir is /work for code. A command starts where its image says, and in
// /work if the image says nothing.
func (a *attempt) workingDir() string {
	dir := a.image.WorkingDir
	if isPython(a.mode) || dir == "" || dir == "/" {
		return workDir
	}
	return dir
}
