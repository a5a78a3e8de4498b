package app

import (
	"io"
	"strings"
	"testing"
)

// TestBlobsCanBeSought holds the readers of this process to what a server needs
// to send parts.
func TestBlobsCanBeSought(t *testing.T) {
	s := openApp(t, t.TempDir()).Service()
	digest, _, err := s.PutBlob(t.Context(), strings.NewReader("content"))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := s.OpenBlob(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, ok := r.(io.ReadSeeker); !ok {
		t.Errorf("a %T cannot seek", r)
	}
}
