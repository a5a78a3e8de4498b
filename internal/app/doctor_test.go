package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestBaseFinding(t *testing.T) {
	dir := t.TempDir()
	path := "/nowhere" + string(filepath.ListSeparator) + dir
	install := func(name string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name   string
		mode   os.FileMode
		uid    int
		ok     bool
		remedy string
	}{
		{"newuidmap.not", 0o755, 0, false, "mmdebstrap"},
		{"mmdebstrap", 0o644, 0, false, "mmdebstrap"}, // cannot be executed
		{"other", 0o755, 1000, false, "mmdebstrap"},
	}
	for _, s := range steps {
		install(s.name, s.mode)
		if f := baseFinding(path, s.uid); f.OK != s.ok || f.Fatal || !strings.Contains(f.Remedy, s.remedy) {
			t.Errorf("after %s: %+v", s.name, f)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "mmdebstrap"), 0o755); err != nil {
		t.Fatal(err)
	}
	if f := baseFinding(path, 0); !f.OK {
		t.Errorf("root with mmdebstrap: %+v", f)
	}
	if f := baseFinding(path, 1000); f.OK || !strings.Contains(f.Remedy, "uidmap") {
		t.Errorf("a user without newuidmap: %+v", f)
	}
	install("newuidmap", 0o755)
	if f := baseFinding(path, 1000); !f.OK {
		t.Errorf("a user with both: %+v", f)
	}
}

func TestBrokenFinding(t *testing.T) {
	f := broken("secrets", api.Errorf(api.SecretUnreadable, "the key is open to others").WithHint("chmod"), false)
	if f.OK || f.Fatal || f.Remedy != "chmod" || f.Detail != "the key is open to others" {
		t.Errorf("finding = %+v", f)
	}
	if f := broken("images", errors.New("boom"), true); !f.Fatal || f.Remedy == "" {
		t.Errorf("finding = %+v", f)
	}
}

func TestStateFindings(t *testing.T) {
	a := openApp(t, t.TempDir())
	details := func() string {
		var all []string
		for _, f := range a.stateFindings(t.Context()) {
			all = append(all, f.Subject+": "+f.Detail+" "+f.Remedy)
		}
		return strings.Join(all, "\n")
	}
	if got := details(); !strings.Contains(got, "0 runs and 0 calls; its structure is sound") ||
		!strings.Contains(got, "blobs: 0 blobs") || strings.Contains(got, "interrupted") {
		t.Errorf("of an empty home:\n%s", got)
	}
	outputTexts(t, a, submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "kept"), Cache: api.CacheAuto}))
	if got := details(); !strings.Contains(got, "1 runs (1 succeeded) and 0 calls") ||
		!strings.Contains(got, "blobs: 3 blobs") || !strings.Contains(got, "cache: 1 results") {
		t.Errorf("after a run:\n%s", got)
	}
	if f := interruptedFinding(2); f.OK || f.Fatal || !strings.Contains(f.Remedy, "glovebox resume") {
		t.Errorf("finding = %+v", f)
	}
}
