package oci

import (
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of the names in a tar, in bytes or components. A longer target of a
// symbolic link could not be read back from a page.
const (
	maxName   = 255
	maxPath   = 4096
	maxDepth  = 256
	maxTarget = 4095
)

// splitName returns the components of the name of a tar entry, none for the
// root. A leading slash means the root of the image, as docker takes it.
func splitName(name string) ([]string, error) {
	if len(name) > maxPath {
		return nil, badName(name, "is longer than 4096 bytes")
	}
	if strings.ContainsRune(name, 0) {
		return nil, badName(name, "has a NUL byte")
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			return nil, badName(name, `has a ".."`)
		case len(part) > maxName:
			return nil, badName(name, "has a component of more than 255 bytes")
		}
		parts = append(parts, part)
	}
	if len(parts) > maxDepth {
		return nil, badName(name, "is more than 256 directories deep")
	}
	return parts, nil
}

func badName(name, why string) error {
	return api.Errorf(api.ImageInvalid, "the name %.200q %s", name, why)
}

func checkTarget(target string) error {
	switch {
	case target == "":
		return api.Errorf(api.ImageInvalid, "the symbolic link has no target")
	case len(target) > maxTarget:
		return api.Errorf(api.ImageInvalid, "the symbolic link has a target of %d bytes, and %d are allowed", len(target), maxTarget)
	case strings.ContainsRune(target, 0):
		return api.Errorf(api.ImageInvalid, "the symbolic link has a NUL byte in its target")
	}
	return nil
}
