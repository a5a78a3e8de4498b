package image

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// archive opens a file of the context if it is a tar, plain or compressed, which
// ADD unpacks; otherwise it gives nothing.
func (d *dockerBuild) archive(ctx context.Context, from copier.Tree, name string) (copier.Tree, error) {
	at, err := copier.Follow(from, name)
	if err != nil {
		return nil, err
	}
	info, err := from.Lstat(at)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	if isTar, err := isTar(from, at); !isTar || err != nil {
		return nil, err
	}
	plain, err := unpacked(from, at)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	path := filepath.Join(d.scratch.dir, "archive-"+randomHex()+".erofs")
	if err := oci.Pack(ctx, plain, path, oci.Limits{}); err != nil {
		return nil, err
	}
	return d.openTree(path)
}

func isTar(from copier.Tree, at string) (bool, error) {
	plain, err := unpacked(from, at)
	if err != nil {
		return false, err
	}
	defer plain.Close()
	_, err = tar.NewReader(plain).Next()
	return err == nil, nil
}

// xzMagic begins what no library here unpacks.
var xzMagic = []byte{0xfd, '7', 'z', 'X', 'Z', 0}

// unpacked reads a file, decompressed if it is compressed.
func unpacked(from copier.Tree, at string) (io.ReadCloser, error) {
	f, err := from.Open(at)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(xzMagic))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	whole := io.MultiReader(bytes.NewReader(head[:n]), f)
	switch {
	case bytes.Equal(head, xzMagic):
		f.Close()
		return nil, api.Errorf(api.BuildFailed, "%q is compressed with xz, which ADD does not unpack here", "/"+at).
			WithHint("COPY it and unpack it with RUN tar -xJf, or compress it with gzip, bzip2 or zstd")
	case bytes.HasPrefix(head, []byte("BZh")):
		return readCloser{bzip2.NewReader(whole), f}, nil
	}
	plain, err := oci.Decompress(whole)
	if err != nil { // it only begins like something compressed
		return readCloser{whole, f}, nil
	}
	return readCloser{plain, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}
