package blob

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// The bounds of a tree.
const (
	MaxEntries  = 500_000   // files, directories and links
	MaxManifest = 128 << 20 // bytes

	maxDepth      = 64
	maxPath       = 4096 // bytes
	maxName       = 255  // bytes
	formatVersion = 1
)

// manifest lists a tree. Its text is described in the package documentation.
type manifest struct {
	Version int       `json:"version"`
	Entries entryList `json:"entries"`
}

type entryList []entry

// UnmarshalJSON stops at the bound, so that a list of nothing but {} cannot
// take many times its own memory.
func (l *entryList) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return errors.New("the entries are no list")
	}
	for *l = (entryList{}); d.More(); {
		if len(*l) == MaxEntries {
			return fmt.Errorf("there are more than %d entries", MaxEntries)
		}
		var e entry
		if err := d.Decode(&e); err != nil {
			return err
		}
		*l = append(*l, e)
	}
	return nil
}

// entry is one line of a manifest.
type entry struct {
	Path       string    `json:"path"` // below the tree, with slashes
	Type       entryType `json:"type"`
	SHA256     string    `json:"sha256,omitempty"`
	Size       int64     `json:"size,omitempty"`
	Executable bool      `json:"executable,omitempty"`
	Target     string    `json:"target,omitempty"`
}

type entryType string

const (
	typeFile entryType = "file"
	typeDir  entryType = "dir"
	typeLink entryType = "link"
)

// newManifest sorts entries into a manifest.
func newManifest(entries []entry) *manifest {
	if entries == nil {
		entries = []entry{}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.Path, b.Path) })
	return &manifest{Version: formatVersion, Entries: entries}
}

// text is the one way to write the manifest.
func (m *manifest) text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// dir describes the tree whose manifest has this digest.
func (m *manifest) dir(digest string) value.Dir {
	d := value.Dir{SHA256: digest}
	for _, e := range m.Entries {
		if e.Type == typeFile {
			d.Files++
			d.Size += e.Size
		}
	}
	return d
}

// readManifest returns the manifest with a digest. It trusts neither the store
// nor who made the manifest.
func readManifest(ctx context.Context, store Opener, digest string) (*manifest, error) {
	if err := CheckDigest(digest); err != nil {
		return nil, err
	}
	r, _, err := store.Open(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, MaxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxManifest {
		return nil, badTree("its list of files is larger than %d bytes", MaxManifest)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != digest {
		return nil, fmt.Errorf("blob %s: %w", digest, ErrCorrupt)
	}
	return parseManifest(text)
}

// parseManifest reads a text that anybody may have made.
func parseManifest(text []byte) (*manifest, error) {
	m := &manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, badTree("its list of files is no JSON of that form: %w", err)
	}
	if m.Entries == nil || m.Version != formatVersion {
		return nil, badTree("its list of files has version %d, and this program knows %d", m.Version, formatVersion)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	again, err := m.text()
	if err != nil || !bytes.Equal(text, again) {
		return nil, badTree("its list of files is not written in the canonical way")
	}
	return m, nil
}

// check makes sure that the entries are a tree that stays in its directory.
func (m *manifest) check() error {
	if len(m.Entries) > MaxEntries {
		return badTree("it has more than %d entries", MaxEntries)
	}
	dirs := map[string]bool{".": true}
	last, size := "", int64(0)
	for _, e := range m.Entries {
		if err := e.check(); err != nil {
			return err
		}
		if e.Path <= last {
			return badEntry(e.Path, "is there twice, or not in its place")
		}
		if !dirs[path.Dir(e.Path)] {
			return badEntry(e.Path, "is in no directory of the tree")
		}
		if size > math.MaxInt64-e.Size {
			return badEntry(e.Path, "is too large")
		}
		last, size = e.Path, size+e.Size
		if e.Type == typeDir {
			dirs[e.Path] = true
		}
	}
	return m.checkLinks(dirs)
}

func (e *entry) check() error {
	if problem := pathProblem(e.Path); problem != "" {
		return badEntry(e.Path, problem)
	}
	plain := entry{Path: e.Path, Type: e.Type}
	switch e.Type {
	case typeFile:
		plain.SHA256, plain.Size, plain.Executable = e.SHA256, e.Size, e.Executable
		if CheckDigest(e.SHA256) != nil || e.Size < 0 {
			return badEntry(e.Path, "has no digest, or a negative size")
		}
	case typeDir:
	case typeLink:
		plain.Target = e.Target
	default:
		return badEntry(e.Path, fmt.Sprintf("is of the unknown type %.20q", e.Type))
	}
	if *e != plain {
		return badEntry(e.Path, "has a field that its type has not")
	}
	return nil
}

func pathProblem(p string) string {
	if len(p) > maxPath {
		return "is longer than 4096 bytes"
	}
	if !utf8.ValidString(p) || strings.ContainsRune(p, 0) {
		return "is not valid UTF-8"
	}
	parts := strings.Split(p, "/")
	if len(parts) > maxDepth {
		return "is more than 64 levels deep"
	}
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return "does not stay in its directory"
		}
		if len(part) > maxName {
			return "has a part of more than 255 bytes"
		}
	}
	return ""
}

func (m *manifest) checkLinks(dirs map[string]bool) error {
	for _, e := range m.Entries {
		if e.Type == typeLink && !staysInside(e, dirs) {
			return badEntry(e.Path, "is a symbolic link that leads out of the directory, or could")
		}
	}
	return nil
}

// staysInside reports whether a link leads to a place in the tree, whether
// there is something or not. The way back up begins in true directories only:
// from behind another link it could lead anywhere.
func staysInside(link entry, dirs map[string]bool) bool {
	if link.Target == "" || len(link.Target) > maxPath || link.Target[0] == '/' ||
		!utf8.ValidString(link.Target) || strings.ContainsRune(link.Target, 0) {
		return false
	}
	at := path.Dir(link.Path)
	for part := range strings.SplitSeq(link.Target, "/") {
		if part != ".." {
			at = path.Join(at, part)
			continue
		}
		if at == "." || !dirs[at] {
			return false
		}
		at = path.Dir(at)
	}
	return true
}

func badTree(format string, args ...any) *api.Error {
	return api.Errorf(api.InvalidInput, "the directory cannot be used: %w", fmt.Errorf(format, args...)).
		WithHint("upload the directory again")
}

func badEntry(p, problem string) error {
	return api.Errorf(api.InvalidInput, "the directory has an entry %.200q, which %s", p, problem).
		WithHint("leave the entry out, or replace it by what it points to").
		WithDetails(api.Details{Got: p, Expected: "files, directories, and links that stay inside"})
}
