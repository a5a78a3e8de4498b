package oci

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// exampleImage is an image for this host with a plain and a compressed layer.
func exampleImage(t testing.TB) *Image {
	second := makeTar(t, ent{name: "b", content: "2"}, ent{name: ".wh.gone"})
	return &Image{
		Platform: HostPlatform(), Created: time.Unix(1_700_000_000, 0),
		Config: Config{Entrypoint: []string{"/a"}, Cmd: []string{"x"}, Env: []string{"K=V"}, WorkingDir: "/w", User: "7", Labels: map[string]string{"l": "m"}},
		Layers: []Layer{makeLayer(t, ent{name: "a", content: "1"}, ent{name: "gone"}), memLayer(second, gzipped(t, second))},
	}
}

// checkExample flattens what was read back.
func checkExample(t *testing.T, img *Image, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	want := exampleImage(t)
	if diff := cmp.Diff(want.Config, img.Config); diff != "" {
		t.Error(diff)
	}
	if img.Platform != want.Platform || !img.Created.Equal(want.Created) {
		t.Errorf("platform %s, created %v", img.Platform, img.Created)
	}
	if _, err := ParseDigest(string(img.Digest)); err != nil {
		t.Error(err)
	}
	got, err := flatten(t, img.Layers...)
	if diff := cmp.Diff(map[string]string{"a": "= 1", "b": "= 2"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// layoutFiles are the files of an OCI layout that holds an image.
func layoutFiles(t testing.TB, img *Image) map[string][]byte {
	t.Helper()
	assembled, err := img.assemble(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := assembled.RawConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := assembled.RawManifest()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}
	add := func(raw []byte) { files["blobs/sha256/"+DigestOf(raw).Hex()] = raw }
	add(config)
	add(manifest)
	for _, layer := range img.Layers {
		r, err := layer.Compressed(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		add(b.Bytes())
	}
	files["index.json"] = index(manifest, img.Platform)
	return files
}

func index(manifest []byte, platforms ...string) []byte {
	var entries []string
	for _, p := range platforms {
		os, arch, _ := strings.Cut(p, "/")
		entries = append(entries, fmt.Sprintf(`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":%q,"size":%d,"platform":{"os":%q,"architecture":%q}}`, DigestOf(manifest), len(manifest), os, arch))
	}
	return fmt.Appendf(nil, `{"schemaVersion":2,"manifests":[%s]}`, strings.Join(entries, ","))
}

func writeDir(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeTar(t testing.TB, files map[string][]byte, more ...ent) string {
	t.Helper()
	var ents []ent
	for name, data := range files {
		ents = append(ents, ent{name: name, content: string(data)})
	}
	path := filepath.Join(t.TempDir(), "image.tar")
	if err := os.WriteFile(path, makeTar(t, append(ents, more...)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenLayout(t *testing.T) {
	files := layoutFiles(t, exampleImage(t))
	dir, archive := writeDir(t, files), writeTar(t, files)
	want, err := exampleImage(t).ManifestDigest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"oci:" + dir, dir, "archive:" + archive, archive} {
		img, err := Open(context.Background(), ref, Options{})
		checkExample(t, img, err)
		if img.Digest != want || img.Ref != ref {
			t.Errorf("%s: digest %s, want %s", img.Ref, img.Digest, want)
		}
	}
}

func TestOpenSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.tar")
	if err := WriteArchive(context.Background(), path, "example:1", exampleImage(t)); err != nil {
		t.Fatal(err)
	}
	img, err := Open(context.Background(), path, Options{})
	checkExample(t, img, err)
}

// docker save once wrote plain layers, and links for those that repeat.
func TestOpenSavedOfOldDocker(t *testing.T) {
	layer := makeTar(t, ent{name: "a", content: "1"})
	config := fmt.Appendf(nil, `{"os":"linux","architecture":%q,"rootfs":{"type":"layers","diff_ids":[%q,%q]}}`, strings.TrimPrefix(HostPlatform(), "linux/"), DigestOf(layer), DigestOf(layer))
	path := writeTar(t, map[string][]byte{
		"c.json": config, "1/layer.tar": layer, "manifest.json": []byte(`[{"Config":"c.json","RepoTags":["a:b"],"Layers":["1/layer.tar","2/layer.tar"]}]`),
	}, ent{name: "2/layer.tar", typ: tar.TypeSymlink, link: "../1/layer.tar"})
	img, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := flatten(t, img.Layers...)
	if diff := cmp.Diff(map[string]string{"a": "= 1"}, got); diff != "" || err != nil || img.Digest != DigestOf(config) {
		t.Error(diff, err, img.Digest)
	}
}

func TestOpenPicksThePlatform(t *testing.T) {
	img := exampleImage(t)
	img.Platform = "linux/riscv64"
	files := layoutFiles(t, img)
	dir := writeDir(t, files)
	_, err := Open(context.Background(), dir, Options{})
	wantCode(t, err, api.ImageNotFound, "not made for "+HostPlatform(), "linux/riscv64")
	got, err := Open(context.Background(), dir, Options{Platform: "linux/riscv64"})
	if err != nil || got.Platform != "linux/riscv64" {
		t.Errorf("%v, %v", got, err)
	}

	// An index within an index that lies about the platform.
	var doc struct {
		Manifests []struct{ Digest Digest }
	}
	if err := json.Unmarshal(files["index.json"], &doc); err != nil {
		t.Fatal(err)
	}
	manifest := files["blobs/sha256/"+doc.Manifests[0].Digest.Hex()]
	inner := index(manifest, "unknown/unknown", HostPlatform())
	files["blobs/sha256/"+DigestOf(inner).Hex()] = inner
	files["index.json"] = index(inner, HostPlatform())
	_, err = Open(context.Background(), writeDir(t, files), Options{})
	wantCode(t, err, api.ImageInvalid, "made for", "riscv64")
}

func TestOpenRefuses(t *testing.T) {
	good := layoutFiles(t, exampleImage(t))
	edit := func(f func(files map[string][]byte)) string {
		files := map[string][]byte{}
		for name, data := range good {
			files[name] = data
		}
		f(files)
		return writeDir(t, files)
	}
	big := bytes.Repeat([]byte(" "), maxManifest+1)
	withPipe := edit(func(f map[string][]byte) { delete(f, "index.json") })
	if err := syscall.Mkfifo(filepath.Join(withPipe, "index.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	withLink := edit(func(f map[string][]byte) { delete(f, "index.json") })
	if err := os.Symlink(filepath.Join(writeDir(t, good), "index.json"), filepath.Join(withLink, "index.json")); err != nil {
		t.Fatal(err)
	}
	var circle []byte
	for name, data := range good {
		if strings.HasPrefix(name, "blobs/") && bytes.Contains(data, []byte(`"layers"`)) {
			circle = index(data, HostPlatform())
		}
	}
	for name, tt := range map[string]struct {
		ref   string
		code  api.Code
		words string
	}{
		"no such path":     {"/no/such/path", api.ImageNotFound, "no such file"},
		"no such layout":   {"oci:/no/such/path", api.ImageNotFound, "no such file"},
		"no such archive":  {"archive:./no-such-path", api.ImageNotFound, "no such file"},
		"empty directory":  {writeDir(t, nil), api.ImageInvalid, "neither index.json nor manifest.json"},
		"empty archive":    {writeTar(t, nil), api.ImageInvalid, "neither index.json nor manifest.json"},
		"not a tar":        {filepath.Join(writeDir(t, map[string][]byte{"x": big[:5000]}), "x"), api.ImageInvalid, "not a tar"},
		"a pipe":           {withPipe, api.ImageInvalid, "not a regular file"},
		"a link out":       {withLink, api.ImageInvalid, "escapes"},
		"huge index":       {edit(func(f map[string][]byte) { f["index.json"] = big }), api.ImageInvalid, "more than"},
		"index is no JSON": {edit(func(f map[string][]byte) { f["index.json"] = []byte("{") }), api.ImageInvalid, "JSON"},
		"index with a bad name": {edit(func(f map[string][]byte) {
			f["index.json"] = bytes.ReplaceAll(f["index.json"], []byte("sha256:"), []byte("sha256:../"))
		}), api.ImageInvalid, ""},
		"crowded index": {edit(func(f map[string][]byte) {
			f["index.json"] = []byte(`{"manifests":[{}` + strings.Repeat(",{}", maxDescriptors) + "]}")
		}), api.ImageInvalid, "more than 10000 manifests"},
		"index of text": {edit(func(f map[string][]byte) { f["index.json"] = []byte(`{"manifests":"x"}`) }), api.ImageInvalid, "expected a list"},
		"indexes without end": {edit(func(f map[string][]byte) {
			raw := circle
			for range maxIndexes {
				f["blobs/sha256/"+DigestOf(raw).Hex()] = raw
				raw = index(raw, HostPlatform())
			}
			f["index.json"] = raw
		}), api.ImageInvalid, "indexes"},
		"changed manifest": {edit(func(f map[string][]byte) {
			for name, data := range f {
				if bytes.Contains(data, []byte(`"layers":[`)) {
					f[name] = append(bytes.Clone(data), ' ')
				}
			}
		}), api.ImageInvalid, "damaged"},
		"changed configuration": {edit(func(f map[string][]byte) {
			for name, data := range f {
				if bytes.Contains(data, []byte("diff_ids")) {
					f[name] = bytes.Replace(data, []byte(`"/a"`), []byte(`"/b"`), 1)
				}
			}
		}), api.ImageInvalid, "damaged"},
		"two saved images":            {writeTar(t, map[string][]byte{"manifest.json": []byte(`[{},{}]`)}), api.ImageInvalid, "2 images"},
		"saved without configuration": {writeTar(t, map[string][]byte{"manifest.json": []byte(`[{"Config":"x"}]`)}), api.ImageNotFound, "no file"},
		"links in a circle":           {writeTar(t, nil, ent{name: "index.json", typ: tar.TypeSymlink, link: "a"}, ent{name: "a", typ: tar.TypeLink, link: "index.json"}), api.ImageInvalid, "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(context.Background(), tt.ref, Options{})
			wantCode(t, err, tt.code, tt.words)
		})
	}
}

func TestProgress(t *testing.T) {
	var last, total int64
	opts := Options{Progress: func(d, n int64) { last, total = d, n }}
	img, err := Open(context.Background(), writeDir(t, layoutFiles(t, exampleImage(t))), opts)
	checkExample(t, img, err)
	want := img.Layers[0].Size + img.Layers[1].Size
	if last != want || total != want {
		t.Errorf("%d of %d bytes, want %d", last, total, want)
	}
}
