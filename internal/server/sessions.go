package server

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerSessions adds the routes of the life of sessions.
func (s *Server) registerSessions() {
	create := operation(http.MethodPost, "/v1/sessions", "sessions", "newSession", "Start a session; answers when it is running")
	create.DefaultStatus = http.StatusCreated
	create.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, create, s.newSession)
	create.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodGet, "/v1/sessions", "sessions", "listSessions", "List sessions, the newest first"), s.listSessions)
	route(s, traits{}, operation(http.MethodGet, "/v1/sessions/{id}", "sessions", "getSession", "A session, also one that has ended"),
		func(ctx context.Context, in *SessionPath) (*answer[*api.Session], error) {
			session, err := s.Service.Session(ctx, in.ID)
			return answerWith(withURLs(ctx, session), err)
		})
	route(s, traits{}, operation(http.MethodPatch, "/v1/sessions/{id}", "sessions", "changeSession", "Change the times, the network or the labels of a session"),
		sessionCall(s.Service.ChangeSession))
	route(s, traits{stream: true}, operation(http.MethodDelete, "/v1/sessions/{id}", "sessions", "killSession", "End a session and everything in it"),
		func(ctx context.Context, in *SessionPath) (*nothing, error) {
			return &nothing{}, s.Service.KillSession(ctx, in.ID)
		})

	pause := operation(http.MethodPost, "/v1/sessions/{id}/pause", "sessions", "pauseSession", "Save a session and end its cell")
	pause.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, pause, sessionCall(s.Service.PauseSession))
	pause.RequestBody.Required = false
	route(s, traits{stream: true}, operation(http.MethodPost, "/v1/sessions/{id}/resume", "sessions", "resumeSession", "Continue a paused session; a running one stays as it is"),
		func(ctx context.Context, in *SessionPath) (*answer[*api.Session], error) {
			return answerWith(s.Service.ResumeSession(ctx, in.ID))
		})
	fork := operation(http.MethodPost, "/v1/sessions/{id}/fork", "sessions", "forkSession", "Make sessions that continue from the state of this one")
	fork.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, fork, s.forkSession)
	fork.RequestBody.Required = false

	events := operation(http.MethodGet, "/v1/sessions/{id}/events", "sessions", "followSession", "What happened to a session")
	events.Description = "With follow also what is going to happen, until it has ended. " + streamWords
	route(s, traits{stream: true}, events, s.sessionEvents)
	s.entries(events, "Events", schema[api.SessionEvent](s), sessionEventExample)
	route(s, traits{}, operation(http.MethodGet, "/v1/sessions/{id}/usage", "sessions", "getUsage", "What a session used, the oldest sample first"), s.sessionUsage)
	made := operation(http.MethodGet, "/v1/sessions/{id}/connections", "sessions", "listSessionConnections", "What a session connected to, the oldest first")
	made.Description = "The newest 1,000 connections that its programs opened or tried to, and the requests in which withheld secrets went out."
	route(s, traits{}, made, s.sessionConnections)
	s.registerSnapshots()
}

// registerSnapshots adds the routes of saved states.
func (s *Server) registerSnapshots() {
	create := operation(http.MethodPost, "/v1/sessions/{id}/snapshots", "sessions", "newSnapshot", "Save the state of a session, which continues")
	create.DefaultStatus = http.StatusCreated
	create.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, create, sessionCall(s.Service.NewSnapshot))
	create.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodGet, "/v1/snapshots", "sessions", "listSnapshots", "List snapshots, the newest first"),
		func(ctx context.Context, in *snapshotsInput) (*answer[snapshotsAnswer], error) {
			list, err := s.Service.Snapshots(ctx, in.Session)
			return answerWith(snapshotsAnswer{orEmpty(list)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/snapshots/{snapshot}", "sessions", "getSnapshot", "A snapshot"),
		func(ctx context.Context, in *SnapshotPath) (*answer[*api.Snapshot], error) {
			return answerWith(s.Service.Snapshot(ctx, in.Snapshot))
		})
	asImage := operation(http.MethodPost, "/v1/snapshots/{snapshot}/image", "sessions", "snapshotImage", "Make an image of the files of a snapshot")
	asImage.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, asImage, s.snapshotImage)
	asImage.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodDelete, "/v1/snapshots/{snapshot}", "sessions", "removeSnapshot", "Remove a snapshot; sessions that were started from it stay"),
		func(ctx context.Context, in *SnapshotPath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveSnapshot(ctx, in.Snapshot)
		})
}

// Parameters of the routes of sessions. Huma finds them in exported types only.
type (
	SessionPath struct {
		ID string `path:"id" maxLength:"128" pattern:"^[!-$&-~]+$" doc:"The id of a session" example:"06gvtjalcd0nvvihdhfg"`
	}
	SnapshotPath struct {
		Snapshot string `path:"snapshot" maxLength:"256" pattern:"^[!-$&-~]+$" doc:"The id or the name of a snapshot" example:"tools:1"`
	}
)

type snapshotsInput struct {
	Session string `query:"session" maxLength:"128" doc:"Only those of this session"`
}

type snapshotsAnswer struct {
	Snapshots []api.Snapshot `json:"snapshots"`
}

// sessionBody is a request to a session with a JSON body.
type sessionBody[T any] struct {
	SessionPath
	Body jsonBody[T]
}

