package oci

import (
	"io/fs"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci/erofs"
)

// maxLinks is how many symbolic links may stand in one path, as in Linux.
const maxLinks = 40

// maxSteps bounds the components of one path with its links followed, so that
// a tar of many long links cannot keep the host busy for hours.
const maxSteps = 2048

// file is a file, directory or link of the image under construction. Several
// names may lead to one file that is not a directory.
type file struct {
	erofs.Inode

	// Of directories only:
	parent  *file
	entries map[string]entry
	depth   int // of the root 0
	cleared int // the layer that has cleared it of what the layers below put there
}

// entry is a name in a directory, with the layer that put or touched it there
// last: whiteouts take away only what came from the layers below.
type entry struct {
	file  *file
	layer int
}

// tree is the merged file system, as overlayfs would show it.
type tree struct {
	root  *file
	layer int // the one that is being applied, from 1
	files int // made so far, those too that a later layer removed
	limit int
}

func newTree(limit int) *tree {
	root := &file{Inode: erofs.Inode{Mode: fs.ModeDir | 0o755}, entries: map[string]entry{}}
	root.parent = root
	return &tree{root: root, limit: limit}
}

// charge counts a file before it is made.
func (t *tree) charge() error {
	if t.files++; t.files > t.limit {
		return tooLarge("the image", "files and directories", int64(t.limit))
	}
	return nil
}

// mkdir makes an empty directory.
func (t *tree) mkdir(parent *file, name string, perm fs.FileMode) (*file, error) {
	dir := &file{Inode: erofs.Inode{Mode: fs.ModeDir | perm}}
	return dir, t.attach(parent, name, dir)
}

// attach gives a directory its place.
func (t *tree) attach(parent *file, name string, dir *file) error {
	if err := t.charge(); err != nil {
		return err
	}
	if parent.depth >= maxDepth {
		return api.Errorf(api.ImageInvalid, "it is more than %d directories deep", maxDepth)
	}
	dir.parent, dir.depth, dir.entries = parent, parent.depth+1, map[string]entry{}
	parent.entries[name] = entry{dir, t.layer}
	return nil
}

// walk follows the directories of a path within the tree, symbolic links too;
// ".." at the root stays there. With create set it makes what is missing and
// marks what it passes as touched by this layer; else a missing directory gives
// nil.
func (t *tree) walk(parts []string, create bool) (*file, error) {
	dir := t.root
	for links, steps := 0, 0; len(parts) > 0; steps++ {
		name := parts[0]
		parts = parts[1:]
		if steps > maxSteps {
			return nil, api.Errorf(api.ImageInvalid, "the links on the way have more than %d components", maxSteps)
		}
		if name == "" || name == "." {
			continue
		}
		if name == ".." {
			dir = dir.parent
			continue
		}
		child, err := t.step(dir, name, create)
		if child == nil || err != nil {
			return nil, err
		}
		if child.Mode.IsDir() {
			dir = child
			continue
		}
		if links++; links > maxLinks {
			return nil, api.Errorf(api.ImageInvalid, "more than %d symbolic links lead to it", maxLinks)
		}
		if strings.HasPrefix(child.Target, "/") {
			dir = t.root
		}
		parts = append(strings.Split(child.Target, "/"), parts...)
	}
	return dir, nil
}

// step finds a directory or a symbolic link.
func (t *tree) step(dir *file, name string, create bool) (*file, error) {
	if len(name) > maxName {
		return nil, api.Errorf(api.ImageInvalid, "a link on the way has a component of more than %d bytes", maxName)
	}
	child, ok := dir.entries[name]
	if !ok && create {
		return t.mkdir(dir, name, 0o755)
	}
	if !ok {
		return nil, nil
	}
	if !child.file.Mode.IsDir() && child.file.Mode&fs.ModeSymlink == 0 {
		return nil, api.Errorf(api.ImageInvalid, "the file %q stands where a directory is needed", name)
	}
	if create && child.layer != t.layer {
		dir.entries[name] = entry{child.file, t.layer}
	}
	return child.file, nil
}

