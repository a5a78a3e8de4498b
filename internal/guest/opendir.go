package guest

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// maxLinks is how many symbolic links of an image are followed on one path, as
// many as Linux follows.
const maxLinks = 40

// directoryFlags open what may be a directory. O_DIRECTORY is not among them:
// gVisor follows a link then, whatever O_NOFOLLOW says. What else it may be does
// not block.
const directoryFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// directory is an open directory.
type directory struct {
	path string
	fd   int
	kept bool // it stays open
}

// maxKept bounds the directories that are kept open.
const maxKept = 32

// dirCache keeps directories open to which the way is root's alone, so that it
// leads to them ever after as far as programs of the user are concerned.
type dirCache struct {
	mu   sync.Mutex
	kept map[string]int
}

// open opens a directory by its clean absolute path and makes what is missing of
// it. It goes name by name, and follows a symbolic link only where nobody but
// root can have made it: those of the image, such as /var/run.
func (c *dirCache) open(dir string) (directory, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if fd, ok := c.kept[dir]; ok {
		return directory{dir, fd, true}, nil
	}
	fd, firm, err := walk(dir)
	if err != nil {
		return directory{}, err
	}
	if !firm || len(c.kept) == maxKept {
		return directory{path: dir, fd: fd}, nil
	}
	if c.kept == nil {
		c.kept = make(map[string]int)
	}
	c.kept[dir] = fd
	return directory{dir, fd, true}, nil
}

// forget is for when a program has run that may do what root may.
func (c *dirCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for dir, fd := range c.kept {
		unix.Close(fd)
		delete(c.kept, dir)
	}
}

// walk goes to a directory. Firm says that only root can make its path lead
// elsewhere.
func walk(dir string) (at int, firm bool, err error) {
	if at, err = openRaw(unix.AT_FDCWD, "/", directoryFlags, 0); err != nil {
		return -1, false, fmt.Errorf("/: %w", err)
	}
	links := 0
	firm = true
	for rest := strings.TrimLeft(dir, "/"); rest != ""; rest = strings.TrimLeft(rest, "/") {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		firm = firm && isRoots(at)
		next, target, err := step(at, name)
		if target != "" {
			if links++; links > maxLinks {
				err = unix.ELOOP
			}
			rest = target + "/" + rest
		}
		if err != nil {
			unix.Close(at)
			return -1, false, fmt.Errorf("%s: at %q: %w", dir, name, err)
		}
		if next != at {
			unix.Close(at)
			at = next
		}
	}
	return at, firm, nil
}

func isDirectory(fd int) bool {
	var file unix.Stat_t
	err := unix.Fstat(fd, &file)
	return err == nil && file.Mode&unix.S_IFMT == unix.S_IFDIR
}

// isRoots reports whether only root can change what is in a directory.
func isRoots(fd int) bool {
	var dir unix.Stat_t
	err := unix.Fstat(fd, &dir)
	return err == nil && dir.Uid == 0 && dir.Mode&0o022 == 0
}

// step goes to the directory of that name. A link that may be followed leads to
// where its target begins.
func step(at int, name string) (next int, target string, err error) {
	next, err = openOrMake(at, name)
	if !errors.Is(err, unix.ELOOP) {
		return next, "", err
	}
	target, isLink := trustedLink(at, name)
	if !isLink {
		return -1, "", err
	}
	if path.IsAbs(target) {
		next, err = unix.Open("/", directoryFlags, 0)
		return next, target, err
	}
	return at, target, nil
}

// openOrMake opens one directory, which it makes if there is none.
func openOrMake(at int, name string) (int, error) {
	for range maxReplace {
		fd, err := openRaw(at, name, directoryFlags, 0)
		if err == nil && !isDirectory(fd) {
			unix.Close(fd)
			return -1, unix.ENOTDIR
		}
		if !errors.Is(err, unix.ENOENT) {
			return fd, err
		}
		if err := unix.Mkdirat(at, name, 0o755); err != nil && !errors.Is(err, unix.EEXIST) {
			return -1, err
		}
	}
	return -1, unix.ENOENT
}

// trustedLink reads a symbolic link, if only root can change what is in the
// directory at.
func trustedLink(at int, name string) (target string, isLink bool) {
	if !isRoots(at) {
		return "", false
	}
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(at, name, buf)
	if err != nil || n == 0 {
		return "", false
	}
	return string(buf[:n]), true
}
