package file

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// TestSeek reads a part, which is as it is stored, and then the whole, which is
// held to its digest.
func TestSeek(t *testing.T) {
	s, err := Open(t.TempDir() + "/blobs")
	if err != nil {
		t.Fatal(err)
	}
	ref, err := s.Put(t.Context(), strings.NewReader("0123456789"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(s.path(ref.Digest), 0o600), os.WriteFile(s.path(ref.Digest), []byte("012345678x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r, _, err := s.Open(t.Context(), ref.Digest)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	seeker := r.(io.Seeker)
	if at, err := seeker.Seek(-4, io.SeekEnd); at != 6 || err != nil {
		t.Fatal(at, err)
	}
	if part, err := io.ReadAll(r); string(part) != "678x" || err != nil {
		t.Errorf("the part: %q, %v", part, err)
	}
	if at, err := seeker.Seek(0, io.SeekStart); at != 0 || err != nil {
		t.Fatal(at, err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, blob.ErrCorrupt) {
		t.Errorf("the whole: %v", err)
	}
}
