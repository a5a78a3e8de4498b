package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Putter stores bytes: a Store, or the client of a server.
type Putter interface {
	Put(ctx context.Context, r io.Reader, limit int64) (Ref, error)
}

// TreeLimits bound a tree. Zero fields take the defaults.
type TreeLimits struct {
	Entries int   // files, directories and links; at most, and by default, MaxEntries
	Bytes   int64 // of all files together; by default any number
}

// putters is how many files of a tree are stored at once: most of the time
// goes by in waiting for the disk.
const putters = 8

// PutTree stores a directory of this host: every file, and the manifest, whose
// digest it returns. A link at the end of dir is refused, and so is a link in
// it that could lead out. A file that changes while it is read is ErrChanged.
func PutTree(ctx context.Context, store Putter, dir string, limits TreeLimits) (value.Dir, error) {
	w, err := openWalk(dir, limits)
	if err != nil {
		return value.Dir{}, err
	}
	defer w.root.Close()
	if err := w.walk(ctx, ".", 0); err != nil {
		return value.Dir{}, err
	}
	if err := w.putFiles(ctx, store); err != nil {
		return value.Dir{}, err
	}
	return w.putManifest(ctx, store)
}

// walk collects the entries of a directory of this host.
type walk struct {
	root    *os.Root
	dir     string // its path, for messages
	limits  TreeLimits
	size    int64 // of the files so far
	entries []entry
	listed  []os.FileInfo // of each entry, as it was when it was listed
}

func openWalk(dir string, limits TreeLimits) (*walk, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, unreadable(err)
	}
	if !info.IsDir() {
		return nil, unsuitable(dir, info.Mode(), "a directory")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable(err)
	}
	if limits.Entries <= 0 || limits.Entries > MaxEntries {
		limits.Entries = MaxEntries
	}
	w := &walk{root: root, dir: dir, limits: limits}
	if err := w.same(".", info); err != nil {
		root.Close()
		return nil, err
	}
	return w, nil
}

// same makes sure that name is still what was listed: os.Root follows a link
// that takes its place, though never out of the tree.
func (w *walk) same(name string, listed os.FileInfo) error {
	info, err := w.root.Stat(name)
	if err != nil {
		return unreadable(err)
	}
	if !os.SameFile(info, listed) {
		return w.changed(name)
	}
	return nil
}

func (w *walk) changed(name string) error {
	return fmt.Errorf("%.200q: %w", filepath.Join(w.dir, name), ErrChanged)
}

// walk adds what a directory holds.
func (w *walk) walk(ctx context.Context, dir string, depth int) error {
	if depth > maxDepth {
		return badEntry(dir, "is more than 64 levels deep")
	}
	names, err := w.list(ctx, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		at := path.Join(dir, name)
		isDir, err := w.add(at)
		if err == nil && isDir {
			err = w.walk(ctx, at, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns the names in a directory, no more than there may be.
func (w *walk) list(ctx context.Context, dir string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(dir, openDir, 0)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(w.limits.Entries - len(w.entries) + 1)
	if err != nil && err != io.EOF {
		return nil, unreadable(err)
	}
	if len(w.entries)+len(names) > w.limits.Entries {
		return nil, w.tooLarge("entries", int64(w.limits.Entries))
	}
	return names, nil
}

// add adds one entry, and reports whether it is a directory.
func (w *walk) add(at string) (bool, error) {
	if problem := pathProblem(at); problem != "" {
		return false, badEntry(at, problem)
	}
	info, err := w.root.Lstat(at)
	if err != nil {
		return false, unreadable(err)
	}
	e := entry{Path: at}
	switch mode := info.Mode(); {
	case mode.IsDir():
		e.Type = typeDir
	case mode.IsRegular():
		e.Type, e.Size, e.Executable = typeFile, info.Size(), mode&0o111 != 0
	case mode&fs.ModeSymlink != 0:
		e.Type = typeLink
		if e.Target, err = w.root.Readlink(at); err != nil {
			return false, unreadable(err)
		}
	default:
		return false, unsuitable(filepath.Join(w.dir, at), mode, "a file or a directory")
	}
	w.entries, w.listed = append(w.entries, e), append(w.listed, info)
	return info.IsDir(), w.charge(e.Size)
}

func (w *walk) charge(size int64) error {
	if limit := w.limits.Bytes; limit > 0 && size > limit-w.size {
		return w.tooLarge("bytes", limit)
	}
	w.size += size
	return nil
}

func (w *walk) tooLarge(unit string, limit int64) error {
	return api.Errorf(api.InvalidInput, "the directory %.200q has more than %d %s: %w", w.dir, limit, unit, ErrTooLarge).
		WithHint("leave out what is not needed").
		WithDetails(api.Details{Limit: limit, Expected: fmt.Sprintf("at most %d %s", limit, unit)})
}

// putFiles stores the files, several at a time, and ends with the first error.
func (w *walk) putFiles(ctx context.Context, store Putter) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range putters {
		all.Go(func() {
			for i := range next {
				if err := w.putFile(ctx, store, i); err != nil {
					fail(err)
				}
			}
		})
	}
	for i := 0; i < len(w.entries) && ctx.Err() == nil; i++ {
		if w.entries[i].Type == typeFile {
			next <- i
		}
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// putFile stores one file. Only this goroutine uses its entry.
func (w *walk) putFile(ctx context.Context, store Putter, i int) error {
	e := &w.entries[i]
	f, err := w.root.OpenFile(e.Path, openFile, 0)
	if err != nil {
		return unreadable(err)
	}
	defer f.Close()
	if err := w.unchanged(f, i); err != nil {
		return err
	}
	ref, err := store.Put(ctx, io.LimitReader(f, e.Size+1), 0)
	if err != nil {
		return err
	}
	if ref.Size != e.Size {
		return w.changed(e.Path)
	}
	e.SHA256 = ref.Digest
	return w.unchanged(f, i)
}

// unchanged makes sure that f is the file that was listed, as it was then.
func (w *walk) unchanged(f *os.File, i int) error {
	info, err := f.Stat()
	if err != nil {
		return unreadable(err)
	}
	was := w.listed[i]
	if !os.SameFile(info, was) || info.Size() != was.Size() || !info.ModTime().Equal(was.ModTime()) {
		return w.changed(w.entries[i].Path)
	}
	return nil
}

func (w *walk) putManifest(ctx context.Context, store Putter) (value.Dir, error) {
	m := newManifest(w.entries)
	if err := m.check(); err != nil {
		return value.Dir{}, err
	}
	text, err := m.text()
	if err != nil {
		return value.Dir{}, err
	}
	if len(text) > MaxManifest {
		return value.Dir{}, badTree("its list of files is larger than %d bytes", MaxManifest)
	}
	ref, err := store.Put(ctx, bytes.NewReader(text), 0)
	if err != nil {
		return value.Dir{}, err
	}
	d := m.dir(ref.Digest)
	d.Path = w.dir
	return d, nil
}

func unsuitable(name string, mode fs.FileMode, expected string) error {
	got := "a special file"
	switch {
	case mode&fs.ModeSymlink != 0:
		got = "a symbolic link"
	case mode.IsRegular():
		got = "a file"
	}
	return api.Errorf(api.InvalidInput, "%.200q is %s, expected %s", name, got, expected).
		WithDetails(api.Details{Got: got, Expected: expected})
}

// unreadable is the error of a path that the caller gave.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return api.Errorf(api.InvalidInput, "%w", err).WithDetails(api.Details{Expected: "a directory that can be read"})
	}
	return err
}
