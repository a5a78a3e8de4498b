// Package tree writes files into a cell: as the entries of a tar, with their
// modes and owners, from memory and from the host.
//
// A Writer takes absolute paths of the cell and stops at the first error. A
// Source is a file or a directory of the host. No link of the host is ever
// followed, nothing but files, directories and links that stay inside a
// directory leaves it, and a file that changes while it is read is an error.
package tree

import "archive/tar"

// Writer writes entries into a tar until one fails.
type Writer struct {
	archive *tar.Writer
	err     error
}

// New returns a writer into an archive of the root of a cell.
func New(archive *tar.Writer) *Writer { return &Writer{archive: archive} }

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

// Fail makes err the first error, unless there is one.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Dir writes a directory.
func (w *Writer) Dir(path string, mode int64, owner int) {
	if w.err == nil {
		w.err = w.archive.WriteHeader(dirHeader(path[1:], mode, owner))
	}
}

// File writes a file with its content.
func (w *Writer) File(path string, content []byte, mode int64, owner int) {
	if w.err == nil {
		w.err = w.archive.WriteHeader(fileHeader(path[1:], int64(len(content)), mode, owner))
	}
	if w.err == nil {
		_, w.err = w.archive.Write(content)
	}
}

// Source writes what s is on the host, for root.
func (w *Writer) Source(path string, s *Source) {
	if w.err == nil {
		w.err = s.write(w.archive, path[1:])
	}
}

func dirHeader(name string, mode int64, owner int) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: mode, Uid: owner, Gid: owner, Format: tar.FormatPAX}
}

func fileHeader(name string, size, mode int64, owner int) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: mode, Uid: owner, Gid: owner, Format: tar.FormatPAX}
}
