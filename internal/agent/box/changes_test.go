package box

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fromCell is the archive of a project as a cell has it.
func fromCell(t *testing.T, headers ...tar.Header) *bytes.Buffer {
	t.Helper()
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, h := range headers {
		text := h.Uname // carries the content
		h.Uname = ""
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(text))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &archive
}

func aFile(name, text string) tar.Header { return tar.Header{Name: name, Uname: text} }
func aScript(name, text string) tar.Header {
	return tar.Header{Name: name, Uname: text, Mode: 0o755}
}
func aLink(name, target string) tar.Header {
	return tar.Header{Name: name, Linkname: target, Typeflag: tar.TypeSymlink}
}

// received are the changes that an archive makes of a project.
func received(t *testing.T, p *Project, archive *bytes.Buffer) *Changes {
	t.Helper()
	packed(t, p)
	r := &receiver{project: p, staged: t.TempDir(), seen: map[string]bool{}}
	if err := r.receive(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	c := &Changes{List: r.changes(), LeftOut: r.leftOut, project: p, staged: r.staged}
	for i := range c.List {
		c.List[i].Conflict = c.conflict(&c.List[i], true)
	}
	return c
}

func verbs(c *Changes) map[string]string {
	found := map[string]string{}
	for _, change := range c.List {
		found[change.Path] = change.Verb()
	}
	return found
}

// tree reads a directory back.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		if e.Type()&os.ModeSymlink != 0 {
			target, err := os.Readlink(file)
			found[name] = "-> " + target
			return err
		}
		text, err := os.ReadFile(file)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestChangesAreMade(t *testing.T) {
	dir := lay(t, map[string]string{
		"same": "s", "edited": "one\n", "gone/deep/x": "x", "tool": "text", "link": "-> same", "dir/a": "a", "dir/b": "b", "plain": "p", ".gitignore": "cache/\n", "cache/mine": "kept here",
	})
	if err := os.Chmod(filepath.Join(dir, "edited"), 0o640); err != nil {
		t.Fatal(err)
	}
	p := open(t, dir)
	c := received(t, p, fromCell(t,
		aFile("same", "s"), aFile("edited", "two\n"), aScript("tool", "text"), aLink("link", "edited"), aFile("dir", "now a file"), aFile("plain/below", "now a directory"),
		aFile("new/in/dirs", "n"), aScript("new/script", "#!"), aFile(".gitignore", "cache/\n"), aFile("cache/theirs", "left in the cell"), aFile(".git/config", "of the cell"),
	))
	want := map[string]string{
		"edited": "modified", "gone/deep/x": "deleted", "tool": "mode", "link": "modified", "dir": "added", "dir/a": "deleted", "dir/b": "deleted",
		"plain": "deleted", "plain/below": "added", "new/in/dirs": "added", "new/script": "added",
	}
	if d := cmp.Diff(want, verbs(c)); d != "" {
		t.Error(d)
	}
	conflicts, err := c.Apply(c.List)
	if err != nil || len(conflicts) > 0 {
		t.Fatalf("%v, %v", conflicts, err)
	}
	wantTree := map[string]string{
		"same": "s", "edited": "two\n", "tool": "text", "link": "-> edited", "dir": "now a file", "plain/below": "now a directory",
		"new/in/dirs": "n", "new/script": "#!", ".gitignore": "cache/\n", "cache/mine": "kept here",
	}
	if d := cmp.Diff(wantTree, tree(t, dir)); d != "" {
		t.Error(d)
	}
	for name, want := range map[string]os.FileMode{"edited": 0o640, "tool": 0o755, "new/script": 0o755} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "gone")); err == nil {
		t.Error("the empty directory is there")
	}
}

