package e2b

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// The user of E2B's own templates.
const (
	templateUser = "user"
	templateHome = "/home/" + templateUser
)

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
	"base": {Name: "e2b-base", Base: "debian", SystemPackages: basePackages, Commands: []string{makeUser}},
	"code-interpreter-v1": {
		Name: "e2b-code-interpreter", Base: "debian", SystemPackages: append([]string{"default-jdk-headless", "node-typescript", "nodejs", "r-base-core"}, basePackages...),
		Packages: []string{"e2b_charts", "ipython", "matplotlib<3.11", "numpy", "pandas", "pillow"}, Commands: []string{makeUser, enterRoot},
	},
}

// template returns the beginning of a session by what a client calls its template:
// one of E2B's own or of a client, a snapshot, or an image of a registry or of the store.
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
	if isReference(name) {
		return api.SessionSpec{Image: api.ImageSpec{Ref: name}}, nil
	}
	image, err := f.storedImage(ctx, name)
	return api.SessionSpec{Image: image}, err
}

// storedImage returns the spec of an image that was built here, by its name. It is
// locked, so the session gets that very image.
func (f *Face) storedImage(ctx context.Context, name string) (api.ImageSpec, error) {
	missing := refused{http.StatusNotFound, "template '" + name + "' not found"}
	info, err := f.Images.Image(ctx, name)
	if e, ok := api.FindError(err); ok && e.Code == api.ImageNotFound {
		return api.ImageSpec{}, missing
	}
	if err != nil {
		return api.ImageSpec{}, err
	}
	if strings.HasPrefix(info.ID, "sha256:"+name) { // the beginning of an id is no name
		return api.ImageSpec{}, missing
	}
	var record struct {
		Lock struct {
			Spec  api.ImageSpec `json:"spec"`
			Steps []struct {
				Kind string `json:"kind"`
			} `json:"steps"`
		} `json:"lock"`
	}
	if err := json.Unmarshal(info.Record, &record); err != nil {
		return api.ImageSpec{}, api.Errorf(api.StorageCorrupt, "the record of the image %s: %w", name, err)
	}
	for _, step := range record.Lock.Steps {
		if step.Kind == stepOfSession {
			return api.ImageSpec{}, badRequest("the image '" + name + "' was made of a session: name its snapshot, or push it to a registry")
		}
	}
	spec := record.Lock.Spec
	spec.AllowURLs = len(spec.Packages) > 0 // what is locked was allowed
	return spec, nil
}

// stepOfSession is the kind of a step in the lock of an image that is beyond its spec.
const stepOfSession = "session"

// isReference reports whether a name is that of an image in a registry: an official
// one with its tag, or one that names its registry. What else has a slash is a
// template of a client, in place of which no stranger's image may come.
func isReference(name string) bool {
	registry, _, ok := strings.Cut(name, "/")
	if !ok {
		return strings.Contains(name, ":") && imageName().MatchString(name)
	}
	return strings.Contains(registry, ".") && imageName().MatchString(name)
}
