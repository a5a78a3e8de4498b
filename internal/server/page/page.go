// Package page is the web page of a server: runs, tasks, schedules, sessions,
// images and the host, for people.
//
// Every page is rendered from a template here and can be read without script. The
// script, one module, replaces those regions of a page that have changed, when the
// server says so over server-sent events. What a page shows comes from an
// api.Service, and so do the changes that its forms ask for: the page can do
// nothing that a client could not.
//
// Values, names, logs and code in a page come from unreviewed code. They get into it through html/template alone, never as markup, script,
// style or the scheme of a link; files of runs are downloaded, or shown in a frame
// that can do nothing.
//
// All links are relative, so a proxy may put the page below any path.
package page

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Config is what a Page is made of.
type Config struct {
	Service api.Service
	// TokenHash is SHA-256 of the token that people sign in with. Zero lets in
	// everybody who reaches the page.
	TokenHash [sha256.Size]byte
	Version   string       // of the program
	Logger    *slog.Logger // nil discards
	// Beat is the time between comments in a stream that is quiet; 0 means 15 s.
	Beat time.Duration
	Now  func() time.Time // nil means time.Now
	// PortLink is where a browser reaches an open port of a session, empty if none
	// does. Nil means none.
	PortLink func(ctx context.Context, session string, port api.Port) string
	// Beside runs work that outlives its request, and ends its context when the
	// server stops. Nil means a context that does not end.
	Beside func(work func(context.Context))
	// MaxUpload bounds the bytes of files that a field of a form sends; 0 means 1 GiB.
	MaxUpload int64
}

// Page answers the requests of browsers. It is safe for concurrent use.
type Page struct {
	Config
	mux      *http.ServeMux
	pages    pages
	assets   assets
	keys     keys
	codes    codes
	watchers watchers
	results  results

	renderings renderings
	creations  creations
	resumables resumables
}

// New returns the page of a service.
func New(c Config) (*Page, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Beside == nil {
		c.Beside = func(work func(context.Context)) { go work(context.Background()) }
	}
	c.Beat = cmp.Or(c.Beat, 15*time.Second)
	c.MaxUpload = cmp.Or(c.MaxUpload, 1<<30)
	assets, err := readAssets()
	if err != nil {
		return nil, err
	}
	pages, err := parsedPages()
	if err != nil {
		return nil, err
	}
	p := &Page{Config: c, mux: http.NewServeMux(), pages: pages, assets: assets, keys: newKeys(c.TokenHash)}
	p.route()
	return p, nil
}

// Claims reports whether a request is one for the page. A program that asks for
// the root of the server gets the answer of the API.
func Claims(r *http.Request) bool {
	if r.URL.Path == "/" {
		return r.Method == http.MethodGet && wantsHTML(r)
	}
	return r.URL.Path == "/page" || len(r.URL.Path) > 5 && r.URL.Path[:6] == "/page/"
}

