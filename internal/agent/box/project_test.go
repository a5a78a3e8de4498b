package box

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// lay makes files in a new directory; "-> TARGET" is a link, and a leading "#!" makes
// one that can be executed.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		target, isLink := strings.CutPrefix(text, "-> ")
		var err error
		switch {
		case isLink:
			err = os.Symlink(target, file)
		case strings.HasPrefix(text, "#!"):
			err = os.WriteFile(file, []byte(text), 0o755)
		default:
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string) *Project {
	t.Helper()
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// packed is what goes into a cell.
func packed(t *testing.T, p *Project) map[string]string {
	t.Helper()
	var archive bytes.Buffer
	if err := p.pack(t.Context(), &archive); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(&archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch h.Typeflag {
		case tar.TypeReg:
			files[h.Name] = string(text)
		case tar.TypeSymlink:
			files[h.Name] = "-> " + h.Linkname
		}
	}
}

func TestWhatOfAProjectGoesIn(t *testing.T) {
	dir := lay(t, map[string]string{
		"main.py": "print()", "run.sh": "#!/bin/sh", "src/a.py": "a", "inside": "-> src/a.py", "src/up": "-> ../main.py",
		".gitignore": ".env\nbuild/\n*.log\n!keep.log\n", ".env": "SECRET", "build/out": "x", "a.log": "x", "keep.log": "kept", "src/.gitignore": "/b.py\n", "src/b.py": "b", "b.py": "b",
		".git/config": "token", ".git/info/exclude": "private\n", "private": "x", "sub/.git": "gitdir: /elsewhere",
		"absolute": "-> /etc/passwd", "out": "-> ../secret", "src/out": "-> ../../secret", "round": "-> src/../../x", "repository": "-> .git/config",
	})
	p := open(t, dir)
	want := map[string]string{
		"main.py": "print()", "run.sh": "#!/bin/sh", "src/a.py": "a", "inside": "-> src/a.py", "src/up": "-> ../main.py",
		".gitignore": ".env\nbuild/\n*.log\n!keep.log\n", "keep.log": "kept", "src/.gitignore": "/b.py\n", "b.py": "b",
	}
	if d := cmp.Diff(want, packed(t, p)); d != "" {
		t.Error(d)
	}
	left := map[string]string{}
	for _, l := range p.LeftOut {
		left[l.Path] = l.Reason
	}
	wantLeft := map[string]string{
		".env": becauseIgnored, "build": becauseIgnored, "a.log": becauseIgnored, "src/b.py": becauseIgnored, "private": becauseIgnored,
		".git": becauseGit, "sub/.git": becauseGit,
		"absolute": becauseLink, "out": becauseLink, "src/out": becauseLink, "round": becauseLink, "repository": becauseLink,
	}
	if d := cmp.Diff(wantLeft, left); d != "" {
		t.Error(d)
	}
	if !p.entries["run.sh"].exec || p.entries["main.py"].exec {
		t.Error("the right to execute is lost")
	}
}

func TestDockerIgnoreWithoutGitIgnore(t *testing.T) {
	p := open(t, lay(t, map[string]string{".dockerignore": "secret\n", "secret": "x", "sub/secret": "kept"}))
	if d := cmp.Diff(map[string]string{".dockerignore": "secret\n", "sub/secret": "kept"}, packed(t, p)); d != "" {
		t.Error(d)
	}
}

func TestProjectsThatAreRefused(t *testing.T) {
	large := lay(t, map[string]string{"data/big": "", "small": "x"})
	if err := os.Truncate(filepath.Join(large, "data/big"), MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	deep := lay(t, map[string]string{strings.Repeat("d/", maxDepth+1) + "f": "x"})
	for dir, want := range map[string]string{
		large: "largest so far: data", deep: "directories below one another", filepath.Join(large, "small"): "cannot be read", filepath.Join(large, "nothing"): "cannot be read",
	} {
		_, err := Open(dir)
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.RequestInvalid || !strings.Contains(e.Message+e.Hint, want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestIgnoredAsGit compares with git itself.
func TestIgnoredAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "ab", "a.log", "x.py", "b c", "[x]", "é"}
	patterns := []string{"a", "/a", "a/", "*.log", "!a.log", "a/b", "**/b", "a/**", "a/**/b", "?", "[ab]", "[!a]b", "[^a]", "b c", `\[x\]`, "*", "!a/", "!/a/b", "# x", `\!x`, "", "x.*", "ab*", "a/*", "é", "[", "[a", "**", "/**/ab", "a\\", "trailing  "}
	for range 60 {
		files := map[string]string{}
		for range 20 {
			parts := make([]string, 1+random.IntN(3))
			for i := range parts {
				parts[i] = names[random.IntN(len(names))]
			}
			name := path.Join(parts...)
			if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(other string) bool {
				return strings.HasPrefix(other+"/", name+"/") || strings.HasPrefix(name+"/", other+"/")
			}) {
				files[name] = "x"
			}
		}
		some := func() string {
			var lines []string
			for range 1 + random.IntN(4) {
				lines = append(lines, patterns[random.IntN(len(patterns))])
			}
			return strings.Join(lines, "\n") + "\n"
		}
		files[".gitignore"] = some()
		if random.IntN(2) == 0 && files["a"] == "" {
			files["a/.gitignore"] = some()
		}
		dir := lay(t, files)
		git(t, dir, "init", "-q")
		want := strings.Split(strings.TrimSuffix(git(t, dir, "ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00")
		got := slices.Sorted(maps.Keys(open(t, dir).entries))
		if slices.Sort(want); !slices.Equal(want, got) && !(len(got) == 0 && want[0] == "") {
			t.Fatalf("of %q\ngit takes  %q\nthe project %q", files, want, got)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.excludesFile=", "-c", "init.defaultBranch=main"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("git %s: %v: %s", args, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return string(out)
}
