package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTemplatesMove: templates of an earlier program move to where those of all nodes
// are, and homes do not share a file.
func TestTemplatesMove(t *testing.T) {
	a, other := openApp(t, t.TempDir()), openApp(t, t.TempDir())
	before := a.Home.Below(e2bTemplatesBefore)
	if err := os.MkdirAll(filepath.Dir(before), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(before, []byte(`{"files": {"h": "upload"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		path, err := a.e2bTemplates()
		if err != nil || filepath.Dir(path) != a.Home.Templates() {
			t.Fatal(path, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != `{"files": {"h": "upload"}}` {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		elsewhere, err := other.e2bTemplates()
		if err != nil || filepath.Base(elsewhere) == filepath.Base(path) {
			t.Errorf("two homes have %s: %v", filepath.Base(path), err)
		}
	}
	if _, err := os.Stat(before); !os.IsNotExist(err) {
		t.Errorf("the old file is still there: %v", err)
	}
}
