package e2b

import (
	"context"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// The user of E2B's own templates.
const (
	templateUser = "user"
	templateHome = "/home/" + templateUser
)

// nameLoopback lets programs find the servers of their sandbox by name: images leave
// that file to whoever runs them.
const nameLoopback = "grep -qs localhost /etc/hosts || echo '127.0.0.1 localhost' >>/etc/hosts"

// makeUser gives a template its user, who may become root, as E2B's may.
const makeUser = `useradd --uid 1000 --create-home --shell /bin/bash user
echo 'user ALL=(ALL:ALL) NOPASSWD: ALL' >/etc/sudoers.d/user
chmod 0440 /etc/sudoers.d/user`

// enterRoot lets the user begin in the home of root, which contexts may name: E2B's
// interpreters run as root.
const enterRoot = "chmod 755 /root"

// basePackages are programs that E2B's own templates have.
var basePackages = []string{
	"bash", "ca-certificates", "coreutils", "curl", "git", "ncurses-bin", "procps", "python-is-python3", "python3", "sudo", "util-linux",
}

// builtin are E2B's own templates as images that are built when they are first
// asked for.
var builtin = map[string]api.ImageSpec{
	"base": {Name: "e2b-base", Base: "debian", SystemPackages: basePackages, Commands: []string{makeUser, nameLoopback}},
	"code-interpreter-v1": {
		Name: "e2b-code-interpreter", Base: "debian", SystemPackages: append([]string{"nodejs"}, basePackages...),
		Packages: []string{"e2b_charts", "ipython", "matplotlib", "numpy", "pandas", "pillow"}, Commands: []string{makeUser, enterRoot, nameLoopback},
	},
}

// template returns the beginning of a session by what a client calls its template:
// one of E2B's own, a snapshot, or an image of a registry.
func (f *Face) template(ctx context.Context, name string) (api.SessionSpec, error) {
	if image, ok := builtin[strings.TrimSuffix(name, defaultTag)]; ok {
		return api.SessionSpec{Image: image, User: templateUser, Dir: templateHome}, nil
	}
	if b, ok := f.built(name); ok {
		image, err := f.imageOf(ctx, b.Recipe)
		return api.SessionSpec{Image: image, User: b.Recipe.User, Dir: b.Recipe.Dir, Resources: b.resources()}, err
	}
	snapshot, err := f.snapshotNamed(ctx, name)
	if err == nil {
		return api.SessionSpec{Snapshot: snapshot.ID}, nil
	}
	if !isNotFound(err) {
		return api.SessionSpec{}, err
	}
	if !isReference(name) {
		return api.SessionSpec{}, refused{http.StatusNotFound, "template '" + name + "' not found"}
	}
	return api.SessionSpec{Image: api.ImageSpec{Ref: name}}, nil
}

// isReference reports whether a name is that of an image in a registry: an official
// one with its tag, or one that names its registry. What else has a slash is a
// template of a client, in place of which no stranger's image may come.
func isReference(name string) bool {
	registry, _, ok := strings.Cut(name, "/")
	if !ok {
		return strings.Contains(name, ":") && imageName.MatchString(name)
	}
	return strings.Contains(registry, ".") && imageName.MatchString(name)
}
