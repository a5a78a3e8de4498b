package app

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestTokenFile holds that a server can be stopped while nobody writes the
// token into a pipe, and tells of a file that others can read.
func TestTokenFile(t *testing.T) {
	var log strings.Builder
	a := &App{logger: slog.New(slog.NewTextHandler(&log, nil))}
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.token(ctx, pipe); api.AsError(err).Code != api.Canceled {
		t.Errorf("a pipe that nobody writes: %v", err)
	}
	for mode, warns := range map[os.FileMode]bool{0o600: false, 0o644: true} {
		log.Reset()
		path := filepath.Join(dir, mode.String())
		if err := os.WriteFile(path, []byte(strings.Repeat("x", minToken)), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if hash, err := a.token(t.Context(), path); err != nil || hash == [32]byte{} {
			t.Errorf("%s: %v", mode, err)
		}
		if got := strings.Contains(log.String(), "can be used by other users"); got != warns {
			t.Errorf("%s: warned %v", mode, got)
		}
	}
	// Readers that still wait for the pipe return.
	if file, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil {
		file.Close()
	}
}

// TestTokenThatNoClientSends holds a server to what its clients refuse.
func TestTokenThatNoClientSends(t *testing.T) {
	for _, text := range []string{"one token and another", "a token\nof two lines", strings.Repeat("é", minToken)} {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readToken(path); api.AsError(err).Code != api.RequestInvalid {
			t.Errorf("%q: %v", text, err)
		}
	}
}
