package s3

import (
	"bytes"
	"crypto/rand"
	"io"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// The same work with blobs in a directory and in a server of S3 on the same disk.
// "cold" reads what this host does not have at hand.
func BenchmarkBlobs(b *testing.B) {
	server := s3test.Start(b)
	inBucket := func(b *testing.B, prefix string) blob.Store {
		a, err := ParseAddress(server.Address(prefix, ""))
		if err != nil {
			b.Fatal(err)
		}
		s, err := Open(a, filepath.Join(b.TempDir(), "cache"))
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	inFiles := func(b *testing.B, _ string) blob.Store {
		s, err := file.Open(filepath.Join(b.TempDir(), "blobs"))
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	for _, size := range []struct {
		name         string
		count, bytes int
	}{{"1x100MB", 1, 100e6}, {"1000x1kB", 1000, 1000}} {
		for name, open := range map[string]func(*testing.B, string) blob.Store{"files": inFiles, "s3": inBucket} {
			b.Run(size.name+"/put/"+name, func(b *testing.B) {
				s := open(b, rand.Text())
				for b.Loop() {
					putAll(b, s, size.count, size.bytes)
				}
			})
			b.Run(size.name+"/get/"+name, func(b *testing.B) {
				s := open(b, rand.Text())
				refs := putAll(b, s, size.count, size.bytes)
				for b.Loop() {
					getAll(b, s, refs)
				}
			})
		}
		b.Run(size.name+"/get/s3 cold", func(b *testing.B) {
			prefix := rand.Text()
			refs := putAll(b, inBucket(b, prefix), size.count, size.bytes)
			for b.Loop() {
				b.StopTimer()
				s := inBucket(b, prefix)
				b.StartTimer()
				getAll(b, s, refs)
			}
		})
	}
}

func putAll(b *testing.B, s blob.Store, count, size int) (refs []blob.Ref) {
	for range count {
		b.StopTimer()
		bytesOf := content(size)
		b.StartTimer()
		ref, err := s.Put(b.Context(), bytes.NewReader(bytesOf), 0)
		if err != nil {
			b.Fatal(err)
		}
		refs = append(refs, ref)
	}
	return refs
}

func getAll(b *testing.B, s blob.Store, refs []blob.Ref) {
	for _, ref := range refs {
		r, _, err := s.Open(b.Context(), ref.Digest)
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
