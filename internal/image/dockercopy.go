package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// The kinds of steps of a Dockerfile.
const (
	kindRun   = "run"
	kindCopy  = "copy"
	kindMkdir = "mkdir"
)

// copying begins an instruction that puts files into the stage without running
// anything.
func (s *dockerStage) copying(ctx context.Context) (*copier.Copier, error) {
	if s.copies != nil {
		s.copies.Next()
		return s.copies, nil
	}
	t, err := s.tree(ctx)
	if err != nil {
		return nil, err
	}
	s.copies = copier.New(t)
	return s.copies, nil
}

// copyFiles carries out COPY and ADD.
func (s *dockerStage) copyFiles(ctx context.Context, step dockerfile.Step) error {
	if step.Copy.Checksum != "" {
		return s.addPinned(ctx, step)
	}
	c, err := s.copied(ctx, step.Copy)
	if err != nil {
		return err
	}
	return s.keepCopy(ctx, kindCopy, step, c)
}

// copied works out what COPY or ADD puts where.
func (s *dockerStage) copied(ctx context.Context, step *dockerfile.Copy) (*copier.Copier, error) {
	c, err := s.copying(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.copyOptions(ctx, step)
	if err != nil {
		return nil, err
	}
	for _, f := range step.Files {
		if err := c.Text(f.Name, f.Data, o); err != nil {
			return nil, copyFailed(err)
		}
	}
	if len(step.Sources) > 0 {
		if err := s.copySources(ctx, c, step, o); err != nil {
			return nil, copyFailed(err)
		}
	}
	for _, address := range step.URLs {
		if err := s.addURL(ctx, c, address, step.Checksum, o); err != nil {
			return nil, copyFailed(err)
		}
	}
	return c, nil
}

// copyFailed is about the files, unless it is about something else.
func copyFailed(err error) error {
	if e := api.AsError(err); e.Code != api.Internal {
		return err
	}
	return api.Errorf(api.BuildFailed, "%w", err)
}

func (s *dockerStage) copySources(ctx context.Context, c *copier.Copier, step *dockerfile.Copy, o copier.Options) error {
	from, err := s.source(ctx, step.From)
	if err != nil {
		return err
	}
	for _, pattern := range step.Sources {
		names, err := copier.Match(from, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := s.copySource(ctx, c, from, name, step.Unpack, o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *dockerStage) copySource(ctx context.Context, c *copier.Copier, from copier.Tree, name string, unpack bool, o copier.Options) error {
	if unpack {
		archive, err := s.d.archive(ctx, from, name)
		if err != nil {
			return err
		}
		if archive != nil { // as in Docker, what is in it has owners and modes of its own
			if err := c.MakeDir(o.Dest, copier.Options{Owner: o.Owner}); err != nil {
				return err
			}
			return c.Tree(archive, "", copier.Options{Dest: o.Dest})
		}
	}
	return c.File(from, name, o)
}

func (s *dockerStage) copyOptions(ctx context.Context, step *dockerfile.Copy) (copier.Options, error) {
	o := copier.Options{Dest: step.Dest}
	if step.Chmod != "" {
		mode, err := chmod(step.Chmod)
		if err != nil {
			return o, err
		}
		o.Mode = &mode
	}
	if step.Chown == "" {
		return o, nil
	}
	t, err := s.tree(ctx)
	if err != nil {
		return o, err
	}
	o.Owner, err = ownerNamed(t, step.Chown)
	return o, err
}

// chmod reads a mode in octal digits.
func chmod(text string) (fs.FileMode, error) {
	bits, err := strconv.ParseUint(text, 8, 32)
	if err != nil || bits > 0o7777 {
		return 0, api.Errorf(api.InvalidTask, "--chmod=%s is not a mode", text).
			WithDetails(api.Details{Got: text, Expected: "octal digits, such as 755"})
	}
	mode := fs.FileMode(bits & 0o777)
	for bit, flag := range map[uint64]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if bits&bit != 0 {
			mode |= flag
		}
	}
	return mode, nil
}

// makeDir carries out WORKDIR.
func (s *dockerStage) makeDir(ctx context.Context, step dockerfile.Step) error {
	c, err := s.copying(ctx)
	if err != nil {
		return err
	}
	o := copier.Options{}
	if step.Mkdir.User != "" {
		t, err := s.tree(ctx)
		if err != nil {
			return err
		}
		if o.Owner, err = ownerNamed(t, step.Mkdir.User); err != nil {
			return err
		}
	}
	if err := c.MakeDir(step.Mkdir.Path, o); err != nil {
		return copyFailed(err)
	}
	return s.keepCopy(ctx, kindMkdir, step, c)
}

// keepCopy makes a layer of what an instruction copied. Its key is that of the
// bytes: the same files at the same place are the same layer, on whatever base.
func (s *dockerStage) keepCopy(ctx context.Context, kind string, step dockerfile.Step, c *copier.Copier) error {
	if c.Empty() {
		return nil
	}
	sum := sha256.New()
	if err := c.Write(ctx, sum, time.Unix(s.epoch, 0).UTC()); err != nil {
		return copyFailed(err)
	}
	key := digestJSON([]any{builderVersion, kindCopy, hex.EncodeToString(sum.Sum(nil))})
	return s.keep(kind, key, step, func() (oci.Layer, error) {
		s.progress(api.Progress{Stage: "build", Message: oneLine(step.Text)})
		return s.copyLayer(ctx, c)
	})
}

// copyLayer stores what the present instruction copied.
func (s *dockerStage) copyLayer(ctx context.Context, c *copier.Copier) (oci.Layer, error) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(c.Write(ctx, w, time.Unix(s.epoch, 0).UTC())) }()
	layer, err := s.s.store.blobs.AddLayer(ctx, r, oci.LayerOptions{})
	r.CloseWithError(io.ErrClosedPipe)
	return layer, err
}

// keep takes the layer of an equal earlier step, or has it made.
func (s *dockerStage) keep(kind, key string, step dockerfile.Step, make func() (oci.Layer, error)) error {
	s.lock.Steps = append(s.lock.Steps, LockedStep{Kind: kind, Text: step.Text, Key: key})
	rec := &stepRecord{}
	if !s.s.store.read("steps", key+".json", rec) || !s.s.store.blobs.Has(rec.Layer.Digest) {
		layer, err := make()
		if err != nil {
			return err
		}
		rec = &stepRecord{Key: key, Layer: layer}
		if err := s.s.store.write("steps", key+".json", rec); err != nil {
			return err
		}
	}
	s.layers = append(s.layers, s.s.store.blobs.Layer(rec.Layer))
	return nil
}
