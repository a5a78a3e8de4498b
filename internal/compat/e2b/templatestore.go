package e2b

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// templateStore keeps the templates that clients made. It is safe for concurrent
// use.
type templateStore struct {
	path string // of the file that has them; empty keeps them in memory

	mu   sync.Mutex
	kept keptTemplates
}

// keptTemplates is what the file has.
type keptTemplates struct {
	Templates map[string]*template `json:"templates"` // by id
	Files     map[string]string    `json:"files"`     // uploads: blobs by the hash that their client made
}

// template is what sandboxes can be made of, in the versions that were built.
type template struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Tags   map[string]string `json:"tags"` // ids of builds
	Builds map[string]*build `json:"builds"`
}

// build is one version of a template.
type build struct {
	ID      string      `json:"id"`
	Created time.Time   `json:"created"`
	Status  string      `json:"status"`
	Reason  *failReason `json:"reason,omitempty"`
	CPU     int         `json:"cpu,omitempty"`
	Memory  int64       `json:"memory,omitempty"` // bytes
	Tags    []string    `json:"tags"`             // that it gets when it is ready
	Recipe  recipe      `json:"recipe"`
	logs    []logLine
}

type failReason struct {
	Message string `json:"message"`
	Step    string `json:"step,omitempty"`
}

// The states of a build.
const (
	buildWaiting  = "waiting"
	buildBuilding = "building"
	buildReady    = "ready"
	buildError    = "error"
)

// openTemplates reads a file of templates. Builds that were under way when it was
// written have ended with that server.
func openTemplates(path string) (*templateStore, error) {
	kept, err := readTemplates(path)
	if err != nil {
		return nil, err
	}
	s := &templateStore{path: path, kept: kept}
	if s.kept.Templates == nil {
		s.kept.Templates = map[string]*template{}
	}
	if s.kept.Files == nil {
		s.kept.Files = map[string]string{}
	}
	for _, t := range s.kept.Templates {
		for _, b := range t.Builds {
			if b.Status == buildBuilding || b.Status == buildWaiting {
				b.Status, b.Reason = buildError, &failReason{Message: "the server stopped meanwhile"}
			}
		}
	}
	return s, nil
}

// readTemplates reads a file of templates, which may not be there.
func readTemplates(path string) (kept keptTemplates, err error) {
	text, err := os.ReadFile(path)
	switch {
	case path == "" || errors.Is(err, fs.ErrNotExist):
		return kept, nil
	case err == nil:
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return kept, api.Errorf(api.Internal, "read the templates of E2B's clients: %w", err)
	}
	return kept, nil
}

// change changes the store and writes it, unless f fails.
func (s *templateStore) change(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := f(); err != nil || s.path == "" {
		return err
	}
	text, err := json.Marshal(s.kept)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(s.path), ".templates-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), s.path)
}

// look calls f with a template and one of its builds, by what a client calls it:
// NAME, NAME:TAG or the id. It reports whether there is one.
func (s *templateStore) look(ref string, f func(*template, *build)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, tag := splitTag(ref)
	t := s.named(name)
	if t == nil {
		return false
	}
	b := t.Builds[t.Tags[tag]]
	f(t, b)
	return true
}

// named finds a template by its name or id. The caller holds mu.
func (s *templateStore) named(name string) *template {
	if t := s.kept.Templates[name]; t != nil {
		return t
	}
	for _, t := range s.kept.Templates {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// all returns the templates, the newest first. The caller holds mu.
func (s *templateStore) all() []*template {
	return slices.SortedFunc(maps.Values(s.kept.Templates), func(a, b *template) int {
		return cmp.Or(b.newest().Compare(a.newest()), strings.Compare(a.ID, b.ID))
	})
}

func (t *template) newest() (at time.Time) {
	for _, b := range t.Builds {
		if b.Created.After(at) {
			at = b.Created
		}
	}
	return at
}

// splitTag splits NAME:TAG; without a tag it is that of builds without one.
func splitTag(ref string) (name, tag string) {
	name, tag, ok := strings.Cut(ref, ":")
	if !ok || tag == "" {
		tag = defaultTag[1:]
	}
	return name, tag
}
