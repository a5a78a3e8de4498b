package api

import (
	"path/filepath"
	"strings"
)

// ImagePath returns the path of an OCI layout or archive, if ref is one and no
// reference into a registry: what begins with oci:, archive:, /, ./ or ../.
func ImagePath(ref string) (path string, ok bool) {
	for _, form := range imageForms {
		if path, ok := strings.CutPrefix(ref, form); ok {
			return path, true
		}
	}
	return ref, strings.HasPrefix(ref, "/") || strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../")
}

var imageForms = [...]string{"oci:", "archive:"}

// AbsoluteImage returns ref, and if it is a relative path, the absolute one of
// the same file below dir. It then names the same image wherever it is read.
func AbsoluteImage(ref, dir string) (string, error) {
	path, ok := ImagePath(ref)
	if !ok || path == "" || filepath.IsAbs(path) {
		return ref, nil
	}
	absolute, err := filepath.Abs(filepath.Join(dir, path))
	if err != nil {
		return "", Errorf(ImageNotFound, "find the image %q: %w", ref, err)
	}
	return strings.TrimSuffix(ref, path) + absolute, nil
}

// Absolute returns s with the paths of its images made absolute: relative ones
// are below dir.
func (s ImageSpec) Absolute(dir string) (ImageSpec, error) {
	var err error
	if s.Ref, err = AbsoluteImage(s.Ref, dir); err == nil {
		s.Base, err = AbsoluteImage(s.Base, dir)
	}
	return s, err
}
