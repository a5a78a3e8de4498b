package image

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestUnshareTempRemovesWhatTheDeadLeft(t *testing.T) {
	parent := t.TempDir()
	prefix := filepath.Join(parent, "glovebox-base-"+strconv.Itoa(os.Getuid())+"-")
	for _, dir := range []string{prefix + "dead/root/etc", prefix + "alive"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	release, ok, err := tryAcquire(filepath.Join(prefix+"alive", scratchLock), exclusive)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	defer release()

	dir, remove, err := unshareTemp(t.Context(), parent, idRange{})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v; a subordinate id could not pass it", info.Mode(), err)
	}
	if _, err := os.Lstat(prefix + "dead"); !os.IsNotExist(err) {
		t.Errorf("the directory of a dead process is still there: %v", err)
	}
	remove()
	left, err := os.ReadDir(parent)
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(prefix+"alive") {
		t.Errorf("left %v, %v; want the directory of the living process only", left, err)
	}
}
