package box

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// The bounds of what comes out of a cell.
const (
	maxEntries  = 1_000_000
	maxReceived = 8 << 30   // bytes of all that is there, most of which is the same as before
	maxStaged   = 512 << 20 // bytes of new and modified files
	maxName     = 4096      // bytes
	maxNames    = 64 << 20  // bytes of all names
	maxTold     = 1000      // things that are left out
)

// receiver reads the archive of a project from a cell, which may hold anything.
type receiver struct {
	project *Project
	staged  string
	seen    map[string]bool // by path: what is there in any form
	names   int64           // bytes of what is in seen and list
	list    []Change        // new and modified files and links
	leftOut []LeftOut
	kept    int64 // bytes in staged
	files   int   // made in staged
}

func (r *receiver) receive(ctx context.Context, from io.Reader) error {
	bounded := &io.LimitedReader{R: from, N: maxReceived}
	archive := tar.NewReader(bounded)
	for n := 0; ; n++ {
		header, err := archive.Next()
		switch {
		case err == io.EOF:
			return nil
		case context.Cause(ctx) != nil:
			return context.Cause(ctx)
		case bounded.N <= 0:
			return tooMuch("bytes in the directory of the project", maxReceived)
		case err != nil:
			return api.Errorf(api.Internal, "the files of the cell: %w", err)
		case n == maxEntries:
			return tooMuch("files in the directory of the project", maxEntries)
		}
		if err := r.entry(header, archive); err != nil {
			return err
		}
	}
}

func tooMuch(what string, limit int64) error {
	return api.Errorf(api.OutputTooLarge, "the agent left more than %d %s", limit, what).
		WithHint("pause the session, and remove what is not needed in it").WithDetails(api.Details{Limit: limit})
}

// entry takes one entry.
func (r *receiver) entry(h *tar.Header, content io.Reader) error {
	name := path.Clean(strings.TrimPrefix(h.Name, "./"))
	if h.Typeflag == tar.TypeDir || name == "." {
		return nil
	}
	if reason := r.refused(h, name); reason != "" {
		return r.leaveOut(name, reason)
	}
	if h.Typeflag == tar.TypeSymlink {
		return r.note(Change{Path: name, new: entry{kind: link, target: h.Linkname}})
	}
	return r.file(name, h, content)
}

// refused is why an entry cannot be a part of the project, or empty.
func (r *receiver) refused(h *tar.Header, name string) string {
	switch {
	case len(name) > maxName || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsRune(name, 0):
		return "a name that a project cannot have"
	case slices.ContainsFunc(strings.Split(name, "/"), isGit):
		return becauseGit
	case r.project.ignored.file(name):
		return becauseIgnored
	case h.Typeflag == tar.TypeSymlink && !staysInside(name, h.Linkname):
		return becauseLink
	case h.Typeflag != tar.TypeSymlink && h.Typeflag != tar.TypeReg:
		return becauseKind
	}
	return ""
}

// see notes that there is something of that name, so that it is not deleted.
func (r *receiver) see(name string) error {
	if r.names += int64(len(name)) + 64; r.names > maxNames {
		return tooMuch("bytes of names in the directory of the project", maxNames)
	}
	r.seen[name] = true
	return nil
}

// leaveOut leaves the file of this host as it is. It tells of what is neither
// ignored nor of the repository in the cell.
func (r *receiver) leaveOut(name, reason string) error {
	if _, mine := r.project.entries[name]; mine {
		if err := r.see(name); err != nil {
			return err
		}
	}
	if reason != becauseGit && reason != becauseIgnored && len(r.leftOut) < maxTold {
		r.leftOut = append(r.leftOut, LeftOut{name[:min(len(name), maxName)], reason})
	}
	return nil
}

// note takes an entry as a change, if it is one. Of two of one name the first counts.
func (r *receiver) note(c Change) error {
	c.old = r.project.entries[c.Path]
	if r.seen[c.Path] {
		return nil
	}
	if err := r.see(c.Path); err != nil {
		return err
	}
	if c.old != c.new {
		r.names += int64(len(c.Path) + len(c.new.target))
		r.list = append(r.list, c)
	}
	return nil
}

// file reads a file, and keeps its content if it is new.
func (r *receiver) file(name string, h *tar.Header, content io.Reader) error {
	now := entry{kind: file, exec: h.Mode&0o111 != 0, size: h.Size}
	if h.Size > maxStaged-r.kept {
		return r.leaveOut(name, "more than "+strconv.Itoa(maxStaged>>20)+" MiB of new files")
	}
	sum := sha256.New()
	staged, err := r.keep(io.TeeReader(content, sum))
	if err != nil {
		return err
	}
	now.digest = hex.EncodeToString(sum.Sum(nil))
	if r.project.entries[name].digest != now.digest {
		r.kept += h.Size
		return r.note(Change{Path: name, new: now, content: staged})
	}
	if err := os.Remove(staged); err != nil {
		return stagingError(err)
	}
	return r.note(Change{Path: name, new: now})
}

// keep writes content to a file that is called by a number.
func (r *receiver) keep(content io.Reader) (staged string, err error) {
	r.files++
	staged = filepath.Join(r.staged, strconv.Itoa(r.files))
	f, err := os.OpenFile(staged, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", stagingError(err)
	}
	_, err = io.Copy(f, content)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", stagingError(err)
	}
	return staged, nil
}

// changes are what differs from what went in.
func (r *receiver) changes() []Change {
	list := r.list
	for name, was := range r.project.entries {
		if !r.seen[name] {
			list = append(list, Change{Path: name, old: was})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list
}
