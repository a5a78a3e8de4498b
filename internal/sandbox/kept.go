package sandbox

import (
	"archive/tar"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// Kept is a cell for somebody who keeps it, and closes it.
type Kept struct {
	*cell.Cell
	Image *Image
	Env   []string // of its programs: NAME=value, secrets included
	Dir   string   // where its programs start
	Warm  bool     // it was ready when it was asked for
}

// TakeCell returns a cell as a command of a task that Validate has accepted would
// have it: with its image, files of secrets and variables. It is one of those that
// are kept ready, if there is one, and it ends when life does. It always has a way
// out, through serve, which decides what may be reached. The lineage is that of
// Withheld.
func (r *Runner) TakeCell(ctx, life context.Context, task *api.Task, lineage string, serve Handler) (*Kept, error) {
	g, err := r.give(task, lineage)
	if err != nil {
		return nil, err
	}
	image, err := r.config.Images.Ensure(ctx, task.Image, nil)
	if err != nil {
		return nil, err
	}
	t := ready.NewTemplate(image, g.task, nil)
	for range maxTaken {
		k, err := r.takeReady(ctx, t)
		if err != nil {
			return nil, err
		}
		err = k.begin(ctx, life, serve, g)
		if err == nil {
			return k.of(image, g), nil
		}
		_, closeErr := k.Close()
		if !k.Warm || !errors.Is(err, &api.Error{Code: api.CellLost}) {
			return nil, errors.Join(err, closeErr)
		}
	}
	return nil, api.Errorf(api.CellLost, "%d cells that were ready ended before they could be used", maxTaken)
}

// RestoreCell is TakeCell for a cell of the image of an id, whose file system
// begins with the changes in an archive that Layer has written. The cell starts while
// layer makes or opens the archive.
func (r *Runner) RestoreCell(ctx, life context.Context, task *api.Task, lineage, id string, layer cell.OpenLayer, serve Handler) (*Kept, error) {
	g, err := r.give(task, lineage)
	if err != nil {
		return nil, err
	}
	image, err := r.stored(ctx, task, id)
	if err != nil {
		return nil, err
	}
	started, err := r.maker.StartWith(ctx, ready.NewTemplate(image, g.task, nil), layer)
	if err != nil {
		return nil, err
	}
	k := &Kept{Cell: started.Live()}
	if err := k.begin(ctx, life, serve, g); err != nil {
		_, closeErr := k.Close()
		return nil, errors.Join(err, closeErr)
	}
	return k.of(image, g), nil
}

// Identity is what distinguishes a cell that continues from a saved one.
type Identity struct {
	Host    string // its host name; empty is that of all cells
	Machine string // what /etc/machine-id says; empty leaves it
}

// ResumeCell is TakeCell for a cell that continues where another one was saved.
func (r *Runner) ResumeCell(life context.Context, task *api.Task, lineage, id string, saved cell.Saved, files cell.SavedFiles, who Identity, serve Handler) (*Kept, error) {
	g, err := r.give(task, lineage)
	if err != nil {
		return nil, err
	}
	image, err := r.stored(life, task, id)
	if err != nil {
		return nil, err
	}
	resumed, err := cell.Restore(life, r.config.Driver, cell.Spec{
		ID: "kept-" + strings.ToLower(rand.Text()), RootFS: image.RootFS, Resources: task.Resources.WithDefaults(),
		Serve: serve, Host: who.Host, Machine: who.Machine,
	}, saved, files)
	if err != nil {
		return nil, err
	}
	return (&Kept{Cell: resumed}).of(image, g), nil
}

// stored returns the image of an id. One that was removed is made again, if it
// becomes the same.
func (r *Runner) stored(ctx context.Context, task *api.Task, id string) (*Image, error) {
	image, err := r.config.Images.Stored(id)
	if err == nil {
		return image, nil
	}
	made, makeErr := r.config.Images.Ensure(ctx, task.Image, nil)
	if makeErr == nil && made.ID == id {
		return made, nil
	}
	return nil, err
}

// lasting is how long the authority of a cell that is kept is good. It is made again with
// the cell, and what trusts the one trusts the other.
const lasting = 2 * 365 * 24 * time.Hour

// Withheld returns the withheld secrets of a cell that is kept; nil if it has none. Cells
// of one lineage, which continue each other, trust the same authority.
func (r *Runner) Withheld(task *api.Task, lineage string) (*withheld.Set, error) {
	if !slices.ContainsFunc(task.Secrets, api.SecretRef.Withheld) {
		return nil, nil
	}
	s, err := r.readSecrets(task, lineage, time.Now().Add(lasting))
	return s.withheld, err
}

// given is what a cell gets that somebody keeps.
type given struct {
	task    *api.Task // with a network, so that one may be allowed later
	secrets secrets
	bundle  []byte // certificates of the host
}

func (r *Runner) give(task *api.Task, lineage string) (g given, err error) {
	offered := *task
	offered.Network = api.Network{Public: true}
	g.task = &offered
	if g.secrets, err = r.readSecrets(task, lineage, time.Now().Add(lasting)); err != nil {
		return g, err
	}
	g.bundle, err = r.certificates(g.task, g.secrets.withheld)
	return g, err
}

// of completes a cell of an image.
func (k *Kept) of(image *Image, g given) *Kept {
	e := environ.OfTask(image.Env, g.task, g.bundle != nil)
	e.SetAll(g.secrets.env)
	k.Image, k.Env, k.Dir = image, e.List(), commandDir(image)
	return k
}

// takeReady takes a cell that is ready, or starts one.
func (r *Runner) takeReady(ctx context.Context, t *ready.Template) (*Kept, error) {
	if r.warm == nil {
		p, err := r.maker.Start(ctx, t)
		if err != nil {
			return nil, err
		}
		return &Kept{Cell: p.Live()}, nil
	}
	p, warm, err := r.warm.Take(ctx, t.Class, r.starter(t))
	if err != nil {
		return nil, api.AsError(err)
	}
	return &Kept{Cell: p.Live(), Warm: warm}, nil
}

// begin makes the cell that of its keeper, and writes what only that one has.
func (k *Kept) begin(ctx, life context.Context, serve Handler, g given) error {
	if err := k.Adopt(life, 0, serve); err != nil {
		return err
	}
	if g.bundle == nil && len(g.secrets.files) == 0 {
		return nil
	}
	return k.Put(ctx, "/", func(archive *tar.Writer) error {
		t := tree.New(archive)
		if g.bundle != nil {
			t.Dir(layout.Runner, 0o755, 0)
			t.File(cell.CertificatesFile, g.bundle, 0o444, 0)
		}
		writeSecrets(t, g.secrets)
		return t.Err()
	})
}
