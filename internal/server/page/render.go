package page

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

//go:embed templates/*.html
var templateFiles embed.FS

// content is a page without what all pages have.
type content struct {
	Template string // its name, without .html
	Title    string
	Nav      string // the part of the site that it belongs to
	// Follow is the stream of its changes, relative to the root; empty if there is
	// none.
	Follow string
	// Reload is after how many seconds a browser without script loads the page again;
	// 0 is never.
	Reload int
	Status int // of the answer to a form; 0 means that something is wrong with it
	// Scripts and Styles are what this page needs beside page.js and page.css.
	Scripts, Styles []string
	Data            any
}

// view is what a template gets.
type view struct {
	content
	Root      string // leads to the root of the server: "../" for each directory below it
	Nonce     string
	FormToken string
	Member    bool // somebody who has signed in, or need not
	MaySign   bool // there is a token, so one can sign out
	Version   string
	Waiting   int    // runs that wait for a person to decide
	Assets    string // the directory of style and script
}

// pages are the templates by name.
type pages map[string]*template.Template

// parsedPages are the same for every server of a process, so they are parsed once.
var parsedPages = sync.OnceValues(parsePages)

func parsePages() (pages, error) {
	base, err := template.New("base.html").Funcs(functions).ParseFS(templateFiles, "templates/base.html", "templates/parts.html", "templates/deliveries.html", "templates/inputs.html", "templates/sessionform.html")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	all := pages{}
	for _, name := range names {
		short := strings.TrimSuffix(path.Base(name), ".html")
		if short == "base" || short == "parts" || short == "deliveries" || short == "inputs" || short == "sessionform" {
			continue
		}
		one, err := base.Clone()
		if err != nil {
			return nil, err
		}
		if all[short], err = one.ParseFS(templateFiles, name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// up leads from the page of a request to the root of the server.
func up(r *http.Request) string {
	return strings.Repeat("../", max(0, strings.Count(r.URL.EscapedPath(), "/")-1))
}

// view is what a template gets at an address, whoever asks.
func (p *Page) view(r *http.Request, c content) view {
	return view{content: c, Root: cmp.Or(up(r), "./"), MaySign: !p.keys.open, Version: p.Version, Assets: "page/static/" + p.assets.version}
}

// render writes a page as a whole, or an error.
func (p *Page) render(w http.ResponseWriter, r *http.Request, status int, c content) error {
	v := p.view(r, c)
	v.Nonce, v.FormToken = nonceOf(r.Context()), p.formToken(r)
	if v.Member = p.signedIn(r); v.Member {
		v.Waiting = p.waiting(r)
	}
	var b bytes.Buffer
	if err := p.pages[c.Template].Execute(&b, v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the browser may be gone
	return nil
}

// partOf is the part of the site that the page at a path belongs to, or empty.
func partOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/page/"), "/")
	switch first {
	case "runs", "tasks", "schedules", "approvals", "sessions", "images":
		return first
	case "compare":
		return "runs"
	case "hooks", "notifications":
		return "schedules"
	case "new-sessions":
		return "sessions"
	}
	return ""
}

// fail shows an error as a page of its own.
func (p *Page) fail(w http.ResponseWriter, r *http.Request, err error) {
	var e *api.Error
	if !errors.As(err, &e) || e.Code == api.Internal {
		p.Logger.Error("a page failed", "path", r.URL.Path, "error", err)
		e = api.Errorf(api.Internal, "the page could not be made; the log of the server says why")
	}
	if !wantsHTML(r) {
		http.Error(w, e.Message, e.Code.Info().Status)
		return
	}
	if err := p.render(w, r, e.Code.Info().Status, content{Template: "error", Title: "Error", Nav: partOf(r.URL.Path), Data: e}); err != nil {
		p.Logger.Error("the page of an error failed", "error", err)
		http.Error(w, e.Message, http.StatusInternalServerError)
	}
}
