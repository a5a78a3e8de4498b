// Package environ says which variables a program in a cell has, and when. Some
// are known with its task, some only with its run (its secrets, its way to the
// engine), and an interpreter that starts before its run is known gets none of
// the latter. What later variables say wins over what earlier ones said.
package environ

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// Variables are variables by name.
type Variables map[string]string

// Set sets one variable.
func (e Variables) Set(name, value string) { e[name] = value }

// SetAll sets variables that are written NAME=value.
func (e Variables) SetAll(variables []string) {
	for _, v := range variables {
		if name, value, found := strings.Cut(v, "="); found && name != "" {
			e[name] = value
		}
	}
}

// List returns NAME=value of each, sorted.
func (e Variables) List() []string {
	out := make([]string, 0, len(e))
	for name, value := range e {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// OfTask is what every run of a task has. What comes later wins: the
// image, the defaults of a cell, the proxy, the certificates of the host, the
// task.
func OfTask(image []string, task *api.Task, certificates bool) Variables {
	e := Plain(image, task.Mode())
	if !task.Network.None() {
		e.SetAll(cell.ProxyEnv())
	}
	if certificates {
		e.SetAll(cell.CertificatesEnv())
	}
	for name, value := range task.Env {
		e.Set(name, value)
	}
	if task.Asks != nil {
		v := task.Asks.Variables()
		e.Set(v.URL, "http://"+cell.ProxyAddress+v.Path)
		e.Set(v.Key, api.ModelKeyInCell)
	}
	return e
}

// Plain is what every run has in an image with these variables.
//
// PATH and LANG are set only where the image does not. Output of code is
// unbuffered, so that it can be watched, its two streams keep their order, and
// nothing is lost when the program is killed.
func Plain(image []string, mode api.Mode) Variables {
	e := Variables{}
	e.SetAll([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"})
	e.SetAll(image)
	e.Set("HOME", layout.Work)
	if mode.Python() {
		e.Set("PYTHONUNBUFFERED", "1")
	}
	return e
}

// AtStart is what an interpreter is started with before it is known
// which run will have it: the variables of the image and those that are read at
// the start. Modules that it imports may read any, so then all of the task are
// there. A run replaces them by its own, with all others.
func AtStart(image []string, task *api.Task, certificates bool) Variables {
	if len(task.Preload) > 0 {
		return OfTask(image, task, certificates)
	}
	e := Plain(image, task.Mode())
	for name, value := range task.Env {
		if readAtStart(name) {
			e.Set(name, value)
		}
	}
	return e
}

// SecretAtStart returns which secret is a variable that is read when an
// interpreter starts, or -1.
func SecretAtStart(task *api.Task) int {
	if !task.Mode().Python() {
		return -1
	}
	return slices.IndexFunc(task.Secrets, func(ref api.SecretRef) bool { return ref.Env != "" && readAtStart(ref.Env) })
}

// readAtStart reports variables that are read when an interpreter starts, by
// Python itself, the C library and what packages commonly hook into the start:
// to set one later has no effect, or not the whole.
func readAtStart(name string) bool {
	switch name {
	case "TZ", "TZDIR", "HOME", "LOCPATH", "GCONV_PATH":
		return true
	}
	prefixes := []string{"PYTHON", "LD_", "LC_", "LANG", "MALLOC_", "MIMALLOC_", "GLIBC_", "COVERAGE_", "SETUPTOOLS_"}
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
