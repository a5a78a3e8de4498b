package attack

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
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

// TestAttackS01_NotOnACommandLine looks at every process while a run holds the
// secret.
func TestAttackS01_NotOnACommandLine(t *testing.T) {
	canary := "canary-" + rand.Text()
	name := "attack-" + strings.ToLower(rand.Text()[:8])
	gloveboxIn(t, canary, "secret", "set", name).succeeds(t)
	t.Cleanup(func() { glovebox(t, "secret", "rm", name) })

	cmd := command("run", "--secret", name+"=KEY", "-c", "import time; print('up', flush=True); time.sleep(10**6)")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() }()
	if _, err := io.ReadFull(out, make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"/proc/[0-9]*/cmdline", "/proc/[0-9]*/environ"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(canary)) {
				t.Errorf("%s has the secret", file)
			}
		}
	}
}

func TestAttackS03_EchoedByTheCode(t *testing.T) {
	canary := "canary-" + rand.Text()
	name := "attack-" + strings.ToLower(rand.Text()[:8])
	gloveboxIn(t, canary, "secret", "set", name).succeeds(t)
	t.Cleanup(func() { glovebox(t, "secret", "rm", name) })

	e := glovebox(t, "run", "--secret", name+"=KEY", "-c", `
import base64, os, time
secret = os.environ["KEY"].encode()
for i in range(len(secret)):  # across chunk borders
    os.write(1, b"." + secret[:i]); time.sleep(0.002); os.write(1, secret[i:])
for byte in secret:
    os.write(1, bytes([byte])); time.sleep(0.002)
os.write(1, b"\n" + base64.b64encode(secret) + b"\n" + secret.hex().encode() + b"\n")
`).succeeds(t)
	for _, form := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary)), hex.EncodeToString([]byte(canary))} {
		if strings.Contains(e.stdout, form) {
			t.Errorf("the output has %q", form)
		}
	}
	if !strings.Contains(e.stdout, "[redacted]") {
		t.Errorf("nothing is redacted: %.500s", e.stdout)
	}
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
