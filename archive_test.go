//go:build linux

package glovebox_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// archive writes a docker-archive with one file and an entrypoint:
//
//	archive FILE.tar NAME=HOSTPATH ENTRYPOINT...
func archive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: archive FILE.tar NAME=HOSTPATH [ENTRYPOINT...]")
	}
	name, path, _ := strings.Cut(args[1], "=")
	content, err := os.ReadFile(ts.MkAbs(path))
	ts.Check(err)
	layer := tarOf(ts, file{name, 0o755, content})
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": args[2:], "Env": []string{"PATH=/bin"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	ts.Check(err)
	manifest, err := json.Marshal([]map[string]any{{"Config": "config.json", "RepoTags": []string{}, "Layers": []string{"layer.tar"}}})
	ts.Check(err)
	image := tarOf(ts, file{"layer.tar", 0o644, layer}, file{"config.json", 0o644, config}, file{"manifest.json", 0o644, manifest})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), image, 0o644))
}

type file struct {
	name    string
	mode    int64
	content []byte
}

func tarOf(ts *testscript.TestScript, files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		ts.Check(w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.content))}))
		_, err := w.Write(f.content)
		ts.Check(err)
	}
	ts.Check(w.Close())
	return b.Bytes()
}
