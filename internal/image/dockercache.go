package image

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// The bounds of the directory of a cache mount. A larger one is not kept.
const (
	maxCacheBytes = 4 << 30
	maxCacheFiles = 200_000
	cacheAge      = 14 * 24 * time.Hour // unused for longer, it is removed
)

// cacheName is the file of a cache. Builds of one name share it, and without a
// name those of one Dockerfile: a program that fills a cache must not reach the
// image of somebody else.
func (s *dockerStage) cacheName(id string) string {
	whose := []string{"named", s.order.name}
	if s.order.name == s.order.spec.DefaultName() {
		whose = []string{"text", s.order.spec.Dockerfile}
	}
	return digestJSON([]any{whose, id, s.order.spec.Platform}) + ".tar"
}

// fillCache gives a cache mount what earlier builds left in it.
func (c *stepCell) fillCache(ctx context.Context, m *mount) error {
	top := &tar.Header{Typeflag: tar.TypeDir, Name: path.Base(m.Target) + "/", Mode: m.Mode, Uid: m.UID, Gid: m.GID}
	err := c.Put(ctx, path.Dir(m.Target), func(w *tar.Writer) error { return w.WriteHeader(top) })
	if err != nil {
		return err
	}
	f, err := os.Open(c.b.s.store.path("caches", m.cache))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storageError("read a build cache", err)
	}
	defer f.Close()
	return c.Put(ctx, path.Dir(m.Target), func(w *tar.Writer) error { return copyTar(w, tar.NewReader(f)) })
}

// keepCache takes what a cache mount holds out of the cell.
func (c *stepCell) keepCache(ctx context.Context, m *mount) error {
	f, err := os.CreateTemp(filepath.Join(c.b.s.store.dir, "tmp"), "cache-*")
	if err != nil {
		return storageError("keep a build cache", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w := tar.NewWriter(f)
	limits := cell.GetLimits{Bytes: maxCacheBytes, Files: maxCacheFiles}
	err = c.Get(ctx, path.Dir(m.Target), []string{path.Base(m.Target)}, limits, func(h *tar.Header, r io.Reader) error {
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := io.Copy(w, r)
		return err
	})
	if api.AsError(err) != nil && errors.Is(err, &api.Error{Code: api.OutputTooLarge}) {
		c.b.progress(api.Progress{Stage: "build", Message: "the cache " + m.ID + " is too large to keep"})
		return nil
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	return c.b.s.store.publish(f, c.b.s.store.path("caches", m.cache))
}

// collectCaches removes the caches that no build has used for long.
func (s *store) collectCaches() error {
	return s.each("caches", func(name string) error {
		info, err := os.Stat(s.path("caches", name))
		if err != nil || time.Since(info.ModTime()) < cacheAge {
			return nil
		}
		return removeFile(s.path("caches", name))
	})
}
