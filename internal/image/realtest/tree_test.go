package realtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// files are the files below a directory with their sizes. Locks of processes
// are not content.
type files map[string]int64

func tree(t *testing.T, dir string) files {
	t.Helper()
	out := files{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".lock" {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[path] = info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// diff says what other has more, less or otherwise.
func (f files) diff(other files) string {
	var out []string
	for path, size := range f {
		if got, ok := other[path]; !ok || got != size {
			out = append(out, fmt.Sprintf("- %s %d", path, size))
		}
	}
	for path, size := range other {
		if was, ok := f[path]; !ok || was != size {
			out = append(out, fmt.Sprintf("+ %s %d", path, size))
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}
