package guest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// filesystem is the files of the cell as a user sees them.
type filesystem struct {
	user     user
	owner    user // of what is made or written
	accounts *accounts
}

func (g *server) filesystem(as wire.As) (*filesystem, error) {
	u, err := g.accounts.findUser(as)
	if err != nil {
		return nil, err
	}
	owner := u
	if as.Owner != "" {
		if owner, err = g.accounts.findUser(wire.As{User: as.Owner, Home: as.Home}); err != nil {
			return nil, err
		}
	}
	return &filesystem{user: u, owner: owner, accounts: g.accounts}, nil
}

// resolve makes a path absolute.
func (s *filesystem) resolve(path wire.Text) (string, error) {
	p := string(path)
	if len(p) >= unix.PathMax || strings.ContainsRune(p, 0) {
		return "", failure{wire.CodeRequestInvalid, "path", "the path is longer than Linux takes, or has a zero byte"}
	}
	if p == "~" || strings.HasPrefix(p, "~/") {
		p = s.owner.home + "/" + p[1:]
	}
	if !filepath.IsAbs(p) {
		p = s.owner.home + "/" + p
	}
	return filepath.Clean("/" + p), nil
}

// onFile serves a request about one path.
func (g *server) onFile(as wire.As, path wire.Text, serve func(s *filesystem, path string) (*wire.FileInfo, error)) wire.FileDone {
	s, err := g.filesystem(as)
	if err != nil {
		return wire.FileDone{Done: doneWith(err)}
	}
	resolved, err := s.resolve(path)
	if err != nil {
		return wire.FileDone{Done: doneWith(err)}
	}
	var info *wire.FileInfo
	err = s.user.as(func() error {
		info, err = serve(s, resolved)
		return err
	})
	return wire.FileDone{Done: doneWith(fileFailure(err)), Info: info}
}

// fileFailure tells apart why a file could not be used.
func fileFailure(err error) error {
	var known failure
	if err == nil || errors.As(err, &known) {
		return err
	}
	return kindOfFailure(err).because(err)
}

func kindOfFailure(err error) failure {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure{wire.CodeNotFound, "path", err.Error()}
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EISDIR), errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ELOOP):
		return failure{wire.CodeRequestInvalid, "path", err.Error()}
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return failure{wire.CodeLimit, "disk", err.Error()}
	}
	return failure{wire.CodeConflict, "path", err.Error()}
}

func (g *server) statFile(request wire.Path, _ *wire.Channel) wire.FileDone {
	return g.onFile(request.As, request.Path, (*filesystem).stat)
}

// stat describes a file; of a link, what it leads to.
func (s *filesystem) stat(path string) (*wire.FileInfo, error) {
	info, err := s.lstat(path)
	if err != nil || info.Link == "" {
		return info, err
	}
	var file unix.Stat_t
	if err := unix.Stat(path, &file); err != nil {
		return info, nil // it leads nowhere
	}
	return s.describe(path, &file, info.Link), nil
}

// lstat describes a file; of a link, the link itself.
func (s *filesystem) lstat(path string) (*wire.FileInfo, error) {
	var file unix.Stat_t
	if err := unix.Lstat(path, &file); err != nil {
		return nil, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	link := ""
	if file.Mode&unix.S_IFMT == unix.S_IFLNK {
		link = target(path)
	}
	return s.describe(path, &file, wire.Text(link)), nil
}

// target is where a link leads in the end, or what it says if that is not there.
func target(path string) string {
	if end, err := filepath.EvalSymlinks(path); err == nil {
		return end
	}
	text, err := os.Readlink(path)
	if err != nil {
		return "?"
	}
	return text
}

func (s *filesystem) describe(path string, file *unix.Stat_t, link wire.Text) *wire.FileInfo {
	return &wire.FileInfo{
		Path: wire.Text(path), Type: typeOf(file.Mode), Size: file.Size, Mode: file.Mode & 0o7777,
		UID: int(file.Uid), GID: int(file.Gid), Owner: wire.Text(s.accounts.users.nameOf(file.Uid)), Group: wire.Text(s.accounts.groups.nameOf(file.Gid)),
		Modified: file.Mtim.Nano(), Link: link, Attributes: attributes(path),
	}
}

func typeOf(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return wire.TypeFile
	case unix.S_IFDIR:
		return wire.TypeDir
	case unix.S_IFLNK:
		return wire.TypeSymlink
	}
	return wire.TypeOther
}

func (g *server) listDir(request wire.ListDir, ch *wire.Channel) wire.Done {
	var entries []*wire.FileInfo
	done := g.onFile(request.As, request.Path.Path, func(s *filesystem, path string) (_ *wire.FileInfo, err error) {
		entries, err = s.list(path, request.Depth, request.Max)
		return nil, err
	})
	if done.Error != "" {
		return done.Done
	}
	return doneWith(sendList(ch, entries))
}

// sendList sends the JSON of one thing after another, in large pieces.
func sendList[T any](ch *wire.Channel, list []T) error {
	buffered := bufio.NewWriterSize(ch, 32<<10)
	encoder := json.NewEncoder(buffered)
	for _, one := range list {
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// list describes what is in a directory, depth levels deep. What may not be
// looked into is left closed.
func (s *filesystem) list(dir string, depth, most int) ([]*wire.FileInfo, error) {
	var list []*wire.FileInfo
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if len(list) >= most {
			return nil, failure{wire.CodeLimit, "path", fmt.Sprintf("the directory has more than %d entries", most)}
		}
		info, err := s.lstat(filepath.Join(dir, entry.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		list = append(list, info)
		if info.Type != wire.TypeDir || depth <= 1 {
			continue
		}
		below, err := s.list(filepath.Join(dir, entry.Name()), depth-1, most-len(list))
		var passed failure
		if errors.As(err, &passed) {
			return nil, err
		}
		list = append(list, below...)
	}
	return list, nil
}

func (g *server) makeDir(request wire.Path, _ *wire.Channel) wire.FileDone {
	return g.onFile(request.As, request.Path, func(s *filesystem, path string) (*wire.FileInfo, error) {
		if err := s.makeDirs(filepath.Dir(path)); err != nil {
			return nil, err
		}
		if err := os.Mkdir(path, 0o755); err != nil {
			return nil, err
		}
		if err := s.give(path); err != nil {
			return nil, err
		}
		return s.stat(path)
	})
}

func (g *server) moveFile(request wire.Move, _ *wire.Channel) wire.FileDone {
	return g.onFile(request.As, request.Path.Path, func(s *filesystem, from string) (*wire.FileInfo, error) {
		to, err := s.resolve(request.To)
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(from); err != nil {
			return nil, err
		}
		if err := s.makeDirs(filepath.Dir(to)); err != nil {
			return nil, err
		}
		if err := move(from, to); err != nil {
			return nil, err
		}
		return s.lstat(to)
	})
}

func (g *server) removeFile(request wire.Path, _ *wire.Channel) wire.FileDone {
	return g.onFile(request.As, request.Path, func(_ *filesystem, path string) (*wire.FileInfo, error) {
		if path == "/" {
			return nil, failure{wire.CodeRequestInvalid, "path", "the root of the cell cannot be removed"}
		}
		return nil, os.RemoveAll(path)
	})
}

func (g *server) lookUpUser(request wire.As, _ *wire.Channel) wire.UserDone {
	u, err := g.accounts.findUser(request)
	if err != nil {
		return wire.UserDone{Done: doneWith(err)}
	}
	return wire.UserDone{Name: wire.Text(u.name), UID: u.uid, GID: u.gid, Home: wire.Text(u.home)}
}
