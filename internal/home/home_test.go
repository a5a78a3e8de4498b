//go:build unix

package home

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name, asked string
		env         map[string]string
		want        string
	}{
		{"asked for", "/a", map[string]string{"GLOVEBOX_HOME": "/b", "HOME": "/home/me"}, "/a"},
		{"variable", "", map[string]string{"GLOVEBOX_HOME": "/b", "XDG_DATA_HOME": "/x", "HOME": "/home/me"}, "/b"},
		{"XDG", "", map[string]string{"XDG_DATA_HOME": "/x", "HOME": "/home/me"}, "/x/glovebox"},
		{"a relative XDG directory does not count", "", map[string]string{"XDG_DATA_HOME": "x", "HOME": "/home/me"}, "/home/me/.local/share/glovebox"},
		{"default", "", map[string]string{"HOME": "/home/me"}, "/home/me/.local/share/glovebox"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Find(tt.asked, func(name string) string { return tt.env[name] })
			if err != nil || string(got) != tt.want {
				t.Errorf("Find = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
	if home, err := Find("", func(string) string { return "rel/home" }); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
		t.Errorf("Find with a relative one = %q, %v", home, err)
	}
	if home, err := Find("", func(string) string { return "" }); !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) {
		t.Errorf("Find without any variable = %q, %v", home, err)
	}
}

func TestPrepare(t *testing.T) {
	base := t.TempDir()
	fresh := filepath.Join(base, "a", "b")
	if err := Dir(fresh).Prepare(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(fresh); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a new home: %v, %v; want mode 0700", info, err)
	}
	if err := Dir(fresh).Prepare(); err != nil {
		t.Errorf("an existing home: %v", err)
	}

	open := filepath.Join(base, "open")
	file := filepath.Join(base, "file")
	for _, err := range []error{os.Mkdir(open, 0o700), os.Chmod(open, 0o770), os.WriteFile(file, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{open, file, filepath.Join(file, "below")} {
		err := Dir(bad).Prepare()
		if e := api.AsError(err); err == nil || e.Code != api.IsolationUnavailable || e.Hint == "" {
			t.Errorf("Prepare of %s = %v", bad, err)
		}
	}
}

func TestPrepareOfAnotherUser(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		dir = "/" // belongs to root
	} else if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := Dir(dir).Prepare(); !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) {
		t.Errorf("Prepare = %v", err)
	}
}
