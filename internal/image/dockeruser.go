package image

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/moby/sys/user"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
)

// maxUserFile bounds /etc/passwd and /etc/group of an image, in bytes.
const maxUserFile = 4 << 20

// readUserFile reads a file of an image that may not be there. A link in the
// way stays in the image.
func readUserFile(t copier.Tree, name string) (io.Reader, error) {
	at, err := copier.Follow(t, name)
	if err != nil {
		return nil, err
	}
	f, err := t.Open(at)
	if errors.Is(err, fs.ErrNotExist) {
		return strings.NewReader(""), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxUserFile))
	return bytes.NewReader(data), err
}

// execUser finds out who USER is, as Docker does: a name or a number, and a
// group behind a colon.
func execUser(t copier.Tree, name string) (*user.ExecUser, error) {
	passwd, err := readUserFile(t, "etc/passwd")
	if err != nil {
		return nil, err
	}
	group, err := readUserFile(t, "etc/group")
	if err != nil {
		return nil, err
	}
	found, err := user.GetExecUser(name, &user.ExecUser{Home: "/"}, passwd, group)
	if err != nil {
		return nil, api.Errorf(api.BuildFailed, "USER %s: %w", name, err).WithHint("make the user first, with RUN useradd or adduser")
	}
	return found, nil
}

// ownerNamed finds out whom --chown means. The group of a number is the same
// number; the group of a name is that of the user.
func ownerNamed(t copier.Tree, name string) (*copier.Owner, error) {
	who, group, hasGroup := strings.Cut(name, ":")
	owner, err := userNamed(t, who)
	if err != nil || !hasGroup {
		return owner, err
	}
	owner.GID, err = groupNamed(t, group)
	return owner, err
}

func userNamed(t copier.Tree, name string) (*copier.Owner, error) {
	if id, ok := number(name); ok {
		return &copier.Owner{UID: id, GID: id}, nil
	}
	passwd, err := readUserFile(t, "etc/passwd")
	if err != nil {
		return nil, err
	}
	found, err := user.ParsePasswdFilter(passwd, func(u user.User) bool { return u.Name == name })
	if err != nil || len(found) == 0 {
		return nil, nobody("user", name, "/etc/passwd")
	}
	return &copier.Owner{UID: found[0].Uid, GID: found[0].Gid}, nil
}

func groupNamed(t copier.Tree, name string) (int, error) {
	if id, ok := number(name); ok {
		return id, nil
	}
	groups, err := readUserFile(t, "etc/group")
	if err != nil {
		return 0, err
	}
	found, err := user.ParseGroupFilter(groups, func(g user.Group) bool { return g.Name == name })
	if err != nil || len(found) == 0 {
		return 0, nobody("group", name, "/etc/group")
	}
	return found[0].Gid, nil
}

func number(s string) (int, bool) {
	id, err := strconv.ParseUint(s, 10, 31)
	return int(id), err == nil
}

func nobody(kind, name, file string) error {
	return api.Errorf(api.BuildFailed, "there is no %s %q in %s of the image", kind, name, file).
		WithDetails(api.Details{Got: name, Expected: "a name in " + file + ", or a number"})
}
