// Package buildcontext takes a Dockerfile and the directory around it from this
// host to an engine, which may be elsewhere: it turns an image spec that names a
// Dockerfile by its path into one that has its text, and its build context as a
// stored tar. A compose file names one in turn, and says what to do in the cell.
// The engine then needs no path of this host.
package buildcontext

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/compose"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// Store keeps bytes by their digest; api.Service does.
type Store interface {
	PutBlob(ctx context.Context, r io.Reader) (digest string, size int64, err error)
}

// Names reports whether a reference to an image is the path of a Dockerfile:
// Dockerfile or Containerfile, also as the beginning or the end of a name.
func Names(ref string) bool {
	path, ok := api.ImagePath(ref)
	if !ok || path != ref {
		return false
	}
	name := strings.ToLower(filepath.Base(path))
	for _, word := range []string{"dockerfile", "containerfile"} {
		if name == word || strings.HasPrefix(name, word+".") || strings.HasSuffix(name, "."+word) {
			return true
		}
	}
	return false
}

// Take fills in a spec whose Ref names a Dockerfile, or a compose file, of which it
// takes the image and nothing else. Any other is left as it is.
func Take(ctx context.Context, store Store, spec api.ImageSpec) (api.ImageSpec, error) {
	spec, _, err := fill(ctx, store, spec)
	return spec, err
}

// TakeAll fills in the images of a task and of its tools, with what a compose
// file says of the program.
func TakeAll(ctx context.Context, store Store, task *api.Task) error {
	image, service, err := fill(ctx, store, task.Image)
	if err != nil {
		return err
	}
	if service != nil {
		if err := run(service, task); err != nil {
			return err
		}
	}
	task.Image = image
	if task.Codegen != nil {
		if task.Codegen.AgentImage, err = Take(ctx, store, task.Codegen.AgentImage); err != nil {
			return err
		}
	}
	for _, tool := range task.Callable() {
		if err := TakeAll(ctx, store, tool); err != nil {
			return err
		}
	}
	return nil
}

// TakeSession fills in the image of a session, with what a compose file says of
// its commands.
func TakeSession(ctx context.Context, store Store, spec *api.SessionSpec) error {
	image, service, err := fill(ctx, store, spec.Image)
	if err != nil {
		return err
	}
	if service != nil {
		if err := keep(service, spec); err != nil {
			return err
		}
	}
	spec.Image = image
	return nil
}

// fill returns the service too, if there is one.
func fill(ctx context.Context, store Store, spec api.ImageSpec) (api.ImageSpec, *compose.Service, error) {
	switch {
	case Names(spec.Ref):
		path := spec.Ref
		spec.Ref = ""
		spec, err := takeDockerfile(ctx, store, spec, path)
		return spec, nil, err
	case compose.Names(spec.Ref):
		return takeService(ctx, store, spec)
	}
	return spec, nil, nil
}

func takeDockerfile(ctx context.Context, store Store, spec api.ImageSpec, path string) (api.ImageSpec, error) {
	text, err := readText(path, regular.Host{})
	if err != nil {
		return spec, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return spec, unreadable(path, err)
	}
	defer root.Close()
	spec.Dockerfile = text
	spec.Context, err = put(ctx, store, root, filepath.Base(path))
	return spec, err
}

// maxText bounds a Dockerfile, in bytes; the engine has a bound of its own.
const maxText = 1 << 20

func readText(path string, from regular.From) (string, error) {
	f, err := regular.Open(from, path)
	if err != nil {
		return "", unreadable(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxText))
	if err != nil {
		return "", unreadable(path, err)
	}
	if len(text) == 0 {
		return "", api.Errorf(api.InvalidTask, "%s is empty", path).WithDetails(api.Details{Field: "image", Got: path, Expected: "a Dockerfile"})
	}
	return string(text), nil
}

func unreadable(path string, err error) error {
	return api.Errorf(api.ImageNotFound, "read the Dockerfile %s: %w", path, err).WithDetails(api.Details{Field: "image", Got: path})
}

// put stores the directory root as the context of a Dockerfile in it, and
// returns its digest.
func put(ctx context.Context, store Store, root *os.Root, dockerfile string) (string, error) {
	ignored, err := readIgnored(root, dockerfile)
	if err != nil {
		return "", err
	}
	r, w := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := pack(ctx, root, ignored, w)
		packed <- err
		w.CloseWithError(err)
	}()
	digest, _, err := store.PutBlob(ctx, r)
	r.CloseWithError(io.ErrClosedPipe)
	if own := <-packed; own != nil && !errors.Is(own, io.ErrClosedPipe) {
		return "", own
	}
	return digest, err
}
