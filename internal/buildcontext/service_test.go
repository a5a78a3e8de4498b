package buildcontext

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

const whole = `services:
  app:
    build: {context: app, dockerfile: d/x.Dockerfile, target: file, args: {A: file, B: file}}
    environment: {A: file, B: file}
`

func composed(t *testing.T, text string) string {
	t.Helper()
	return filepath.Join(write(t, map[string]string{
		"compose.yaml": text, "app/d/x.Dockerfile": "FROM a", "app/in": "in", "app/.dockerignore": "out\n.dockerignore\n", "app/out": "out", "key": "private",
	}), "compose.yaml")
}

func TestTakeService(t *testing.T) {
	s := &store{}
	task := &api.Task{Image: api.ImageSpec{Ref: composed(t, whole), BuildArgs: map[string]string{"B": "own"}}, Env: map[string]string{"B": "own"}}
	if err := TakeAll(t.Context(), s, task); err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"A": "file", "B": "own"}
	want := &api.Task{Env: both, Image: api.ImageSpec{Dockerfile: "FROM a", Context: api.DigestOf(s.data), Target: "file", BuildArgs: both}}
	if diff := cmp.Diff(want, task); diff != "" {
		t.Errorf("task (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"755 d/", "640 d/x.DockerfileFROM a", "640 inin"}, s.entries(t)); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	image := api.ImageSpec{Ref: composed(t, "services: {a: {image: r.io/x, command: sleep infinity}}"), Packages: []string{"numpy"}}
	got, err := Take(t.Context(), s, image)
	if want := (api.ImageSpec{Ref: "r.io/x", Packages: []string{"numpy"}}); err != nil || !cmp.Equal(got, want) {
		t.Errorf("image %+v, %v", got, err)
	}
}

// A program of the caller stands in for that of the service.
func TestProgramOfService(t *testing.T) {
	for service, cases := range map[string]map[string]api.Task{
		"image: x, command: [c]": {
			"none": {Arguments: []string{"c"}}, "arguments": {Arguments: []string{"own"}}, "command": {Command: []string{"own"}}, "code": {Code: "own"},
		},
		"image: x, entrypoint: [e], command: [c]": {
			"none": {Command: []string{"e"}, Arguments: []string{"c"}}, "arguments": {Command: []string{"e"}, Arguments: []string{"own"}},
			"command": {Command: []string{"own"}}, "code": {Code: "own"},
		},
		"image: x, entrypoint: [e]": {"none": {Command: []string{"e"}}},
		"image: x":                  {"none": {}},
	} {
		for given, want := range cases {
			task := map[string]api.Task{"none": {}, "arguments": {Arguments: []string{"own"}}, "command": {Command: []string{"own"}}, "code": {Code: "own"}}[given]
			task.Image.Ref = composed(t, "services: {a: {"+service+"}}")
			if err := TakeAll(t.Context(), &store{}, &task); err != nil {
				t.Fatal(err)
			}
			want.Image.Ref = "x"
			if diff := cmp.Diff(want, task); diff != "" {
				t.Errorf("%s and %s (-want +got):\n%s", service, given, diff)
			}
		}
	}
}

func TestSessionOfService(t *testing.T) {
	const service = "services: {a: {image: x, environment: {A: file}, working_dir: /file, user: file, command: "
	for _, command := range []string{"sleep infinity", "[tail, -f, /dev/null]", "[sh, -c, sleep infinity]"} {
		spec := api.SessionSpec{Image: api.ImageSpec{Ref: composed(t, service+command+"}}")}, User: "own"}
		if err := TakeSession(t.Context(), &store{}, &spec); err != nil {
			t.Fatal(err)
		}
		want := api.SessionSpec{Image: api.ImageSpec{Ref: "x"}, Env: map[string]string{"A": "file"}, Dir: "/file", User: "own"}
		if diff := cmp.Diff(want, spec); diff != "" {
			t.Errorf("session (-want +got):\n%s", diff)
		}
	}
}

func TestServiceHasNoPlace(t *testing.T) {
	task := func(ref string) error {
		return TakeAll(t.Context(), &store{}, &api.Task{Image: api.ImageSpec{Ref: ref}})
	}
	session := func(ref string) error {
		return TakeSession(t.Context(), &store{}, &api.SessionSpec{Image: api.ImageSpec{Ref: ref}})
	}
	for service, c := range map[string]struct {
		take func(string) error
		want string
	}{
		"image: x, working_dir: /srv": {task, "working_dir of a service has no place in a run"},
		"image: x, user: root":        {task, "user of a service has no place in a run"},
		"image: x, command: serve":    {session, "command of a service has no place in a session"},
		"image: x, entrypoint: serve": {session, "entrypoint of a service has no place in a session"},
		"build: none":                 {session, "none"},
	} {
		err := c.take(composed(t, "services: {a: {"+service+"}}"))
		if !errors.Is(err, &api.Error{Code: api.InvalidTask}) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s gives %v", service, err)
		}
	}
}

// B12: a link leads neither a context nor a Dockerfile out of the directory of
// the compose file.
func TestServiceStaysInside(t *testing.T) {
	outside := write(t, map[string]string{"Dockerfile": "FROM private"})
	dir := write(t, map[string]string{
		"compose.yaml": "services: {a: {build: link}}", "link": "->" + outside,
		"compose.file.yaml": "services: {a: {build: in}}", "in/Dockerfile": "->" + outside + "/Dockerfile",
	})
	for _, name := range []string{"compose.yaml", "compose.file.yaml"} {
		s := &store{}
		if _, err := Take(t.Context(), s, api.ImageSpec{Ref: filepath.Join(dir, name)}); err == nil || s.data != nil {
			t.Errorf("%s gives %v and stores %q", name, err, s.data)
		}
	}
}

// B14: credentials of the caller do not go to a registry that the file names.
func TestServiceGetsNoCredentials(t *testing.T) {
	for service, want := range map[string]error{"image: evil.example/x": &api.Error{Code: api.InvalidTask}, "build: {dockerfile_inline: FROM x}": nil} {
		path := composed(t, "services: {a: {"+service+"}}")
		_, err := Take(t.Context(), &store{}, api.ImageSpec{Ref: path, RegistrySecret: "pull"})
		if !errors.Is(err, want) {
			t.Errorf("%s gives %v", service, err)
		}
	}
}
