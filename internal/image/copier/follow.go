package copier

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// The bounds of one path with its links followed.
const (
	maxLinks = 40 // as in Linux
	maxSteps = 2048
)

// Follow gives the name of what a path leads to in a tree. Links lead nowhere
// else: an absolute target begins at the root of the tree, and .. ends there.
// What does not exist is followed by its name.
func Follow(from Tree, at string) (string, error) {
	return follow(at, func(at string) (string, bool, error) {
		info, err := from.Lstat(name(at))
		if errors.Is(err, fs.ErrNotExist) {
			return "", false, nil
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return "", false, err
		}
		target, err := from.ReadLink(name(at))
		return target, true, err
	})
}

// follow resolves a path by what link says of each name on the way.
func follow(whole string, link func(at string) (target string, isLink bool, err error)) (string, error) {
	at, rest := "", strings.Split(whole, "/")
	for links, steps := 0, 0; len(rest) > 0; steps++ {
		part := rest[0]
		rest = rest[1:]
		if steps > maxSteps {
			return "", fmt.Errorf("%q: the links on the way have more than %d components", whole, maxSteps)
		}
		switch part {
		case "", ".":
			continue
		case "..":
			at = strings.TrimPrefix(path.Dir("/"+at), "/")
			continue
		}
		next := path.Join(at, part)
		target, isLink, err := link(next)
		if err != nil {
			return "", err
		}
		if !isLink {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%q: more than %d symbolic links lead to it", whole, maxLinks)
		}
		if path.IsAbs(target) {
			at = ""
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at, nil
}
