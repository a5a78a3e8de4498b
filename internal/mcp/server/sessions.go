package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

type sessionCreateArgs struct {
	cellArgs
	Idle     float64           `json:"idle_s,omitempty" jsonschema:"seconds without a call after which it is saved and continues at the next call; 0 is 1800"`
	Lifetime float64           `json:"lifetime_s,omitempty" jsonschema:"seconds that it lives at most; 0 is without bound"`
	Labels   map[string]string `json:"labels,omitempty" jsonschema:"labels by name, to find it again with session_list"`
}

type sessionArgs struct {
	Session string `json:"session" jsonschema:"the id of the session, as session_create gave it"`
}

type sessionListArgs struct {
	Labels map[string]string `json:"labels,omitempty" jsonschema:"only sessions with all of these labels"`
	Ended  bool              `json:"ended,omitempty" jsonschema:"also those that have ended"`
	Cursor string            `json:"cursor,omitempty" jsonschema:"next of the page before"`
}

type sessionForkArgs struct {
	sessionArgs
	Count     int  `json:"count,omitempty" jsonschema:"how many copies, at most 20; 0 is 1"`
	FilesOnly bool `json:"files_only,omitempty" jsonschema:"copy the files alone, without processes and variables"`
}

// maxForks bounds the copies that one call makes.
const maxForks = 20

func (s *Server) addSessions() {
	add(s, &mcp.Tool{
		Name: "session_create", Annotations: isolated("Create a session"),
		Description: "Create a session: an isolated sandbox (a gVisor cell) that is kept, with files, processes and variables, until session_close. " +
			"Use session_run for Python or other code with state, as in a notebook, session_exec for shell commands, file_write and file_read for files.",
	}, s.sessionCreate)
	add(s, &mcp.Tool{
		Name: "session_list", Annotations: reads("List sessions"),
		Description: "List the sessions (kept sandboxes), the newest first.",
	}, s.sessionList)
	add(s, &mcp.Tool{
		Name: "session_fork", Annotations: isolated("Fork a session"),
		Description: "Fork a session: copies that continue from its state, with files, processes and variables, to try several ways from one point. The session itself continues.",
	}, s.sessionFork)
	add(s, &mcp.Tool{
		Name: "session_close", Annotations: &mcp.ToolAnnotations{Title: "Close a session", DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &no},
		Description: "Close a session: end its sandbox, with all processes and files in it. This cannot be undone.",
	}, s.sessionClose)
}

// sessionView is what a model sees of a session.
type sessionView struct {
	Session string            `json:"session" jsonschema:"the id of the session, for the other tools"`
	State   string            `json:"state" jsonschema:"running, paused (it continues at the next call), ended or lost"`
	Dir     string            `json:"dir,omitempty" jsonschema:"where commands start and relative paths begin"`
	Parent  string            `json:"parent,omitempty" jsonschema:"the session that it was forked from"`
	Labels  map[string]string `json:"labels,omitempty" jsonschema:"its labels"`
	Created time.Time         `json:"created,omitzero" jsonschema:"when it was asked for"`
	Reason  string            `json:"reason,omitempty" jsonschema:"why it ended"`
}

func sessionViewOf(session *api.Session) sessionView {
	return sessionView{
		Session: session.ID, State: string(session.State), Dir: session.Spec.Dir, Parent: session.Parent,
		Labels: session.Spec.Labels, Created: session.Created, Reason: session.Reason,
	}
}

func (v sessionView) content() []mcp.Content { return asJSON(v) }
func (v sessionView) failed() bool           { return false }

// sessionsView is a list of sessions.
type sessionsView struct {
	Sessions []sessionView `json:"sessions" jsonschema:"the sessions"`
	Next     string        `json:"next,omitempty" jsonschema:"the cursor of the next page, if there is one"`
	Failures []string      `json:"failures,omitempty" jsonschema:"why there are fewer than were asked for"`
}

func (v sessionsView) content() []mcp.Content { return asJSON(v) }
func (v sessionsView) failed() bool           { return len(v.Failures) > 0 }

func (s *Server) sessionCreate(ctx context.Context, _ *mcp.CallToolRequest, a sessionCreateArgs) (sessionView, error) {
	image, err := a.image()
	if err != nil {
		return sessionView{}, err
	}
	session, err := s.service.NewSession(ctx, api.SessionSpec{
		Image: image, Network: a.network(), Resources: a.resources(), Env: a.Env, Labels: a.Labels, Idle: seconds(a.Idle), Timeout: seconds(a.Lifetime),
	})
	if err != nil {
		return sessionView{}, err
	}
	return sessionViewOf(session), nil
}

func (s *Server) sessionList(ctx context.Context, _ *mcp.CallToolRequest, a sessionListArgs) (sessionsView, error) {
	q := api.SessionQuery{Labels: a.Labels, Cursor: a.Cursor, Limit: 50}
	if !a.Ended {
		q.State = []api.SessionState{api.SessionStarting, api.SessionRunning, api.SessionPausing, api.SessionPaused, api.SessionResuming}
	}
	page, err := s.service.Sessions(ctx, q)
	if err != nil {
		return sessionsView{}, err
	}
	v := sessionsView{Sessions: []sessionView{}, Next: page.Next}
	for i := range page.Sessions {
		v.Sessions = append(v.Sessions, sessionViewOf(&page.Sessions[i]))
	}
	return v, nil
}

func (s *Server) sessionFork(ctx context.Context, _ *mcp.CallToolRequest, a sessionForkArgs) (sessionsView, error) {
	if a.Count > maxForks {
		return sessionsView{}, api.Errorf(api.RequestInvalid, "count is %d, expected at most %d", a.Count, maxForks)
	}
	forks, err := s.service.ForkSession(ctx, a.Session, api.ForkOptions{Count: a.Count, FilesOnly: a.FilesOnly})
	if err != nil {
		return sessionsView{}, err
	}
	v := sessionsView{Sessions: []sessionView{}}
	for _, fork := range forks {
		if fork.Error != nil {
			v.Failures = append(v.Failures, explain(fork.Error))
			continue
		}
		v.Sessions = append(v.Sessions, sessionViewOf(fork.Session))
	}
	return v, nil
}

func (s *Server) sessionClose(ctx context.Context, _ *mcp.CallToolRequest, a sessionArgs) (sessionView, error) {
	if err := s.service.KillSession(ctx, a.Session); err != nil {
		return sessionView{}, err
	}
	return sessionView{Session: a.Session, State: string(api.SessionOver)}, nil
}

// printed is what a session printed, in bounds: what does not fit is dropped from
// the middle while it comes, so that no session can fill the memory of the host.
type printed struct {
	head, tail []byte
	all        int
}

func (p *printed) add(text []byte) {
	p.all += len(text)
	if room := maxText/3 - len(p.head); room > 0 {
		n := min(room, len(text))
		p.head, text = append(p.head, text[:n]...), text[n:]
	}
	if p.tail = append(p.tail, text...); len(p.tail) > 2*maxText {
		p.tail = append(p.tail[:0], p.tail[len(p.tail)-maxText:]...)
	}
}

// text returns what is kept, and how many bytes are not.
func (p *printed) text() (kept string, left int) {
	if len(p.head)+len(p.tail) == p.all {
		return cut(append(p.head[:len(p.head):len(p.head)], p.tail...), maxText)
	}
	tail := p.tail[max(0, len(p.tail)-2*maxText/3):]
	left = p.all - len(p.head) - len(tail)
	return fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", strings.TrimRight(valid(p.head), "\uFFFD"), left, strings.TrimLeft(valid(tail), "\uFFFD")), left
}
