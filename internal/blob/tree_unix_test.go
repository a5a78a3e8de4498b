//go:build unix

package blob

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestPutTreeRefusesPipes(t *testing.T) {
	dir := makeTree(t, "a")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := PutTree(t.Context(), &memory{}, dir, TreeLimits{})
	if !errors.Is(err, &api.Error{Code: api.InvalidInput}) || !strings.Contains(err.Error(), "special file") {
		t.Errorf("err = %v, want invalid_input that says %q", err, "special file")
	}
}
