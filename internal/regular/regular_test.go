package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, test := range []struct {
		from   From
		prefix string
	}{{root, ""}, {Host{}, dir + "/"}} {
		f, err := Open(test.from, test.prefix+"file")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if string(text) != "text" || errors.Join(err, f.Close()) != nil {
			t.Errorf("%T: %q, %v", test.from, text, err)
		}
		if _, err := Open(test.from, test.prefix+"."); !errors.Is(err, ErrOther) {
			t.Errorf("%T: a directory: %v", test.from, err)
		}
		if _, err := Open(test.from, test.prefix+"missing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%T: no file: %v", test.from, err)
		}
	}
}
