package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// TestEmptyDatabase (D06): a database that has become empty is damage, and is
// left as it is; one that was taken away begins anew.
func TestEmptyDatabase(t *testing.T) {
	home := t.TempDir()
	openAndClose := func() error {
		a, err := Open(t.Context(), host.Options{Home: home})
		if err == nil {
			err = a.Close()
		}
		return err
	}
	path := filepath.Join(home, "glovebox.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil { // of a process that was killed as it made the home
		t.Fatal(err)
	}
	if err := openAndClose(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := openAndClose(); !errors.Is(err, &api.Error{Code: api.StorageCorrupt}) {
		t.Errorf("an empty database: %v, want storage_corrupt", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("it was touched: %v, %v", info, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := openAndClose(); err != nil {
		t.Errorf("without a database: %v", err)
	}
}
