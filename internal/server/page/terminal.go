package page

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Terminals are shells of a session, which go on without a browser. Their tags begin
// with terminalTag. A browser follows one over server-sent events, from where it was
// when a connection broke, and sends keys by forms, which carry the token of the page.
const (
	terminalTag    = "page-"
	maxTerminals   = 8       // that run in a session
	maxKeys        = 1 << 20 // bytes of one form
	maxColumns     = 1000
	defaultColumns = 100
	defaultRows    = 30
)

var shell = []string{"sh", "-c", "command -v bash >/dev/null && exec bash -l; exec sh -l"}

type terminalsData struct {
	Session   *api.Session
	Tab       string
	Live      bool
	Terminals []terminal
	Open      string // the tag of the one that is shown
	Full      bool
}

type terminal struct {
	Tag   string
	Began time.Time
	Ended bool
}

func (p *Page) terminals(r *http.Request) (content, error) {
	s, err := p.Service.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	data := &terminalsData{Session: s, Tab: "terminal", Live: s.State == api.SessionRunning}
	c := content{Template: "terminal", Title: "Terminals of " + s.ID, Nav: "sessions", Styles: []string{"session.css"}, Data: data}
	if !data.Live {
		return c, nil
	}
	if data.Terminals, err = p.terminalsOf(r.Context(), s.ID); err != nil {
		return content{}, err
	}
	data.Full = running(data.Terminals) >= maxTerminals
	if tag := r.URL.Query().Get("tag"); slices.ContainsFunc(data.Terminals, func(t terminal) bool { return t.Tag == tag }) {
		data.Open = tag
		c.Scripts, c.Styles = []string{"terminal.js"}, append(c.Styles, "xterm.css")
	}
	return c, nil
}

func (p *Page) terminalsOf(ctx context.Context, session string) ([]terminal, error) {
	processes, err := p.Service.Processes(ctx, session)
	var found []terminal
	for _, one := range processes {
		if strings.HasPrefix(one.Spec.Tag, terminalTag) && one.Spec.Terminal != nil {
			found = append(found, terminal{Tag: one.Spec.Tag, Began: one.Started, Ended: one.Exit != nil})
		}
	}
	return found, err
}

func running(terminals []terminal) (n int) {
	for _, t := range terminals {
		if !t.Ended {
			n++
		}
	}
	return n
}

// openTerminal starts a shell.
func (p *Page) openTerminal(r *http.Request) (string, content, error) {
	id := r.PathValue("id")
	terminals, err := p.terminalsOf(r.Context(), id)
	if err != nil {
		return "", content{}, err
	}
	if running(terminals) >= maxTerminals {
		return "", content{}, api.Errorf(api.Conflict, "the session has %d terminals of the page already", maxTerminals).WithHint("end one of them")
	}
	tag := terminalTag + strings.ToLower(rand.Text()[:10])
	spec := api.ProcessSpec{Argv: shell, Env: map[string]string{"TERM": "xterm-256color"}, Tag: tag, Terminal: &api.TerminalSize{Columns: defaultColumns, Rows: defaultRows}}
	for _, err := range p.Service.StartProcess(r.Context(), id, spec) {
		if err != nil {
			return "", content{}, err
		}
		break // it continues without somebody who listens
	}
	return "terminal?tag=" + tag, content{}, nil
}

// terminalOf is the process that a form or a stream is about: a terminal of the page and
// no other.
func terminalOf(tag string) (api.ProcessRef, error) {
	if !strings.HasPrefix(tag, terminalTag) || len(tag) > 100 {
		return api.ProcessRef{}, api.Errorf(api.RequestInvalid, "there is no such terminal").WithDetails(api.Details{Field: "tag", Got: tag})
	}
	return api.ProcessRef{Tag: tag}, nil
}

func (p *Page) endTerminal(r *http.Request) (string, content, error) {
	ref, err := terminalOf(r.PostForm.Get("tag"))
	if err != nil {
		return "", content{}, err
	}
	return "../terminal", content{}, p.Service.SignalProcess(r.Context(), r.PathValue("id"), ref, "SIGHUP", true)
}

// terminalInput sends what somebody typed to a terminal.
func (p *Page) terminalInput(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	ref, err := terminalOf(r.PostForm.Get("tag"))
	if err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(r.PostForm.Get("data"))
	if err != nil || len(data) > maxKeys {
		return api.Errorf(api.RequestInvalid, "the keys are not base64 of at most %d bytes", maxKeys).WithDetails(api.Details{Field: "data"})
	}
	if err := p.Service.WriteInput(r.Context(), r.PathValue("id"), ref, data); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (p *Page) resizeTerminal(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	ref, err := terminalOf(r.PostForm.Get("tag"))
	if err != nil {
		return err
	}
	columns, wrong := strconv.Atoi(r.PostForm.Get("columns"))
	rows, bad := strconv.Atoi(r.PostForm.Get("rows"))
	if wrong != nil || bad != nil || min(columns, rows) < 1 || max(columns, rows) > maxColumns {
		return api.Errorf(api.RequestInvalid, "a terminal has 1 to %d columns and rows", maxColumns).WithDetails(api.Details{Field: "columns"})
	}
	if err := p.Service.ResizeTerminal(r.Context(), r.PathValue("id"), ref, api.TerminalSize{Columns: columns, Rows: rows}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// followTerminal sends what a terminal shows. The number of an event is the place in the
// output after it, from which the browser continues if the connection breaks.
func (p *Page) followTerminal(w http.ResponseWriter, r *http.Request) error {
	ref, err := terminalOf(r.URL.Query().Get("tag"))
	if err != nil {
		return err
	}
	from := r.URL.Query().Get("from")
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		from = last
	}
	place, err := strconv.ParseInt("0"+from, 10, 64)
	if err != nil {
		return api.Errorf(api.RequestInvalid, "from is %q, expected a place in the output", from).WithDetails(api.Details{Field: "from", Got: from})
	}
	return p.stream(w, r, func(ctx context.Context, send func(string) error) {
		for e, err := range p.Service.FollowProcess(ctx, r.PathValue("id"), ref, place) {
			if send(terminalEvent(e, err)) != nil {
				return
			}
		}
	})
}

// terminalEvent is an event as it is sent.
func terminalEvent(e api.ProcessEvent, err error) string {
	switch {
	case err != nil:
		return textEvent("failed", message(err))
	case e.Type == api.ProcessOutput:
		return fmt.Sprintf("id: %d\nevent: output\ndata: {\"offset\":%d,\"lost\":%d,\"data\":%q}\n\n", e.Offset, e.Offset, e.Lost, base64.StdEncoding.EncodeToString(e.Data))
	case e.Type == api.ProcessExited && e.Exit != nil:
		return fmt.Sprintf("event: exited\ndata: %d\n\n", e.Exit.Status)
	}
	return ": begun\n\n"
}
