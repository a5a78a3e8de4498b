package oci

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/glovebox-dev/glovebox/api"
)

// The media types of layers, from the OCI image specification, layer.md.
const (
	mediaTar  = "application/vnd.oci.image.layer.v1.tar"
	mediaGzip = mediaTar + "+gzip"
	mediaZstd = mediaTar + "+zstd"
)

// zstdWindow bounds the memory of a decoder: bytes. Encoders use up to 8 MiB
// unless they are asked for more.
const zstdWindow = 64 << 20

// Compressed reads the layer as it is stored.
func (l Layer) Compressed(ctx context.Context) (io.ReadCloser, error) {
	if l.open == nil {
		return nil, api.Errorf(api.Internal, "layer %s has only a description: ask its store for it", l.Digest)
	}
	r, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	return readCloser{verify(r, "layer", l.Digest, l.Size), r}, nil
}

// Tar reads the tar of the layer, uncompressed.
func (l Layer) Tar(ctx context.Context) (io.ReadCloser, error) {
	r, err := l.Compressed(ctx)
	if err != nil {
		return nil, err
	}
	plain, err := decompress(r)
	if err != nil {
		r.Close()
		return nil, layerError(l.Digest, err)
	}
	whole := &drained{plain: plain, stored: r}
	return readCloser{verify(whole, "the tar of layer", l.DiffID, -1), closers{plain, r}}, nil
}

// drained ends with its plain bytes only after the stored bytes have ended
// too, so that their digest is checked even where a decoder stops early.
type drained struct {
	plain, stored io.Reader
}

func (d *drained) Read(p []byte) (int, error) {
	n, err := d.plain.Read(p)
	if err != io.EOF {
		return n, err
	}
	if _, err := io.Copy(io.Discard, d.stored); err != nil {
		return n, err
	}
	return n, io.EOF
}

type closers []io.Closer

func (c closers) Close() error {
	var first error
	for _, closer := range c {
		if err := closer.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// decompress looks at the first bytes, not at the media type, because docker
// save and some registries name the wrong one.
func decompress(r io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	magic, err := buffered.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch sniff(magic) {
	case mediaGzip:
		return gzip.NewReader(buffered)
	case mediaZstd:
		dec, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		return dec.IOReadCloser(), nil
	}
	return io.NopCloser(buffered), nil
}

// sniff names the media type of a layer that starts with these bytes: RFC 1952
// for gzip, RFC 8878 for zstd.
func sniff(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return mediaGzip
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return mediaZstd
	}
	return mediaTar
}
