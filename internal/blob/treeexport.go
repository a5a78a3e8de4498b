package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/value"
)

// Opener reads bytes: a Store, or the client of a server. Damage is an error
// of the reader.
type Opener interface {
	Open(ctx context.Context, digest string) (io.ReadCloser, int64, error)
}

// exporter is an Opener that can make files by itself, without a copy.
type exporter interface {
	Export(ctx context.Context, digest, path string, executable bool) error
}

// TreeBlobs returns the digests of all blobs that a tree is made of: that of
// its manifest first, then each of its files once.
func TreeBlobs(ctx context.Context, store Opener, digest string) ([]string, error) {
	m, err := readManifest(ctx, store, digest)
	if err != nil {
		return nil, err
	}
	digests, seen := []string{digest}, map[string]bool{digest: true}
	for _, e := range m.Entries {
		if e.Type == typeFile && !seen[e.SHA256] {
			seen[e.SHA256] = true
			digests = append(digests, e.SHA256)
		}
	}
	return digests, nil
}

// TreeSize returns the bytes of all files of a tree, each counted as often as it
// is in it.
func TreeSize(ctx context.Context, store Opener, digest string) (int64, error) {
	m, err := readManifest(ctx, store, digest)
	if err != nil {
		return 0, err
	}
	return m.dir(digest).Size, nil
}

// ExportTree makes the directory path, which must not exist, of a stored tree.
// Its files are read-only. Size and Files of d must be those of the tree, if
// they are given. On failure nothing is left.
func ExportTree(ctx context.Context, store Opener, d value.Dir, path string) error {
	m, err := readManifest(ctx, store, d.SHA256)
	if err != nil {
		return err
	}
	if is := m.dir(d.SHA256); d.Size != 0 && d.Size != is.Size || d.Files != 0 && d.Files != is.Files {
		return badTree("it is said to have %d files of %d bytes, and has %d of %d", d.Files, d.Size, is.Files, is.Size)
	}
	if err := m.checkNames(); err != nil {
		return err
	}
	err = os.Mkdir(path, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return api.Errorf(api.Conflict, "%.200q is there already", path).
			WithDetails(api.Details{Got: path, Expected: "a path that is free"})
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return api.Errorf(api.InvalidInput, "%w", err).WithDetails(api.Details{Got: path, Expected: "a path in a directory that can be written"})
	}
	if err != nil {
		return hostError(err)
	}
	if err := exportInto(ctx, store, m, path); err != nil {
		return errors.Join(hostError(err), os.RemoveAll(path))
	}
	return nil
}

// checkNames refuses a tree with names that cannot exist on this system, such
// as con or a:b on Windows.
func (m *manifest) checkNames() error {
	for _, e := range m.Entries {
		if _, err := filepath.Localize(e.Path); err != nil {
			return api.Errorf(api.InvalidInput, "the directory holds %.200q, a name that cannot exist on %s", e.Path, runtime.GOOS).
				WithHint("rename it where it is made").WithDetails(api.Details{Got: e.Path, Expected: "names that exist on every system"})
		}
	}
	return nil
}

// exportInto makes directories and files first, and links when nothing is
// written any more: nothing is ever written through a link.
func exportInto(ctx context.Context, store Opener, m *manifest, path string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range m.Entries {
		err := ctx.Err()
		switch {
		case err != nil:
		case e.Type == typeDir:
			err = root.Mkdir(e.Path, 0o755)
		case e.Type == typeFile:
			err = exportFile(ctx, store, root, path, e)
		}
		if err != nil {
			return err
		}
	}
	for _, e := range m.Entries {
		if e.Type != typeLink {
			continue
		}
		if err := root.Symlink(e.Target, e.Path); err != nil {
			return err
		}
	}
	return nil
}

func exportFile(ctx context.Context, store Opener, root *os.Root, path string, e entry) error {
	if s, ok := store.(exporter); ok {
		if err := s.Export(ctx, e.SHA256, filepath.Join(path, e.Path), e.Executable); err != nil {
			return err
		}
	} else if err := copyFile(ctx, store, root, e); err != nil {
		return err
	}
	info, err := root.Lstat(e.Path)
	if err == nil && info.Size() != e.Size {
		return badEntry(e.Path, fmt.Sprintf("is said to have %d bytes, and has %d", e.Size, info.Size()))
	}
	return err
}

func copyFile(ctx context.Context, store Opener, root *os.Root, e entry) error {
	r, _, err := store.Open(ctx, e.SHA256)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := root.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o444)
	if e.Executable {
		mode = 0o555
	}
	_, err = io.Copy(f, io.LimitReader(r, e.Size+1))
	return errors.Join(err, f.Chmod(mode), f.Close())
}

// hostError gives a full disk its code. Other errors stay as they are.
func hostError(err error) error {
	if known := (*api.Error)(nil); errors.As(err, &known) {
		return err
	}
	if disk.Full(err) {
		return api.Errorf(api.StorageFull, "export a directory: %w", err)
	}
	return err
}
