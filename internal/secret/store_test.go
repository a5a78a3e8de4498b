package secret

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

const canary = "canary-7f3a9b2c-do-not-store"

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "home", "secrets"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func set(t *testing.T, s *Store, name, value string) {
	t.Helper()
	if err := s.Set(name, []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code api.Code, words ...string) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, word := range words {
		if !strings.Contains(e.Message+" "+e.Hint, word) {
			t.Errorf("%q (%q) does not say %q", e.Message, e.Hint, word)
		}
	}
	if strings.Contains(e.Message+e.Hint, canary) {
		t.Errorf("the error shows the secret: %v", e)
	}
}

func TestStoreKeepsSecrets(t *testing.T) {
	s := open(t)
	largest := strings.Repeat("x", MaxValue)
	for name, value := range map[string]string{"A": canary, "..": "dots", "a-b_c.1": "\x00\xff\n", "big": largest} {
		set(t, s, name, value)
	}
	set(t, s, "A", "replaced")
	again, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": "replaced", "..": "dots", "a-b_c.1": "\x00\xff\n", "big": largest} {
		if got, err := again.Get(name); err != nil || string(got) != want {
			t.Errorf("%s: got %d bytes, %v", name, len(got), err)
		}
	}
	names, err := again.List()
	if diff := cmp.Diff([]string{"..", "A", "a-b_c.1", "big"}, names); diff != "" || err != nil {
		t.Errorf("names: %v\n%s", err, diff)
	}
	if err := again.Remove("A"); err != nil {
		t.Fatal(err)
	}
	_, err = again.Get("A")
	wantCode(t, err, api.SecretNotFound, `"A"`)
	wantCode(t, again.Remove("A"), api.SecretNotFound)
}

func TestEmptyStoreHasNoKey(t *testing.T) {
	s := open(t)
	if names, err := s.List(); err != nil || names == nil || len(names) != 0 {
		t.Errorf("names %v, %v", names, err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, keyFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key before the first secret: %v", err)
	}
}

func TestNothingInClearOnDisk(t *testing.T) {
	s := open(t)
	set(t, s, "TOKEN", canary)
	encoded := base64.StdEncoding.EncodeToString([]byte(canary))
	files := 0
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(canary)) || bytes.Contains(content, []byte(encoded)) {
			t.Errorf("%s holds the secret", path)
		}
		if info, _ := d.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	}
	if err := filepath.WalkDir(s.dir, walk); err != nil || files != 2 {
		t.Errorf("%d files, %v", files, err)
	}
	if info, _ := os.Stat(s.dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the store has mode %v", info.Mode())
	}
}

func TestBadNamesAndValues(t *testing.T) {
	s := open(t)
	for _, name := range []string{"", "a b", "../x", "a/b", "ä", "a\x00", strings.Repeat("x", maxName+1)} {
		wantCode(t, s.Set(name, []byte(canary)), api.InvalidTask, "letters")
		_, err := s.Get(name)
		wantCode(t, err, api.InvalidTask)
		wantCode(t, s.Remove(name), api.InvalidTask)
	}
	wantCode(t, s.Set("A", nil), api.InvalidTask, "A", "0")
	wantCode(t, s.Set("A", make([]byte, MaxValue+1)), api.InvalidTask, "A", "65537")
}

func TestNotFoundSuggests(t *testing.T) {
	s := open(t)
	set(t, s, "API_TOKEN", canary)
	_, err := s.Get("api_tokn")
	wantCode(t, err, api.SecretNotFound, "api_tokn", "API_TOKEN")
	_, err = s.Get("database")
	wantCode(t, err, api.SecretNotFound, "database")
	if strings.Contains(api.AsError(err).Hint, "API_TOKEN") {
		t.Errorf("a far name is suggested: %s", api.AsError(err).Hint)
	}
}

