package session

import (
	"context"
	"io"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
)

// place completes what a request says of a file by what its session says.
func (u *use) place(name string, o *api.FileOptions) string {
	spec := u.live.current().Spec
	if o.User == "" {
		o.User = spec.User
	}
	return inDir(spec.Dir, name)
}

// StatFile implements api.SessionFiles.
func (s *Service) StatFile(ctx context.Context, session, name string, o api.FileOptions) (*api.FileInfo, error) {
	return asked(ctx, s, session, func(u *use) (*api.FileInfo, error) {
		return u.cell().StatFile(u.ctx, u.place(name, &o), o)
	})
}

// ListFiles implements api.SessionFiles.
func (s *Service) ListFiles(ctx context.Context, session, name string, depth int, o api.FileOptions) ([]api.FileInfo, error) {
	return asked(ctx, s, session, func(u *use) ([]api.FileInfo, error) {
		return u.cell().ListFiles(u.ctx, u.place(name, &o), depth, o)
	})
}

// MakeDir implements api.SessionFiles.
func (s *Service) MakeDir(ctx context.Context, session, name string, o api.FileOptions) (*api.FileInfo, error) {
	return asked(ctx, s, session, func(u *use) (*api.FileInfo, error) {
		return u.cell().MakeDir(u.ctx, u.place(name, &o), o)
	})
}

// MoveFile implements api.SessionFiles.
func (s *Service) MoveFile(ctx context.Context, session, from, to string, o api.FileOptions) (*api.FileInfo, error) {
	return asked(ctx, s, session, func(u *use) (*api.FileInfo, error) {
		return u.cell().MoveFile(u.ctx, u.place(from, &o), u.place(to, &o), o)
	})
}

// RemoveFile implements api.SessionFiles.
func (s *Service) RemoveFile(ctx context.Context, session, name string, o api.FileOptions) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().RemoveFile(u.ctx, u.place(name, &o), o) })
}

// ReadFile implements api.SessionFiles. The session is in use until the reader is
// closed.
func (s *Service) ReadFile(ctx context.Context, session, name string, offset, limit int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	u, err := s.use(ctx, session, false)
	if err != nil {
		return nil, nil, err
	}
	r, info, err := u.cell().ReadFile(u.ctx, u.place(name, &o), offset, limit, o)
	if err != nil {
		defer u.leave()
		return nil, nil, u.explain(err)
	}
	return &reader{ReadCloser: r, use: u}, info, nil
}

// reader reads from a session, which it holds.
type reader struct {
	io.ReadCloser
	use *use
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = r.use.explain(err)
	}
	return n, err
}

// Close implements io.Closer.
func (r *reader) Close() error {
	err := r.ReadCloser.Close()
	r.use.leave()
	return err
}

// WriteFile implements api.SessionFiles.
func (s *Service) WriteFile(ctx context.Context, session, name string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	return asked(ctx, s, session, func(u *use) (*api.FileInfo, error) {
		return u.cell().WriteFile(u.ctx, u.place(name, &o.FileOptions), content, o)
	})
}

// DownloadTree implements api.SessionFiles. The session is in use until the reader
// is closed.
func (s *Service) DownloadTree(ctx context.Context, session, name string, o api.FileOptions) (io.ReadCloser, error) {
	u, err := s.use(ctx, session, false)
	if err != nil {
		return nil, err
	}
	r, err := u.cell().DownloadTree(u.ctx, u.place(name, &o), o)
	if err != nil {
		defer u.leave()
		return nil, u.explain(err)
	}
	return &reader{ReadCloser: r, use: u}, nil
}

// UploadTree implements api.SessionFiles.
func (s *Service) UploadTree(ctx context.Context, session, name string, archive io.Reader, o api.FileOptions) error {
	return s.do(ctx, session, func(u *use) error { return u.cell().UploadTree(u.ctx, u.place(name, &o), archive, o) })
}

// SessionUser implements api.SessionFiles.
func (s *Service) SessionUser(ctx context.Context, session, name string) (*api.User, error) {
	return asked(ctx, s, session, func(u *use) (*api.User, error) { return u.cell().User(u.ctx, name) })
}

// WatchFiles implements api.SessionFiles.
func (s *Service) WatchFiles(ctx context.Context, session, name string, recursive bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return func(yield func(api.FileEvent, error) bool) {
		u, err := s.use(ctx, session, true)
		if err != nil {
			yield(api.FileEvent{}, err)
			return
		}
		defer u.leave()
		for e, err := range u.cell().WatchFiles(u.ctx, u.place(name, &o), recursive, o) {
			if !yield(e, u.explain(err)) || err != nil {
				return
			}
		}
	}
}
