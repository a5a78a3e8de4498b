package cli

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// unpack writes the files, directories and links of an archive below root, which
// nothing in it can lead out of. What is of another kind, or would, is skipped.
func unpack(root *os.Root, from io.Reader) (skipped []string, err error) {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return skipped, nil
		}
		if err != nil {
			return skipped, err
		}
		name := path.Clean(strings.TrimPrefix(header.Name, "./"))
		if name == "." {
			continue
		}
		if !filepath.IsLocal(name) || !unpacked(root, header, name) {
			skipped = append(skipped, header.Name)
			continue
		}
		if err := unpackOne(root, archive, header, name); err != nil {
			return skipped, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// unpacked reports whether an entry is written.
func unpacked(root *os.Root, header *tar.Header, name string) bool {
	switch header.Typeflag {
	case tar.TypeDir, tar.TypeReg:
		return true
	case tar.TypeSymlink:
		return !path.IsAbs(header.Linkname) && staysInside(root, name, header.Linkname)
	}
	return false
}

// staysInside reports whether a link stays below root, whatever else is a link there:
// it goes up only at its beginning, from directories that are no links.
func staysInside(root *os.Root, name, target string) bool {
	depth := 0
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(dir)
		if err == nil && !info.IsDir() {
			return false
		}
		depth++
	}
	down := false
	for part := range strings.SplitSeq(target, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			down = true
		case down || depth == 0:
			return false
		default:
			depth--
		}
	}
	return true
}

func unpackOne(root *os.Root, content io.Reader, header *tar.Header, name string) error {
	if header.Typeflag == tar.TypeDir {
		return root.MkdirAll(name, 0o777)
	}
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // what was there may be a link
		return err
	}
	if header.Typeflag == tar.TypeSymlink {
		return root.Symlink(header.Linkname, name)
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(header.Mode&0o777))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
