package copier

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Match gives the names in a tree that a pattern stands for, in their order. The
// wildcards are those of path.Match, each within one component of the path. A
// path without wildcards must exist.
func Match(from Tree, pattern string) ([]string, error) {
	parts := strings.FieldsFunc(path.Clean("/"+pattern), func(r rune) bool { return r == '/' })
	if !hasWildcards(pattern) {
		at := strings.Join(parts, "/")
		followed, err := Follow(from, at)
		if err == nil {
			_, err = from.Lstat(name(followed))
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", "/"+at, notFound(err))
		}
		return []string{at}, nil
	}
	names := []string{""}
	for _, part := range parts {
		var err error
		if names, err = matchPart(from, names, part); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// matchPart goes one component down from each of dirs.
func matchPart(from Tree, dirs []string, part string) ([]string, error) {
	var out []string
	for _, dir := range dirs {
		followed, err := Follow(from, dir)
		if err != nil {
			return nil, err
		}
		entries, err := from.ReadDir(name(followed))
		if err != nil {
			continue // no directory
		}
		for _, e := range entries {
			ok, err := path.Match(part, e.Name())
			if err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", part, err)
			}
			if ok {
				out = append(out, path.Join(dir, e.Name()))
			}
		}
	}
	return out, nil
}

func hasWildcards(pattern string) bool { return strings.ContainsAny(pattern, `*?[\`) }

func notFound(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such file or directory")
	}
	return err
}
