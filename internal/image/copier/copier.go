// Package copier works out what COPY and ADD of a Dockerfile put where, from
// trees that are only read, and writes it as the tar of a layer. It touches no
// directory of the host: every path is resolved within its tree, as chroot would.
//
// The rules are those of BuildKit (github.com/tonistiigi/fsutil/copy).
package copier

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// Tree is a file system that is read. Its infos may say an owner, see ownerOf.
type Tree interface {
	fs.ReadLinkFS
	fs.ReadDirFS
}

// Options say how files arrive.
type Options struct {
	Dest  string // absolute; a slash at the end means a directory
	Owner *Owner // of everything; nil keeps the owners of the source
	Mode  *fs.FileMode
}

// Owner is a user and a group.
type Owner struct{ UID, GID int }

// Copier collects what is copied into one tree, by one instruction after the
// other.
type Copier struct {
	into Tree
	made map[string]*file // by name in into, without a leading slash
	now  map[string]*file // what of it the present instruction made
}

// New copies into a tree, which stays as it is.
func New(into Tree) *Copier {
	return &Copier{into: into, made: map[string]*file{}, now: map[string]*file{}}
}

// Next begins another instruction, which finds what the ones before made.
func (c *Copier) Next() { c.now = map[string]*file{} }

// Empty reports whether the present instruction has changed nothing.
func (c *Copier) Empty() bool { return len(c.now) == 0 }

// set gives a name to a file. The directories above it go with it as they are: who
// unpacks a layer apart from the others would else make them anew.
func (c *Copier) set(at string, f *file) error {
	c.made[at], c.now[at] = f, f
	for dir := path.Dir(at); dir != "." && c.now[dir] == nil; dir = path.Dir(dir) {
		above, err := c.lstat(dir)
		if above == nil || err != nil {
			return err
		}
		c.now[dir] = above
	}
	return nil
}

// file is what gets a name.
type file struct {
	mode   fs.FileMode
	owner  Owner
	size   int64
	target string                        // of a symbolic link
	open   func() (io.ReadCloser, error) // of a regular file
}

// Files copies what a pattern names in a tree: files, and the content of
// directories. Symbolic links that the pattern itself leads over are followed,
// those below it are copied. A pattern with wildcards may name nothing.
func (c *Copier) Files(from Tree, pattern string, o Options) error {
	names, err := Match(from, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.File(from, name, o); err != nil {
			return err
		}
	}
	return nil
}

// File copies one name of those that Match gives.
func (c *Copier) File(from Tree, name string, o Options) error {
	followed, err := Follow(from, name)
	if err != nil {
		return err
	}
	source, err := read(from, followed)
	if err != nil {
		return fmt.Errorf("%q: %w", "/"+name, notFound(err))
	}
	if source.mode.IsDir() {
		return c.Tree(from, followed, o)
	}
	return c.put(path.Base(name), source, o)
}

// Text copies a file whose content is given.
func (c *Copier) Text(name, content string, o Options) error {
	return c.put(name, &file{mode: 0o644, size: int64(len(content)), open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(content)), nil
	}}, o)
}

// Fetched copies a file of the web, which only its owner may read, as in Docker.
// Its content is opened whenever it is needed.
func (c *Copier) Fetched(name string, size int64, open func() (io.ReadCloser, error), o Options) error {
	return c.put(name, &file{mode: 0o600, size: size, open: open}, o)
}

// put copies one file to the destination, or into it if that is a directory.
func (c *Copier) put(base string, source *file, o Options) error {
	at, err := c.destination(o.Dest)
	if err != nil {
		return err
	}
	old, err := c.stat(at)
	if err != nil {
		return err
	}
	switch {
	case strings.HasSuffix(o.Dest, "/") || old != nil && old.mode.IsDir():
		at = path.Join(at, base)
	case c.now[at] != nil:
		return fmt.Errorf("several files would become %q: end it with / to make it a directory", o.Dest)
	}
	if err := c.makeParents(at, o); err != nil {
		return err
	}
	return c.replace(at, source, o)
}

// Tree copies what is in a directory.
func (c *Copier) Tree(from Tree, dir string, o Options) error {
	at, err := c.destination(o.Dest)
	if err != nil {
		return err
	}
	if err := c.makeDir(at, 0o755, o); err != nil {
		return err
	}
	return c.content(from, dir, at, o)
}