func TestDamagedFiles(t *testing.T) {
	file := func(s *Store, name string) string { return filepath.Join(s.dir, name) }
	tests := []struct {
		name   string
		damage func(t *testing.T, s *Store)
	}{
		{"flipped bit", func(t *testing.T, s *Store) {
			b, _ := os.ReadFile(file(s, "A"+suffix))
			b[len(b)-1] ^= 1
			os.WriteFile(file(s, "A"+suffix), b, 0o600)
		}},
		{"truncated", func(t *testing.T, s *Store) { os.Truncate(file(s, "A"+suffix), 30) }},
		{"empty", func(t *testing.T, s *Store) { os.Truncate(file(s, "A"+suffix), 0) }},
		{"other header", func(t *testing.T, s *Store) { os.WriteFile(file(s, "A"+suffix), []byte("glovebox secret 2\n"), 0o600) }},
		{"too large", func(t *testing.T, s *Store) { os.Truncate(file(s, "A"+suffix), 1<<30) }},
		{"other secret's file", func(t *testing.T, s *Store) { os.Rename(file(s, "B"+suffix), file(s, "A"+suffix)) }},
		{"key gone", func(t *testing.T, s *Store) { os.Remove(file(s, keyFile)) }},
		{"key short", func(t *testing.T, s *Store) { os.Truncate(file(s, keyFile), 16) }},
		{"other key", func(t *testing.T, s *Store) { os.WriteFile(file(s, keyFile), make([]byte, keySize), 0o600) }},
		{"key open to others", func(t *testing.T, s *Store) { os.Chmod(file(s, keyFile), 0o640) }},
		{"secret open to others", func(t *testing.T, s *Store) { os.Chmod(file(s, "A"+suffix), 0o604) }},
		{"link", func(t *testing.T, s *Store) {
			os.Rename(file(s, "A"+suffix), file(s, "elsewhere"))
			os.Symlink("elsewhere", file(s, "A"+suffix))
		}},
		{"directory", func(t *testing.T, s *Store) {
			os.Remove(file(s, "A"+suffix))
			os.Mkdir(file(s, "A"+suffix), 0o700)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			set(t, s, "A", canary)
			set(t, s, "B", "other")
			test.damage(t, s)
			_, err := s.Get("A")
			wantCode(t, err, api.SecretUnreadable)
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	base := t.TempDir()
	wide := filepath.Join(base, "wide")
	os.Mkdir(wide, 0o700)
	os.Chmod(wide, 0o750)
	_, err := Open(wide)
	wantCode(t, err, api.SecretUnreadable, wide, "0750", "chmod")

	link := filepath.Join(base, "link")
	os.Symlink(t.TempDir(), link)
	_, err = Open(link)
	wantCode(t, err, api.SecretUnreadable, link)

	plain := filepath.Join(base, "plain")
	os.WriteFile(plain, nil, 0o600)
	_, err = Open(plain)
	wantCode(t, err, api.SecretUnreadable, plain)
}

func TestOpenRefusesAnotherOwner(t *testing.T) {
	dir := t.TempDir()
	os.Chmod(dir, 0o700)
	if err := os.Chown(dir, os.Geteuid()+1, -1); err != nil {
		t.Skipf("only root can give a directory away: %v", err)
	}
	_, err := Open(dir)
	wantCode(t, err, api.SecretUnreadable, dir, "another user")
}

func TestManyWritersAgreeOnOneKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "secrets")
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			s, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Set("S"+string(rune('a'+i)), []byte(canary)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		if value, err := s.Get("S" + string(rune('a'+i))); err != nil || string(value) != canary {
			t.Errorf("secret %d: %v", i, err)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 17 {
		t.Errorf("%d files, want 16 secrets and the key", len(entries))
	}
}

func FuzzUnseal(f *testing.F) {
	key := bytes.Repeat([]byte{7}, keySize)
	sealed, err := seal(key, "A", []byte(canary))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add([]byte(header))
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := unseal(key, "A", data)
		if err == nil && string(value) != canary {
			t.Errorf("a forged file opened: %q", value)
		}
	})
}
