package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// anonymous is a page in which marks stand for what belongs to one answer alone. They are
// drawn for each rendering once all that it shows was read, so no text of a run has them.
type anonymous struct {
	text             string
	formToken, nonce string
}

// write gives the page to one browser.
func (a anonymous) write(w http.ResponseWriter, formToken, nonce string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	text := strings.ReplaceAll(strings.ReplaceAll(a.text, a.formToken, formToken), a.nonce, nonce)
	_, _ = io.WriteString(w, text) // the browser may be gone
}

// showShared adds a page that many look at while it changes, and that is the same for all
// who have signed in. Its handler gets a request with nothing but the address: what a
// browser sends besides, such as its cookie, cannot get into what others see.
func (p *Page) showShared(pattern string, h func(*http.Request) (content, error)) {
	p.raw(pattern, func(w http.ResponseWriter, r *http.Request) error {
		address := url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		id := r.PathValue("id")
		page, err := p.renderings.get(r.Context(), address.String(), func(ctx context.Context) (anonymous, error) {
			bare, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
			if err != nil {
				return anonymous{}, err
			}
			bare.URL = &address
			bare.SetPathValue("id", id)
			c, err := h(bare)
			if err != nil {
				return anonymous{}, err
			}
			return p.renderAnonymous(bare, c)
		})
		if err != nil {
			return err
		}
		page.write(w, p.formToken(r), nonceOf(r.Context()))
		return nil
	})
}

// renderAnonymous makes a page of somebody who has signed in.
func (p *Page) renderAnonymous(r *http.Request, c content) (anonymous, error) {
	a := anonymous{formToken: rand.Text(), nonce: rand.Text()}
	v := p.view(r, c)
	v.FormToken, v.Nonce, v.Member, v.Waiting = a.formToken, a.nonce, true, p.waiting(r)
	var b bytes.Buffer
	err := p.pages[c.Template].Execute(&b, v)
	a.text = b.String()
	return a, err
}
