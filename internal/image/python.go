package image

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// venv is where Python packages are, first on the image's PATH.
const venv = "/opt/venv"

// withVenv puts the virtual environment first on PATH.
func withVenv(env []string) []string {
	if strings.HasPrefix(pathOf(env), venv+"/bin:") {
		return env
	}
	out := slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "PATH=") || strings.HasPrefix(e, "VIRTUAL_ENV=") })
	return append(out, "PATH="+venv+"/bin:"+pathOf(env), "VIRTUAL_ENV="+venv)
}

// pythonStep resolves and installs Python packages with uv. The lock with its
// hashes is made in the cell and checked on the host before it is used.
func (b *build) pythonStep(packages []string) step {
	text := strings.Join(packages, "\n")
	return step{kind: kindPython, text: text, from: b.sources(), run: func(ctx context.Context, c *stepCell) ([]Package, error) {
		if b.info.Python == "" && !b.info.APT {
			return nil, api.Errorf(api.InvalidTask, "base %s has no Python, so packages cannot be installed: %s", b.base.Base.Ref, strings.Join(packages, ", ")).
				WithHint("use a base with Python, or leave out the packages").
				WithDetails(api.Details{Field: "image.packages"})
		}
		if err := c.giveUV(ctx); err != nil {
			return nil, err
		}
		if err := c.putFile(ctx, "requirements.in", 0o644, []byte(text+"\n")); err != nil {
			return nil, err
		}
		if err := c.makeVenv(ctx); err != nil {
			return nil, err
		}
		locked, err := c.resolve(ctx, packages)
		if err != nil {
			return nil, err
		}
		return locked, c.install(ctx, locked)
	}}
}

func (c *stepCell) giveUV(ctx context.Context) error {
	path, err := c.b.s.uv(ctx, c.b.own)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return storageError("read the installer", err)
	}
	return c.putFile(ctx, "uv", 0o755, program)
}

// uv runs the installer. Its cache is on the cell's disk and outside of every
// layer, hence copies rather than links.
func (c *stepCell) uv(ctx context.Context, args ...string) (result, error) {
	env := []string{
		"UV_CACHE_DIR=" + workDir + "/cache", "TMPDIR=" + workDir + "/tmp", "UV_LINK_MODE=copy", "UV_NO_CONFIG=1",
		"UV_PYTHON_DOWNLOADS=never", "UV_NO_PROGRESS=1", "UV_HTTP_TIMEOUT=60", "NO_COLOR=1",
		// Files get the time of the build, so bytecode must not depend on theirs.
		"PYC_INVALIDATION_MODE=UNCHECKED_HASH",
	}
	return c.capture(ctx, env, append([]string{toolDir + "/uv"}, args...)...)
}

func (c *stepCell) makeVenv(ctx context.Context) error {
	r, err := c.exec(ctx, nil, "/bin/mkdir", "-p", workDir+"/tmp")
	if err != nil || r.Code != 0 {
		return buildFailed("mkdir", r, err)
	}
	// The interpreter is named without a path: the tools step may have brought it.
	r, err = c.uv(ctx, "venv", "--no-project", "--quiet", "--allow-existing", "--python", "python3", venv)
	if err != nil || r.Code != 0 {
		return buildFailed("making the virtual environment", r, err)
	}
	return nil
}

func (c *stepCell) resolve(ctx context.Context, packages []string) ([]Package, error) {
	c.b.progress(api.Progress{Stage: "resolve", Message: "resolving " + oneLine(strings.Join(packages, " "))})
	r, err := c.uv(ctx, "pip", "compile", "--generate-hashes", "--no-header", "--no-annotate", "--emit-index-annotation", "--no-sources",
		"--python", venv+"/bin/python", toolDir+"/requirements.in")
	if err != nil {
		return nil, err
	}
	if r.Code != 0 {
		return nil, c.b.suggestPython(ctx, diagnoseUV(r.log, r.Exit, packages))
	}
	return parseLock(string(r.stdout), c.b.indexes)
}

// install installs what was locked. uv takes no hashes for commits, so these
// go in apart.
func (c *stepCell) install(ctx context.Context, locked []Package) error {
	var hashed, commits strings.Builder
	for _, p := range locked {
		if p.commit() {
			commits.WriteString(p.line() + "\n")
		} else {
			hashed.WriteString(p.line() + "\n")
		}
	}
	if err := c.installList(ctx, "lock.txt", hashed.String(), "--require-hashes"); err != nil {
		return err
	}
	if err := c.installList(ctx, "commits.txt", commits.String(), "--no-sources"); err != nil {
		return err
	}
	return c.dropCache(ctx)
}

func (c *stepCell) installList(ctx context.Context, name, lines, how string) error {
	if lines == "" {
		return nil
	}
	if err := c.putFile(ctx, name, 0o644, []byte(lines)); err != nil {
		return err
	}
	r, err := c.uv(ctx, "pip", "install", how, "--no-deps", "--compile-bytecode", "--python", venv+"/bin/python", "-r", toolDir+"/"+name)
	if err != nil {
		return err
	}
	if r.Code != 0 {
		return diagnoseUV(r.log, r.Exit, nil)
	}
	return nil
}

// dropCache spares the cell sending what no layer keeps.
func (c *stepCell) dropCache(ctx context.Context) error {
	r, err := c.exec(ctx, nil, "/bin/rm", "-rf", workDir+"/cache", workDir+"/tmp")
	if err != nil || r.Code != 0 {
		return buildFailed("removing the cache", r, err)
	}
	return nil
}

// buildFailed is the error of a program of ours that should have worked.
func buildFailed(what string, r result, err error) error {
	if err != nil {
		return err
	}
	return api.Errorf(api.BuildFailed, "%s ended with status %d: %s", what, r.Code, lastLine(r.log)).
		WithDetails(api.Details{Log: r.log, ExitCode: r.Code})
}

// inShell runs a command in the first shell that knows pipefail, so that a
// pipe whose first program fails is no success: bash, else sh as it is.
const inShell = `for shell in bash sh; do
if "$shell" -o pipefail -c : 2>/dev/null; then exec "$shell" -o pipefail -c "$1"; fi
done
exec /bin/sh -c "$1"`

// commandStep runs one command of the spec.
func (b *build) commandStep(command string) step {
	return step{kind: kindCommand, text: command, from: b.sources(), run: func(ctx context.Context, c *stepCell) ([]Package, error) {
		r, err := c.exec(ctx, nil, "/bin/sh", "-c", inShell, "sh", command)
		if err != nil {
			return nil, err
		}
		if r.Code == 0 && r.Signal == "" {
			return nil, c.refusal(command)
		}
		return nil, commandFailed(command, r)
	}}
}

func commandFailed(command string, r result) error {
	if r.Signal != "" {
		return api.Errorf(api.BuildFailed, "command %q was ended by %s", oneLine(command), r.Signal).
			WithDetails(api.Details{Field: "image.commands", Got: command, Signal: r.Signal, Log: lastLines(r.log, 20)})
	}
	return api.Errorf(api.BuildFailed, "command %q ended with status %d: %s", oneLine(command), r.Code, lastLine(r.log)).
		WithDetails(api.Details{Field: "image.commands", Got: command, ExitCode: r.Code, Log: lastLines(r.log, 20)})
}