// sessionCall makes a handler of a method that takes the id of a session and what
// the body says.
func sessionCall[I, O any](call func(context.Context, string, I) (*O, error)) func(context.Context, *sessionBody[I]) (*answer[*O], error) {
	return func(ctx context.Context, in *sessionBody[I]) (*answer[*O], error) {
		given, err := in.Body.get()
		if err != nil {
			return nil, err
		}
		budget.ShareOf(ctx).Release() // it may take long
		return answerWith(call(ctx, in.ID, *given))
	}
}

// snapshotBody asks for the image of a snapshot.
type snapshotBody struct {
	SnapshotPath
	Body jsonBody[api.SnapshotImageOptions]
}

func (s *Server) snapshotImage(ctx context.Context, in *snapshotBody) (*answer[*api.ImageInfo], error) {
	o, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.SnapshotImage(ctx, in.Snapshot, *o))
}

// startedSession is the answer to a request that made a session.
type startedSession struct {
	Location string `header:"Location" doc:"The path of the session"`
	Body     *api.Session
}

func (s *Server) newSession(ctx context.Context, in *struct{ Body jsonBody[api.SessionSpec] }) (*startedSession, error) {
	spec, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	for _, ref := range []string{spec.Image.Ref, spec.Image.Base} {
		if err := checkImageRef(ref, isLocal(ctx)); err != nil {
			return nil, err
		}
	}
	budget.ShareOf(ctx).Release() // it may take long
	session, err := s.Service.NewSession(ctx, *spec)
	if err != nil {
		return nil, err
	}
	return &startedSession{"/v1/sessions/" + session.ID, session}, nil
}

type sessionsInput struct {
	State  []string  `query:"state" maxItems:"7" doc:"Any of these, separated by commas" enum:"starting,running,pausing,paused,resuming,ended,lost"`
	Label  []string  `query:"label,explode" maxItems:"64" doc:"A label that it has, as NAME=VALUE; repeatable, and it has all of them"`
	Owner  string    `query:"owner" maxLength:"63" doc:"Whose they are"`
	Parent string    `query:"parent" maxLength:"128" doc:"The session that they were forked from"`
	Since  time.Time `query:"since" doc:"Created then or later"`
	Oldest bool      `query:"oldest" doc:"The oldest first"`
	Limit  int       `query:"limit" minimum:"0" maximum:"1000" doc:"0 means 50"`
	Cursor string    `query:"cursor" maxLength:"1024" pattern:"^[!-~]+$" doc:"The member next of the page before; it is opaque, and valid only with the same parameters"`
}

func (s *Server) listSessions(ctx context.Context, in *sessionsInput) (*answer[api.SessionPage], error) {
	q := api.SessionQuery{Parent: in.Parent, Owner: in.Owner, Since: in.Since, Oldest: in.Oldest, Limit: in.Limit, Cursor: in.Cursor}
	for _, state := range in.State {
		q.State = append(q.State, api.SessionState(state))
	}
	var err error
	if q.Labels, err = api.ParseLabels("label", in.Label); err != nil {
		return nil, err
	}
	page, err := s.Service.Sessions(ctx, q)
	page.Sessions = orEmpty(page.Sessions)
	for i := range page.Sessions {
		page.Sessions[i] = *withURLs(ctx, &page.Sessions[i])
	}
	return answerWith(page, err)
}

type forksAnswer struct {
	Forks []api.Fork `json:"forks"` // as many as were asked for
}

func (s *Server) forkSession(ctx context.Context, in *sessionBody[api.ForkOptions]) (*answer[forksAnswer], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	budget.ShareOf(ctx).Release() // it may take long
	forks, err := s.Service.ForkSession(ctx, in.ID, *given)
	return answerWith(forksAnswer{orEmpty(forks)}, err)
}

type sessionEventsInput struct {
	SessionPath
	After  int64 `query:"after" minimum:"0" doc:"The number of the last event that is known already"`
	LastID int64 `header:"Last-Event-ID" minimum:"0" doc:"The same; it counts if both are given"`
	Follow bool  `query:"follow" doc:"Also what is going to happen"`
}

func (s *Server) sessionEvents(_ context.Context, in *sessionEventsInput) (*huma.StreamResponse, error) {
	draining := s.draining
	if !in.Follow {
		draining = nil // it ends soon, and must not look whole before
	}
	return sendEntries(s, draining, func(ctx context.Context) iter.Seq2[api.SessionEvent, error] {
		return s.Service.SessionEvents(ctx, in.ID, max(in.After, in.LastID), in.Follow)
	}, func(e api.SessionEvent) (int64, string) { return e.Seq, e.Type }), nil
}

type connectionsAnswer struct {
	Connections []api.Connection `json:"connections"`
}

func (s *Server) sessionConnections(ctx context.Context, in *SessionPath) (*answer[connectionsAnswer], error) {
	made, err := s.Service.SessionConnections(ctx, in.ID)
	return answerWith(connectionsAnswer{orEmpty(made)}, err)
}

type usageInput struct {
	SessionPath
	Since time.Time `query:"since" doc:"Taken then or later"`
	Until time.Time `query:"until" doc:"Taken before then"`
}

type usageAnswer struct {
	Samples []api.UsageSample `json:"samples"`
}

func (s *Server) sessionUsage(ctx context.Context, in *usageInput) (*answer[usageAnswer], error) {
	samples, err := s.Service.SessionUsage(ctx, in.ID, in.Since, in.Until)
	return answerWith(usageAnswer{orEmpty(samples)}, err)
}
