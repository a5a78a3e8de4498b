package sandbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// sort is everything of a run that counts before the run has its cell. Cells
// that were prepared for equal sorts are as good as each other; whatever else a
// run wants comes to it with its job.
type sort struct {
	Image     string        `json:"image"`
	ImageName string        `json:"image_name"`
	Resources api.Resources `json:"resources"`
	Network   bool          `json:"network"` // whether the guest offers its proxy
	Python    bool          `json:"python"`  // whether an interpreter waits
	Preload   []string      `json:"preload"`
	Variables string        `json:"variables"` // the digest of env

	image *Image
	env   []string // of the interpreter when it starts
}

func newSort(image *Image, task *api.Task, env environment) *sort {
	s := &sort{
		Image: image.ID, ImageName: image.Name, Resources: task.Resources.WithDefaults(),
		Network: !task.Network.None() || task.StartsRuns, Python: isPython(task.Mode()), image: image,
	}
	if s.Python {
		s.Preload, s.env = task.Preload, env.list()
		s.Variables = digest(s.env)
	}
	return s
}

func isPython(m api.Mode) bool { return m == api.AutoIO || m == api.Verbatim }

// key names the sort. It is its JSON, so that a list of keys can be read.
func (s *sort) key() string {
	text, _ := json.Marshal(s) // strings and finite numbers
	return string(text)
}

func (s *sort) spec(id string) cell.Spec {
	return cell.Spec{ID: id, RootFS: s.image.RootFS, Resources: s.Resources, Proxy: s.Network}
}

// argv starts the runner, which loads some of its parts before it is ready.
func (s *sort) argv(parts string) []string {
	return append([]string{s.image.Python, runnerFile, parts}, s.Preload...)
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
