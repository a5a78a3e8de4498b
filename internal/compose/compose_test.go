package compose

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// write makes a directory with a compose file and others, and returns the path
// of the first.
func write(t *testing.T, text string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if target, link := strings.CutPrefix(content, "->"); link {
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "compose.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func variables(name string) (string, bool) {
	v, ok := map[string]string{"USER": "ada", "EMPTY": ""}[name]
	return v, ok
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		service string // indented below the name of the service
		files   map[string]string
		want    Service
	}{
		"image": {
			`image: "r.io/${USER}/x:${TAG:-1}"`, nil,
			Service{Image: "r.io/ada/x:1"},
		},
		"build": {
			"build: ./app\n    image: name", nil,
			Service{Build: &Build{Context: "app", Dockerfile: "Dockerfile"}},
		},
		"build in full": {
			"build: {context: app, dockerfile: docker/x.Dockerfile, target: t, args: {A: 1.10, USER: , NONE: , E: $EMPTY}}", nil,
			Service{Build: &Build{Context: "app", Dockerfile: "docker/x.Dockerfile", Target: "t", Args: map[string]string{"A": "1.10", "USER": "ada", "E": ""}}},
		},
		"inline": {
			"build:\n      args: [A=b=c, USER]\n      dockerfile_inline: |\n        FROM x\n        RUN echo $$A", nil,
			Service{Build: &Build{Context: ".", Inline: "FROM x\nRUN echo $A\n", Args: map[string]string{"A": "b=c", "USER": "ada"}}},
		},
		"words": {
			`{image: x, entrypoint: [a, "b c", 1], command: 'sh -c "echo $$HOME ${USER}"', working_dir: /srv, user: "1000"}`, nil,
			Service{Image: "x", Entrypoint: []string{"a", "b c", "1"}, Command: []string{"sh", "-c", "echo $HOME ada"}, Dir: "/srv", User: "1000"},
		},
		"environment over files": {
			"{image: x, environment: {A: over, B: }, env_file: [one.env, {path: two.env}, {path: none.env, required: false}]}",
			map[string]string{"one.env": "A=1\nC='a $b'\nD=\"$USER and ${NONE-none}\"\n", "two.env": "# words\nexport C=2 # more\nUSER"},
			Service{Image: "x", Env: map[string]string{"A": "over", "C": "2", "D": "ada and none", "USER": "ada"}},
		},
		"a file .env is below the caller": {
			"{image: '$USER:$TAG', environment: [TAG]}", map[string]string{".env": "USER=eve\nTAG=7"},
			Service{Image: "ada:7", Env: map[string]string{"TAG": "7"}},
		},
		"what others write": {
			"{image: x, container_name: n, restart: always, stdin_open: true, tty: true, init: , labels: [a], logging: {}, x-y: [z], network_mode: none}", nil,
			Service{Image: "x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "name: n\nversion: '3'\nx-a: {}\nservices:\n  app:\n    "+c.service+"\n", c.files)
			got, err := Read(path, variables)
			if err != nil {
				t.Fatal(err, api.AsError(err).Hint)
			}
			c.want.Path = path
			if c.want.Env == nil {
				c.want.Env = map[string]string{}
			}
			if c.want.Build != nil && c.want.Build.Args == nil {
				c.want.Build.Args = map[string]string{}
			}
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("service (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{ // what of message and hint
		"":                                   "the file is empty",
		"services: {}":                       "no service",
		"services: {a: {image: x}, b: {}}":   "2 services",
		"include: [x]\nservices: {a: }":      "include of a compose file has no place",
		"volumes: {v: }\nservices: {a: }":    "volumes of a compose file has no place",
		"service: {a: {image: x}}":           "did you mean services",
		"services: {a: {}}":                  "neither image nor build",
		"services: {a: &x {image: x}}":       "anchors",
		"services: {a: {imag: x}}":           "did you mean image",
		"services: {a: {image: ./layout}}":   "is a path",
		"services: {a: {image: /x/y.tar}}":   "is a path",
		"services: {a: {image: '$NONE'}}":    "the variable NONE is not set",
		"services: {a: {image: '${USER'}}":   "$$ for the sign itself",
		"services: {a: {image: '${N:?no}'}}": "required variable N is missing a value: no",
		"services: {a: {image: '" + strings.Repeat("${USER:-", 1100) + "'}}": "too many variables",
		"services: {a: {image: " + strings.Repeat("[", 60) + "}}":            "nested deeper",
		"services: {a: {image: x, ports: ['80:80']}}":                        "glovebox session port",
		"services: {a: {image: x, volumes: ['.:/x']}}":                       "COPY",
		"services: {a: {image: x, privileged: true}}":                        "isolation of a cell",
		"services: {a: {image: x, cap_add: [ALL]}}":                          "isolation of a cell",
		"services: {a: {image: x, devices: [/dev/kvm]}}":                     "isolation of a cell",
		"services: {a: {image: x, network_mode: host}}":                      "network_mode \"host\"",
		"services: {a: {image: x, networks: [n]}}":                           "--network",
		"services: {a: {image: x, deploy: {}}}":                              "--memory",
		"services: {a: {image: x, secrets: [s]}}":                            "glovebox secret set",
		"services: {a: {image: x, depends_on: [b]}}":                         "depends_on",
		"services: {a: {image: x, healthcheck: {}}}":                         "healthcheck",
		"services: {a: {image: x, command: a && b}}":                         "no shell reads it",
		"services: {a: {image: x, command: 'a \"b'}}":                        "no shell reads it",
		"services: {a: {image: x, command: []}}":                             "command has no words",
		"services: {a: {image: x, entrypoint: ''}}":                          "entrypoint has no words",
		"services: {a: {build: ..}}":                                         "leads out",
		"services: {a: {build: /etc}}":                                       "leads out",
		"services: {a: {build: {dockerfile: ../x}}}":                         "leads out",
		"services: {a: {build: {dockerfile: x, dockerfile_inline: y}}}":      "both dockerfile and dockerfile_inline",
		"services: {a: {build: {context: ., network: host}}}":                "build has no \"network\"",
		"services: {a: {image: x, env_file: none.env}}":                      "read env_file none.env",
		"services: {a: {image: x, env_file: ../x.env}}":                      "leads out",
		"services: {a: {image: x, env_file: link.env}}":                      "read env_file link.env: ",
		"services: {a: {image: x, env_file: pass.env}}":                      "line 2 of it is no NAME=VALUE",
		"services: {a: {image: x, env_file: many.env}}":                      "more than 16 signs $",
		"services: {a: {image: x, env_file: big.env}}":                       "larger than 64 KiB",
		"services: {a: {image: x, env_file: {path: a}}}":                     "expected a string",
	} {
		outside := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(outside, []byte("KEY=private"), 0o600); err != nil {
			t.Fatal(err)
		}
		path := write(t, text, map[string]string{
			"link.env": "->" + outside, "pass.env": "A=1\nto p: s3cret\n", "many.env": "A=" + strings.Repeat("$A", 17), "big.env": strings.Repeat("A=1\n", 1<<15),
		})
		_, err := Read(path, variables)
		e := api.AsError(err)
		if err == nil || !errors.Is(err, &api.Error{Code: api.InvalidTask}) || !strings.Contains(e.Message+" "+e.Hint, want) {
			t.Errorf("%s gives %v, want %s", text, err, want)
			continue
		}
		if strings.Contains(e.Message+e.Hint+e.Details.Log, "s3cret") {
			t.Errorf("%s shows what is in a file of variables: %v", text, err)
		}
	}
}

// A compose file is opened within its directory, and only if it is a file.
func TestReadFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "compose.yml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "docker-compose.yml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"compose.yml", "docker-compose.yml", "compose.yaml", "none/compose.yaml"} {
		if _, err := Read(filepath.Join(dir, name), variables); !errors.Is(err, &api.Error{Code: api.ImageNotFound}) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	path := write(t, "services: {a: {image: x}}", map[string]string{".env": "no assignment here"})
	if _, err := Read(path, variables); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("a bad .env gives %v", err)
	}
}

func TestNames(t *testing.T) {
	for ref, want := range map[string]bool{
		"./compose.yaml": true, "/a/compose.yml": true, "../docker-compose.yml": true, "./docker-compose.test.yaml": true,
		"compose.yaml": false, "./composer.yaml": false, "./tasks.yaml": false, "./compose": false, "oci:./compose.yaml": false, "": false,
	} {
		if Names(ref) != want {
			t.Errorf("%q names a compose file: %v", ref, !want)
		}
	}
}

// FuzzRead looks for texts that make a reader fail or take long.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"${A:-${B-c}} $$ $A", "${", "${A:?}", "$USER${USER", "a && b", "{}", "}${A}"} {
		f.Add("services: {a: {image: x, command: '"+seed+"'}}", "A="+seed)
	}
	f.Fuzz(func(t *testing.T, text, env string) {
		if _, err := Read(write(t, text, map[string]string{".env": env}), variables); err != nil && api.AsError(err).Message == "" {
			t.Error("an error says nothing")
		}
	})
}
