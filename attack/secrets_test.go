package attack

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAttackS01_NowhereInClear gives a run a secret that the run prints, raises
// and passes on, and then looks for it everywhere that Glovebox writes.
func TestAttackS01_NowhereInClear(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	began := time.Now().Add(-time.Second)
	canary := "canary-" + rand.Text()
	name := "attack-" + strings.ToLower(rand.Text()[:8])
	gloveboxIn(t, canary, "secret", "set", name).succeeds(t)
	t.Cleanup(func() { glovebox(t, "secret", "rm", name) })

	code := `
import os, sys
secret = os.environ["KEY"]
print(secret); print(secret, file=sys.stderr)
assert open("/run/secrets/` + name + `").read() == secret
raise ValueError("it is " + secret)
`
	outputs := []ended{
		glovebox(t, "run", "--secret", name+"=KEY", "--secret", name, "-c", code),
		glovebox(t, "run", "--json", "--secret", name+"=KEY", "--secret", name, "-c", code),
		glovebox(t, "run", "--secret", name+"=KEY", "-o", "missing:int", "-c", "import os; print(os.environ['KEY'])"),
		glovebox(t, "secret", "ls"),
		glovebox(t, "image", "ls"),
		glovebox(t, "doctor"),
	}
	for i, e := range outputs {
		if strings.Contains(e.stdout+e.stderr, canary) {
			t.Errorf("output %d has the secret: %s%s", i, e.stdout, e.stderr)
		}
	}
	if outputs[0].status != 1 {
		t.Errorf("the first run ended with the status %d, so it had no secret: %s", outputs[0].status, outputs[0].stderr)
	}
	scanTree(t, home, began, []byte(canary))
	scanTree(t, os.TempDir(), began, []byte(canary))
}

// scanTree looks for the canary in every file that was written since it was
// made, in compressed ones too.
func scanTree(t *testing.T, dir string, began time.Time, canary []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || path == program {
			return nil // files come and go under other tests
		}
		if info, err := entry.Info(); err != nil || info.ModTime().Before(began) {
			return nil
		}
		if fileHas(path, canary) {
			t.Errorf("%s has the secret", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func fileHas(path string, canary []byte) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if streamHas(f, canary) {
		return true
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	unzipped, err := gzip.NewReader(f)
	return err == nil && streamHas(unzipped, canary)
}

func streamHas(r io.Reader, canary []byte) bool {
	buf := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := r.Read(buf[kept:])
		if bytes.Contains(buf[:kept+n], canary) {
			return true
		}
		if err != nil {
			return false
		}
		end := kept + n
		kept = copy(buf, buf[max(0, end-len(canary)+1):end])
	}
}
