package attack

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// sleeperImage makes an image with one program in the form of docker save, so
// that a test can have a home of its own without building anything.
func sleeperImage(t *testing.T) string {
	t.Helper()
	sleeper := filepath.Join(t.TempDir(), "sleeper")
	build := exec.Command("go", "build", "-o", sleeper, "./testdata/sleeper")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the sleeper: %v\n%s", err, out)
	}
	data, err := os.ReadFile(sleeper)
	if err != nil {
		t.Fatal(err)
	}
	layer := archive(t, "sleeper", data)
	config := encode(t, map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": []string{"/sleeper"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	manifest := encode(t, []map[string]any{{"Config": "config.json", "Layers": []string{"layer.tar"}}})
	path := filepath.Join(t.TempDir(), "image.tar")
	if err := os.WriteFile(path, archive(t, "layer.tar", layer, "config.json", config, "manifest.json", manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// archive takes names, each with its content.
func archive(t *testing.T, files ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		name, data := files[i].(string), files[i+1].([]byte)
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
