package oci

import (
	"io"
	"io/fs"
	"os"

	"github.com/erofs/go-erofs"

	"github.com/glovebox-dev/glovebox/api"
)

// OpenRootFS reads a file that Flatten made. Symbolic links in it are not
// followed out of it. The caller closes it.
func OpenRootFS(path string) (fs.FS, io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, diskError("open the root file system", err)
	}
	root, err := erofs.Open(f)
	if err != nil {
		f.Close()
		return nil, nil, api.Errorf(api.ImageInvalid, "the root file system %s cannot be read: %w", path, err)
	}
	return root, f, nil
}

// Tree is a file system that Flatten or Pack made, with what a copy of its files
// has to know.
type Tree struct {
	readFS
	closer io.Closer
}

type readFS interface {
	fs.ReadLinkFS
	fs.ReadDirFS
}

// OpenTree reads a file that Flatten or Pack made, as OpenRootFS does. The caller
// closes it.
func OpenTree(path string) (*Tree, error) {
	root, closer, err := OpenRootFS(path)
	if err != nil {
		return nil, err
	}
	return &Tree{root.(readFS), closer}, nil
}

// Close closes the file.
func (t *Tree) Close() error { return t.closer.Close() }

// Lstat gives an info whose mode has all its bits, which those of the library
// lack. Its methods UID and GID say the owner.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	info, err := t.readFS.Lstat(name)
	if err != nil {
		return nil, err
	}
	stat, ok := info.Sys().(*erofs.Stat)
	if !ok {
		return nil, api.Errorf(api.Internal, "the info of %q has no mode", name)
	}
	return treeInfo{info, stat}, nil
}

type treeInfo struct {
	fs.FileInfo
	stat *erofs.Stat
}

func (i treeInfo) Mode() fs.FileMode { return i.stat.Mode }
func (i treeInfo) UID() uint32       { return i.stat.UID }
func (i treeInfo) GID() uint32       { return i.stat.GID }
