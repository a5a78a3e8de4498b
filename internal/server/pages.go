package server

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/server/page"
)

func (s *Server) newPage() (*page.Page, error) {
	c := s.Config
	hash := c.TokenHash
	if c.Admitted {
		hash = [sha256.Size]byte{}
	}
	return page.New(page.Config{Service: s.whole, TokenHash: hash, Version: c.Version, Logger: c.Logger, Beat: c.Limits.Heartbeat, MaxUpload: c.Limits.Blob, PortLink: portLink, Beside: s.beside})
}

// beside runs work that a request leaves behind. When the server stops it ends the
// context of the work, and waits for it as for a request.
func (s *Server) beside(work func(context.Context)) {
	s.active.begin()
	go func() {
		defer s.active.end()
		ctx, cancel := context.WithCancel(context.Background())
		defer s.cancelOnDrain(ctx, cancel)()
		work(ctx)
	}()
}

// portLink is the address of a port at a host of its own, which takes the token once and
// keeps it in a cookie.
func portLink(ctx context.Context, session string, port api.Port) string {
	address := portURL(ctx, session, port.Port)
	if u, err := url.Parse(address); err != nil || u.Host == "" || strings.HasPrefix(u.Path, "/v1/") {
		return ""
	}
	if port.Public {
		return address
	}
	return address + "?" + url.Values{portTokenQuery: {port.Token}}.Encode()
}

// pages gives the requests of browsers to the page. It signs people in by itself; no
// name but the server's own leads to it, and its streams end with the server.
func (s *Server) pages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if infoOf(r).pattern != "" || !page.Claims(r) {
			next.ServeHTTP(w, r)
			return
		}
		if p := s.strange(r, r.Host); p != nil {
			p.write(w, r)
			return
		}
		if s.TokenHash == ([sha256.Size]byte{}) && !s.Admitted && !isLocal(r.Context()) {
			newFailure(api.Errorf(api.Unauthorized, "this server has no token to sign in with")).write(w, r)
			return
		}
		places := s.requests
		if strings.HasPrefix(r.URL.Path, "/page/follow/") || strings.HasPrefix(r.URL.Path, "/page/upload/") {
			places = s.streams
		}
		select {
		case places <- struct{}{}:
		default:
			newFailure(api.Errorf(api.Overloaded, "the server answers %d requests of this kind already", cap(places))).write(w, r)
			return
		}
		defer func() { <-places }()
		ctx, cancel := context.WithCancel(r.Context())
		defer s.cancelOnDrain(ctx, cancel)()
		shown, err := s.page()
		if err != nil {
			failureOf(err).write(w, r)
			return
		}
		shown.ServeHTTP(w, r.WithContext(ctx))
	})
}

// registerPage adds the route of programs that open the page for somebody.
func (s *Server) registerPage() {
	op := operation(http.MethodPost, "/v1/page/codes", "page", "newPageCode", "A code that signs one browser in to the page")
	op.Description = "It counts once, for a minute. Open /page/sign-in#code=CODE: what is behind the # stays in the browser."
	route(s, traits{}, op, func(context.Context, *nothing) (*answer[pageCode], error) {
		shown, err := s.page()
		if err != nil {
			return nil, err
		}
		code, err := shown.Code()
		return answerWith(pageCode{code}, err)
	})
}

type pageCode struct {
	Code string `json:"code" doc:"It signs one browser in, once and within a minute"`
}
