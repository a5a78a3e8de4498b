package app

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// mountSmall makes a file system of its own for a home.
func mountSmall(t *testing.T, size string) (dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs to mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// fillDisk leaves nothing free.
func fillDisk(t *testing.T, dir string) {
	t.Helper()
	for size := 1 << 20; size > 0; size >>= 1 {
		err := error(nil)
		for err == nil {
			err = appendBytes(filepath.Join(dir, "ballast"), size)
		}
		if !errors.Is(err, unix.ENOSPC) {
			t.Fatal(err)
		}
	}
}

func appendBytes(path string, n int) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, n))
	return errors.Join(err, file.Close())
}

// keptRun makes a home with one run and a secret, which nobody uses any more.
func keptRun(t *testing.T, home string) (id string) {
	t.Helper()
	a, err := Open(t.Context(), host.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	id = submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "kept"), Cache: api.CacheAuto})
	outputTexts(t, a, id)
	if err := errors.Join(a.secrets.Set("TOKEN", []byte("x")), a.Close()); err != nil {
		t.Fatal(err)
	}
	return id
}

// checkReadable reads what keptRun left of a home that cannot be written.
func checkReadable(t *testing.T, home, id string) {
	t.Helper()
	if a, err := Open(t.Context(), host.Options{Home: home}); err == nil {
		t.Error("it can be written", a.Close())
	}
	a, err := Open(t.Context(), host.Options{Home: home, Reading: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	s := a.Service()
	if page, err := s.Runs(t.Context(), api.RunQuery{}); err != nil || len(page.Runs) != 1 || page.Runs[0].ID != id {
		t.Errorf("Runs = %+v, %v", page, err)
	}
	if run, err := s.Run(t.Context(), id); err != nil || run.Status != api.StatusSucceeded || len(run.Outputs) == 0 {
		t.Errorf("Run = %+v, %v", run, err)
	}
	if task, err := s.RunTask(t.Context(), id); err != nil || task.Name != "keep" {
		t.Errorf("RunTask = %+v, %v", task, err)
	}
	var printed bytes.Buffer
	for entry, err := range s.Logs(t.Context(), id, 0, false) {
		printed.Write(entry.Bytes())
		if err != nil {
			t.Error(err)
		}
	}
	if printed.String() != "kept\n" {
		t.Errorf("the log is %q", printed.String())
	}
	if names, err := s.Secrets(t.Context()); err != nil || len(names) != 1 {
		t.Errorf("Secrets = %v, %v", names, err)
	}
	if _, err := s.Images(t.Context()); err != nil {
		t.Errorf("Images: %v", err)
	}
	if f := a.Findings(t.Context(), false)[0]; !f.Fatal || !strings.Contains(f.Detail, "cannot be written") || f.Remedy == "" {
		t.Errorf("finding = %+v", f)
	}
	if run, err := s.Submit(t.Context(), api.Submission{Task: keepTask(), Inputs: inputFiles(t, "new")}); err == nil {
		_, err = s.Wait(t.Context(), run.ID)
		if err == nil {
			t.Error("a run was carried out where nothing can be written")
		}
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mountSmall(t, "64m")
	home := filepath.Join(dir, "home")
	id := keptRun(t, home)
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	checkReadable(t, home, id)
}

func TestFullFileSystem(t *testing.T) {
	dir := mountSmall(t, "64m")
	home := filepath.Join(dir, "home")
	id := keptRun(t, home)
	for _, reserve := range []string{"reserve", "reserve.prune"} { // as if they had been used
		if err := os.Truncate(filepath.Join(home, reserve), 0); err != nil {
			t.Fatal(err)
		}
	}
	fillDisk(t, dir)
	checkReadable(t, home, id)
}

// TestHomeWithoutPermission is about an ordinary user: root may always write.
func TestHomeWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("needs an ordinary user")
	}
	home := filepath.Join(t.TempDir(), "home")
	id := keptRun(t, home)
	if err := os.Chmod(home, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(home, 0o700)
	checkReadable(t, home, id)
}

// TestSecretsOfOthers: what is wrong with the secrets is no trouble of those who
// need none.
func TestSecretsOfOthers(t *testing.T) {
	home := t.TempDir()
	keptRun(t, home)
	if err := os.Chmod(filepath.Join(home, "secrets"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := openApp(t, home)
	if _, err := a.Service().Runs(t.Context(), api.RunQuery{}); err != nil {
		t.Errorf("Runs: %v", err)
	}
	if _, err := a.Service().Secrets(t.Context()); !errors.Is(err, &api.Error{Code: api.SecretUnreadable}) {
		t.Errorf("Secrets: %v, want secret_unreadable", err)
	}
}

// TestPruneOfFullDisk prunes with no byte free: with its own reserve, and without
// one when there are files that it can do without.
func TestPruneOfFullDisk(t *testing.T) {
	for name, reserve := range map[string]bool{"reserve": true, "files": false} {
		t.Run(name, func(t *testing.T) {
			dir := mountSmall(t, "64m")
			home := filepath.Join(dir, "home")
			id := keptRun(t, home)
			if err := os.Truncate(filepath.Join(home, "reserve"), 0); err != nil {
				t.Fatal(err)
			}
			if !reserve {
				if err := os.Truncate(filepath.Join(home, "reserve.prune"), 0); err != nil {
					t.Fatal(err)
				}
				laid := filepath.Join(home, "runs", id+".outputs", "large")
				if err := appendBytes(laid, disk.PruneReserveSize); err != nil {
					t.Fatal(err)
				}
				old := time.Now().Add(-time.Hour)
				if err := os.Chtimes(filepath.Dir(laid), old, old); err != nil {
					t.Fatal(err)
				}
			}
			fillDisk(t, dir)
			if a, err := Open(t.Context(), host.Options{Home: home}); err == nil {
				t.Error("there is space to open it", a.Close())
			}
			time.Sleep(2 * time.Millisecond)
			pruned, err := PruneHome(t.Context(), host.Options{Home: home}, 0, time.Millisecond)
			if err != nil || pruned.Runs.Count != 1 || pruned.Files.Count != 1 {
				t.Fatalf("pruned %+v, %v", pruned, err)
			}
			a := openApp(t, home)
			if page, err := a.Service().Runs(t.Context(), api.RunQuery{}); err != nil || len(page.Runs) != 0 {
				t.Errorf("left %+v, %v", page, err)
			}
		})
	}
}
