// Package blob keeps bytes by their content: who has the digest can have the
// bytes, and the same bytes are kept once.
//
// # Trees
//
// A directory is kept as a blob for each of its files and a manifest, a blob
// that lists it. The digest of the manifest is the digest of the directory. The
// manifest is one line of JSON in UTF-8 without white space:
//
//	{"version":1,"entries":[
//	{"path":"bin","type":"dir"},
//	{"path":"bin/tool","type":"file","sha256":"2c26...","size":3,"executable":true},
//	{"path":"run","type":"link","target":"bin/tool"}]}
//
// (broken here for the reader). Entries are sorted by the bytes of their paths,
// and have their members in the order path, type, sha256, size, executable,
// target. An empty string, 0 and false are left out. Of characters only ", \,
// those below U+0020, U+2028 and U+2029 are escaped: with \", \\, \b, \f, \n,
// \r, \t, and else \u and four lower-case digits. The same directory thus has
// the same digest wherever it is put.
//
// A path is relative, of at most 64 names of at most 255 bytes. The directory of
// an entry is an entry of its own, before it. A link leads to a relative path
// that stays in the tree, and comes back up from true directories only, never
// from behind another link. Times, owners and modes are not kept, but for
// whether a file is executable.
package blob

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// Store keeps blobs. It is safe for concurrent use, also by several processes.
// Package blobtest has the suite that every implementation passes. A digest is
// SHA-256 in lower-case hexadecimal; anything else is ErrDigest.
type Store interface {
	// Put stores what r yields, at most limit bytes if limit is not 0, beyond
	// which it is ErrTooLarge. It is durable, and visible only as a whole.
	Put(ctx context.Context, r io.Reader, limit int64) (Ref, error)
	// Import stores a regular file of this host. With move, the file may be
	// taken instead of copied, and its path may then hold another name of the
	// stored bytes, read-only. A file that changes while it is read is an error.
	Import(ctx context.Context, path string, move bool) (Ref, error)
	// Open returns the bytes. Damage is found while they are read: the reader
	// returns an error that wraps ErrCorrupt instead of io.EOF. It may be an
	// io.Seeker; then what is read of a part is not held to the digest.
	Open(ctx context.Context, digest string) (io.ReadCloser, int64, error)
	// Export makes a file at path, which must not exist, of the bytes. It may be
	// another name of the stored ones; it is read-only, and executable if asked.
	Export(ctx context.Context, digest, path string, executable bool) error
	// Stat returns the size, or ErrNotFound. It counts as putting the blob again:
	// who asks is about to refer to it.
	Stat(ctx context.Context, digest string) (Ref, error)
	// Remove deletes a blob. One that is not there is no error.
	Remove(ctx context.Context, digest string) error
	// All yields every blob, in no order.
	All(ctx context.Context) iter.Seq2[Info, error]
}

// Ref names a blob.
type Ref struct {
	Digest string
	Size   int64 // bytes
}

// Info is what a list tells of a blob.
type Info struct {
	Ref
	Stored time.Time // when it was put there last, or asked for with Stat
}

// The errors of a Store. A full disk is an *api.Error of code storage_full.
var (
	ErrNotFound = errors.New("there is no such blob")
	ErrDigest   = errors.New("not a digest: expected 64 hexadecimal digits in lower case")
	ErrTooLarge = errors.New("larger than its limit")
	ErrCorrupt  = errors.New("the stored bytes are damaged")
	ErrChanged  = errors.New("the file changed while it was read")
)