// TestConflictsAreLeft: a project may change while an agent works on its copy.
func TestConflictsAreLeft(t *testing.T) {
	dir := lay(t, map[string]string{"edited": "one", "deleted": "one", "also": "one", "free": "one", "out": "-> /etc"})
	p := open(t, dir)
	packed(t, p)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("edited", "by me")
	write("also", "by me")
	write("new", "by me")
	if err := os.Remove(filepath.Join(dir, "deleted")); err != nil {
		t.Fatal(err)
	}
	r := &receiver{project: p, staged: t.TempDir(), seen: map[string]bool{}}
	if err := r.receive(t.Context(), fromCell(t, aFile("edited", "by it"), aFile("deleted", "by it"), aFile("free", "by it"), aFile("new", "by it"), aFile("out", "by it"), aFile("out2/x", "by it"))); err != nil {
		t.Fatal(err)
	}
	c := &Changes{List: r.changes(), project: p, staged: r.staged}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out2")); err != nil { // while somebody judges
		t.Fatal(err)
	}
	before := tree(t, dir)
	conflicts, err := c.Apply(c.List)
	if err != nil || len(conflicts) != 6 {
		t.Fatalf("%+v, %v", conflicts, err)
	}
	before["free"] = "by it"
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

// TestHostileArchives: a cell may answer anything.
func TestHostileArchives(t *testing.T) {
	outside := lay(t, map[string]string{"victim": "safe"})
	dir := lay(t, map[string]string{"mine": "m", "inner/x": "x"})
	p := open(t, dir)
	hooks := []tar.Header{
		aScript(".git/hooks/pre-commit", "evil"), aScript(".GIT/hooks/pre-commit", "evil"), aScript("sub/.git /config", "evil"), aScript("GIT~1/config", "evil"), aScript(".g\u200cit/config", "evil"), aScript(".git::$INDEX_ALLOCATION/x", "evil"),
	}
	c := received(t, p, fromCell(t, append(hooks,
		aFile("../escape", "evil"), aFile("/etc/cron.d/x", "evil"), aFile("a/../../escape", "evil"), aFile("mine", "m"), aFile("mine", "a second one"),
		aLink("inner", outside), aFile("inner/victim", "evil"), aLink("to", "../"+filepath.Base(outside)), aLink("absolute", "/etc/passwd"), aLink("config", ".git/config"), aLink("up", "inner/../../x"),
		tar.Header{Name: "pipe", Typeflag: tar.TypeFifo}, tar.Header{Name: "device", Typeflag: tar.TypeChar}, tar.Header{Name: "hard", Linkname: "/etc/shadow", Typeflag: tar.TypeLink},
		tar.Header{Name: "setuid", Uname: "s", Mode: 0o4755},
	)...))
	if _, err := c.Apply(c.List); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"mine": "m", "inner/victim": "evil", "setuid": "s"}
	if d := cmp.Diff(want, tree(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"victim": "safe"}, tree(t, outside)); d != "" {
		t.Error(d)
	}
	if info, err := os.Stat(filepath.Join(dir, "setuid")); err != nil || info.Mode()&os.ModeSetuid != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	var left []string
	for _, l := range c.LeftOut {
		left = append(left, l.Path)
	}
	if got := strings.Join(left, " "); got != "../escape /etc/cron.d/x ../escape inner to absolute config up pipe device hard" {
		t.Errorf("left out: %s", got)
	}
}

// TestSizeBombs: sizes are judged before anything is kept.
func TestSizeBombs(t *testing.T) {
	dir := lay(t, map[string]string{"mine": "m"})
	p := open(t, dir)
	packed(t, p)
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, h := range []tar.Header{
		{Name: "mine", Typeflag: tar.TypeReg, Size: maxStaged + 1, Mode: 0o644},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	r := &receiver{project: p, staged: t.TempDir(), seen: map[string]bool{}}
	if err := r.receive(t.Context(), &archive); err == nil {
		t.Error("a cut archive is an error")
	}
	if got := r.changes(); len(got) != 0 || len(r.leftOut) != 1 {
		t.Errorf("a file that is too large is no change, and not deleted: %+v, %+v", got, r.leftOut)
	}
	many := &receiver{project: p, staged: t.TempDir(), seen: map[string]bool{}, names: maxNames - 100}
	if err := many.receive(t.Context(), fromCell(t, aLink("a", "b"), aLink(strings.Repeat("n", 90), "b"))); err == nil || !strings.Contains(err.Error(), "bytes of names") {
		t.Errorf("names without end: %v", err)
	}
}
