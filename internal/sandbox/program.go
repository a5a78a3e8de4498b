package sandbox

import (
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
)

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
		return slices.Concat([]string{a.sourcePath()}, a.inputs.Arguments(a.task.Stdin), a.task.Arguments)
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
	if a.mode.Python() {
		return layout.Work
	}
	return commandDir(a.image)
}

func commandDir(image *Image) string {
	if image.WorkingDir == "" || image.WorkingDir == "/" {
		return layout.Work
	}
	return image.WorkingDir
}

// environ is the whole environment of the program: what every run of the task
// has, the way to the engine, and the secrets.
func (a *attempt) environ() environ.Variables {
	e := environ.OfTask(a.image.Env, a.task, a.bundle != nil)
	if a.task.StartsRuns {
		e.Set(api.EngineVariable, "http://"+api.EngineHost)
		e.Set(api.ProxyVariable, "http://"+cell.ProxyAddress)
		e.Set(api.RunVariable, a.id)
	}
	e.SetAll(a.secrets.env)
	return e
}

// template returns how the cell is started that the run needs. A secret in a
// variable that is read at the start makes the run special: then no other may
// have such a cell, and the interpreter is started with everything that the run
// has.
func (a *attempt) template() (t *ready.Template, special bool) {
	env := environ.AtStart(a.image.Env, a.task, a.bundle != nil)
	if environ.SecretAtStart(a.task) >= 0 {
		env, special = a.environ(), true
	}
	return ready.NewTemplate(a.image, a.task, env), special
}
