package peer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// descriptor names a blob of an OCI layout.
type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
}

// writeLayout writes an OCI layout with one image of one layer, which is a tar.
func writeLayout(dir, tar string) error {
	blobs := filepath.Join(dir, "blobs", "sha256")
	if err := os.MkdirAll(blobs, 0o755); err != nil {
		return err
	}
	layer, err := addFile(blobs, tar)
	if err != nil {
		return err
	}
	config, err := addJSON(blobs, "application/vnd.oci.image.config.v1+json", map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Env": []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{layer.Digest}},
	})
	if err != nil {
		return err
	}
	const manifestType = "application/vnd.oci.image.manifest.v1+json"
	manifest, err := addJSON(blobs, manifestType, map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []descriptor{layer},
	})
	if err != nil {
		return err
	}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []descriptor{manifest}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "index.json"), index, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644)
}

func addJSON(blobs, mediaType string, v any) (descriptor, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:])
	return descriptor{mediaType, "sha256:" + name, int64(len(data))}, os.WriteFile(filepath.Join(blobs, name), data, 0o644)
}

// addFile adds a tar as a layer. The blob is another name of the same file.
func addFile(blobs, path string) (descriptor, error) {
	f, err := os.Open(path)
	if err != nil {
		return descriptor{}, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, f)
	if err != nil {
		return descriptor{}, err
	}
	name := hex.EncodeToString(hash.Sum(nil))
	return descriptor{"application/vnd.oci.image.layer.v1.tar", "sha256:" + name, size}, os.Link(path, filepath.Join(blobs, name))
}

// rootDigest is the digest of the manifest of the root's layout, in hexadecimal.
func rootDigest(root *Root) (string, error) {
	data, err := os.ReadFile(filepath.Join(root.Layout, "index.json"))
	if err != nil {
		return "", err
	}
	var index struct{ Manifests []descriptor }
	if err := json.Unmarshal(data, &index); err != nil {
		return "", err
	}
	return strings.TrimPrefix(index.Manifests[0].Digest, "sha256:"), nil
}
