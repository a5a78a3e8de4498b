package servicetest

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeFile is a file or a directory.
type fakeFile struct {
	dir        bool
	content    []byte
	mode       uint32
	attributes map[string]string
}

func newFakeDir() *fakeFile { return &fakeFile{dir: true, mode: 0o755} }

func absolute(name string) string {
	if !path.IsAbs(name) {
		name = path.Join("/work", name)
	}
	return path.Clean(name)
}

func (s *fakeSession) info(name string) (*api.FileInfo, error) {
	file, ok := s.files[name]
	if !ok {
		return nil, api.Errorf(api.NotFound, "there is no file %s", name)
	}
	kind := api.TypeFile
	if file.dir {
		kind = api.TypeDir
	}
	return &api.FileInfo{
		Path: name, Type: kind, Size: int64(len(file.content)), Mode: file.mode, UID: 1000, GID: 1000, Owner: "user", Group: "user",
		Modified: time.Unix(3, 0).UTC(), Attributes: file.attributes,
	}, nil
}

// makeAll makes a directory and those above it.
func (s *fakeSession) makeAll(name string) {
	for ; s.files[name] == nil; name = path.Dir(name) {
		s.files[name] = newFakeDir()
	}
}

// withFiles calls do under the lock, with an absolute path.
func (f *FakeSessions) withFiles(id, name string, do func(s *fakeSession, name string) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return err
	}
	defer f.changed.Broadcast()
	return do(s, absolute(name))
}

// StatFile implements api.SessionFiles.
func (f *FakeSessions) StatFile(_ context.Context, id, name string, _ api.FileOptions) (info *api.FileInfo, err error) {
	err = f.withFiles(id, name, func(s *fakeSession, name string) (err error) {
		info, err = s.info(name)
		return err
	})
	return info, err
}

// ListFiles implements api.SessionFiles.
func (f *FakeSessions) ListFiles(_ context.Context, id, name string, depth int, _ api.FileOptions) (list []api.FileInfo, err error) {
	err = f.withFiles(id, name, func(s *fakeSession, dir string) error {
		if _, err := s.info(dir); err != nil {
			return err
		}
		list = s.below(dir, depth)
		return nil
	})
	return list, err
}

// below lists what is in a directory.
func (s *fakeSession) below(dir string, depth int) (list []api.FileInfo) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		below, ok := strings.CutPrefix(name, strings.TrimSuffix(dir, "/")+"/")
		if ok && below != "" && strings.Count(below, "/") < max(1, depth) {
			info, _ := s.info(name)
			list = append(list, *info)
		}
	}
	return list
}

// MakeDir implements api.SessionFiles.
func (f *FakeSessions) MakeDir(_ context.Context, id, name string, _ api.FileOptions) (info *api.FileInfo, err error) {
	err = f.withFiles(id, name, func(s *fakeSession, name string) (err error) {
		if s.files[name] != nil {
			return api.Errorf(api.Conflict, "%s is there already", name)
		}
		s.makeAll(name)
		info, err = s.info(name)
		return err
	})
	return info, err
}

// MoveFile implements api.SessionFiles.
func (f *FakeSessions) MoveFile(_ context.Context, id, from, to string, _ api.FileOptions) (info *api.FileInfo, err error) {
	err = f.withFiles(id, from, func(s *fakeSession, from string) (err error) {
		if _, err := s.info(from); err != nil {
			return err
		}
		to := absolute(to)
		s.makeAll(path.Dir(to))
		for _, name := range slices.Sorted(maps.Keys(s.files)) {
			if below, ok := strings.CutPrefix(name, from); ok && (below == "" || below[0] == '/') {
				s.files[to+below] = s.files[name]
				delete(s.files, name)
			}
		}
		info, err = s.info(to)
		return err
	})
	return info, err
}

// RemoveFile implements api.SessionFiles.
func (f *FakeSessions) RemoveFile(_ context.Context, id, name string, _ api.FileOptions) error {
	return f.withFiles(id, name, func(s *fakeSession, name string) error {
		maps.DeleteFunc(s.files, func(other string, _ *fakeFile) bool { return other == name || strings.HasPrefix(other, name+"/") })
		return nil
	})
}

