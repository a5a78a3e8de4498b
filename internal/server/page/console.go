package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// These bound what a page shows of one execution.
const (
	maxShownOutput  = 1 << 20 // bytes of text
	maxShownResults = 1000
	withoutScript   = time.Minute // that code may take which is run without script
)

var languages = []string{api.LanguagePython, api.LanguageBash, api.LanguageJavaScript, api.LanguageTypeScript, api.LanguageR, api.LanguageJava}

type consoleData struct {
	Session   *api.Session
	Tab       string
	Live      bool
	Contexts  []api.Context
	Context   string // the one that code runs in; empty if there is none yet
	Languages []string
	Code      string
	Results   []shownResult
	Error     *api.Error
}

// console shows the contexts of a session, and runs code in one.
func (p *Page) console(r *http.Request) (content, error) {
	data, err := p.consoleData(r, r.URL.Query().Get("context"))
	if err != nil {
		return content{}, err
	}
	return consoleContent(data), nil
}

func consoleContent(d *consoleData) content {
	c := content{Template: "console", Title: "Code in " + d.Session.ID, Nav: "sessions", Styles: []string{"session.css", "start.css"}, Data: d, Status: http.StatusOK}
	if d.Live {
		c.Scripts = []string{"console.js"}
	}
	return c
}

func (p *Page) consoleData(r *http.Request, context string) (*consoleData, error) {
	s, err := p.Service.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	data := &consoleData{Session: s, Tab: "code", Live: s.State == api.SessionRunning, Context: context, Languages: languages}
	if data.Live {
		data.Contexts, err = p.Service.Contexts(r.Context(), s.ID)
	}
	if data.Context == "" && len(data.Contexts) > 0 {
		data.Context = data.Contexts[0].ID
	}
	return data, err
}

// runCode runs code and shows the page with what came of it, for people without script.
func (p *Page) runCode(r *http.Request) (string, content, error) {
	ctx, cancel := context.WithTimeout(r.Context(), withoutScript)
	defer cancel()
	request, failed := p.codeRequest(r)
	var got []shownResult
	show := func(s shownResult) error {
		if n := len(got); n > 0 && s.Stream != "" && got[n-1].Stream == s.Stream {
			got[n-1].Text += s.Text
		} else {
			got = append(got, s)
		}
		return nil
	}
	if failed == nil {
		failed = p.execute(ctx, r.PathValue("id"), request, show)
	}
	data, err := p.consoleData(r, request.Context)
	if err != nil {
		return "", content{}, err
	}
	data.Code, data.Results = request.Code, got
	if failed != nil {
		data.Error = api.AsError(failed)
	}
	return "", consoleContent(data), nil
}

// codeRequest reads what is to run where. The first code of a session starts a context, so
// that what can be interrupted and restarted has a name.
func (p *Page) codeRequest(r *http.Request) (request api.CodeRequest, err error) {
	request = api.CodeRequest{Code: newlines(r.PostForm.Get("code")), Context: r.PostForm.Get("context")}
	if request.Context == "" {
		var made *api.Context
		if made, err = p.Service.NewContext(r.Context(), r.PathValue("id"), api.ContextSpec{}); err == nil {
			request.Context = made.ID
		}
	}
	return request, err
}

// execute runs code, and hands on what is to be shown of it, within bounds.
func (p *Page) execute(ctx context.Context, session string, request api.CodeRequest, show func(shownResult) error) error {
	text, count := 0, 0
	for e, err := range p.Service.RunCode(ctx, session, request) {
		if err != nil {
			return err
		}
		s, ok := p.shown(e)
		if !ok || text > maxShownOutput || count > maxShownResults {
			continue // it runs on; only this page shows no more of it
		}
		if text, count = text+len(s.Text), count+1; text > maxShownOutput || count > maxShownResults {
			s = shownResult{Failed: true, Text: fmt.Sprintf("More than %s or %d results came of it; the page shows no more.", size(maxShownOutput), maxShownResults)}
		}
		if err := show(s); err != nil {
			return err
		}
	}
	return nil
}

// followCode runs code, and sends what comes of it as pieces of the page. Code is
// interrupted when the browser leaves.
func (p *Page) followCode(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	request, err := p.codeRequest(r)
	if err != nil {
		return err
	}
	w.Header().Set("Glovebox-Context", request.Context)
	return p.stream(w, r, func(ctx context.Context, send func(string) error) {
		show := func(s shownResult) error { return p.sendResult(send, s) }
		if err := p.execute(ctx, r.PathValue("id"), request, show); err != nil && ctx.Err() == nil {
			e := api.AsError(err)
			_ = show(shownResult{Failed: true, Text: visible(strings.TrimSuffix(e.Message+"; "+e.Hint, "; "))}) // the browser may be gone
		}
	})
}

// sendResult sends a result for a page at /page/sessions/ID/code.
func (p *Page) sendResult(send func(string) error, s shownResult) error {
	var b bytes.Buffer
	if err := p.pages["console"].ExecuteTemplate(&b, "result", map[string]any{"Root": "../../../", "R": s}); err != nil {
		return err
	}
	text, err := event("result", b.String())
	if err != nil {
		return err
	}
	return send(text)
}

// changeContext starts, restarts, interrupts or ends a context.
func (p *Page) changeContext(r *http.Request) (string, content, error) {
	ctx, id, one := r.Context(), r.PathValue("id"), r.PostForm.Get("context")
	next := "../code?context=" + one
	var err error
	switch action := r.PathValue("action"); action {
	case "new":
		var made *api.Context
		if made, err = p.Service.NewContext(ctx, id, api.ContextSpec{Language: cmp.Or(r.PostForm.Get("language"), api.LanguagePython)}); err == nil {
			next = "../code?context=" + made.ID
		}
	case "interrupt":
		err = p.Service.InterruptContext(ctx, id, one)
	case "restart":
		err = p.Service.RestartContext(ctx, id, one)
	case "remove":
		next, err = "../code", p.Service.RemoveContext(ctx, id, one)
	default:
		err = api.Errorf(api.NotFound, "a context cannot be asked to %s", action)
	}
	if errors.Is(err, api.NotFound) && one == "" {
		err = api.Errorf(api.RequestInvalid, "the form does not say which context").WithDetails(api.Details{Field: "context"})
	}
	return next, content{}, err
}
