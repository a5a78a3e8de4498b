package session

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// A session that is paused with its memory is a directory of the keep:
//
//	kernel, index, pages   what cell.Cell.Save wrote
//	files                  the changed files, for a program that cannot read those
//	about                  a savedMemory
//
// A kernel takes what is in the first three for its own, so that about has a MAC of
// all of them, made with a key that no cell knows.
const (
	memoryPrefix = "memory-"
	aboutFile    = "about"
	layerFile    = "files"
)

var memoryNames = []string{"kernel", "index", "pages"}

// savedMemory describes a saved memory.
type savedMemory struct {
	Cell  cell.Saved `json:"cell"`
	Layer []byte     `json:"layer"` // the digest of the changed files
	MAC   []byte     `json:"mac"`
}

// memoryFiles are open files for the state of a cell.
type memoryFiles struct{ cell.SavedFiles }

func (f memoryFiles) all() []*os.File { return []*os.File{f.Kernel, f.Index, f.Pages} }

func (f memoryFiles) close() {
	for _, file := range f.all() {
		if file != nil {
			file.Close()
		}
	}
}

// size is how many bytes of the disk the files take.
func (f memoryFiles) size() (sum int64, err error) {
	for _, file := range f.all() {
		info, err := file.Stat()
		if err != nil {
			return 0, saving(err)
		}
		sum += info.Size()
	}
	return sum, nil
}

// openMemory opens the three files of a directory.
func openMemory(dir string, flags int) (f memoryFiles, err error) {
	for i, to := range []**os.File{&f.Kernel, &f.Index, &f.Pages} {
		if *to, err = os.OpenFile(filepath.Join(dir, memoryNames[i]), flags, 0o600); err != nil {
			f.close()
			return f, err
		}
	}
	return f, nil
}

// scratchMemory makes files without names, for a state that is used at once.
func (k *keep) scratchMemory() (memoryFiles, error) {
	dir, err := k.scratch()
	if err != nil {
		return memoryFiles{}, err
	}
	f, err := openMemory(dir, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		f.close()
		return f, saving(err)
	}
	return f, nil
}

// scratch makes a directory that Sweep removes unless it gets another name.
func (k *keep) scratch() (string, error) {
	if err := k.make(); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(k.dir, unsavedPart)
	if err != nil {
		return "", saving(err)
	}
	return dir, nil
}

// saveMemory keeps what save writes into the files, and what layer writes, and
// returns its name and size when all is on the disk.
func (k *keep) saveMemory(save func(cell.SavedFiles) (cell.Saved, error), layer func(io.Writer) error) (name string, size int64, err error) {
	dir, err := k.scratch()
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if size, err = k.writeMemory(dir, save, layer); err != nil {
		return "", 0, err
	}
	if err := syncDir(dir); err != nil {
		return "", 0, err
	}
	name = memoryPrefix + strings.ToLower(rand.Text())
	if err := os.Rename(dir, k.path(name)); err != nil {
		return "", 0, saving(err)
	}
	dir = k.path(name)
	return name, size, syncDir(k.dir)
}

func (k *keep) writeMemory(dir string, save func(cell.SavedFiles) (cell.Saved, error), layer func(io.Writer) error) (size int64, err error) {
	f, err := openMemory(dir, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return 0, saving(err)
	}
	defer f.close()
	about := savedMemory{}
	if about.Cell, err = save(f.SavedFiles); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, saving(err)
	}
	digest := sha256.New()
	layerSize, err := writeSynced(filepath.Join(dir, layerFile), func(w io.Writer) error { return layer(io.MultiWriter(w, digest)) })
	if err != nil {
		return 0, err
	}
	about.Layer = digest.Sum(nil)
	if about.MAC, err = k.mac(about.Cell, f); err != nil {
		return 0, err
	}
	if size, err = f.size(); err != nil {
		return 0, err
	}
	_, err = writeSynced(filepath.Join(dir, aboutFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(about) })
	return size + layerSize, err
}

// writeSynced makes a file of what write writes, on the disk.
func writeSynced(path string, write func(io.Writer) error) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, saving(err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return 0, saving(err)
	}
	return info.Size(), nil
}

// mac authenticates the files of a saved memory, and what they belong to.
func (k *keep) mac(about cell.Saved, f memoryFiles) ([]byte, error) {
	text, err := json.Marshal(about)
	if err != nil {
		return nil, saving(err)
	}
	key, err := k.key()
	if err != nil {
		return nil, err
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte("glovebox session memory 1\x00"))
	parts := []io.Reader{strings.NewReader(string(text))}
	for _, file := range f.all() {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, saving(err)
		}
		parts = append(parts, file)
	}
	for _, part := range parts {
		digest := sha256.New()
		if _, err := io.Copy(digest, part); err != nil {
			return nil, saving(err)
		}
		sum.Write(digest.Sum(nil))
	}
	return sum.Sum(nil), nil
}

// openSaved opens a saved memory, after it has checked that it is what was saved.
func (k *keep) openSaved(name string) (cell.Saved, memoryFiles, error) {
	about, err := k.about(name)
	if err != nil {
		return cell.Saved{}, memoryFiles{}, err
	}
	f, err := openMemory(k.path(name), os.O_RDONLY)
	if err != nil {
		return cell.Saved{}, f, lostState(name, err)
	}
	mac, err := k.mac(about.Cell, f)
	if err == nil && !hmac.Equal(mac, about.MAC) {
		err = api.Errorf(api.StorageCorrupt, "the saved state %s is damaged", name)
	}
	if err != nil {
		f.close()
		return cell.Saved{}, memoryFiles{}, err
	}
	return about.Cell, f, nil
}

func (k *keep) about(name string) (about savedMemory, err error) {
	text, err := os.ReadFile(filepath.Join(k.path(name), aboutFile))
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	if err != nil {
		return about, lostState(name, err)
	}
	return about, nil
}

// openLayer opens the changed files of a saved memory.
func (k *keep) openLayer(name string) (*os.File, error) {
	about, err := k.about(name)
	if err != nil {
		return nil, err
	}
	return openChecked(name, filepath.Join(k.path(name), layerFile), about.Layer)
}

// saveMemory saves all of a session. Its programs do not run afterwards.
func (l *live) saveMemory(ctx context.Context, k *sandbox.Kept) (savedState, error) {
	name, size, err := l.service.keep.saveMemory(
		func(f cell.SavedFiles) (cell.Saved, error) { return k.Save(ctx, f) },
		func(w io.Writer) error { return k.Layer(ctx, w) },
	)
	return savedState{name: name, size: size, memory: true, contexts: l.saveContexts()}, err
}
