//go:build unix

package buildcontext

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// A pipe that nobody writes to would be opened for ever.
func TestPipesAreNotOpened(t *testing.T) {
	for _, name := range []string{"Dockerfile", ".dockerignore", "Dockerfile.dockerignore"} {
		files := map[string]string{"Dockerfile": "FROM a"}
		delete(files, name)
		dir := write(t, files)
		if err := unix.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Take(t.Context(), &store{}, api.ImageSpec{Ref: filepath.Join(dir, "Dockerfile")})
		if err == nil || !strings.Contains(err.Error(), "no regular file") {
			t.Errorf("%s is a pipe: %v", name, err)
		}
	}
}
