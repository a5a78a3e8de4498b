package image

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
)

// mount is what one RUN sees beside the files of its stage, and no layer has.
type mount struct {
	dockerfile.Mount
	dir    string         // with a file system of its own in the cell
	shown  *copier.Copier // the files of a bind
	digest string         // of these
	secret []byte         // nil if none was given
	cache  string         // the file of a cache in the store
}

// mounts makes the mounts of a program ready.
func (s *dockerStage) mounts(ctx context.Context, run *dockerfile.Run) ([]*mount, error) {
	var out []*mount
	for _, described := range run.Mounts {
		m := &mount{Mount: described}
		var err error
		switch m.Kind {
		case dockerfile.MountTmpfs:
			m.dir = m.Target
		case dockerfile.MountCache:
			m.dir, m.cache = m.Target, s.cacheName(m.ID)
		case dockerfile.MountBind:
			err = s.bind(ctx, m)
		case dockerfile.MountSecret:
			err = s.secretOf(ctx, m)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// bind takes the files that a mount shows: a directory, or one file.
func (s *dockerStage) bind(ctx context.Context, m *mount) error {
	from, err := s.source(ctx, m.From)
	if err != nil {
		return err
	}
	at, err := copier.Follow(from, m.Source)
	if err != nil {
		return copyFailed(err)
	}
	info, err := from.Lstat(firstOf(at, "."))
	if err != nil {
		return api.Errorf(api.BuildFailed, "--mount=type=bind: there is no %q", m.Source)
	}
	m.shown = copier.New(copier.Empty())
	if info.IsDir() {
		m.dir = m.Target
		err = m.shown.Tree(from, at, copier.Options{Dest: "/"})
	} else {
		err = m.shown.File(from, at, copier.Options{Dest: "/" + path.Base(m.Target)})
	}
	if err != nil {
		return copyFailed(err)
	}
	sum := sha256.New()
	if err := m.shown.Write(ctx, sum, time.Time{}); err != nil {
		return copyFailed(err)
	}
	m.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// secretOf reads a secret that the spec gives to the build.
func (s *dockerStage) secretOf(ctx context.Context, m *mount) error {
	stored, ok := s.order.secrets[m.ID]
	if !ok && m.Required {
		return api.Errorf(api.SecretNotFound, "the build needs the secret %q, and was given none of that id", m.ID).
			WithHint("name a stored secret: --build-secret %s=NAME", m.ID).
			WithDetails(api.Details{Field: "image.build_secrets", Expected: m.ID})
	}
	if !ok {
		return nil
	}
	value, err := s.s.secret(stored)
	if err != nil {
		return err
	}
	m.secret = append([]byte{}, value...)
	if m.Target == "" {
		return nil
	}
	t, err := s.tree(ctx)
	if err == nil && !exists(t, path.Dir(m.Target)) {
		m.dir = path.Dir(m.Target)
	}
	return err
}

// before puts into the cell what the mount shows.
func (m *mount) before(ctx context.Context, c *stepCell) error {
	switch {
	case m.Kind == dockerfile.MountCache:
		return c.fillCache(ctx, m)
	case m.shown != nil && m.dir != "":
		return c.putTree(ctx, m.Target, m.shown)
	case m.shown != nil:
		return c.putTree(ctx, path.Dir(m.Target), m.shown)
	case m.secret != nil && m.Target != "":
		h := &tar.Header{Typeflag: tar.TypeReg, Name: path.Base(m.Target), Mode: m.Mode, Uid: m.UID, Gid: m.GID, Size: int64(len(m.secret))}
		return c.Put(ctx, path.Dir(m.Target), func(w *tar.Writer) error {
			if err := w.WriteHeader(h); err != nil {
				return err
			}
			_, err := w.Write(m.secret)
			return err
		})
	}
	return nil
}

// after keeps what a cache holds now.
func (m *mount) after(ctx context.Context, c *stepCell) error {
	if m.Kind != dockerfile.MountCache {
		return nil
	}
	return c.keepCache(ctx, m)
}

// putTree puts the files of a copier below a directory of the cell.
func (c *stepCell) putTree(ctx context.Context, dir string, files *copier.Copier) error {
	r, w := io.Pipe()
	go func() { w.CloseWithError(files.Write(ctx, w, time.Time{})) }()
	err := c.Put(ctx, dir, func(to *tar.Writer) error { return copyTar(to, tar.NewReader(r)) })
	r.CloseWithError(io.ErrClosedPipe)
	return err
}

// copyTar copies what can be put into a cell: files, directories and links.
func copyTar(to *tar.Writer, from *tar.Reader) error {
	for {
		h, err := from.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir && h.Typeflag != tar.TypeSymlink {
			continue
		}
		if err := to.WriteHeader(h); err != nil {
			return err
		}
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
	}
}

// nothing is the content of a directory that only has to be there.
func nothing(*tar.Writer) error { return nil }
