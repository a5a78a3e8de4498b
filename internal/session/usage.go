package session

import (
	"context"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

const (
	sampleEvery = 10 * time.Second
	maxSamples  = 360 // of a session: an hour
)

// samples are what a session used, the oldest first.
type samples []api.UsageSample

func (s samples) add(sample api.UsageSample) samples {
	if last := len(s) - 1; last >= 0 {
		before := s[last]
		if took := sample.Time.Sub(before.Time); took > 0 && sample.CPU >= before.CPU && sample.CPUs > 0 {
			sample.CPUPercent = 100 * float64(sample.CPU-before.CPU) / float64(took) / sample.CPUs
		}
	}
	if over := len(s) + 1 - maxSamples; over > 0 {
		s = append(s[:0], s[over:]...)
	}
	return append(s, sample)
}

// SessionUsage implements api.Sessions.
func (s *Service) SessionUsage(ctx context.Context, id string, since, until time.Time) ([]api.UsageSample, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l := s.live[id]
	s.mu.Unlock()
	if l == nil || r.State != api.SessionRunning {
		return nil, nil
	}
	disk, err := asked(ctx, s, id, func(u *use) (int64, error) {
		metrics, err := u.cell().Metrics(u.ctx)
		return metrics.Disk, err
	})
	if err != nil {
		return nil, err
	}
	l.sample(disk)
	l.mu.Lock()
	defer l.mu.Unlock()
	out := slices.Clone(l.samples)
	return slices.DeleteFunc(out, func(u api.UsageSample) bool {
		return u.Time.Before(since) || !until.IsZero() && u.Time.After(until)
	}), nil
}

// sampleAll looks at all sessions from time to time.
func (s *Service) sampleAll() {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			return
		}
		for _, l := range s.all() {
			l.sample(unknown)
		}
	}
}

// unknown is the disk of a sample that is taken without asking the cell: it is that of the
// sample before.
const unknown = -1

// sample notes what a running session uses now.
func (l *live) sample(disk int64) {
	l.mu.Lock()
	k, spec := l.cell, l.record.Spec
	if l.record.State != api.SessionRunning || k == nil {
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	sample := sampleOf(k, spec.Resources)
	l.mu.Lock()
	defer l.mu.Unlock()
	if sample.Disk = disk; disk == unknown {
		sample.Disk = 0
		if last := len(l.samples) - 1; last >= 0 {
			sample.Disk = l.samples[last].Disk
		}
	}
	l.samples = l.samples.add(sample)
}

// Cells lists the cells of sessions that run in this process.
func (s *Service) Cells() []api.LiveCell {
	var all []api.LiveCell
	for _, l := range s.all() {
		if c, runs := l.liveCell(); runs {
			all = append(all, c)
		}
	}
	return all
}

func (l *live) liveCell() (c api.LiveCell, runs bool) {
	l.mu.Lock()
	r, k := l.record, l.cell
	l.mu.Unlock()
	if r.State != api.SessionRunning || k == nil {
		return c, false
	}
	used := k.Usage()
	return api.LiveCell{
		Session: l.id, Image: r.Image, ImageName: k.Image.Name, Warm: r.Warm, Began: r.Started, CPU: used.CPU, Memory: used.Memory, Resources: r.Spec.Resources,
	}, true
}

func sampleOf(k *sandbox.Kept, limits api.Resources) api.UsageSample {
	usage := k.Usage()
	return api.UsageSample{
		Time: now(), CPUs: limits.CPU, CPU: usage.CPU, Memory: usage.Memory, MemoryLimit: limits.Memory, DiskLimit: limits.Disk,
	}
}
