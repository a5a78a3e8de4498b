//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesAsFiles: the output of another program can be a file.
func TestPipesAsFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, []byte("piped"), 0o600) }()
	service, got := give(t, "", "run", "-i", "data:File="+path, "--", "cat")
	expect(t, got, printed{})
	if service.files["data"] != "piped" {
		t.Errorf("the file holds %q", service.files["data"])
	}
}
