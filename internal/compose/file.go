// Package compose reads compose files that have one service, as far as a cell
// has a place for what they say. The rest is refused by its name, or has a row in
// a table of what means nothing here.
//
// A file may come with code that nobody reviewed. So it opens nothing outside of
// its own directory, and takes the variables of the caller that it names.
package compose

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// Service is what a file says of its one service.
type Service struct {
	Path       string // of the file
	Image      string // a reference into a registry; empty if there is Build
	Build      *Build
	Command    []string
	Entrypoint []string
	Env        map[string]string
	Dir, User  string
}

// Build says how its image is made. Paths are local to the directory of the file.
type Build struct {
	Context    string
	Dockerfile string // below Context
	Inline     string // the text of a Dockerfile, in place of one
	Target     string
	Args       map[string]string
}

// Names reports whether a reference to an image is the path of a compose file:
// compose.yaml or docker-compose.yaml, also .yml, and with more words before that.
func Names(ref string) bool {
	path, ok := api.ImagePath(ref)
	if !ok || path != ref {
		return false
	}
	name := strings.ToLower(filepath.Base(path))
	ext := filepath.Ext(name)
	word, _, _ := strings.Cut(name, ".")
	return (ext == ".yaml" || ext == ".yml") && (word == "compose" || word == "docker-compose")
}

// Lookup finds the value of a variable, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// Read reads the file at path. Variables are those of lookup, and below those
// the ones of a file .env beside it. Errors are *api.Error.
func Read(path string, lookup Lookup) (*Service, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer root.Close()
	text, err := readText(root, filepath.Base(path), yamlfile.MaxSize+1)
	if err != nil {
		return nil, unreadable(path, err)
	}
	r := &reader{Reader: &yamlfile.Reader{Path: path, Text: text, Hints: hints}, root: root, lookup: lookup}
	if err := r.readDotEnv(); err != nil {
		return nil, err
	}
	tree, err := r.Tree()
	if err != nil {
		return nil, err
	}
	service := r.file(tree)
	if r.Err != nil {
		return nil, r.Err
	}
	return service, nil
}

var hints = yamlfile.Hints{
	Empty:  "describe one service under services: {NAME: {...}}",
	Large:  "leave out what the one service does not need",
	Shared: "write the value out; docker compose config does it",
}

func unreadable(path string, err error) error {
	return api.Errorf(api.ImageNotFound, "read the compose file %s: %w", path, err).WithDetails(api.Details{Field: "image", Got: path})
}

// readText reads at most limit bytes of a regular file.
func readText(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := regular.Open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// reader turns the tree of a file into its service.
type reader struct {
	*yamlfile.Reader
	root   *os.Root // the directory of the file, which no path leads out of
	lookup Lookup
	work   int // for variables, up to maxWork
}

// readDotEnv puts the variables of a file .env below those of the caller.
func (r *reader) readDotEnv() error {
	caller := r.lookup
	text, err := readText(r.root, dotEnv, maxEnvFile+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unreadable(filepath.Join(filepath.Dir(r.Path), dotEnv), err)
	}
	more, err := parseEnvFile(text, caller)
	if err != nil {
		return api.Errorf(api.InvalidTask, "%s beside %s: %w", dotEnv, r.Path, err).WithDetails(api.Details{Field: dotEnv})
	}
	r.lookup = func(name string) (string, bool) {
		if v, ok := caller(name); ok {
			return v, true
		}
		v, ok := more[name]
		return v, ok
	}
	return nil
}

const dotEnv = ".env"

// file reads the top of the tree.
func (r *reader) file(tree yamlfile.Node) *Service {
	var services []yamlfile.Pair
	known := yamlfile.Fields{"services": func(n yamlfile.Node) { services = r.Pairs(n, "services") }}
	r.ObjectOf(r.supported(tree, "a compose file", topLevel), "a compose file", known)
	if r.Err == nil && len(services) == 0 {
		r.Fail(tree, "the file has no service").WithHint("%s", hints.Empty)
	}
	if len(services) > 1 {
		r.Fail(services[1].At, "the file has %d services: one cell stands for one service", len(services)).
			WithHint("make a file with the one that is to run here, and run the others in cells of their own")
	}
	if r.Err != nil {
		return nil
	}
	return r.service(services[0].Value)
}
