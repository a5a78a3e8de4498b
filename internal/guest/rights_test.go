package guest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRightsOfAUser: they are those of one thread, for as long as the call takes.
func TestRightsOfAUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can take the rights of another user")
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := identities(t)
	err := user{uid: 1234, gid: 1235, groups: []uint32{77}}.as(func() error {
		during := identities(t)
		if kept := len(during) - len(without(during, before[0])); kept != len(during)-1 {
			t.Errorf("%d of %d threads kept their rights, want all but one", kept, len(during))
		}
		_, err := os.ReadFile(secret)
		return err
	})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a user reads a file of root: %v", err)
	}
	for _, after := range identities(t) {
		if after != before[0] {
			t.Errorf("afterwards a thread has %s, want %s", after, before[0])
		}
	}
}

// identities returns the effective user and group of each thread.
func identities(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		var ids []string
		for line := range strings.SplitSeq(string(text), "\n") {
			if fields := strings.Fields(line); len(fields) > 2 && (fields[0] == "Uid:" || fields[0] == "Gid:") {
				ids = append(ids, fields[2])
			}
		}
		all = append(all, fmt.Sprint(ids))
	}
	return all
}

func without(all []string, one string) (rest []string) {
	for _, s := range all {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}
