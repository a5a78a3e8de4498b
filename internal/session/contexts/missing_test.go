package contexts

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// bare starts drivers where there is nothing but a shell, and some programs.
type bare struct {
	local
	path string
}

func (b *bare) StartDriver(ctx context.Context, c Command) (Process, error) {
	c.Env = map[string]string{"PATH": b.path}
	return b.local.StartDriver(ctx, c)
}

func TestMissingInterpreter(t *testing.T) {
	path := t.TempDir()
	for _, program := range []string{"sh", "node"} {
		at, err := exec.LookPath(program)
		if err != nil {
			t.Skip("needs " + program)
		}
		if err := os.Symlink(at, filepath.Join(path, program)); err != nil {
			t.Fatal(err)
		}
	}
	b := &bare{path: path}
	b.programs = map[string]string{"sh": filepath.Join(path, "sh")}
	for language, want := range map[string]string{
		api.LanguageR: "r-base-core", api.LanguageJava: "default-jdk-headless", api.LanguageTypeScript: "node-typescript",
	} {
		_, err := New(t.Context(), b, api.ContextSpec{Language: language}, Options{})
		if err == nil || !strings.Contains(err.Error(), "the image has no ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", language, err)
		}
	}
	if err := os.Remove(filepath.Join(path, "node")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), b, api.ContextSpec{Language: api.LanguageJavaScript}, Options{}); err == nil || !strings.Contains(err.Error(), "the image has no Node.js") {
		t.Errorf("javascript: %v", err)
	}
}
