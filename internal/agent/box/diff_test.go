package box

import (
	"archive/tar"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func diffOf(t *testing.T, c *Changes) string {
	t.Helper()
	var text strings.Builder
	for i := range c.List {
		if err := c.Diff(&text, &c.List[i]); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

// TestDiffIsGits: git makes of it what Apply makes.
func TestDiffIsGits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	random := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		var lines strings.Builder
		for range random.IntN(12) {
			lines.WriteString([]string{"a", "b", "c", "", "d"}[random.IntN(5)])
			lines.WriteString("\n")
		}
		if random.IntN(3) == 0 {
			lines.WriteString("no end of line")
		}
		return lines.String()
	}
	names := []string{"plain", "with space", "quo\"te", "back\\slash", "new\nline", "dir/é", "tab\there"}
	for range 40 {
		files := map[string]string{"kept": "k"}
		for _, name := range names {
			if random.IntN(3) > 0 {
				files[name] = text()
			}
		}
		byGit, byUs := lay(t, files), lay(t, files)
		p := open(t, byUs)
		inCell := []tar.Header{aFile("kept", "k")}
		for _, name := range names {
			before, was := files[name]
			switch random.IntN(4) {
			case 0:
				inCell = append(inCell, aFile(name, text()))
			case 1:
				inCell = append(inCell, aScript(name, text()))
			case 2:
				if was {
					inCell = append(inCell, aFile(name, before+"more\n"))
				}
			}
		}
		c := received(t, p, fromCell(t, inCell...))
		patch := diffOf(t, c)
		if _, err := c.Apply(c.List); err != nil {
			t.Fatal(err)
		}
		if patch != "" {
			cmd := exec.Command("git", "-C", byGit, "apply", "--whitespace=nowarn", "-")
			cmd.Stdin = strings.NewReader(patch)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git apply: %v: %s\n%s", err, out, patch)
			}
		}
		if d := cmp.Diff(tree(t, byUs), tree(t, byGit)); d != "" {
			t.Fatalf("%s\n%s", d, patch)
		}
	}
}

func TestDiffOfWhatHasNoLines(t *testing.T) {
	dir := lay(t, map[string]string{"binary": "\x00\x01", "tool": "t", "link": "-> tool", "was": "text\n"})
	c := received(t, open(t, dir), fromCell(t, aFile("binary", "\xff\xfe"), aScript("tool", "t"), aLink("link", "binary"), aLink("was", "tool"), aFile("large", strings.Repeat("x", maxShown+1)), aFile("empty", "")))
	got := diffOf(t, c)
	for _, want := range []string{
		"Binary files a/binary and b/binary differ\n", "old mode 100644\nnew mode 100755\n", "-tool\n\\ No newline at end of file\n+binary\n",
		"deleted file mode 100644\n--- a/was\n+++ /dev/null\n", "new file mode 120000\n--- /dev/null\n+++ b/was\n", "are too large to compare: 0 and 2097153 bytes\n", "diff --git a/empty b/empty\nnew file mode 100644\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("without %q:\n%s", want, got)
		}
	}
	for i := range c.List {
		if _, _, err := c.Lines(&c.List[i]); err != nil {
			t.Error(err)
		}
	}
}
