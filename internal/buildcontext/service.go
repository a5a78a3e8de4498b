package buildcontext

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/compose"
)

// takeService reads the compose file that a spec names. What the spec says itself
// goes first.
func takeService(ctx context.Context, store Store, spec api.ImageSpec) (api.ImageSpec, *compose.Service, error) {
	s, err := compose.Read(spec.Ref, os.LookupEnv)
	if err != nil {
		return spec, nil, err
	}
	if s.Build != nil {
		spec.Ref = ""
		spec, err = takeBuild(ctx, store, spec, s)
		return spec, s, err
	}
	if spec.RegistrySecret != "" {
		return spec, nil, errForeignRegistry(s)
	}
	spec.Ref = s.Image
	return spec, s, nil
}

// errForeignRegistry keeps credentials from a registry that only the file names.
func errForeignRegistry(s *compose.Service) error {
	return api.Errorf(api.InvalidTask, "%s names the image %s, and credentials are not sent where a compose file says", s.Path, s.Image).
		WithHint("give --image %s itself, and the command and variables as options", s.Image).
		WithDetails(api.Details{Field: "image.registry_secret", Got: s.Path})
}

// takeBuild opens nothing that a link leads to, out of the directory of the file.
func takeBuild(ctx context.Context, store Store, spec api.ImageSpec, s *compose.Service) (api.ImageSpec, error) {
	dir, b := filepath.Dir(s.Path), s.Build
	above, err := os.OpenRoot(dir)
	if err != nil {
		return spec, unreadable(s.Path, err)
	}
	defer above.Close()
	root, err := above.OpenRoot(b.Context)
	if err != nil {
		return spec, badContext(filepath.Join(dir, b.Context), err)
	}
	defer root.Close()
	if spec.Dockerfile = b.Inline; b.Inline == "" {
		if spec.Dockerfile, err = readText(b.Dockerfile, root); err != nil {
			return spec, err
		}
	}
	spec.Target = cmp.Or(spec.Target, b.Target)
	spec.BuildArgs = over(b.Args, spec.BuildArgs)
	spec.Context, err = put(ctx, store, root, filepath.ToSlash(b.Dockerfile))
	return spec, err
}

// over lays what a caller gave over what a file says.
func over(file, given map[string]string) map[string]string {
	if len(file) == 0 {
		return given
	}
	out := maps.Clone(file)
	maps.Copy(out, given)
	return out
}

// run puts into a task what its service says. Code or a command of the task
// stands in for those of the service, and arguments for its command.
func run(s *compose.Service, task *api.Task) error {
	switch {
	case s.Dir != "":
		return misplaced(s, "working_dir", "a run", "write WORKDIR in the Dockerfile, or start a session, which has one")
	case s.User != "":
		return misplaced(s, "user", "a run", "leave it out, for programs of a run are user 1000, or start a session, which has one")
	}
	task.Env = over(s.Env, task.Env)
	if task.Mode() != api.Entrypoint {
		return nil
	}
	task.Command = s.Entrypoint
	if len(task.Arguments) == 0 {
		task.Arguments = s.Command
	}
	return nil
}

// keep puts into a session what its service says.
func keep(s *compose.Service, spec *api.SessionSpec) error {
	for key, argv := range map[string][]string{"entrypoint": s.Entrypoint, "command": s.Command} {
		if len(argv) > 0 && !waits(argv) {
			return misplaced(s, key, "a session", "leave it out, and execute it in the session; or run the file as a task")
		}
	}
	spec.Env = over(s.Env, spec.Env)
	spec.Dir, spec.User = cmp.Or(spec.Dir, s.Dir), cmp.Or(spec.User, s.User)
	return nil
}

// waits reports whether a program only keeps a container alive, as a session is
// without one.
func waits(argv []string) bool {
	if len(argv) == 3 && argv[1] == "-c" && (argv[0] == "sh" || argv[0] == "bash") {
		argv = strings.Fields(argv[2])
	}
	return slices.Contains([]string{"sleep infinity", "tail -f /dev/null"}, strings.Join(argv, " "))
}

func misplaced(s *compose.Service, key, of, hint string) error {
	return api.Errorf(api.InvalidTask, "%s: %s of a service has no place in %s", s.Path, key, of).WithHint("%s", hint).
		WithDetails(api.Details{Field: key, Got: s.Path})
}
