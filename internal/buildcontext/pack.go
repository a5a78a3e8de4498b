package buildcontext

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// readIgnored reads what is left out of the context: from a file beside the
// Dockerfile that is its own, or from .dockerignore.
func readIgnored(root *os.Root, dockerfile string) (*patternmatcher.PatternMatcher, error) {
	for _, name := range []string{dockerfile + ".dockerignore", ".dockerignore"} {
		f, err := regular.Open(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, badContext(name, err)
		}
		defer f.Close()
		patterns, err := ignorefile.ReadAll(f)
		if err != nil {
			return nil, badContext(name, err)
		}
		ignored, err := patternmatcher.New(patterns)
		if err != nil {
			return nil, badContext(name, err)
		}
		return ignored, nil
	}
	return patternmatcher.New(nil)
}

func badContext(name string, err error) error {
	return api.Errorf(api.InvalidTask, "the build context: %s: %w", name, err).WithDetails(api.Details{Field: "image.context", Got: name})
}

// packer writes the context. Equal files give an equal tar: owners and times
// are left out, as for Docker they do not count.
type packer struct {
	ctx     context.Context
	root    *os.Root // which no link leads out of
	ignored *patternmatcher.PatternMatcher
	out     *tar.Writer
}

func pack(ctx context.Context, root *os.Root, ignored *patternmatcher.PatternMatcher, w io.Writer) error {
	p := &packer{ctx, root, ignored, tar.NewWriter(w)}
	if err := p.directory(".", patternmatcher.MatchInfo{}); err != nil {
		return err
	}
	return p.out.Close()
}

// directory writes what is in a directory. One that is ignored is read if a
// pattern with ! may want something of it back.
func (p *packer) directory(dir string, above patternmatcher.MatchInfo) error {
	if err := p.ctx.Err(); err != nil {
		return context.Cause(p.ctx)
	}
	entries, err := fs.ReadDir(p.root.FS(), dir)
	if err != nil {
		return badContext(dir, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		ignored, info, err := p.ignored.MatchesUsingParentResults(name, above)
		if err != nil {
			return badContext(name, err)
		}
		if !ignored {
			if err := p.entry(name); err != nil {
				return badContext(name, err)
			}
		}
		if !e.IsDir() || ignored && !p.ignored.Exclusions() {
			continue
		}
		if err := p.directory(name, info); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) entry(name string) error {
	info, err := p.root.Lstat(name)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSocket != 0:
		return nil // as in Docker
	case info.Mode().IsRegular():
		return p.file(name)
	case info.IsDir():
		return p.out.WriteHeader(header(name+"/", tar.TypeDir, info))
	case info.Mode()&fs.ModeSymlink != 0:
		h := header(name, tar.TypeSymlink, info)
		if h.Linkname, err = p.root.Readlink(name); err != nil {
			return err
		}
		return p.out.WriteHeader(h)
	}
	return errors.New("it is neither a file nor a directory nor a link; leave it out with .dockerignore")
}

func (p *packer) file(name string) error {
	f, err := p.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := p.out.WriteHeader(header(name, tar.TypeReg, info)); err != nil {
		return err
	}
	_, err = io.CopyN(p.out, f, info.Size())
	if errors.Is(err, io.EOF) {
		return errors.New("it became shorter while it was read")
	}
	return err
}

func header(name string, kind byte, info fs.FileInfo) *tar.Header {
	h := &tar.Header{Typeflag: kind, Name: name, Mode: unixMode(info.Mode()), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
	if kind == tar.TypeReg {
		h.Size = info.Size()
	}
	return h
}

func unixMode(m fs.FileMode) int64 {
	mode := int64(m.Perm())
	if m&fs.ModeSetuid != 0 {
		mode |= 0o4000
	}
	if m&fs.ModeSetgid != 0 {
		mode |= 0o2000
	}
	if m&fs.ModeSticky != 0 {
		mode |= 0o1000
	}
	return mode
}
