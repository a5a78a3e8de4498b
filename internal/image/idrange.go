package image

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// idRange are the ids of the host that a user namespace of root gets: its ids
// from 0 on are those from first on. The zero value leaves the choice to
// mmdebstrap, which asks newuidmap for those of an ordinary user.
type idRange struct{ first int }

// idCount is how many ids the programs of a Debian package need.
const idCount = 1 << 16

// freeIDs begin the range that no convention gives to anybody: systemd's
// UIDS-GIDS page lists 1879048192 to 2147352575 as unused.
const freeIDs = 1_879_048_192

// mmdebstrapIDs finds unused ids for the programs of Debian packages, which run
// as their own root, or says what is missing.
func mmdebstrapIDs() (idRange, error) {
	if _, err := exec.LookPath("mmdebstrap"); err != nil {
		return idRange{}, api.Errorf(api.BaseUnavailable, "mmdebstrap is not installed, and no other base can be had").
			WithHint("install it with: apt-get install mmdebstrap; or name a base (--base, or Image.from_base in Python)")
	}
	if os.Geteuid() == 0 {
		return rootIDs()
	}
	if _, err := exec.LookPath("newuidmap"); err != nil {
		return idRange{}, api.Errorf(api.BaseUnavailable, "mmdebstrap needs newuidmap to work without root").
			WithHint("install it with: apt-get install uidmap; or name a base (--base, or Image.from_base in Python)")
	}
	if !hasSubordinateIDs("/etc/subuid") || !hasSubordinateIDs("/etc/subgid") {
		return idRange{}, api.Errorf(api.BaseUnavailable, "this user has no subordinate ids in /etc/subuid and /etc/subgid, which mmdebstrap needs without root").
			WithHint("let root run: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER; or name a base (--base, or Image.from_base in Python)")
	}
	return idRange{}, nil
}

// rootIDs takes the free range, or where this process is in a namespace that
// lacks it, such as that of a container, the last ids that there are.
func rootIDs() (idRange, error) {
	first := freeIDs
	for _, file := range []string{"/proc/self/uid_map", "/proc/self/gid_map"} {
		f, err := os.Open(filepath.Clean(file))
		if err != nil {
			return idRange{}, api.Errorf(api.BaseUnavailable, "find user ids for mmdebstrap: %w", err)
		}
		at, ok := highestIDs(f)
		f.Close()
		if !ok {
			return idRange{}, api.Errorf(api.BaseUnavailable, "the user namespace of this process has too few ids for mmdebstrap, which needs %d beside those in use", idCount).
				WithHint("give the container more ids, or name a base (--base, or Image.from_base in Python)")
		}
		first = min(first, at)
	}
	return idRange{first}, nil
}

// highestIDs finds the highest range of idCount ids above 65535 in a map of
// user_namespaces(7), at freeIDs or below.
func highestIDs(r io.Reader) (first int, ok bool) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var inside, outside, count int
		if n, _ := fmt.Sscan(lines.Text(), &inside, &outside, &count); n != 3 {
			continue
		}
		at := min(freeIDs, inside+count-idCount)
		if at >= max(inside, idCount) && at > first {
			first, ok = at, true
		}
	}
	return first, ok
}

// hasSubordinateIDs looks for the user in a file of subuid(5).
func hasSubordinateIDs(file string) bool {
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return false
	}
	names := []string{strconv.Itoa(os.Getuid())}
	if u, err := user.Current(); err == nil {
		names = append(names, u.Username)
	}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, ":")
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// parent is where the directory of mmdebstrap is made. Root has a disk for it,
// since its ordinary directory may be small and in memory.
func (r idRange) parent() string {
	if r != (idRange{}) && os.Getenv("TMPDIR") == "" {
		return "/var/tmp"
	}
	return os.TempDir()
}

// tempIn gives a directory in dir, or dir itself, in which the root of the
// range can work.
func (r idRange) tempIn(dir string) (string, error) {
	if err := os.Chmod(dir, 0o755); err != nil || r == (idRange{}) {
		return dir, err
	}
	tmp := filepath.Join(dir, "tmp")
	return tmp, errors.Join(os.Mkdir(tmp, 0o755), os.Chown(tmp, r.first, r.first))
}

// confine makes mmdebstrap die with this process. For root it gives it
// namespaces of its own: no process and no mount of it can be left, and what a
// package runs as root is nobody on the host.
func confine(ids idRange) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if ids == (idRange{}) {
		return attr
	}
	mapping := []syscall.SysProcIDMap{{HostID: ids.first, Size: idCount}}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID
	attr.UidMappings, attr.GidMappings, attr.GidMappingsEnableSetgroups = mapping, mapping, true
	attr.Credential = &syscall.Credential{}
	return attr
}
