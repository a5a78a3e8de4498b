package glovebox

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// storing takes blobs, and keeps the image and the variables of what was asked for.
type storing struct {
	api.Service
	blobs int
	image Image
	env   map[string]string
}

var errEnough = errors.New("enough")

func (s *storing) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	s.blobs++
	n, err := io.Copy(io.Discard, r)
	return "digest", n, err
}

func (s *storing) Submit(_ context.Context, sub api.Submission) (*api.Run, error) {
	s.image, s.env = sub.Task.Image, sub.Task.Env
	return nil, errEnough
}

func (s *storing) NewSession(_ context.Context, spec api.SessionSpec) (*api.Session, error) {
	s.image, s.env = spec.Image, spec.Env
	return nil, errEnough
}

// askers ask for an image in every way that takes a path.
func askers(t *testing.T, path string) []func(g *Glovebox) error {
	return []func(g *Glovebox) error{
		func(g *Glovebox) error {
			_, err := g.Start(t.Context(), Sandbox{Command: []string{"x"}, Image: Image{Ref: path}}, nil)
			return err
		},
		func(g *Glovebox) error {
			_, err := g.NewSession(t.Context(), SessionSpec{Image: Image{Ref: path}})
			return err
		},
	}
}

// A Dockerfile of this host goes to the engine with its directory.
func TestDockerfileOfThisHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Dockerfile")
	if err := os.WriteFile(path, []byte("FROM scratch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ask := range askers(t, path) {
		s := &storing{}
		if err := ask(New(s, nil)); !errors.Is(err, errEnough) || s.blobs != 1 {
			t.Fatalf("%v, %d blobs", err, s.blobs)
		}
		if got := s.image; got.Ref != "" || got.Dockerfile != "FROM scratch\n" || got.Context != "digest" {
			t.Errorf("image %+v", got)
		}
	}
}

// A compose file of this host does too, with what it says of the program.
func TestComposeFileOfThisHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "compose.yaml")
	text := "services: {a: {build: {dockerfile_inline: FROM scratch}, environment: {A: b}}}"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ask := range askers(t, path) {
		s := &storing{}
		if err := ask(New(s, nil)); !errors.Is(err, errEnough) || s.blobs != 1 {
			t.Fatalf("%v, %d blobs", err, s.blobs)
		}
		if got := s.image; got.Ref != "" || got.Dockerfile != "FROM scratch" || got.Context != "digest" || s.env["A"] != "b" {
			t.Errorf("image %+v, variables %v", got, s.env)
		}
	}
}
