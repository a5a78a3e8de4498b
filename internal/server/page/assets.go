package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed static/*
var staticFiles embed.FS

// assets are style and script, by name. Their address has the digest of all of them,
// so a browser keeps them until they change.
type assets struct {
	version string
	files   map[string]*asset
}

type asset struct {
	text, short []byte // short is text in the form of gzip, once somebody asked for it
	once        sync.Once
}

func readAssets() (assets, error) {
	a := assets{files: map[string]*asset{}}
	sum := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || assetTypes[path.Ext(name)] == "" {
			return err
		}
		text, err := staticFiles.ReadFile(name)
		sum.Write(text)
		a.files[path.Base(name)] = &asset{text: text}
		return err
	})
	a.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return a, err
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

func (a assets) serve(w http.ResponseWriter, r *http.Request) {
	one, ok := a.files[r.PathValue("name")]
	if !ok || r.PathValue("version") != a.version {
		http.NotFound(w, r)
		return
	}
	text, h := one.text, w.Header()
	h.Set("Content-Type", assetTypes[path.Ext(r.PathValue("name"))])
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = one.compressed()
	}
	_, _ = w.Write(text) // the browser may be gone
}

// compressed makes the short form once: libraries are large.
func (a *asset) compressed() []byte {
	a.once.Do(func() {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level exists
		_, _ = w.Write(a.text)                                // a buffer takes everything
		_ = w.Close()
		a.short = b.Bytes()
	})
	return a.short
}
