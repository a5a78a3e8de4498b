package gvisor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/guest/binary"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// savePatience is how long a sandbox may take to write its state before it counts
// as one that never answers.
const savePatience = 10 * time.Minute

// Save implements cell.Instance.
func (in *instance) Save(ctx context.Context, files cell.SavedFiles) (saved cell.Saved, err error) {
	in.asking.Lock()
	defer in.asking.Unlock()
	spec := in.spec
	spec.Resources = in.asked
	if saved, err = in.driver.describe(spec); err != nil {
		return saved, err
	}
	if err := empty(files); err != nil {
		return saved, fmt.Errorf("saving the cell: %w", err)
	}
	// From here on nobody can give up: a cell cannot be stopped in the middle of
	// this, and must outlive its caller.
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), savePatience)
	defer cancel()
	was := in.frozen
	if err := in.setFrozen(patient, runsc.Freeze, true); err != nil {
		return saved, err
	}
	saved.Memory, saved.Shared = in.limit.held(), in.config.Shared
	err = in.ask(patient, runsc.Save, files.Kernel, files.Index, files.Pages)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		return saved, nil
	}
	err = fmt.Errorf("saving the cell: %w", err)
	if !was {
		err = errors.Join(err, in.setFrozen(patient, runsc.Thaw, false))
	}
	return saved, err
}

// empty makes files empty, for a state that is written from their beginning.
func empty(files cell.SavedFiles) error {
	for _, f := range []*os.File{files.Kernel, files.Index, files.Pages} {
		if err := f.Truncate(0); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	return nil
}

// describe says what the state of a cell is bound to.
func (d *Driver) describe(spec cell.Spec) (cell.Saved, error) {
	build, err := d.build()
	return cell.Saved{
		Driver: d.Name(), Build: build, Image: filepath.Base(spec.RootFS),
		Resources: spec.Resources.WithDefaults(), Proxy: spec.HasProxy(),
	}, err
}

// build names what a saved cell is bound to of this program: gVisor, whose objects
// are in it, and the guest, whose code is not.
func build() (string, error) {
	guest, err := binary.Bytes()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(guest)
	return fmt.Sprintf("%s/%s/%s", runsc.Version(), runtime.GOARCH, hex.EncodeToString(sum[:])), nil
}

// restored is what a cell continues from; nil stands for nothing.
type restored struct {
	saved cell.Saved
	files cell.SavedFiles
}

// Restore implements cell.Driver.
func (d *Driver) Restore(ctx context.Context, spec cell.Spec, saved cell.Saved, files cell.SavedFiles) (cell.Instance, error) {
	own, err := d.describe(spec)
	if err != nil {
		return nil, err
	}
	if err := saved.Fits(own); err != nil {
		return nil, err
	}
	return d.bring(ctx, spec, &restored{saved, files})
}

// memory is what programs hold from the beginning, in bytes.
func (r *restored) memory() int64 {
	if r == nil {
		return 0
	}
	return r.saved.Memory
}

// config makes the configuration of a cell that of the saved one where its kernel
// wants that.
func (r *restored) config(c runsc.Config) runsc.Config {
	if r != nil {
		c.Shared = r.saved.Shared
	}
	return c
}

// continueFrom opens what a restored cell continues from, for its sandbox alone.
func (g *given) continueFrom(from *restored) (err error) {
	if from == nil {
		return nil
	}
	g.Saved = &runsc.SavedFiles{}
	for _, f := range []struct {
		from *os.File
		to   **os.File
	}{{from.files.Kernel, &g.Saved.Kernel}, {from.files.Index, &g.Saved.Index}, {from.files.Pages, &g.Saved.Pages}} {
		if *f.to, err = openAgain(f.from); err != nil {
			return api.Errorf(api.Internal, "opening the state of a saved cell: %w", err)
		}
	}
	return nil
}

func closeSaved(files runsc.SavedFiles) {
	for _, f := range []*os.File{files.Kernel, files.Index, files.Pages} {
		if f != nil {
			f.Close()
		}
	}
}
