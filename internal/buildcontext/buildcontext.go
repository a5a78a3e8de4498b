// Package buildcontext takes a Dockerfile and the directory around it from this
// host to an engine, which may be elsewhere: it turns an image spec that names a
// Dockerfile by its path into one that has its text, and its build context as a
// stored tar. The engine then needs no path of this host.
package buildcontext

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
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

// Take fills in a spec whose Ref names a Dockerfile. Any other is left as it is.
func Take(ctx context.Context, store Store, spec api.ImageSpec) (api.ImageSpec, error) {
	if !Names(spec.Ref) {
		return spec, nil
	}
	path := spec.Ref
	text, err := readText(path)
	if err != nil {
		return spec, err
	}
	if text == "" {
		return spec, api.Errorf(api.InvalidTask, "%s is empty", path).WithDetails(api.Details{Field: "image", Got: path, Expected: "a Dockerfile"})
	}
	digest, err := put(ctx, store, path)
	if err != nil {
		return spec, err
	}
	spec.Ref, spec.Dockerfile, spec.Context = "", text, digest
	return spec, nil
}

// TakeAll fills in the images of a task and of its tools.
func TakeAll(ctx context.Context, store Store, task *api.Task) (err error) {
	if task.Image, err = Take(ctx, store, task.Image); err != nil || task.Orchestrator == nil {
		return err
	}
	for i := range task.Orchestrator.Tools {
		if err := TakeAll(ctx, store, &task.Orchestrator.Tools[i]); err != nil {
			return err
		}
	}
	return nil
}

// maxText bounds a Dockerfile, in bytes; the engine has a bound of its own.
const maxText = 1 << 20

func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", unreadable(path, errors.Join(err, errors.New("it is no regular file")))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxText))
	if err != nil {
		return "", unreadable(path, err)
	}
	return string(text), nil
}

func unreadable(path string, err error) error {
	return api.Errorf(api.ImageNotFound, "read the Dockerfile %s: %w", path, err).WithDetails(api.Details{Field: "image", Got: path})
}

// put stores the context of the Dockerfile at path, and returns its digest.
func put(ctx context.Context, store Store, path string) (string, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", unreadable(path, err)
	}
	defer root.Close()
	ignored, err := readIgnored(root, filepath.Base(path))
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
