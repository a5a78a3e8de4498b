package guest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxName bounds the name of a user, in bytes; a longer one is none.
const maxName = 256

// maxGroups bounds the groups of a user.
const maxGroups = 256

// user is a user of the cell.
type user struct {
	name   string
	uid    int
	gid    int
	home   string
	groups []uint32 // in addition to gid
}

// findUser looks a user up by name or by number. A number needs no entry: such a
// user has the given home.
func (a *accounts) findUser(as wire.As) (user, error) {
	name, home := string(as.User), string(as.Home)
	accounts, err := a.users.lines()
	if err != nil {
		return user{}, err
	}
	u, found := entryOf(accounts, name)
	if !found {
		number, err := strconv.ParseUint(name, 10, 31)
		if err != nil {
			return user{}, failure{wire.CodeRequestInvalid, "user", fmt.Sprintf("the cell has no user %q", name)}
		}
		u = user{name: name, uid: int(number), gid: int(number), home: home}
	}
	groups, err := a.groups.lines()
	if err != nil {
		return user{}, err
	}
	u.groups = groupsOf(groups, u)
	return u, nil
}

// entryOf finds the line name:password:uid:gid:comment:home:shell.
func entryOf(accounts []string, name string) (user, bool) {
	for _, line := range accounts {
		fields := strings.Split(line, ":")
		if len(fields) < 6 || len(fields[0]) > maxName || len(fields[5]) > unix.PathMax || fields[0] != name && fields[2] != name {
			continue
		}
		uid, uidErr := strconv.ParseUint(fields[2], 10, 31)
		gid, gidErr := strconv.ParseUint(fields[3], 10, 31)
		if uidErr == nil && gidErr == nil {
			return user{name: fields[0], uid: int(uid), gid: int(gid), home: fields[5]}, true
		}
	}
	return user{}, false
}

// groupsOf finds the lines name:password:gid:member,member of a user.
func groupsOf(lines []string, u user) []uint32 {
	var groups []uint32
	for _, line := range lines {
		fields := strings.Split(line, ":")
		if len(fields) < 4 || len(groups) == maxGroups {
			continue
		}
		gid, err := strconv.ParseUint(fields[2], 10, 31)
		for member := range strings.SplitSeq(fields[3], ",") {
			if err == nil && member == u.name && int(gid) != u.gid {
				groups = append(groups, uint32(gid))
				break
			}
		}
	}
	return groups
}

func (u user) credential() *syscall.Credential {
	return &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid), Groups: u.groups}
}

// complete adds the variables that a login sets, where env does not have them.
func (u user) complete(env []string) []string {
	for _, variable := range []string{"HOME=" + u.home, "USER=" + u.name, "LOGNAME=" + u.name} {
		name, _, _ := strings.Cut(variable, "=")
		if !hasVariable(env, name) {
			env = append(env, variable)
		}
	}
	return env
}

func hasVariable(env []string, name string) bool {
	for _, variable := range env {
		if strings.HasPrefix(variable, name+"=") {
			return true
		}
	}
	return false
}

// failure is an error that the host tells apart.
type failure struct {
	code  string
	field string
	text  string
}

func (f failure) Error() string { return f.text }

// caused is a failure of which the system said more.
type caused struct {
	failure
	errno unix.Errno
}

// because adds what the system said in err to a failure.
func (f failure) because(err error) error {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return f
	}
	return caused{f, errno}
}

func (c caused) Unwrap() []error { return []error{c.failure, c.errno} }

// maxErrorText bounds the text of an error, in bytes.
const maxErrorText = 2 << 10

// doneWith is the status of a request that ended with err.
func doneWith(err error) wire.Done {
	if err == nil {
		return wire.Done{}
	}
	text := err.Error()
	done := wire.Done{Error: text[:min(len(text), maxErrorText)]}
	var f failure
	if errors.As(err, &f) {
		done.Code, done.Field = f.code, f.field
	}
	var c caused
	if errors.As(err, &c) {
		done.Errno = int(c.errno)
	}
	return done
}
