package server

import (
	"archive/tar"
	"context"
	"io"
	"io/fs"
	"os"
)

// writeTar writes the files, directories and symbolic links below dir, in the
// order of their names, with nothing about this host.
func writeTar(ctx context.Context, w io.Writer, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	archive := tar.NewWriter(w)
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return writeEntry(archive, root, name, entry)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

func writeEntry(archive *tar.Writer, root *os.Root, name string, entry fs.DirEntry) error {
	switch entry.Type() {
	case fs.ModeDir:
		return archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, Format: tar.FormatPAX})
	case fs.ModeSymlink:
		target, err := root.Readlink(name)
		if err != nil {
			return err
		}
		return archive.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777, Format: tar.FormatPAX})
	case 0:
		return writeFile(archive, root, name)
	}
	return nil
}

func writeFile(archive *tar.Writer, root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: mode, Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err = io.CopyN(archive, f, info.Size())
	return err
}
