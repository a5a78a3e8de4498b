package guest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxMoved bounds the files and directories that are moved to another file system,
// where each has to be copied.
const maxMoved = 200_000

// move renames a file. Where it comes to another file system, it is copied beside
// its new place, renamed, and then removed, as mv does.
func move(from, to string) error {
	err := os.Rename(from, to)
	if !errors.Is(err, unix.EXDEV) {
		return err
	}
	if inside(from, to) {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: unix.EINVAL}
	}
	staging, err := os.MkdirTemp(filepath.Dir(to), ".glovebox-move-")
	if err != nil {
		return err
	}
	staged, c := filepath.Join(staging, "moved"), &moveCopy{links: map[inode]string{}}
	if err = c.copy(from, staged); err == nil {
		err = os.Rename(staged, to)
	}
	if err := errors.Join(err, os.RemoveAll(staging)); err != nil {
		return err
	}
	return os.RemoveAll(from)
}

// inside reports whether to is below the directory from, whatever links lead there.
func inside(from, to string) bool {
	parent, err := filepath.EvalSymlinks(filepath.Dir(to))
	if err != nil {
		return false
	}
	top, err := filepath.EvalSymlinks(filepath.Dir(from))
	if err != nil {
		return false
	}
	return strings.HasPrefix(parent+"/", filepath.Join(top, filepath.Base(from))+"/")
}

// inode is a file, whatever its names are.
type inode struct{ device, number uint64 }

// moveCopy copies files with their owners, modes, times and attributes.
type moveCopy struct {
	count int
	links map[inode]string // the copies of files with several names
}

func (c *moveCopy) copy(from, to string) error {
	if c.count++; c.count > maxMoved {
		return failure{wire.CodeLimit, "path", fmt.Sprintf("more than %d files cannot be moved to another file system at once", maxMoved)}
	}
	var file unix.Stat_t
	if err := unix.Lstat(from, &file); err != nil {
		return &os.PathError{Op: "stat", Path: from, Err: err}
	}
	id := inode{uint64(file.Dev), file.Ino}
	if there, ok := c.links[id]; ok {
		return os.Link(there, to)
	}
	if err := c.content(from, to, &file); err != nil {
		return err
	}
	if file.Nlink > 1 && file.Mode&unix.S_IFMT != unix.S_IFDIR {
		c.links[id] = to
	}
	return keepMetadata(from, to, &file)
}

func (c *moveCopy) content(from, to string, file *unix.Stat_t) error {
	switch file.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return copyContent(from, to)
	case unix.S_IFDIR:
		return c.directory(from, to)
	case unix.S_IFLNK:
		text, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(text, to)
	}
	// A pipe or a socket; that a device cannot be made is the answer of the kernel.
	if err := unix.Mknod(to, file.Mode&unix.S_IFMT|0o600, int(file.Rdev)); err != nil {
		return &os.PathError{Op: "mknod", Path: to, Err: err}
	}
	return nil
}

func (c *moveCopy) directory(from, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := c.copy(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

func copyContent(from, to string) error {
	source, err := openRegular(from, unix.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	return errors.Join(err, copied.Close())
}

// keepMetadata gives a copy what the file has beside its content. An owner that
// the user may not give is left out, and with it the bits of that owner's rights.
func keepMetadata(from, to string, file *unix.Stat_t) error {
	mode := file.Mode & 0o7777
	err := os.Lchown(to, int(file.Uid), int(file.Gid))
	if errors.Is(err, unix.EPERM) {
		mode, err = mode&0o1777, nil
	}
	if err == nil && file.Mode&unix.S_IFMT != unix.S_IFLNK {
		if found := attributes(from); len(found) > 0 {
			err = replaceAttributes(to, found)
		}
		if err == nil {
			err = unix.Chmod(to, mode)
		}
	}
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, to, []unix.Timespec{file.Atim, file.Mtim}, unix.AT_SYMLINK_NOFOLLOW)
}
