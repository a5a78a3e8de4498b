package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/value"
)

// NewSnapshot implements api.Snapshots.
func (s *Service) NewSnapshot(ctx context.Context, session string, o api.SnapshotOptions) (*api.Snapshot, error) {
	if o.Name != "" && !snapshotName().MatchString(o.Name) {
		return nil, wrong("name", value.Quote(o.Name), "letters, digits and . _ - / : after a letter or digit, at most 200")
	}
	l, err := s.hold(ctx, session)
	if err != nil {
		return nil, err
	}
	defer l.done()
	saved, err := l.copyState(ctx, o.Memory)
	if err != nil {
		return nil, err
	}
	defer s.removeKept(saved.name) // unless something has it
	s.keep.mu.RLock()
	defer s.keep.mu.RUnlock()
	r := l.current()
	snapshot := &journal.SessionSnapshot{
		Spec: r.Spec, Kept: saved.name, Lineage: r.Lineage, Generation: r.Generation, Contexts: saved.contexts,
		Snapshot: api.Snapshot{ID: newID(), Name: o.Name, Session: r.ID, Image: r.Image, Memory: saved.memory, Size: saved.size, Created: now()},
	}
	if err := s.config.Journal.KeepSnapshot(ctx, snapshot); err != nil {
		return nil, api.AsError(err)
	}
	if err := l.noted(ctx, api.SessionEvent{Type: "snapshot", Detail: snapshot.ID}, nil); err != nil {
		return nil, api.AsError(err)
	}
	return &snapshot.Snapshot, nil
}

// copyState saves the state of a session that then runs on, or returns what was
// saved of one that is paused.
func (l *live) copyState(ctx context.Context, memory bool) (savedState, error) {
	r := l.current()
	switch {
	case over(r.State):
		return savedState{}, ended(&r)
	case r.State == api.SessionPaused:
		if memory && !r.Memory {
			return savedState{}, api.Errorf(api.Conflict, "session %s was paused without its memory", r.ID).WithHint("ask for its files only")
		}
		return savedState{name: r.Kept, size: r.Saved, memory: memory, contexts: r.Contexts}, nil
	case r.State != api.SessionRunning:
		return savedState{}, api.Errorf(api.Conflict, "session %s is %s", r.ID, r.State)
	}
	var saved savedState
	err := l.copied(ctx, memory, func(k *sandbox.Kept) (err error) {
		saved, err = l.saveStopped(ctx, k, memory)
		return err
	})
	if err != nil {
		l.service.removeKept(saved.name)
		return savedState{}, err
	}
	return saved, nil
}

// copied stops a running session while f copies its state, and lets it continue.
// Nothing that is asked of it is broken off if its memory is not saved: it waits.
func (l *live) copied(ctx context.Context, memory bool, f func(*sandbox.Kept) error) error {
	k := l.kept()
	if memory {
		defer l.goOn()
		if err := l.stand(ctx); err != nil {
			return err
		}
	}
	err := l.stop(ctx, k, memory)
	if err == nil {
		err = f(k)
	}
	return errors.Join(err, k.Thaw(context.WithoutCancel(ctx)))
}

// saveFiles saves what a session has changed on its file system. Its programs do
// not run meanwhile.
func (l *live) saveFiles(ctx context.Context, k *sandbox.Kept) (savedState, error) {
	name, size, err := l.service.keep.saveFiles(func(w io.Writer) error { return k.Layer(ctx, w) })
	return savedState{name: name, size: size}, err
}

// Snapshot implements api.Snapshots.
func (s *Service) Snapshot(ctx context.Context, ref string) (*api.Snapshot, error) {
	snapshot, err := s.snapshot(ctx, ref)
	if err != nil {
		return nil, err
	}
	return &snapshot.Snapshot, nil
}

func (s *Service) snapshot(ctx context.Context, ref string) (*journal.SessionSnapshot, error) {
	snapshot, err := s.config.Journal.SessionSnapshot(ctx, ref)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, api.Errorf(api.NotFound, "there is no snapshot %q", ref).WithDetails(api.Details{Field: "snapshot", Got: ref})
	}
	if err != nil {
		return nil, api.AsError(err)
	}
	return snapshot, nil
}

// Snapshots implements api.Snapshots.
func (s *Service) Snapshots(ctx context.Context, session string) ([]api.Snapshot, error) {
	all, err := s.config.Journal.SessionSnapshots(ctx, session)
	if err != nil {
		return nil, api.AsError(err)
	}
	out := make([]api.Snapshot, len(all))
	for i, snapshot := range all {
		out[i] = snapshot.Snapshot
	}
	return out, nil
}

// SnapshotImage implements api.Snapshots.
func (s *Service) SnapshotImage(ctx context.Context, ref string, o api.SnapshotImageOptions) (*api.ImageInfo, error) {
	snapshot, err := s.snapshot(ctx, ref)
	if err != nil {
		return nil, err
	}
	files, err := s.keep.openFiles(snapshot.Kept)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	image, err := s.config.Extend(ctx, snapshot.Image, o.Name, files)
	if err != nil {
		return nil, api.AsError(err)
	}
	return image, nil
}

// RemoveSnapshot implements api.Snapshots.
func (s *Service) RemoveSnapshot(ctx context.Context, ref string) error {
	snapshot, err := s.snapshot(ctx, ref)
	if err != nil {
		return err
	}
	if err := s.config.Journal.RemoveSnapshot(ctx, snapshot.ID); err != nil {
		return api.AsError(err)
	}
	s.removeKept(snapshot.Kept)
	return nil
}

// fromSnapshot makes a session that continues a snapshot.
func (s *Service) fromSnapshot(ctx context.Context, spec api.SessionSpec) (*api.Session, error) {
	snapshot, err := s.snapshot(ctx, spec.Snapshot)
	if err != nil {
		return nil, err
	}
	if spec, err = continued(spec, snapshot.Spec); err != nil {
		return nil, err
	}
	r := &journal.SessionRecord{Generation: snapshot.Generation, Lineage: cmp.Or(snapshot.Lineage, rand.Text()), Session: api.Session{
		ID: newID(), Owner: api.IdentityOf(ctx).Owner, Spec: spec, Snapshot: snapshot.ID, Parent: snapshot.Session, Created: now(),
	}}
	if snapshot.Memory {
		r.Spec.Resources = snapshot.Spec.Resources
		beNew(r, snapshot.Generation)
	}
	return s.start(ctx, r, func(l *live) (*sandbox.Kept, error) {
		k, _, err := l.restore(ctx, savedState{name: snapshot.Kept, memory: snapshot.Memory, contexts: snapshot.Contexts}, snapshot.Image, r)
		return k, err
	})
}

// continued is the spec of a session that begins with the state of another one:
// what it does not say is as it was there.
func continued(spec, was api.SessionSpec) (api.SessionSpec, error) {
	if fmt.Sprint(spec.Image) != fmt.Sprint(api.ImageSpec{}) {
		return spec, wrong("image", "an image beside a snapshot", "one of both").(*api.Error).WithHint("a snapshot has its image; leave one of them out")
	}
	spec.Image = was.Image
	if spec.Resources == (api.Resources{}) {
		spec.Resources = was.Resources
	}
	spec.Resources = spec.Resources.WithDefaults()
	if spec.Dir == "" {
		spec.Dir = was.Dir
	}
	if spec.User == "" {
		spec.User = was.User
	}
	if spec.Secrets == nil {
		spec.Secrets = was.Secrets
	}
	if spec.Asks == nil {
		spec.Asks = was.Asks
	}
	spec.Env = merged(was.Env, spec.Env)
	return spec, nil
}
