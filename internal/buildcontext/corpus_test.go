package buildcontext

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

var update = flag.Bool("update", false, "write the corpus again")

const corpus = "../../testdata/buildcontext/cases.json"

// packedCase is a context, and what every client makes of it.
type packedCase struct {
	Name   string            `json:"name"`
	Ignore string            `json:"ignore"` // the text of .dockerignore
	Files  map[string]string `json:"files"`  // contents; what begins with -> is a link
	Kept   []string          `json:"kept"`
	Digest string            `json:"digest"`
}

// The Python client is held to the same corpus: equal contexts are equal images,
// whoever packs them.
func TestCorpus(t *testing.T) {
	data, err := os.ReadFile(corpus)
	if err != nil {
		t.Fatal(err)
	}
	var cases []packedCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		t.Run(c.Name, func(t *testing.T) {
			s := c.pack(t)
			kept, digest := s.names(t), api.DigestOf(s.data)
			if *update {
				c.Kept, c.Digest = kept, digest
				return
			}
			if diff := cmp.Diff(c.Kept, kept); diff != "" || digest != c.Digest {
				t.Errorf("digest %s, want %s; kept (-want +got):\n%s", digest, c.Digest, diff)
			}
		})
	}
	if *update {
		writeCorpus(t, cases)
	}
}

func (c *packedCase) pack(t *testing.T) *store {
	files := maps.Clone(c.Files)
	files["Dockerfile"] = "FROM scratch"
	if c.Ignore != "" {
		files[".dockerignore"] = c.Ignore
	}
	dir := write(t, files)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := take(t, dir, "Dockerfile")
	return s
}

func (s *store) names(t *testing.T) (out []string) {
	for r := tar.NewReader(bytes.NewReader(s.data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h.Name)
	}
}

func writeCorpus(t *testing.T, cases []packedCase) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", " ")
	if err := w.Encode(cases); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(corpus, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
