package guest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// accounts are the users and groups of the cell.
type accounts struct {
	users, groups accountFile
}

func newAccounts() *accounts {
	return &accounts{users: accountFile{path: "/etc/passwd"}, groups: accountFile{path: "/etc/group"}}
}

// accountFile is /etc/passwd or /etc/group, which is read again when it has
// changed.
type accountFile struct {
	path string

	mu    sync.Mutex
	read  version
	text  []string
	names map[uint32]string // by number; nil when not needed so far
}

// version tells whether a file is still the one that was read.
type version struct {
	device, inode    uint64
	size             int64
	modified, status syscall.Timespec
}

// maxAccounts bounds an account file, which a program of the cell may have
// written.
const maxAccounts = 1 << 20

// lines returns the lines of the file; none if there is no such file.
func (a *accountFile) lines() ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refresh()
}

// nameOf returns the name of a number, or the number itself.
func (a *accountFile) nameOf(number uint32) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	lines, _ := a.refresh()
	if a.names == nil {
		a.names = namesIn(lines)
	}
	if name, known := a.names[number]; known {
		return name
	}
	return fmt.Sprint(number)
}

// refresh reads the file if it has changed. The caller holds mu.
func (a *accountFile) refresh() ([]string, error) {
	var file syscall.Stat_t
	if err := syscall.Stat(a.path, &file); err != nil {
		a.read, a.text, a.names = version{}, nil, nil
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, &os.PathError{Op: "stat", Path: a.path, Err: err}
	}
	now := version{file.Dev, file.Ino, file.Size, file.Mtim, file.Ctim}
	if now == a.read {
		return a.text, nil
	}
	text, err := readAccounts(a.path)
	if err != nil {
		return nil, err
	}
	a.read, a.text, a.names = now, text, nil
	return text, nil
}

func readAccounts(path string) ([]string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxAccounts))
	return strings.Split(string(text), "\n"), err
}

// namesIn returns the names in an account file by their numbers, of which the
// first counts.
func namesIn(lines []string) map[uint32]string {
	names := make(map[uint32]string)
	for _, line := range lines {
		fields := strings.Split(line, ":")
		if len(fields) < 3 || len(fields[0]) > maxName {
			continue
		}
		number, err := strconv.ParseUint(fields[2], 10, 31)
		if _, known := names[uint32(number)]; err == nil && !known {
			names[uint32(number)] = fields[0]
		}
	}
	return names
}
