package e2b

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// call is one request to a server in a sandbox.
type call struct {
	face    *Face
	w       http.ResponseWriter
	r       *http.Request
	session *api.Session
	user    string // that the client names; empty means that of the sandbox
}

func (c *call) ctx() context.Context { return c.r.Context() }

// options are those of files. E2B's daemon is root: it reads and writes whatever is
// there, and gives what it writes to the user.
func (c *call) options() api.FileOptions {
	return api.FileOptions{User: rootUser, Owner: cmp.Or(c.user, c.session.Spec.User, defaultUser)}
}

// rootUser is a number, which needs no entry in the image, and defaultUser whom
// commands of a session run as if nothing names one.
const (
	rootUser    = "0"
	defaultUser = "1000"
)

// serveSandbox answers a request to a port of a sandbox.
func (f *Face) serveSandbox(w http.ResponseWriter, r *http.Request, d destination) {
	s, err := f.running(r.Context(), d.sandbox)
	switch {
	case errors.Is(err, errTransition):
		writeJSON(w, http.StatusConflict, proxyError{SandboxID: d.sandbox, Message: "The sandbox is still transitioning", Code: http.StatusConflict})
		return
	case isGone(err):
		writeGone(w, d.sandbox)
		return
	case err != nil:
		f.fail(w, r, err)
		return
	}
	c := &call{face: f, w: w, r: r, session: s}
	switch d.port {
	case envdPort:
		c.serveEnvd()
	case interpreterPort:
		c.serveInterpreter()
	default:
		c.serveTraffic(d.port)
	}
}

var errTransition = errors.New("the sandbox is still transitioning")

// transitionPatience is how long a request waits for a sandbox that is being paused
// or resumed, and transitionStep how often it looks.
const (
	transitionPatience = 30 * time.Second
	transitionStep     = 50 * time.Millisecond
)

// running returns the session of a sandbox that can be asked for something. A
// paused one is resumed by requests only if its maker wanted that.
func (f *Face) running(ctx context.Context, id string) (*api.Session, error) {
	for began := time.Now(); ; {
		s, err := f.live(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case s.State == api.SessionRunning:
			return s, nil
		case s.State == api.SessionPaused && !s.Spec.NoAutoResume:
			return f.Sessions.ResumeSession(ctx, id)
		case s.State == api.SessionPaused:
			return nil, api.Errorf(api.NotFound, "sandbox %s is paused", id)
		case time.Since(began) > transitionPatience:
			return nil, errTransition
		}
		select {
		case <-time.After(transitionStep):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// isGone reports whether an error says that a sandbox cannot be reached any more.
func isGone(err error) bool {
	e, ok := api.FindError(err)
	return ok && (e.Code == api.NotFound || e.Code == api.SessionEnded || e.Code == api.CellLost)
}

// handler answers a call. An error that it returns was not answered yet.
type handler func(*call) error

// envdRoutes are those of the daemon that E2B has in its sandboxes.
var envdRoutes = map[string]handler{
	"POST /process.Process/Start":       stream((*call).start),
	"POST /process.Process/Connect":     stream((*call).follow),
	"POST /process.Process/List":        unary((*call).processes),
	"POST /process.Process/Update":      unary((*call).resize),
	"POST /process.Process/SendInput":   unary((*call).sendInput),
	"POST /process.Process/StreamInput": (*call).streamInput,
	"POST /process.Process/CloseStdin":  unary((*call).closeInput),
	"POST /process.Process/SendSignal":  unary((*call).signal),

	"POST /filesystem.Filesystem/Stat":             unary((*call).stat),
	"POST /filesystem.Filesystem/MakeDir":          unary((*call).makeDir),
	"POST /filesystem.Filesystem/Move":             unary((*call).move),
	"POST /filesystem.Filesystem/ListDir":          unary((*call).listDir),
	"POST /filesystem.Filesystem/Remove":           unary((*call).remove),
	"POST /filesystem.Filesystem/WatchDir":         stream((*call).watch),
	"POST /filesystem.Filesystem/CreateWatcher":    unary((*call).newWatcher),
	"POST /filesystem.Filesystem/GetWatcherEvents": unary((*call).watcherEvents),
	"POST /filesystem.Filesystem/RemoveWatcher":    unary((*call).removeWatcher),

	"GET /files":          (*call).download,
	"HEAD /files":         (*call).download,
	"POST /files":         (*call).upload,
	"POST /files/compose": (*call).compose,
	"GET /health":         (*call).health,
	"GET /metrics":        (*call).usage,
	"GET /envs":           (*call).variables,
}

// serveEnvd answers a call to envd. All but its health needs the token of the
// sandbox; files can be asked for by signed URLs instead.
func (c *call) serveEnvd() {
	answer, ok := envdRoutes[c.r.Method+" "+c.r.URL.Path]
	if !ok {
		writeError(c.w, c.r, http.StatusNotFound, "envd has no route "+c.r.Method+" "+c.r.URL.Path)
		return
	}
	if err := c.check(); err != nil {
		c.fail(err)
		return
	}
	if err := answer(c); err != nil {
		c.fail(err)
	}
}

func (c *call) check() error {
	switch c.r.URL.Path {
	case "/health":
		return nil
	case "/files":
		return c.face.checkFiles(c.r, c.session)
	}
	if token := c.face.envdToken(c.session); token != "" && !equal(c.r.Header.Get("X-Access-Token"), token) {
		return refused{http.StatusUnauthorized, "unauthorized access, please provide a valid access token"}
	}
	return nil
}

// fail answers a call with an error. Where the sandbox is gone, it answers as the
// proxy before it would.
func (c *call) fail(err error) {
	if c.left() {
		writeGone(c.w, c.session.ID)
		return
	}
	c.face.fail(c.w, c.r, err)
}

// left reports whether the session has ended or was paused since the call began.
func (c *call) left() bool {
	s, err := c.face.live(context.WithoutCancel(c.ctx()), c.session.ID)
	return isGone(err) || err == nil && (s.State == api.SessionPausing || s.State == api.SessionPaused)
}

// findUser takes over the user that a client names, who has to be one of the
// session.
func (c *call) findUser(name string) error {
	if name == "" || name == c.session.Spec.User {
		return nil
	}
	_, err := c.face.Sessions.SessionUser(c.ctx(), c.session.ID, name)
	if isNotFound(err) && !c.left() {
		return refused{http.StatusUnauthorized, "invalid username: '" + name + "'"}
	}
	c.user = name
	return err
}

// path returns a path as a session understands it: one that is not absolute begins
// at the home of the user whom the client names.
func (c *call) path(path string) string {
	if c.user == "" || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") {
		return path
	}
	return "~/" + path
}

func (c *call) health() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// variables answers with those that every command has.
func (c *call) variables() error {
	env := c.session.Spec.Env
	if env == nil {
		env = map[string]string{}
	}
	writeJSON(c.w, http.StatusOK, env)
	return nil
}
