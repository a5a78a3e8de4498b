package oci

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Blobs is a directory of files named by their digests. A blob is there
// complete or not at all; several processes may use the directory at once.
type Blobs struct{ dir string }

// OpenBlobs makes dir if need be, private to the user, and sweeps what killed
// processes left in it.
func OpenBlobs(dir string) (*Blobs, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, diskError("create "+dir, err)
	}
	b := BlobsAt(dir)
	return b, b.Sweep()
}

// BlobsAt leaves dir as it is.
func BlobsAt(dir string) *Blobs { return &Blobs{dir: dir} }

// Sweep removes the unfinished files of processes that are gone.
func (b *Blobs) Sweep() error { return Sweep(b.dir) }

func (b *Blobs) path(d Digest) (string, error) {
	if _, err := ParseDigest(string(d)); err != nil {
		return "", err
	}
	return filepath.Join(b.dir, d.Hex()), nil
}

// BlobWriter takes the bytes of one new blob.
type BlobWriter struct {
	blobs *Blobs
	file  *atomicFile
	hash  hash.Hash
	size  int64
}

// Create starts a new blob. The caller ends it with Commit or Close.
func (b *Blobs) Create() (*BlobWriter, error) {
	file, err := createAtomic(b.dir)
	if err != nil {
		return nil, err
	}
	return &BlobWriter{blobs: b, file: file, hash: sha256.New()}, nil
}

// Write adds bytes to the blob.
func (w *BlobWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.size += int64(n)
	if err != nil {
		return n, diskError("write a blob", err)
	}
	return n, nil
}

// Commit stores the blob and returns its digest and its size in bytes.
func (w *BlobWriter) Commit() (Digest, int64, error) {
	d := sumDigest(w.hash)
	path, err := w.blobs.path(d)
	if err != nil {
		return "", 0, err
	}
	return d, w.size, w.file.commit(path)
}

// Close drops the blob unless it was committed.
func (w *BlobWriter) Close() error {
	w.file.abort()
	return nil
}

// Put stores what r holds, up to limit bytes.
func (b *Blobs) Put(ctx context.Context, r io.Reader, limit int64) (Digest, int64, error) {
	w, err := b.Create()
	if err != nil {
		return "", 0, err
	}
	defer w.Close()
	if _, err := io.Copy(w, newMeter(ctx, r, "the blob", limit)); err != nil {
		return "", 0, err
	}
	return w.Commit()
}

// Has reports whether the blob is there, without reading it.
func (b *Blobs) Has(d Digest) bool {
	path, err := b.path(d)
	if err != nil {
		return false
	}
	st, err := os.Lstat(path)
	return err == nil && st.Mode().IsRegular()
}

// Open reads a blob. Reading to the end checks its digest.
func (b *Blobs) Open(d Digest) (io.ReadCloser, error) {
	path, err := b.path(d)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.Errorf(api.ImageNotFound, "blob %s is not in the store: %w", d, err)
	}
	if err != nil {
		return nil, diskError("open a blob", err)
	}
	return readCloser{verify(f, "blob", d, -1), f}, nil
}

// Read returns a whole blob of at most limit bytes, checked.
func (b *Blobs) Read(ctx context.Context, d Digest, limit int64) ([]byte, error) {
	r, err := b.Open(d)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(newMeter(ctx, r, "blob "+string(d), limit))
}

// Remove deletes a blob. A blob that is not there is no error.
func (b *Blobs) Remove(d Digest) error {
	path, err := b.path(d)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError("remove a blob", err)
	}
	return nil
}

// List returns the digests and sizes of all blobs.
func (b *Blobs) List() (map[Digest]int64, error) {
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return nil, diskError("read "+b.dir, err)
	}
	sizes := map[Digest]int64{}
	for _, entry := range entries {
		d, err := ParseDigest(digestPrefix + entry.Name())
		if err != nil || strings.HasPrefix(entry.Name(), tempPrefix) {
			continue
		}
		if info, err := entry.Info(); err == nil {
			sizes[d] = info.Size()
		}
	}
	return sizes, nil
}

// Layer makes a stored layer readable from its description, such as one read
// back from a lock.
func (b *Blobs) Layer(desc Layer) Layer {
	desc.open = func(context.Context) (io.ReadCloser, error) { return b.Open(desc.Digest) }
	return desc
}

// Fetch copies a layer into the store, unless it is there, and returns it as a
// stored layer.
func (b *Blobs) Fetch(ctx context.Context, layer Layer) (Layer, error) {
	if b.Has(layer.Digest) {
		return b.Layer(layer), nil
	}
	r, err := layer.Compressed(ctx)
	if err != nil {
		return Layer{}, err
	}
	defer r.Close()
	if _, _, err := b.Put(ctx, r, layer.Size); err != nil {
		return Layer{}, err
	}
	return b.Layer(layer), nil
}

// AddLayer stores the tar of a changed file system as a layer, as WriteLayer
// makes it.
func (b *Blobs) AddLayer(ctx context.Context, tar io.Reader, opts LayerOptions) (Layer, error) {
	w, err := b.Create()
	if err != nil {
		return Layer{}, err
	}
	defer w.Close()
	opts.TempDir = b.dir
	diffID, err := WriteLayer(ctx, tar, w, opts)
	if err != nil {
		return Layer{}, err
	}
	digest, size, err := w.Commit()
	if err != nil {
		return Layer{}, err
	}
	return b.Layer(Layer{Digest: digest, DiffID: diffID, Size: size, MediaType: mediaGzip}), nil
}

type readCloser struct {
	io.Reader
	io.Closer
}
