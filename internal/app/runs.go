package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// partialRun ends the name of a directory of output files that are not all
// there yet.
const partialRun = ".partial"

// sweepRuns removes what runs of killed processes had collected.
func sweepRuns(dir string) error {
	return eachRun(dir, func(name string) error {
		if !strings.HasSuffix(name, partialRun) {
			return nil
		}
		return os.RemoveAll(filepath.Join(dir, name))
	})
}

// eachRun calls f for the output directory of each run.
func eachRun(dir string, f func(name string) error) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return api.Errorf(api.Internal, "read the output files of runs: %w", err)
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "run-") || !entry.IsDir() {
			continue
		}
		if err := f(entry.Name()); err != nil {
			return api.Errorf(api.Internal, "remove output files of %s: %w", entry.Name(), err)
		}
	}
	return nil
}

// Pruned counts what Prune removed.
type Pruned struct {
	Images, Runs         int
	ImageBytes, RunBytes int64
}

// Prune removes images and output files of runs that were not used for age,
// and further images, the longest unused first, until at most most bytes are
// left. 0 bounds nothing.
func (a *App) Prune(ctx context.Context, most int64, age time.Duration) (Pruned, error) {
	var p Pruned
	images, err := a.images.Prune(most, age)
	p.Images = len(images)
	for _, img := range images {
		p.ImageBytes += img.Size
	}
	if err != nil || age <= 0 {
		return p, err
	}
	err = eachRun(a.runs(), func(name string) error {
		return p.pruneRun(ctx, filepath.Join(a.runs(), name), time.Now().Add(-age))
	})
	return p, err
}

func (p *Pruned) pruneRun(ctx context.Context, dir string, before time.Time) error {
	info, err := os.Stat(dir)
	if err != nil || info.ModTime().After(before) || strings.HasSuffix(dir, partialRun) {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	size, err := sizeOf(dir)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	p.Runs++
	p.RunBytes += size
	return nil
}

// sizeOf sums the files below dir. It follows no link.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
