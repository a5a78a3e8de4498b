package page

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

type nonceKey struct{}

func nonceOf(ctx context.Context) string {
	nonce, _ := ctx.Value(nonceKey{}).(string)
	return nonce
}

// setPolicy says what a browser may do with a page: take script and style that carry
// the nonce of this answer, and send forms to this server. Nothing is asked of any
// other host, and no page shows this one in a frame.
func setPolicy(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'nonce-"+nonce+"'; "+
		"img-src 'self'; frame-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types page")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// framePolicy is for a file of a run that is shown in a frame: it may have its own
// style and pictures in its text, runs no script, and sends nothing anywhere.
const framePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

// These are the types of what is shown in frames. The frame of a PDF has no attribute
// sandbox, because Chromium then refuses its viewer; the policy holds it all the same.
const (
	htmlType = "text/html; charset=utf-8"
	pdfType  = "application/pdf"
)

// setShown says what a browser may do with a file that a page shows.
func setShown(h http.Header, kind string) {
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", framePolicy)
	if kind == htmlType || kind == pdfType {
		h.Del("X-Frame-Options") // the policy names who may frame it
	}
}

// foreign reports whether a page of another origin sent a request. It may lead people
// here by a link, and do nothing else.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if r.Method == http.MethodGet && (site == "cross-site" || site == "same-site") {
		return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	if site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin, ok := r.Header["Origin"]
	if !ok {
		return false
	}
	u, err := url.Parse(strings.Join(origin, ","))
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}

func wantsHTML(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }
