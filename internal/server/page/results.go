package page

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// Results of code that are more than text have an address for a while: the latest of all
// people, within these bounds.
const (
	maxResults     = 256
	maxResultBytes = 64 << 20 // of all of them
)

type results struct {
	mu    sync.Mutex
	all   map[string]result
	order []string // the oldest first
	size  int
}

type result struct {
	kind string
	data []byte
}

// keep returns the name of a result, which nobody can guess.
func (rs *results) keep(kind string, data []byte) string {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[string]result{}
	}
	name := rand.Text()
	rs.all[name] = result{kind, data}
	rs.order = append(rs.order, name)
	for rs.size += len(data); rs.size > maxResultBytes || len(rs.order) > maxResults; {
		rs.size -= len(rs.all[rs.order[0]].data)
		delete(rs.all, rs.order[0])
		rs.order = slices.Clone(rs.order[1:])
	}
	return name
}

func (rs *results) get(name string) (result, bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	one, ok := rs.all[name]
	return one, ok
}

// result sends a picture, a PDF, or a page of HTML for a frame that can do nothing.
func (p *Page) result(w http.ResponseWriter, r *http.Request) error {
	one, ok := p.results.get(r.PathValue("name"))
	if !ok {
		return api.Errorf(api.NotFound, "this result is no longer kept").WithHint("run the code again")
	}
	setShown(w.Header(), one.kind)
	_, _ = w.Write(one.data) // the browser may be gone
	return nil
}

// shownResult is a result as a page shows it, in the best of its forms.
type shownResult struct {
	Stream  string // stdout or stderr, of what was printed
	Text    string
	Picture string // its name
	Frame   string // that of HTML
	PDF     string // its name
	Failed  bool
	Main    bool // the value of the last expression
	Count   int  // of the execution that begins
}

// shown makes of an event of code what a page shows. It is not ok if there is nothing to
// show.
func (p *Page) shown(e api.CodeEvent) (s shownResult, ok bool) {
	switch e.Type {
	case api.CodeStarted:
		return shownResult{Count: e.Count}, true
	case api.CodeStdout, api.CodeStderr:
		return shownResult{Stream: e.Type, Text: visible(withoutEscapes(e.Text))}, e.Text != ""
	case api.CodeError:
		if e.Error == nil {
			return s, false
		}
		text := e.Error.Traceback
		if text == "" {
			text = e.Error.Name + ": " + e.Error.Value
		}
		return shownResult{Failed: true, Text: visible(withoutEscapes(text))}, true
	case api.CodeResult:
		return p.shownData(e), true
	}
	return s, false
}

func (p *Page) shownData(e api.CodeEvent) shownResult {
	s := shownResult{Main: e.Main}
	text := func(kind string) string {
		var one string
		if json.Unmarshal(e.Data[kind], &one) != nil {
			return string(e.Data[kind])
		}
		return one
	}
	for _, kind := range []string{"image/png", "image/jpeg", "image/svg+xml"} {
		if e.Data[kind] == nil {
			continue
		}
		if data := bytesOf(kind, text(kind)); data != nil {
			s.Picture = p.results.keep(kind, data)
			s.Text = visible(text("text/plain"))
			return s
		}
	}
	if page := text("text/html"); page != "" && len(page) <= maxPictureBytes {
		s.Frame = p.results.keep(htmlType, []byte(page))
		return s
	}
	if data := bytesOf(pdfType, text(pdfType)); data != nil {
		s.PDF = p.results.keep(pdfType, data)
		return s
	}
	for _, kind := range []string{"text/plain", "text/markdown", "text/latex", "application/json"} {
		if s.Text = visible(text(kind)); s.Text != "" {
			return s
		}
	}
	s.Text = "a result of the types " + visible(strings.Join(sortedKeys(e.Data), ", "))
	return s
}

// bytesOf is a picture or a PDF, or nil if it is none. SVG is shown as a picture,
// in which a browser runs no script.
func bytesOf(kind, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if kind == "image/svg+xml" && (err != nil || strings.HasPrefix(strings.TrimSpace(text), "<")) {
		data, err = []byte(text), nil
	}
	if err != nil || len(data) == 0 || len(data) > maxPictureBytes || kind != "image/svg+xml" && http.DetectContentType(data) != kind {
		return nil
	}
	return data
}
