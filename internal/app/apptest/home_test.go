package apptest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHome(t *testing.T) {
	cache := t.TempDir()
	t.Setenv(CacheVariable, cache)
	first, removeFirst := home(t)
	if err := os.WriteFile(filepath.Join(first, "images", "one"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := removeFirst(); err != nil {
		t.Fatal(err)
	}
	second, removeSecond := home(t)
	if first == second || names(t, first) != nil {
		t.Errorf("the homes are %s and %s, which holds %q", first, second, names(t, first))
	}
	if got := names(t, filepath.Join(second, "images")); len(got) != 1 || len(names(t, second)) != 1 {
		t.Errorf("images = %q, the home holds %q", got, names(t, second))
	}
	if err := removeSecond(); err != nil {
		t.Fatal(err)
	}

	t.Setenv(CacheVariable, "")
	third, removeThird := home(t)
	if got := names(t, third); len(got) > 0 {
		t.Errorf("without a cache the home holds %q", got)
	}
	if err := removeThird(); err != nil {
		t.Fatal(err)
	}
}

func home(t *testing.T) (string, func() error) {
	t.Helper()
	home, remove, err := Home()
	if err != nil {
		t.Fatal(err)
	}
	return home, remove
}

// names lists a directory; nil if it is not there.
func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
