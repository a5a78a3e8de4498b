package ready

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// Image is what a run needs to know of an image.
type Image struct {
	ID         string   // the digest of its lock, "sha256:..."
	Name       string   // for people
	RootFS     string   // path of its EROFS file
	Env        []string // NAME=value
	Entrypoint []string
	Cmd        []string
	WorkingDir string
	User       string // a name or a number, with ":" and a group or without
	Python     string // absolute path of its interpreter, or ""
}

// Template is a class of cells with what it takes to start one.
type Template struct {
	cell.Class
	image *Image
	env   []string // of the interpreter when it starts
}

// NewTemplate returns the template of a task in an image. Its interpreter starts
// with env.
func NewTemplate(image *Image, task *api.Task, env environ.Variables) *Template {
	t := &Template{image: image, Class: cell.Class{
		Image: image.ID, ImageName: image.Name, Resources: task.Resources.WithDefaults(),
		Network: !task.Network.None() || task.StartsRuns || task.Asks != nil, Python: task.Mode().Python(),
	}}
	if t.Python {
		t.env = env.List()
		t.Preload, t.Variables = cell.ModulesOf(task.Preload), digest(t.env)
	}
	return t
}

func (t *Template) spec(id string) cell.Spec {
	return cell.Spec{ID: id, RootFS: t.image.RootFS, Resources: t.Resources, Proxy: t.Network}
}

// launches says whether a process waits in a cell to become the command. In one
// with a network it would be in the way of a session, which has cells of that class
// too; and it needs some threads and files itself.
func (t *Template) launches() bool {
	return tuning.On(tuning.Launcher) && !t.Python && !t.Network && t.Resources.PIDs >= 32 && t.Resources.OpenFiles >= 64
}

// argv starts the runner, which loads some of its parts before it is ready.
func (t *Template) argv(parts string) []string {
	return append([]string{t.image.Python, layout.RunnerFile, parts}, t.Preload.Names()...)
}

func digest(words []string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:])
}

func randomID() string { return strings.ToLower(rand.Text()) }