func (c *Copier) content(from Tree, dir, at string, o Options) error {
	entries, err := from.ReadDir(name(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		source, err := read(from, path.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if err := c.replace(path.Join(at, e.Name()), source, o); err != nil {
			return err
		}
		if !source.mode.IsDir() {
			continue
		}
		if err := c.content(from, path.Join(dir, e.Name()), path.Join(at, e.Name()), o); err != nil {
			return err
		}
	}
	return nil
}

// replace gives a name to a file. A directory keeps what is in one of the same
// name, and neither takes the place of the other.
func (c *Copier) replace(at string, source *file, o Options) error {
	old, err := c.lstat(at)
	if err != nil {
		return err
	}
	switch {
	case old == nil:
	case source.mode.IsDir() && !old.mode.IsDir():
		return fmt.Errorf("the directory cannot replace %q, which is a file or a link", "/"+at)
	case !source.mode.IsDir() && old.mode.IsDir():
		return fmt.Errorf("the file cannot replace the directory %q", "/"+at)
	}
	placed := *source
	if o.Owner != nil {
		placed.owner = *o.Owner
	}
	if o.Mode != nil && placed.mode&fs.ModeSymlink == 0 {
		placed.mode = placed.mode.Type() | *o.Mode
	}
	return c.set(at, &placed)
}

// MakeDir makes a directory, and its parents.
func (c *Copier) MakeDir(dir string, o Options) error {
	at, err := c.destination(dir)
	if err != nil {
		return err
	}
	return c.makeDir(at, 0o755, o)
}

func (c *Copier) makeParents(at string, o Options) error {
	if parent := path.Dir(at); parent != "." {
		return c.makeDir(parent, 0o755, o)
	}
	return nil
}

// makeDir makes what is missing of a path that is resolved.
func (c *Copier) makeDir(at string, mode fs.FileMode, o Options) error {
	if at == "" {
		return nil
	}
	old, err := c.lstat(at)
	if err != nil {
		return err
	}
	if old != nil && old.mode.IsDir() {
		return nil
	}
	if old != nil {
		return fmt.Errorf("%q is no directory", "/"+at)
	}
	if err := c.makeParents(at, o); err != nil {
		return err
	}
	made := &file{mode: fs.ModeDir | mode}
	if o.Owner != nil {
		made.owner = *o.Owner
	}
	if o.Mode != nil {
		made.mode = fs.ModeDir | *o.Mode
	}
	return c.set(at, made)
}

// destination follows the links of a path in the tree that is copied into.
func (c *Copier) destination(dest string) (string, error) {
	return follow(dest, func(at string) (target string, isLink bool, err error) {
		f, err := c.lstat(at)
		if f == nil || err != nil || f.mode&fs.ModeSymlink == 0 {
			return "", false, err
		}
		return f.target, true, nil
	})
}

// lstat finds a file, made here or there before; nil if there is none.
func (c *Copier) lstat(at string) (*file, error) {
	if f, ok := c.made[at]; ok {
		return f, nil
	}
	f, err := read(c.into, at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

func (c *Copier) stat(at string) (*file, error) {
	followed, err := c.destination(at)
	if err != nil {
		return nil, err
	}
	return c.lstat(followed)
}

// name is how io/fs calls a path without a leading slash.
func name(at string) string {
	if at == "" {
		return "."
	}
	return at
}

func read(from Tree, at string) (*file, error) {
	info, err := from.Lstat(name(at))
	if err != nil {
		return nil, err
	}
	f := &file{mode: info.Mode(), owner: ownerOf(info), size: info.Size()}
	switch {
	case f.mode.IsRegular():
		f.open = func() (io.ReadCloser, error) { return from.Open(name(at)) }
	case f.mode&fs.ModeSymlink != 0:
		f.target, err = from.ReadLink(name(at))
	}
	return f, err
}

// ownerOf reads the owner from an info that knows one; otherwise it is root.
func ownerOf(info fs.FileInfo) Owner {
	owned, ok := info.(interface {
		UID() uint32
		GID() uint32
	})
	if !ok {
		return Owner{}
	}
	return Owner{int(owned.UID()), int(owned.GID())}
}

// Write writes what the present instruction copied, sorted by name. All of it
// bears the time given, so that equal files give equal bytes.
func (c *Copier) Write(ctx context.Context, w io.Writer, at time.Time) error {
	tw := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(c.now)) {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := c.now[name].write(tw, name, at); err != nil {
			return fmt.Errorf("copy %q: %w", "/"+name, err)
		}
	}
	return tw.Close()
}

func (f *file) write(tw *tar.Writer, name string, at time.Time) error {
	h := &tar.Header{Name: name, Mode: unixMode(f.mode), Uid: f.owner.UID, Gid: f.owner.GID, ModTime: at, Format: tar.FormatPAX}
	switch {
	case f.mode.IsDir():
		h.Typeflag = tar.TypeDir
		h.Name += "/"
	case f.mode&fs.ModeSymlink != 0:
		h.Typeflag, h.Linkname = tar.TypeSymlink, f.target
	case f.mode&fs.ModeNamedPipe != 0:
		h.Typeflag = tar.TypeFifo
	case f.mode.IsRegular():
		h.Typeflag, h.Size = tar.TypeReg, f.size
	default:
		return nil // a device: a cell has its own
	}
	if err := tw.WriteHeader(h); err != nil || f.open == nil {
		return err
	}
	content, err := f.open()
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(tw, content)
	return err
}

func unixMode(m fs.FileMode) int64 {
	mode := int64(m.Perm())
	for _, bit := range []struct {
		unix int64
		mode fs.FileMode
	}{{0o4000, fs.ModeSetuid}, {0o2000, fs.ModeSetgid}, {0o1000, fs.ModeSticky}} {
		if m&bit.mode != 0 {
			mode |= bit.unix
		}
	}
	return mode
}
