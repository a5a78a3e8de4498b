package file

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Put is part of blob.Store.
func (s *Store) Put(ctx context.Context, r io.Reader, limit int64) (blob.Ref, error) {
	f, err := s.create()
	if err != nil {
		return blob.Ref{}, err
	}
	defer f.drop()
	sum := newMeter(ctx, r, limit)
	if _, err := io.Copy(writeOnly{f.File}, sum); err != nil {
		return blob.Ref{}, diskError("store a blob", err)
	}
	return s.commit(f, sum.ref())
}

// unfinished is a file of the temporary directory.
type unfinished struct {
	*os.File
	path string
}

func (s *Store) create() (*unfinished, error) {
	f, err := os.CreateTemp(filepath.Join(s.dir, temporary), "")
	if err != nil {
		return nil, diskError("store a blob", err)
	}
	return &unfinished{File: f, path: f.Name()}, nil
}

// drop closes the file, and removes it unless it has become a blob.
func (u *unfinished) drop() {
	u.Close()
	os.Remove(u.path)
}

// commit makes a complete file the blob of that content. It takes the place of
// one that is there: it is certain to be sound, and it is new, so that what
// deletes old blobs leaves it alone.
func (s *Store) commit(f *unfinished, ref blob.Ref) (blob.Ref, error) {
	doing := "store blob " + ref.Digest
	now := time.Now()
	if err := errors.Join(f.Chmod(0o444), os.Chtimes(f.path, now, now), f.Sync()); err != nil {
		return blob.Ref{}, diskError(doing, err)
	}
	if err := s.settle(ref.Digest); err != nil {
		return blob.Ref{}, diskError(doing, err)
	}
	path := s.path(ref.Digest)
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return blob.Ref{}, fmt.Errorf("%s is a directory: %w", path, blob.ErrCorrupt)
	}
	if err := errors.Join(os.Rename(f.path, path), syncDir(filepath.Dir(path))); err != nil {
		return blob.Ref{}, diskError(doing, err)
	}
	return ref, nil
}

// Import is part of blob.Store.
func (s *Store) Import(ctx context.Context, path string, move bool) (blob.Ref, error) {
	src, err := openSource(path)
	if err != nil {
		return blob.Ref{}, err
	}
	defer src.Close()
	if ref, ok, err := s.known(ctx, src); ok || err != nil {
		return ref, err
	}
	f, err := s.take(ctx, src, move)
	if err != nil {
		return blob.Ref{}, err
	}
	defer f.drop()
	// The hashed bytes are the kept bytes, even if the source changed
	// meanwhile.
	sum := newMeter(ctx, src.bounded(f), 0)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		return blob.Ref{}, diskError("import "+path, err)
	}
	if err := src.unchanged(sum.size); err != nil {
		return blob.Ref{}, err
	}
	return s.commit(f, sum.ref())
}

// known finds out whether src is another name of a blob that is there, as an
// exported file is; then there is nothing to copy.
func (s *Store) known(ctx context.Context, src *source) (blob.Ref, bool, error) {
	if src.alone() {
		return blob.Ref{}, false, nil
	}
	sum := newMeter(ctx, src.bounded(src), 0)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		return blob.Ref{}, false, diskError("import "+src.path, err)
	}
	if err := rewind(src.File); err != nil {
		return blob.Ref{}, false, diskError("import "+src.path, err)
	}
	path, now := s.path(sum.ref().Digest), time.Now()
	if !src.is(path) || src.unchanged(sum.size) != nil {
		return blob.Ref{}, false, nil
	}
	// It counts as put again, unless somebody removes it at this moment.
	if err := os.Chtimes(path, now, now); err != nil || !src.is(path) {
		return blob.Ref{}, false, nil
	}
	return sum.ref(), true, nil
}

// take makes a file of the store out of src: by another name for it if it may
// be moved, else by a copy. What another user owns, or what has yet another
// name, could be changed behind the back of the store.
func (s *Store) take(ctx context.Context, src *source, move bool) (*unfinished, error) {
	f, err := s.create()
	if err != nil {
		return nil, err
	}
	if move && src.alone() && src.ours() && s.link(src, f) {
		return f, nil
	}
	if err := errors.Join(src.copyTo(ctx, f.File), rewind(f.File)); err != nil {
		f.drop()
		return nil, diskError("import "+src.path, err)
	}
	return f, nil
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// link puts another name of src in the place of f, and reports whether it
// could.
func (s *Store) link(src *source, f *unfinished) bool {
	linked := f.path + "-link"
	if os.Link(src.path, linked) != nil {
		return false
	}
	if !src.is(linked) || os.Rename(linked, f.path) != nil {
		os.Remove(linked)
		return false
	}
	g, err := os.OpenFile(f.path, safeRead, 0)
	if err != nil {
		return false
	}
	f.Close()
	f.File = g
	return true
}

// meter hashes and counts what is read through it.
type meter struct {
	ctx   context.Context
	r     io.Reader
	limit int64 // 0 for none
	sum   hash.Hash
	size  int64
}

func newMeter(ctx context.Context, r io.Reader, limit int64) *meter {
	return &meter{ctx: ctx, r: r, limit: limit, sum: sha256.New()}
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	m.sum.Write(p[:n])
	m.size += int64(n)
	if m.limit != 0 && m.size > m.limit {
		return 0, fmt.Errorf("more than %d bytes: %w", m.limit, blob.ErrTooLarge)
	}
	return n, err
}

func (m *meter) ref() blob.Ref {
	return blob.Ref{Digest: hex.EncodeToString(m.sum.Sum(nil)), Size: m.size}
}

// writeOnly hides that a file can read from a reader by itself, with a buffer
// of its own.
type writeOnly struct{ io.Writer }
