// Package erofs writes read-only file systems in the EROFS format: not
// compressed, blocks of 4096 bytes, the data of every regular file in whole
// blocks of its own, so that a sandbox can map files straight from the image.
//
// File contents are appended first, as they come; the tree follows with
// Finish. Extended attributes are not written: the sandbox that mounts these
// images refuses inodes that have any.
//
// The format is described in the Linux kernel, Documentation/filesystems/erofs.rst
// and fs/erofs/erofs_fs.h.
package erofs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// BlockSize is the unit of allocation: bytes.
const BlockSize = 4096

// Inode is one file, directory or symbolic link. Several names may lead to one
// inode that is not a directory.
type Inode struct {
	Mode    fs.FileMode // type, permissions, and the setuid, setgid and sticky bits
	UID     uint32
	GID     uint32
	Mtime   int64   // seconds since 1970, not negative
	Nsec    uint32  // below 1e9
	Target  string  // of a symbolic link
	Data    Extent  // of a regular file
	Entries []Entry // of a directory, in any order

	links  uint32
	parent *Inode
	place  place
}

// Entry is a name in a directory: up to 255 bytes without a slash.
type Entry struct {
	Name  string
	Inode *Inode
}

// Extent is where the contents of a file are.
type Extent struct {
	block uint32
	Size  int64 // bytes
}

// Writer makes one file system in a file.
type Writer struct {
	f    *os.File
	next int64 // the block that comes next
	buf  []byte
}

// NewWriter starts a file system at the beginning of f, which is empty.
func NewWriter(f *os.File) *Writer {
	return &Writer{f: f, next: 1, buf: make([]byte, 256<<10)}
}

// Append stores the contents of one regular file and returns where. It reads r
// to its end and never stores more than limit bytes.
func (w *Writer) Append(r io.Reader, limit int64) (Extent, error) {
	start := w.next
	var size int64
	for {
		n, err := io.ReadFull(r, w.buf)
		if size+int64(n) > limit {
			return Extent{}, fmt.Errorf("file of more than %d bytes", limit)
		}
		if werr := w.put(start*BlockSize+size, w.buf[:n]); werr != nil {
			return Extent{}, werr
		}
		size += int64(n)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return Extent{}, err
		}
	}
	return w.allocate(start, size)
}

// put leaves holes for zeros, so that a file of nothing costs no disk.
func (w *Writer) put(at int64, p []byte) error {
	if len(p) == 0 || allZero(p) {
		return nil
	}
	_, err := w.f.WriteAt(p, at)
	return err
}

func allZero(p []byte) bool {
	return p[0] == 0 && bytes.Equal(p[1:], p[:len(p)-1])
}

func (w *Writer) allocate(start, size int64) (Extent, error) {
	if size == 0 {
		return Extent{}, nil
	}
	w.next = start + blocks(size)
	if w.next > math.MaxUint32 {
		return Extent{}, errors.New("file system of more than 16 TiB")
	}
	return Extent{block: uint32(start), Size: size}, nil
}

// Size is how large the file is so far: bytes.
func (w *Writer) Size() int64 { return w.next * BlockSize }

func blocks(size int64) int64 { return (size + BlockSize - 1) / BlockSize }
