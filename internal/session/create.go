package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/value"
)

// NewSession implements api.Sessions.
func (s *Service) NewSession(ctx context.Context, spec api.SessionSpec) (*api.Session, error) {
	spec, err := s.check(spec)
	if err != nil {
		return nil, err
	}
	if spec.Snapshot != "" {
		return s.fromSnapshot(ctx, spec)
	}
	r := &journal.SessionRecord{Session: api.Session{ID: newID(), Owner: api.IdentityOf(ctx).Owner, Spec: spec, Created: now()}, Lineage: rand.Text()}
	return s.start(ctx, r, func(l *live) (*sandbox.Kept, error) {
		k, err := s.config.Cells.TakeCell(ctx, s.ctx, taskOf(&spec), r.Lineage, l.way.Serve)
		if err != nil {
			return nil, err
		}
		return k, nil
	})
}

// start makes a session that begins with r, and the cell that makeCell returns.
func (s *Service) start(ctx context.Context, r *journal.SessionRecord, makeCell func(*live) (*sandbox.Kept, error)) (*api.Session, error) {
	l, err := s.find(r.ID)
	if err != nil {
		return nil, err
	}
	l.turn <- struct{}{} // nobody else knows its id
	defer l.done()
	if err := s.room(); err != nil {
		return nil, err
	}
	if err := l.setWay(r, r.Spec.Network); err != nil {
		return nil, err
	}
	l.record = *r
	if err := l.become(ctx, api.SessionStarting, "", nil); err != nil {
		return nil, err
	}
	k, err := makeCell(l)
	if err != nil {
		return nil, l.failed(ctx, err)
	}
	if err := l.run(ctx, k, func(r *journal.SessionRecord) {
		r.Image, r.Warm = k.Image.ID, k.Warm
		if r.Spec.Dir == "" {
			r.Spec.Dir = k.Dir
		}
		if r.Spec.User == api.UserOfImage {
			r.Spec.User = userOf(k.Image)
		}
	}); err != nil {
		return nil, l.failed(ctx, err)
	}
	out := l.current().Session
	return &out, nil
}

// userOf is whom the programs of an image run as by its own words. Its group is
// the one that the user has.
func userOf(image *sandbox.Image) string {
	name, _, _ := strings.Cut(image.User, ":")
	return cmp.Or(name, "root")
}

// room refuses a session beyond the bound of those that have a cell.
func (s *Service) room() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.live) > s.config.Max {
		return api.Errorf(api.Overloaded, "%d sessions have a cell here, which is the bound", s.config.Max).
			WithHint("pause or kill sessions, or raise the bound").WithDetails(api.Details{Limit: int64(s.config.Max)})
	}
	return nil
}

// failed ends a session whose start failed, and returns why.
func (l *live) failed(ctx context.Context, err error) error {
	e := api.AsError(err)
	if recordErr := l.become(ctx, api.SessionOver, e.Message, func(r *journal.SessionRecord) { r.Error = e }); recordErr != nil {
		l.service.config.Logger.Warn("recording that a session did not start", "session", l.id, "error", recordErr)
	}
	return e
}

// run makes a session that has its cell a running one.
func (l *live) run(ctx context.Context, k *sandbox.Kept, with func(*journal.SessionRecord)) error {
	l.setCell(k)
	l.attachContexts(l.saved)
	err := l.become(ctx, api.SessionRunning, "", func(r *journal.SessionRecord) {
		r.Started, r.Error = now(), nil
		switch {
		case r.Spec.Timeout > 0:
			r.Ends = r.Started.Add(r.Spec.Timeout)
		case r.Ends.Before(r.Started): // it was paused then
			r.Ends = time.Time{}
		}
		with(r)
	})
	if err != nil {
		l.setCell(nil)
		l.service.discard(k)
		return err
	}
	l.service.under.Go(func() { l.watch(k) })
	l.goOn()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.startEnd()
	l.startIdle()
	return nil
}

// discard closes a cell whose end is of no interest.
func (s *Service) discard(k *sandbox.Kept) {
	if _, err := k.Close(); err != nil {
		s.config.Logger.Warn("removing the cell of a session", "error", err)
	}
}

