// Package file keeps blobs in a directory of this host. A blob with the digest
// abcd... is the read-only file ab/abcd...; what is being written lies in tmp
// until it is complete. Several processes may use the directory at once.
package file

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// safeRead never follows a link at the end of a path and never waits for the
// other end of a FIFO.
const safeRead = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// temporary is the directory of what is being written.
const temporary = "tmp"

// Store is a blob.Store.
type Store struct {
	dir string
	// settled are the directories of blobs, by the first byte of their digests,
	// that this process knows to survive a crash of the host.
	settled [256]atomic.Bool
}

var _ blob.Store = (*Store)(nil)

// Open makes dir if need be, private to the user. The directory above it must
// be there.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	if err := s.prepare(); err != nil {
		return nil, diskError("open the blobs in "+dir, err)
	}
	return s, nil
}

// OpenReadOnly leaves dir as it is: nothing can be written there.
func OpenReadOnly(dir string) *Store { return &Store{dir: dir} }

// prepare makes the directory and the temporary one, which comes last: where it
// is, the store has survived a sync. Directories of blobs are made with the
// first blob of each: most homes are short-lived, and never need most of them.
func (s *Store) prepare() error {
	if info, err := os.Lstat(filepath.Join(s.dir, temporary)); err == nil && info.IsDir() {
		return os.Chmod(s.dir, 0o700)
	}
	if err := mkdir(s.dir); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(s.dir)); err != nil {
		return err
	}
	return mkdir(filepath.Join(s.dir, temporary))
}

func mkdir(path string) error {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// settle makes the directory of a blob. One that is there already may have been
// made a moment ago by a process that has not yet synced it.
func (s *Store) settle(digest string) error {
	first, err := hex.DecodeString(digest[:2])
	if err != nil || s.settled[first[0]].Load() {
		return err
	}
	if err := mkdir(filepath.Join(s.dir, digest[:2])); err != nil {
		return err
	}
	if err := syncDir(s.dir); err != nil {
		return err
	}
	s.settled[first[0]].Store(true)
	return nil
}

// path is where a blob is. The digest must have been checked.
func (s *Store) path(digest string) string { return filepath.Join(s.dir, digest[:2], digest) }

// Stat is part of blob.Store.
func (s *Store) Stat(_ context.Context, digest string) (blob.Ref, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return blob.Ref{}, err
	}
	info, err := os.Lstat(s.path(digest))
	if err != nil {
		return blob.Ref{}, readError(digest, err)
	}
	if !info.Mode().IsRegular() {
		return blob.Ref{}, damaged(digest)
	}
	now := time.Now()
	if err := os.Chtimes(s.path(digest), now, now); err != nil {
		return blob.Ref{}, readError(digest, err)
	}
	// The file may have been moved aside before it had its new time, and then it
	// is gone, or after, and then it comes back.
	for range stillThere {
		if _, err = os.Lstat(s.path(digest)); err == nil {
			return blob.Ref{Digest: digest, Size: info.Size()}, nil
		}
		time.Sleep(time.Millisecond)
	}
	return blob.Ref{}, readError(digest, err)
}

// stillThere is how often a blob that RemoveOld has moved aside is looked for.
const stillThere = 5

// Remove is part of blob.Store. After a crash of the host the blob may be there
// again.
func (s *Store) Remove(_ context.Context, digest string) error {
	if err := blob.CheckDigest(digest); err != nil {
		return err
	}
	if err := os.Remove(s.path(digest)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError("remove blob "+digest, err)
	}
	return nil
}

// Sweep deletes what killed processes left unfinished, if it was begun before a time:
// until then, other processes may be at work.
func (s *Store) Sweep(ctx context.Context, before time.Time) error {
	for entry, err := range s.entries(ctx, temporary) {
		if err != nil {
			return err
		}
		if info, err := entry.Info(); err != nil || info.ModTime().After(before) {
			continue // it is gone, or may be in use
		}
		if err := os.RemoveAll(filepath.Join(s.dir, temporary, entry.Name())); err != nil {
			return diskError("remove an unfinished blob", err)
		}
	}
	return nil
}

// All is part of blob.Store.
func (s *Store) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for i := range 256 {
			if !s.shard(ctx, fmt.Sprintf("%02x", i), yield) {
				return
			}
		}
	}
}

// shard yields the blobs of one directory, and reports whether to go on.
func (s *Store) shard(ctx context.Context, name string, yield func(blob.Info, error) bool) bool {
	for entry, err := range s.entries(ctx, name) {
		if err != nil {
			yield(blob.Info{}, err)
			return false
		}
		if blob.CheckDigest(entry.Name()) != nil || entry.Name()[:2] != name || !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // removed since
			continue
		}
		if err != nil {
			yield(blob.Info{}, diskError("list the blobs", err))
			return false
		}
		ref := blob.Ref{Digest: entry.Name(), Size: info.Size()}
		if !yield(blob.Info{Ref: ref, Stored: info.ModTime()}, nil) {
			return false
		}
	}
	return true
}

// listed is how many names of a directory are held in memory at once.
const listed = 1000

// entries yields the entries of a directory of the store, and ends after an
// error.
func (s *Store) entries(ctx context.Context, name string) iter.Seq2[fs.DirEntry, error] {
	return func(yield func(fs.DirEntry, error) bool) {
		dir, err := os.Open(filepath.Join(s.dir, name))
		if errors.Is(err, fs.ErrNotExist) { // no blob was ever there
			return
		}
		if err != nil {
			yield(nil, diskError("list the blobs", err))
			return
		}
		defer dir.Close()
		for {
			some, err := dir.ReadDir(listed)
			if err == io.EOF {
				return
			}
			if err := cmp.Or(err, ctx.Err()); err != nil {
				yield(nil, diskError("list the blobs", err))
				return
			}
			for _, entry := range some {
				if !yield(entry, nil) {
					return
				}
			}
		}
	}
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// readError is the error of a blob that cannot be opened.
func readError(digest string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("blob %s: %w", digest, blob.ErrNotFound)
	case errors.Is(err, syscall.ELOOP):
		return damaged(digest)
	}
	return diskError("read blob "+digest, err)
}

func damaged(digest string) error { return fmt.Errorf("blob %s: %w", digest, blob.ErrCorrupt) }

// diskError gives a full disk its code. Other errors stay as they are.
func diskError(doing string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return api.Errorf(api.StorageFull, "%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Path is the file of a blob. The digest must have been checked.
func (s *Store) Path(digest string) string { return s.path(digest) }
