package client

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/value"
)

// resultStore is the directory in which the files of results lie.
type resultStore struct {
	mu  sync.Mutex
	dir string // empty until it is needed
	own bool   // made here, and removed with the client
}

// path returns the directory, and makes it if it is not there.
func (s *resultStore) path() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return s.dir, os.MkdirAll(s.dir, 0o700)
	}
	dir, err := os.MkdirTemp("", "glovebox-results-")
	if err == nil {
		s.dir = dir
	}
	return dir, err
}

// remove deletes the directory if it was made here.
func (s *resultStore) remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.own || s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// download fetches what the outputs of a result name, and makes their paths
// those of this host.
func (c *Client) download(ctx context.Context, r *api.Result) error {
	for i := range r.Outputs {
		o := &r.Outputs[i]
		d := downloader{client: c, ctx: ctx, run: r.RunID, output: o.Name}
		v, err := value.MapFiles(o.Value, d.fetch)
		if err != nil {
			return err
		}
		o.Value = v
	}
	return nil
}

// downloader fetches the files of one output: the first to DIR/RUN/OUTPUT/0/NAME,
// with the name that it has, and so on.
type downloader struct {
	client *Client
	ctx    context.Context
	run    string
	output string
	count  int
}

func (d *downloader) fetch(file any) (any, error) {
	ref, _ := value.RefOf(file)
	path, err := d.place(ref.Path)
	if err != nil {
		return nil, err
	}
	if tree, ok := file.(value.Dir); ok {
		err = d.dir(tree, path)
	} else {
		err = d.file(ref.SHA256, path)
	}
	ref.Path = path
	return ref.In(file), err
}

// place returns the next path, below a directory that is there. The names come
// from the server: they must stay names.
func (d *downloader) place(name string) (string, error) {
	for _, name := range []string{d.run, d.output, name} {
		if err := api.CheckName(name, false); err != nil {
			return "", d.client.unavailable("answered with a name that is none", err)
		}
		if _, err := filepath.Localize(name); err != nil {
			return "", api.Errorf(api.InvalidInput, "the result has a file %q, a name that cannot exist on %s", name, runtime.GOOS).
				WithHint("rename the output, or get its bytes from another system")
		}
	}
	dir, err := d.client.store.path()
	if err != nil {
		return "", hostError("there is no place for the files of results", err)
	}
	path := filepath.Join(dir, d.run, d.output, strconv.Itoa(d.count), name)
	d.count++
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", hostError("there is no place for the files of results", err)
	}
	return path, nil
}

// file puts a blob to path as a whole, in place of what was there.
func (d *downloader) file(digest, path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".download-")
	if err != nil {
		return hostError("the file of a result cannot be made", err)
	}
	defer os.Remove(f.Name()) // of no effect once it has its name
	err = d.copy(digest, f)
	if closing := f.Close(); err == nil && closing != nil {
		err = hostError("the file of a result cannot be written", closing)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return hostError("the file of a result cannot be put in its place", err)
	}
	return nil
}

// copy writes a blob to f, from the beginning again if the server goes away in
// the middle.
func (d *downloader) copy(digest string, f *os.File) error {
	for p := d.client.newPatience(); ; {
		err := d.copyOnce(digest, f, p)
		if err == nil {
			return nil
		}
		if err := p.pause(d.ctx, err); err != nil {
			return err
		}
	}
}

func (d *downloader) copyOnce(digest string, f *os.File, p *patience) error {
	if err := errors.Join(f.Truncate(0), rewind(f)); err != nil {
		return hostError("the file of a result cannot be written", err)
	}
	r, _, err := d.client.OpenBlob(d.ctx, digest)
	if err != nil {
		return err
	}
	defer r.Close()
	p.answered()
	if _, err = io.Copy(f, r); err != nil {
		return hostError("the file of a result cannot be written", err)
	}
	return nil
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// dir puts a tree to path, in place of what was there.
func (d *downloader) dir(v value.Dir, path string) error {
	fresh, err := os.MkdirTemp(filepath.Dir(path), ".download-")
	if err != nil {
		return hostError("the directory of a result cannot be made", err)
	}
	defer os.RemoveAll(fresh)
	if err := d.client.ExportTree(d.ctx, v, filepath.Join(fresh, "new")); err != nil {
		return err
	}
	d.client.store.mu.Lock() // others may be about to put the same tree there
	defer d.client.store.mu.Unlock()
	err = os.Rename(path, filepath.Join(fresh, "old"))
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = os.Rename(filepath.Join(fresh, "new"), path)
	}
	if err != nil {
		return hostError("the directory of a result cannot be put in its place", err)
	}
	return nil
}

// hostError is the error of a disk of this host, unless err is one of ours.
func hostError(what string, err error) error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e
	case disk.Full(err):
		return api.Errorf(api.StorageFull, "%s: %w", what, err)
	}
	return api.Errorf(api.Internal, "%s: %w", what, err).WithHint("check the directory of the results")
}