// setWay lets the cell of a session reach what a policy says, and the model that it may
// ask. Withheld secrets go only where the policy lets it.
func (l *live) setWay(r *journal.SessionRecord, policy api.Network) (err error) {
	var ways sandbox.Ways
	if r.Spec.Asks != nil {
		ways.Model = l.service.config.Model(r.Spec.Asks)
	}
	if ways.Withheld, err = l.service.config.Cells.Withheld(taskOf(&r.Spec), r.Lineage); err != nil {
		return err
	}
	serve, err := l.service.config.Egress(policy, l.noteConnection, ways)
	if err != nil {
		return err
	}
	l.way.set(serve)
	return nil
}

// taskOf is the task whose cell a session has.
func taskOf(spec *api.SessionSpec) *api.Task {
	return &api.Task{
		Name: "session", Command: []string{"true"}, Image: spec.Image, Resources: spec.Resources, Network: spec.Network,
		Env: spec.Env, Secrets: spec.Secrets, Asks: spec.Asks,
	}
}

// The bounds of a spec.
const (
	maxTime = 365 * 24 * time.Hour
	maxUser = 64
	maxDir  = 4096
	minIdle = time.Second
)

var snapshotName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._/:-]{0,199}$`)

// check returns a spec with its defaults, or what is wrong with it.
func (s *Service) check(spec api.SessionSpec) (api.SessionSpec, error) {
	if spec.Idle == 0 {
		spec.Idle = api.DefaultIdle
	}
	if spec.AtEnd == "" {
		spec.AtEnd = api.AtEndPause
	}
	spec.Labels, spec.Env = maps.Clone(spec.Labels), maps.Clone(spec.Env)
	for _, check := range []func(*api.SessionSpec) error{checkTimes, checkLabels, checkPlace, checkAsks} {
		if err := check(&spec); err != nil {
			return spec, err
		}
	}
	if spec.Snapshot != "" {
		return spec, checkSnapshot(&spec)
	}
	spec.Resources = spec.Resources.WithDefaults()
	return spec, s.config.Cells.Validate(taskOf(&spec))
}

// checkAsks refuses what nothing counts: a session has no record of its questions.
func checkAsks(spec *api.SessionSpec) error {
	if spec.Asks != nil && spec.Asks.Budget != (api.Budget{}) {
		return wrong("asks.budget", "set", "none: the questions of a session are not counted, so give it a key with a limit")
	}
	return nil
}

func checkTimes(spec *api.SessionSpec) error {
	switch {
	case spec.Timeout < 0 || spec.Timeout > maxTime:
		return wrong("timeout", spec.Timeout.String(), "0 for no bound, or a duration of at most a year")
	case spec.Idle > 0 && spec.Idle < minIdle || spec.Idle > maxTime:
		return wrong("idle", spec.Idle.String(), "a second to a year, or less than 0 for no bound")
	case spec.AtEnd != api.AtEndPause && spec.AtEnd != api.AtEndKill:
		return wrong("at_end", value.Quote(string(spec.AtEnd)), `"pause" or "kill"`)
	}
	return nil
}

func checkLabels(spec *api.SessionSpec) error {
	if err := api.SessionLabels.Check(spec.Labels); err != nil {
		d := api.AsError(err).Details
		return wrong(d.Field, d.Got, d.Expected)
	}
	return nil
}

func checkPlace(spec *api.SessionSpec) error {
	if spec.Dir != "" && (spec.Dir[0] != '/' || len(spec.Dir) > maxDir || !isText(spec.Dir)) {
		return wrong("dir", value.Quote(spec.Dir), "an absolute path")
	}
	if len(spec.User) > maxUser || !isText(spec.User) {
		return wrong("user", value.Quote(spec.User), "the name or the number of a user")
	}
	return nil
}

// isText reports whether nothing in s would end a path or a line early.
func isText(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' {
			return false
		}
	}
	return utf8.ValidString(s)
}

func checkSnapshot(spec *api.SessionSpec) error {
	if !snapshotName().MatchString(spec.Snapshot) {
		return wrong("snapshot", value.Quote(spec.Snapshot), "the id or the name of a snapshot")
	}
	return nil
}

// wrong is the error of one field of a request.
func wrong(field, got, expected string) error {
	return api.Errorf(api.RequestInvalid, "%s is %s, expected %s", field, got, expected).
		WithDetails(api.Details{Field: field, Got: got, Expected: expected})
}
