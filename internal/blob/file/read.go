package file

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Open is part of blob.Store.
func (s *Store) Open(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return nil, 0, err
	}
	f, err := os.OpenFile(s.path(digest), safeRead, 0)
	if err != nil {
		return nil, 0, readError(digest, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = damaged(digest)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return &reader{ctx: ctx, file: f, digest: digest, size: info.Size(), left: info.Size(), sum: sha256.New()}, info.Size(), nil
}

// reader reads a blob and verifies it, unless a part of it was left out. It
// reports damage together with the last byte, so that it cannot be missed by who
// reads no further than the size.
type reader struct {
	ctx    context.Context
	file   *os.File
	digest string
	size   int64
	left   int64
	sum    hash.Hash // of what was read; nil if that is not all from the beginning
	err    error     // final
}

// Seek implements io.Seeker. What is read of the middle is not verified.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	at, err := r.file.Seek(offset, whence)
	if err != nil {
		return at, fmt.Errorf("read blob %s: %w", r.digest, err)
	}
	r.left, r.sum, r.err = max(r.size-at, 0), nil, nil
	if at == 0 {
		r.sum = sha256.New()
	}
	return at, nil
}

func (r *reader) Read(p []byte) (int, error) {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err != nil {
		return 0, r.err
	}
	if len(p) == 0 && r.left > 0 {
		return 0, nil
	}
	n, err := r.file.Read(p[:min(int64(len(p)), r.left)])
	if r.sum != nil {
		r.sum.Write(p[:n])
	}
	r.left -= int64(n)
	r.err = r.judge(err)
	if r.err == io.EOF && n > 0 {
		return n, nil
	}
	return n, r.err
}

// judge turns the error of a read into that of the reader.
func (r *reader) judge(err error) error {
	switch {
	case err != nil && err != io.EOF:
		return fmt.Errorf("read blob %s: %w", r.digest, err)
	case r.left > 0 && err == nil:
		return nil
	case r.left > 0 || r.sum != nil && hex.EncodeToString(r.sum.Sum(nil)) != r.digest:
		return damaged(r.digest)
	}
	return io.EOF
}

func (r *reader) Close() error { return r.file.Close() }

// Export is part of blob.Store. The bytes are verified first: another name of
// the stored file gives who can write to it a way to damage it, and the damage
// must not travel.
func (s *Store) Export(ctx context.Context, digest, path string, executable bool) error {
	if executable { // a file has one mode under all its names
		return s.copyTo(ctx, digest, path, 0o555)
	}
	r, _, err := s.Open(ctx, digest)
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	err = os.Link(s.path(digest), path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return taken(path)
	}
	return s.copyTo(ctx, digest, path, 0o444)
}

// copyTo makes a file of its own, for another file system or another mode.
func (s *Store) copyTo(ctx context.Context, digest, path string, mode fs.FileMode) error {
	r, _, err := s.Open(ctx, digest)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err != nil {
		return diskError("export blob "+digest, err)
	}
	_, err = io.Copy(writeOnly{f}, r)
	if err := errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		os.Remove(path)
		return diskError("export blob "+digest, err)
	}
	return nil
}

func taken(path string) error {
	return api.Errorf(api.Conflict, "%.200q is there already", path).
		WithDetails(api.Details{Got: path, Expected: "a path that is free"})
}