// put gives a file its name. A directory keeps its entries under a directory
// of the same name; everything else replaces what was there.
func (t *tree) put(parts []string, f *file) error {
	if len(parts) == 0 {
		return t.putRoot(f)
	}
	dir, err := t.walk(parts[:len(parts)-1], true)
	if err != nil {
		return err
	}
	name := parts[len(parts)-1]
	if !f.Mode.IsDir() {
		dir.entries[name] = entry{f, t.layer}
		return t.charge()
	}
	old, ok := dir.entries[name]
	if !ok || !old.file.Mode.IsDir() {
		return t.attach(dir, name, f)
	}
	old.file.Inode = f.Inode
	dir.entries[name] = entry{old.file, t.layer}
	return nil
}

func (t *tree) putRoot(f *file) error {
	if !f.Mode.IsDir() {
		return api.Errorf(api.ImageInvalid, "the root is not a directory")
	}
	t.root.Inode = f.Inode
	return nil
}

// lookup finds a file; the last component is not followed.
func (t *tree) lookup(parts []string) (*file, error) {
	if len(parts) == 0 {
		return t.root, nil
	}
	dir, err := t.walk(parts[:len(parts)-1], false)
	if dir == nil || err != nil {
		return nil, err
	}
	return dir.entries[parts[len(parts)-1]].file, nil
}

// link gives a second name to a file that is there.
func (t *tree) link(parts []string, target string) error {
	targetParts, err := splitName(target)
	if err != nil {
		return err
	}
	f, err := t.lookup(targetParts)
	if err != nil {
		return err
	}
	if f == nil {
		return api.Errorf(api.ImageInvalid, "the hard link leads to %.200q, which is not there", target)
	}
	if f.Mode.IsDir() || len(parts) == 0 {
		return api.Errorf(api.ImageInvalid, "the hard link leads to the directory %.200q", target)
	}
	return t.put(parts, f)
}

// whiteout removes what the layers below have under a name.
func (t *tree) whiteout(parent []string, name string) error {
	dir, err := t.walk(parent, false)
	if dir != nil {
		t.purge(dir, name)
	}
	return err
}

// opaque removes what the layers below have in a directory.
func (t *tree) opaque(parts []string) error {
	dir, err := t.walk(parts, false)
	if dir != nil {
		t.clear(dir)
	}
	return err
}

// clear does its work once a layer, so that many whiteouts cost no more than
// one.
func (t *tree) clear(dir *file) {
	if dir.cleared == t.layer {
		return
	}
	dir.cleared = t.layer
	for name := range dir.entries {
		t.purge(dir, name)
	}
}

func (t *tree) purge(dir *file, name string) {
	old, ok := dir.entries[name]
	switch {
	case !ok:
	case old.layer != t.layer:
		delete(dir.entries, name)
	case old.file.Mode.IsDir():
		t.clear(old.file)
	}
}

// mountPoint is a directory that every image has, because a cell mounts or puts
// something there.
type mountPoint struct {
	path string
	perm fs.FileMode // if it is not in the image
}

func mountPoints() []mountPoint {
	return []mountPoint{
		{"dev", 0o755}, {"proc", 0o555}, {"run", 0o755}, {"sys", 0o555},
		{"tmp", 0o777 | fs.ModeSticky}, {"var", 0o755}, {"var/inputs", 0o755}, {"var/outputs", 0o755}, {"work", 0o755},
	}
}

// addMountPoints makes the mount points real directories, whatever the image
// has there, so that a mount cannot be led elsewhere. What the image has in
// directories of the kernel is dropped.
func (t *tree) addMountPoints() error {
	for _, point := range mountPoints() {
		dir := t.root
		for name := range strings.SplitSeq(point.path, "/") {
			if old, ok := dir.entries[name]; ok && old.file.Mode.IsDir() {
				dir = old.file
				continue
			}
			made, err := t.mkdir(dir, name, point.perm)
			if err != nil {
				return err
			}
			dir = made
		}
	}
	for _, name := range []string{"proc", "sys", "dev"} {
		clear(t.root.entries[name].file.entries)
	}
	return nil
}

// inodes hands a directory over to the writer, and takes it apart on the way so
// that it is not held twice.
func (f *file) inodes() *erofs.Inode {
	f.Entries = make([]erofs.Entry, 0, len(f.entries)+2) // with room for "." and ".."
	for name, child := range f.entries {
		if child.file.Mode&fs.ModeDevice != 0 {
			continue
		}
		if child.file.Mode.IsDir() {
			child.file.inodes()
		}
		f.Entries = append(f.Entries, erofs.Entry{Name: name, Inode: &child.file.Inode})
	}
	f.entries = nil
	return &f.Inode
}
