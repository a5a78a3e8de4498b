package attack

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
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

// TestAttackS09_WithheldFromTheCell looks for the value of a withheld secret in all that
// a program of the cell can read. It looks by another alphabet, so that the search itself
// has the value nowhere.
func TestAttackS09_WithheldFromTheCell(t *testing.T) {
	canary := "canary-" + rand.Text()
	name := "attack-" + strings.ToLower(rand.Text()[:8])
	gloveboxIn(t, canary, "secret", "set", name).succeeds(t)
	t.Cleanup(func() { glovebox(t, "secret", "rm", name) })
	hidden := make([]byte, len(canary))
	for i := range hidden {
		hidden[i] = canary[i] ^ 0x55
	}

	code := `
import glob, os, re
hidden = bytes.fromhex(needle)
table = bytes(i ^ 0x55 for i in range(256))
places, read = [], 0
def look(place, data):
    global read
    read += len(data)
    if hidden in data.translate(table): places.append(place)
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/run/**/*", recursive=True) + glob.glob("/etc/**/*", recursive=True):
    try: look(path, open(path, "rb").read(1 << 22))
    except OSError: pass
with open("/proc/self/mem", "rb", 0) as mem:
    for start, end in re.findall(r"^(\w+)-(\w+) r", open("/proc/self/maps").read(), re.M):
        try:
            mem.seek(int(start, 16)); look("memory " + start, mem.read(min(int(end, 16) - int(start, 16), 1 << 24)))
        except (OSError, ValueError, OverflowError): pass
key = os.environ["KEY"]
same = key == open("/run/secrets/` + name + `").read()
`
	terms := "@api.example.com"
	e := glovebox(t, "run", "--json", "--secret", name+"=KEY"+terms, "--secret", name+terms, "-i", "needle="+hex.EncodeToString(hidden),
		"-o", "places:list[str]", "-o", "read:int", "-o", "key:str", "-o", "same:bool", "-c", code).succeeds(t)
	out := e.result(t).Outputs
	if found, ok := out["places"].([]any); !ok || len(found) > 0 {
		t.Errorf("the cell has the value in %v", out["places"])
	}
	if read, ok := out["read"].(float64); !ok || read < 1<<20 {
		t.Errorf("only %v bytes were searched", out["read"])
	}
	if key, ok := out["key"].(string); !ok || !strings.HasPrefix(key, "glovebox-") || out["same"] != true {
		t.Errorf("the program has %v", out)
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