// ReadFile implements api.SessionFiles.
func (f *FakeSessions) ReadFile(_ context.Context, id, name string, offset, limit int64, _ api.FileOptions) (content io.ReadCloser, info *api.FileInfo, err error) {
	err = f.withFiles(id, name, func(s *fakeSession, name string) (err error) {
		if info, err = s.info(name); err != nil {
			return err
		}
		part := s.files[name].content[min(offset, info.Size):]
		if limit > 0 {
			part = part[:min(limit, int64(len(part)))]
		}
		content = io.NopCloser(bytes.NewReader(bytes.Clone(part)))
		return nil
	})
	return content, info, err
}

// WriteFile implements api.SessionFiles.
func (f *FakeSessions) WriteFile(_ context.Context, id, name string, content io.Reader, o api.WriteOptions) (info *api.FileInfo, err error) {
	text, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	err = f.withFiles(id, name, func(s *fakeSession, name string) (err error) {
		s.makeAll(path.Dir(name))
		file := &fakeFile{content: text, mode: o.Mode, attributes: o.Attributes}
		if before := s.files[name]; before != nil {
			file.mode = before.mode
			if o.Append {
				file.content = slices.Concat(before.content, text)
			}
		} else if file.mode == 0 {
			file.mode = 0o644
		}
		s.files[name] = file
		info, err = s.info(name)
		return err
	})
	return info, err
}

// WatchFiles implements api.SessionFiles: it tells of files that come and go.
func (f *FakeSessions) WatchFiles(ctx context.Context, id, name string, _ bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return func(yield func(api.FileEvent, error) bool) {
		known, err := f.ListFiles(ctx, id, name, 100, o)
		if !yield(api.FileEvent{Type: api.FilesWatched}, err) || err != nil {
			return
		}
		for f.awaitFiles(ctx, id, name, len(known)) == nil {
			now, err := f.ListFiles(ctx, id, name, 100, o)
			if err != nil {
				yield(api.FileEvent{}, err)
				return
			}
			for _, info := range now {
				if !slices.ContainsFunc(known, func(k api.FileInfo) bool { return k.Path == info.Path }) &&
					!yield(api.FileEvent{Type: api.FileCreated, Path: strings.TrimPrefix(info.Path, absolute(name)+"/"), Info: &info}, nil) {
					return
				}
			}
			known = now
		}
	}
}

// awaitFiles waits until there is another number of files in a directory.
func (f *FakeSessions) awaitFiles(ctx context.Context, id, name string, known int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil // what looks next says so
	}
	return f.await(ctx, func() bool { return len(s.below(absolute(name), 100)) != known || s.State == api.SessionOver })
}

// DownloadTree implements api.SessionFiles.
func (f *FakeSessions) DownloadTree(ctx context.Context, id, name string, o api.FileOptions) (io.ReadCloser, error) {
	files, err := f.ListFiles(ctx, id, name, 100, o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err = f.withFiles(id, name, func(s *fakeSession, name string) error {
		var failed error
		for _, info := range files {
			header := tar.Header{Name: strings.TrimPrefix(info.Path, strings.TrimSuffix(name, "/")+"/"), Mode: int64(info.Mode), Size: info.Size}
			if info.Type == api.TypeDir {
				header.Name, header.Typeflag = header.Name+"/", tar.TypeDir
			}
			failed = errors.Join(failed, w.WriteHeader(&header))
			_, err := w.Write(s.files[info.Path].content)
			failed = errors.Join(failed, err)
		}
		return errors.Join(failed, w.Close())
	})
	return io.NopCloser(&b), err
}

// UploadTree implements api.SessionFiles.
func (f *FakeSessions) UploadTree(ctx context.Context, id, name string, archive io.Reader, o api.FileOptions) error {
	if err := f.withFiles(id, name, func(s *fakeSession, name string) error { s.makeAll(name); return nil }); err != nil {
		return err
	}
	r := tar.NewReader(archive)
	for {
		header, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		at := path.Join(absolute(name), header.Name)
		if header.Typeflag == tar.TypeDir {
			err = f.withFiles(id, at, func(s *fakeSession, name string) error { s.makeAll(name); return nil })
		} else {
			_, err = f.WriteFile(ctx, id, at, r, api.WriteOptions{FileOptions: o, Mode: uint32(header.Mode)})
		}
		if err != nil {
			return err
		}
	}
}

// SessionUser implements api.SessionFiles.
func (f *FakeSessions) SessionUser(_ context.Context, id, name string) (*api.User, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.running(id); err != nil {
		return nil, err
	}
	switch name {
	case "root":
		return &api.User{Name: "root", Home: "/root"}, nil
	case "", "user", "1000":
		return &api.User{Name: "user", UID: 1000, GID: 1000, Home: "/home/user"}, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no user %s", name)
}
