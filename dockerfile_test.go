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

// storing takes blobs, and keeps the task that was submitted.
type storing struct {
	api.Service
	blobs int
	task  *api.Task
}

var errEnough = errors.New("enough")

func (s *storing) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	s.blobs++
	n, err := io.Copy(io.Discard, r)
	return "digest", n, err
}

func (s *storing) Submit(_ context.Context, sub api.Submission) (*api.Run, error) {
	s.task = sub.Task
	return nil, errEnough
}

// A Dockerfile of this host goes to the engine with its directory.
func TestDockerfileOfThisHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Dockerfile")
	if err := os.WriteFile(path, []byte("FROM scratch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &storing{}
	_, err := New(s, nil).Start(t.Context(), Sandbox{Command: []string{"x"}, Image: Image{Ref: path}}, nil)
	if !errors.Is(err, errEnough) || s.blobs != 1 {
		t.Fatalf("%v, %d blobs", err, s.blobs)
	}
	if got := s.task.Image; got.Ref != "" || got.Dockerfile != "FROM scratch\n" || got.Context != "digest" {
		t.Errorf("image %+v", got)
	}
}