// route adds every page and every form.
func (p *Page) route() {
	p.mux.HandleFunc("GET /{$}", redirect("page/runs"))
	p.mux.HandleFunc("GET /page", redirect("page/runs"))
	p.mux.HandleFunc("GET /page/{$}", redirect("runs"))
	p.mux.HandleFunc("GET /page/static/{version}/{name}", p.assets.serve)
	p.mux.HandleFunc("GET /page/sign-in", p.signInForm)
	p.mux.HandleFunc("POST /page/sign-in", p.signIn)

	p.show("GET /page/{rest...}", missing)
	p.raw("POST /page/sign-out", p.signOut)
	p.showShared("GET /page/runs", p.runs)
	p.showShared("GET /page/runs/{id}", p.run)
	p.show("GET /page/runs/{id}/log", p.log)
	p.show("GET /page/runs/{id}/events", p.events)
	p.show("GET /page/runs/{id}/turns", p.turns)
	p.raw("GET /page/runs/{id}/code", p.code)
	p.raw("GET /page/runs/{id}/report", p.reportFrame)
	p.raw("GET /page/runs/{id}/report/download", p.report)
	p.raw("GET /page/runs/{id}/{side}/{name}", p.value)
	p.raw("GET /page/runs/{id}/{side}/{name}/view", p.valueFrame)
	p.form("POST /page/runs/{id}/cancel", p.cancel)
	p.form("POST /page/runs/{id}/resume", p.resume)
	p.form("POST /page/runs/{id}/resolve", p.resolve)
	p.show("GET /page/runs/{id}/rerun", p.rerunForm)
	p.form("POST /page/runs/{id}/rerun", p.rerun)
	p.show("GET /page/compare", p.compare)
	p.show("GET /page/tasks", p.tasks)
	p.show("GET /page/tasks/{ref}", p.task)
	p.show("GET /page/tasks/{ref}/start", p.startForm)
	p.form("POST /page/tasks/{ref}/start", p.start)
	p.form("POST /page/tasks/{ref}/rollback", p.rollback)
	p.show("GET /page/schedules", p.schedules)
	p.show("GET /page/schedules/{name}", p.schedule)
	p.form("POST /page/schedules/{name}/{action}", p.changeSchedule)
	p.show("GET /page/hooks/{name}", p.hook)
	p.form("POST /page/hooks/{name}/{action}", p.changeHook)
	p.show("GET /page/notifications", p.notifications)
	p.form("POST /page/notifications/{id}/redeliver", p.redeliver)
	p.show("GET /page/approvals", p.approvals)
	p.show("GET /page/approvals/{id}", p.approval)
	p.form("POST /page/approvals/{id}", p.decide)
	p.show("GET /page/sessions", p.sessions)
	p.show("GET /page/sessions/{id}", p.session)
	p.form("POST /page/sessions/{id}/{action}", p.changeSession)
	p.form("POST /page/sessions", p.newSession)
	p.raw("GET /page/new-sessions/{name}", p.creation)
	p.form("POST /page/new-sessions/{name}/cancel", p.cancelCreation)
	p.raw("GET /page/follow/new-sessions/{name}", p.followCreation)
	p.form("POST /page/sessions/{id}/ports", p.openPort)
	p.form("POST /page/sessions/{id}/ports/close", p.closePort)
	p.show("GET /page/sessions/{id}/terminal", p.terminals)
	p.form("POST /page/sessions/{id}/terminal", p.openTerminal)
	p.form("POST /page/sessions/{id}/terminal/end", p.endTerminal)
	p.raw("POST /page/sessions/{id}/terminal/input", p.terminalInput)
	p.raw("POST /page/sessions/{id}/terminal/size", p.resizeTerminal)
	p.raw("GET /page/follow/sessions/{id}/terminal", p.followTerminal)
	p.show("GET /page/sessions/{id}/code", p.console)
	p.form("POST /page/sessions/{id}/code", p.runCode)
	p.form("POST /page/sessions/{id}/contexts/{action}", p.changeContext)
	p.raw("POST /page/follow/sessions/{id}/code", p.followCode)
	p.raw("GET /page/results/{name}", p.result)
	p.show("GET /page/sessions/{id}/files", p.files)
	p.raw("GET /page/sessions/{id}/file", p.sessionFile)
	p.form("POST /page/sessions/{id}/files/{action}", p.changeFiles)
	p.raw("POST /page/upload/sessions/{id}/files", p.uploadFiles)
	p.show("GET /page/images", p.images)
	p.show("GET /page/images/{id}", p.image)
	p.show("GET /page/system", p.system)
	p.raw("GET /page/follow/runs", p.followRuns)
	p.raw("GET /page/follow/runs/{id}", p.followRun)
	p.raw("GET /page/follow/runs/{id}/log", p.followLog)
	p.raw("GET /page/follow/sessions", p.followSessions)
	p.raw("GET /page/follow/system", p.followSystem)
	p.raw("POST /page/check", p.check)
	p.raw("POST /page/upload/input", p.upload)
	p.raw("POST /page/upload/parts", p.beginParts)
	p.raw("GET /page/upload/parts/{name}", p.sendPart)
	p.raw("POST /page/upload/parts/{name}", p.sendPart)
	p.raw("POST /page/upload/parts/{name}/stop", p.stopParts)
}

// missing answers for an address at which there is no page.
func missing(r *http.Request) (content, error) {
	return content{}, api.Errorf(api.NotFound, "there is no page %s", value.Shorten(r.URL.Path, 100)).WithHint("choose one above")
}

// redirect leads to another page, relative to the one that was asked for.
func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusSeeOther)
	}
}

// ServeHTTP answers a request that Claims is for. The caller has held the host and the
// limits of the server to it.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	setPolicy(w.Header(), nonce)
	if foreign(r) {
		http.Error(w, "pages of other origins cannot use this server", http.StatusForbidden)
		return
	}
	p.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, nonce)))
}

// show adds a page that people see who have signed in.
func (p *Page) show(pattern string, h func(*http.Request) (content, error)) {
	p.raw(pattern, func(w http.ResponseWriter, r *http.Request) error {
		c, err := h(r)
		if err != nil {
			return err
		}
		return p.render(w, r, http.StatusOK, c)
	})
}

// form adds a change that a form asks for. It returns the page to see next, relative
// to that of the form, or a content to be shown in its place.
func (p *Page) form(pattern string, h func(*http.Request) (next string, again content, err error)) {
	p.raw(pattern, func(w http.ResponseWriter, r *http.Request) error {
		if err := p.readForm(w, r); err != nil {
			return err
		}
		next, again, err := h(r)
		if err != nil {
			return err
		}
		if again.Template != "" {
			return p.render(w, r, cmp.Or(again.Status, http.StatusUnprocessableEntity), again)
		}
		redirect(next)(w, r)
		return nil
	})
}

// raw adds what writes its own answer, for people who have signed in.
func (p *Page) raw(pattern string, h func(http.ResponseWriter, *http.Request) error) {
	p.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if !p.signedIn(r) {
			p.askToSignIn(w, r)
			return
		}
		if err := h(w, r); err != nil {
			p.fail(w, r, err)
		}
	})
}
