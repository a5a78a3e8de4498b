package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// ForkSession implements api.Sessions.
func (s *Service) ForkSession(ctx context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	if o.Count == 0 {
		o.Count = 1
	}
	if o.Count < 1 || o.Count > api.MaxForks {
		return nil, wrong("count", fmt.Sprint(o.Count), fmt.Sprintf("1 to %d", api.MaxForks))
	}
	l, err := s.hold(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.done()
	from, err := l.parent(ctx, o)
	if err != nil {
		return nil, err
	}
	defer from.release()
	forks := make([]api.Fork, o.Count)
	r := l.current()
	for i := range forks {
		forks[i] = s.fork(ctx, r, o, from)
		if from.copied != nil && from.copied() != nil {
			return nil, api.AsError(from.copied())
		}
		if forks[i].Session == nil {
			continue
		}
		if err := l.noted(ctx, api.SessionEvent{Type: "forked", Detail: forks[i].Session.ID}, nil); err != nil {
			return forks, api.AsError(err)
		}
	}
	return forks, nil
}

// parent is what forks are made from: a saved state, or one that exists for them
// alone.
type parent struct {
	saved   savedState
	cell    cell.Saved     // of a scratch state
	scratch *memoryFiles   // nil if the state is saved, or without memory
	layer   cell.OpenLayer // the changed files of a scratch state without memory
	copied  func() error   // waits until all of them were copied
	release func()
}

// parent returns the state of a session, which continues.
func (l *live) parent(ctx context.Context, o api.ForkOptions) (parent, error) {
	switch {
	case l.state() == api.SessionRunning && !o.FilesOnly:
		return l.scratch(ctx)
	case l.state() == api.SessionRunning && o.Count == 1:
		return l.streamFiles(ctx), nil
	case l.state() == api.SessionRunning:
		return l.scratchFiles(ctx)
	}
	saved, err := l.copyState(ctx, !o.FilesOnly)
	return parent{saved: saved, release: func() { l.service.removeKept(saved.name) }}, err
}

// scratch copies the state of a running session into files that are on no disk for
// good.
func (l *live) scratch(ctx context.Context) (parent, error) {
	files, err := l.service.keep.scratchMemory()
	if err != nil {
		return parent{}, err
	}
	p := parent{scratch: &files, release: files.close}
	err = l.copied(ctx, true, func(k *sandbox.Kept) (err error) {
		p.cell, err = k.Save(ctx, files.SavedFiles)
		p.saved.contexts = l.saveContexts()
		return err
	})
	if err != nil {
		files.close()
		return parent{}, err
	}
	return p, nil
}

// streamFiles copies the changed files straight into the cell of the only fork, when
// that asks for them.
func (l *live) streamFiles(ctx context.Context) parent {
	f := &liveFiles{write: func(w io.Writer) error {
		return l.copied(ctx, false, func(k *sandbox.Kept) error {
			err := k.Layer(ctx, w)
			if errors.Is(err, io.ErrClosedPipe) { // the fork does not start, and says why
				return nil
			}
			return err
		})
	}}
	return parent{layer: func() (io.ReadCloser, error) { return f, nil }, copied: f.wait, release: func() { _ = f.wait() }}
}

// liveFiles is the archive of the changed files of a running session. They are copied
// once, either into a pipe that the caller reads or by WriteLayer.
type liveFiles struct {
	write   func(io.Writer) error
	copying sync.WaitGroup
	failure error // when they were copied
	reader  *io.PipeReader
}

// WriteLayer implements cell.Handover.
func (f *liveFiles) WriteLayer(w io.Writer) error {
	f.failure = f.write(w)
	return f.failure
}

func (f *liveFiles) Read(p []byte) (int, error) {
	if f.reader == nil {
		from, to := io.Pipe()
		f.reader = from
		f.copying.Go(func() {
			f.failure = f.write(to)
			to.CloseWithError(f.failure)
		})
	}
	return f.reader.Read(p)
}

func (f *liveFiles) Close() error {
	if f.reader == nil {
		return nil
	}
	return f.reader.Close()
}

// wait returns why the files could not be copied.
func (f *liveFiles) wait() error {
	f.copying.Wait()
	return f.failure
}

// scratchFiles begins to copy the changed files alone, for several forks. The cell of
// the first one can start meanwhile.
func (l *live) scratchFiles(ctx context.Context) (parent, error) {
	f, err := l.service.keep.scratchFile()
	if err != nil {
		return parent{}, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = l.copied(ctx, false, func(k *sandbox.Kept) error { return k.Layer(ctx, f) })
	}()
	copied := func() error {
		<-done
		return err
	}
	open := func() (io.ReadCloser, error) {
		if err := copied(); err != nil {
			return nil, err
		}
		return openAgain(f)
	}
	return parent{layer: open, copied: copied, release: func() { <-done; f.Close() }}, nil
}

// fork makes one session from the state of another.
func (s *Service) fork(ctx context.Context, of journal.SessionRecord, o api.ForkOptions, from parent) api.Fork {
	spec := of.Spec
	spec.Labels = merged(spec.Labels, o.Labels)
	if o.Timeout != 0 {
		spec.Timeout = o.Timeout
	}
	r := &journal.SessionRecord{Session: api.Session{ID: newID(), Owner: of.Owner, Spec: spec, Parent: of.ID, Created: now()}, Lineage: of.Lineage}
	beNew(r, of.Generation)
	session, err := s.start(ctx, r, func(l *live) (*sandbox.Kept, error) {
		if from.scratch != nil {
			l.saved = from.saved.contexts
			return l.continueFrom(from.cell, *from.scratch, of.Image, r)
		}
		if from.layer != nil {
			return l.beginWith(ctx, from.layer, of.Image, r)
		}
		k, _, err := l.restore(ctx, from.saved, of.Image, r)
		return k, err
	})
	if err != nil {
		return api.Fork{Error: api.AsError(err)}
	}
	return api.Fork{Session: session}
}

// beNew gives a session an identity that differs from that of its parent.
func beNew(r *journal.SessionRecord, generation int) {
	var machine [16]byte
	rand.Read(machine[:]) // never returns an error: it ends the program instead
	r.Generation, r.Host, r.Machine = generation+1, "glovebox-"+r.ID[:8], hex.EncodeToString(machine[:])
}
