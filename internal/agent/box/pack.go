package box

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/internal/regular"
)

// pack writes the project as an archive, and notes what of each file went in.
func (p *Project) pack(ctx context.Context, w io.Writer) error {
	archive := tar.NewWriter(w)
	for _, dir := range p.dirs {
		if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, Format: tar.FormatPAX}); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.entries)) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		e := p.entries[name]
		if e.kind == link {
			if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: e.target, Mode: 0o777, Format: tar.FormatPAX}); err != nil {
				return err
			}
			continue
		}
		digest, err := p.packFile(archive, name, e)
		if err != nil {
			return err
		}
		e.digest = digest
		p.entries[name] = e
	}
	return archive.Close()
}

func (p *Project) packFile(archive *tar.Writer, name string, e entry) (digest string, err error) {
	f, err := regular.Open(p.root, name)
	if err != nil {
		return "", unreadable(name, err)
	}
	defer f.Close()
	if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: e.size, Mode: modeOf(e.exec), Format: tar.FormatPAX}); err != nil {
		return "", err
	}
	sum := sha256.New()
	n, err := io.Copy(archive, io.TeeReader(io.LimitReader(f, e.size), sum))
	if err == nil && n != e.size {
		err = errors.New("it became shorter while it was read")
	}
	if errors.Is(err, io.ErrClosedPipe) { // the upload ended, and says why
		return "", err
	}
	if err != nil {
		return "", unreadable(name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func modeOf(exec bool) int64 {
	if exec {
		return 0o755
	}
	return 0o644
}
