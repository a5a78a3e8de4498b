package sandbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// template is a class of cells with what it takes to start one.
type template struct {
	cell.Class
	image *Image
	env   []string // of the interpreter when it starts
}

func newTemplate(image *Image, task *api.Task, env environment) *template {
	t := &template{image: image, Class: cell.Class{
		Image: image.ID, ImageName: image.Name, Resources: task.Resources.WithDefaults(),
		Network: !task.Network.None() || task.StartsRuns, Python: isPython(task.Mode()),
	}}
	if t.Python {
		t.env = env.list()
		t.Preload, t.Variables = cell.ModulesOf(task.Preload), digest(t.env)
	}
	return t
}

func isPython(m api.Mode) bool { return m == api.AutoIO || m == api.Verbatim }

func (t *template) spec(id string) cell.Spec {
	return cell.Spec{ID: id, RootFS: t.image.RootFS, Resources: t.Resources, Proxy: t.Network}
}

// argv starts the runner, which loads some of its parts before it is ready.
func (t *template) argv(parts string) []string {
	return append([]string{t.image.Python, layout.RunnerFile, parts}, t.Preload.Names()...)
}

func digest(words []string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:])
}

func randomID() string { return strings.ToLower(rand.Text()) }

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
