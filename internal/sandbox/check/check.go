// Package check finds what is wrong with the task of a sandbox, as far as that
// can be known before anything starts. It opens no file and starts no cell, so a
// task that cannot run costs nothing.
//
// Host.Task goes through a list of checks, one for each part of a task, and returns
// the first error: which field it is, what it holds and what was expected. What
// only the host can judge (its bounds, its networks, its images) is in Host.
package check

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds on what people write, in bytes.
const (
	maxTaskName = 128
	maxCode     = 64 << 20
)

// Host is what the machine says about tasks that are sound in themselves.
type Host struct {
	MaxMemory int64 // of one cell, in bytes; 0 is no bound
	Network   func(api.Network) error
	Within    func(inner, outer api.Network) error
	Image     func(api.ImageSpec) error
}

// Task returns the first thing that is wrong with a task: invalid_task,
// invalid_type or invalid_package.
func (h Host) Task(task *api.Task) error {
	checks := []func(*api.Task) error{
		checkKind, checkTaskName, checkMode, checkSource, (*api.Task).CheckPreload, (*api.Task).CheckStdin, checkArgv, checkSignature, checkReport, checkEnv, checkSecrets, checkReserved, checkAsks,
		checkResources, h.checkMemory, checkLimits, (*api.Task).CheckPolicy, h.checkNetwork, h.checkHosts,
	}
	for _, check := range checks {
		if err := check(task); err != nil {
			return err
		}
	}
	return h.Image(task.Image)
}

// checkKind refuses what makes a task of another kind.
func checkKind(task *api.Task) error {
	return task.CheckForeign("it belongs to another kind", "code", "file", "verbatim", "command", "arguments", "stdin", "preload",
		"image", "resources", "env", "secrets", "network", "starts_runs", "asks", "report")
}

func checkTaskName(t *api.Task) error {
	ok := len(t.Name) <= maxTaskName && t.Name != "." && t.Name != ".." && !strings.HasPrefix(t.Name, "-")
	for _, r := range t.Name {
		ok = ok && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("._-", r))
	}
	if !ok {
		return api.WrongField("name", value.Quote(t.Name), "at most 128 letters, digits, '.', '_' and '-'")
	}
	return nil
}

func checkMode(t *api.Task) error {
	switch {
	case t.Code != "" && len(t.Command) > 0:
		return api.Errorf(api.InvalidTask, "code and command are mutually exclusive").
			WithHint("keep the code for Python, or the command for anything else").
			WithDetails(api.Details{Field: "command", Got: value.Quote(t.Command[0]), Expected: "no command beside code"})
	case t.Code == "" && t.Verbatim:
		return api.WrongField("verbatim", "true without code", "code to run as written")
	case t.Code == "" && t.File != "":
		return api.WrongField("file", value.Quote(t.File)+" without code", "code that has this file name")
	case t.Mode() == api.AutoIO && len(t.Arguments) > 0:
		return api.WrongField("arguments", value.Quote(t.Arguments[0]), "none: auto-IO code gets its inputs as variables").
			WithHint("declare an input, or set verbatim to give the script arguments")
	}
	return nil
}

func checkSource(t *api.Task) error {
	if len(t.Code) > maxCode {
		return api.WrongField("code", fmt.Sprintf("%d bytes long", len(t.Code)), fmt.Sprintf("at most %d bytes", maxCode))
	}
	if t.File == "" {
		return nil
	}
	if err := api.CheckName("."+t.File, false); err != nil || api.CheckName(t.File, false) != nil {
		return api.WrongField("file", value.Quote(t.File), "a file name of at most 254 bytes, without a directory").WithHint("name it by its last part")
	}
	return nil
}

func checkSignature(t *api.Task) error {
	if err := t.Signature.Check(t.Mode() == api.AutoIO); err != nil {
		return err
	}
	for _, p := range t.Signature.Inputs {
		if files.Mixed(p.Type) {
			return badFiles("input", p, "files alone, or in Optional, list, dict and tuple")
		}
	}
	for _, p := range t.Signature.Outputs {
		inner, _ := files.Required(p.Type)
		if _, ok := files.CollectionOf(inner); inner.Files() && !files.IsFile(inner) && !ok {
			return badFiles("output", p, "File, Dir or DataFrame alone, as list[...], dict[str, ...] or tuple[..., ...], and Optional of these")
		}
	}
	return nil
}

// checkReport keeps the file of the report from being an output.
func checkReport(t *api.Task) error {
	for _, p := range t.Signature.Outputs {
		if t.Report && p.Name == api.ReportFile {
			return api.WrongField("report", "set, and an output is called "+api.ReportFile, "an output of another name: that file is the report")
		}
	}
	return nil
}

func badFiles(role string, p value.Param, expected string) error {
	return api.Errorf(api.InvalidType, "%s %s: %s has files where they cannot be, expected %s", role, p.Name, p.Type, expected).
		WithHint("declare the files on their own, or a Dir for many files").
		WithDetails(api.Details{Field: p.Name, Got: p.Type.String(), Expected: expected})
}

func (h Host) checkNetwork(t *api.Task) error {
	if t.Network.None() {
		return nil
	}
	return h.Network(t.Network)
}
