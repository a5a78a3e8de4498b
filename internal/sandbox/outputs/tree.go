package outputs

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/value"
)

// The names that a tree may have. They are those that every common file system
// can hold.
const (
	maxEntryPath  = 4096 // bytes
	maxEntryDepth = 64
)

// outputTree takes the entries of one Dir.
type outputTree struct {
	store *Store
	param value.Param
	at    string                         // its path in the store
	seen  map[[sha256.Size]byte]struct{} // of folded paths: a path may be long, and there may be many
	sum   hash.Hash
	size  int64
	files int
}

func newOutputTree(s *Store, p value.Param, at string) *outputTree {
	return &outputTree{store: s, param: p, at: at, seen: map[[sha256.Size]byte]struct{}{}, sum: sha256.New()}
}

// value describes the tree. Its digest is that of one line for each entry, in
// the order in which a walk by name meets them: "dir <path>" or
// "file <digest> <path>".
func (t *outputTree) value() value.Dir {
	return value.Dir{
		Path: t.store.path(t.at), Size: t.size, Files: t.files, SHA256: hex.EncodeToString(t.sum.Sum(nil)),
	}
}

// entry takes one entry: name is its path below the output, at the path in the
// store.
func (t *outputTree) entry(h *tar.Header, at, name string, r io.Reader) error {
	if problem := entryProblem(name); problem != "" {
		return badOutput(t.param, "a directory with the entry "+value.Quote(name)+", which "+problem, "names that every file system can hold")
	}
	if err := t.once(name); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		fmt.Fprintf(t.sum, "dir %s\n", name)
		return t.store.mkdir(at)
	case tar.TypeReg:
		return t.file(h, at, name, r)
	}
	return badOutput(t.param, "a directory in which "+value.Quote(name)+" is "+entryKind(h), "a directory of regular files and directories").
		WithHint("copy what links point to, and leave out everything that is neither file nor directory")
}

func (t *outputTree) file(h *tar.Header, at, name string, r io.Reader) error {
	mode := uint32(0o600)
	if h.Mode&0o100 != 0 {
		mode = 0o700
	}
	saved, err := t.store.save(at, mode, r)
	if err != nil {
		return err
	}
	t.files++
	t.size += saved.size
	fmt.Fprintf(t.sum, "file %s %s\n", saved.sum, name)
	return nil
}

// once refuses names that are one name where case does not count.
func (t *outputTree) once(name string) error {
	key := sha256.Sum256([]byte(strings.ToLower(strings.ToUpper(name))))
	if _, taken := t.seen[key]; taken {
		return badOutput(t.param, "a directory with two entries "+value.Quote(name)+" that differ only in case", "names that differ everywhere")
	}
	t.seen[key] = struct{}{}
	return nil
}

func entryProblem(name string) string {
	if len(name) > maxEntryPath {
		return "is longer than 4096 bytes"
	}
	if !utf8.ValidString(name) {
		return "is not valid UTF-8"
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return "contains a control character"
	}
	parts := strings.Split(name, "/")
	if len(parts) > maxEntryDepth {
		return "is more than 64 levels deep"
	}
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return "does not stay in its directory"
		}
		if len(part) > files.MaxName {
			return "has a part of more than 255 bytes"
		}
	}
	return ""
}
