package server

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestAttackV06_PageByOtherNames holds the page to the names of the server, and a server
// without a token to letting nobody in.
func TestAttackV06_PageByOtherNames(t *testing.T) {
	const token = "0123456789abcdef"
	ask := func(c Config, address, host string) (int, string) {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		r, err := http.NewRequest(http.MethodGet, server.URL+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/html")
		if r.Host = host; host == "" {
			r.Host = strings.TrimPrefix(server.URL, "http://")
		}
		client := server.Client()
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode, resp.Header.Get("Location")
	}
	withToken := Config{Service: newFake(), TokenHash: HashToken(token)}
	for _, one := range []struct {
		config        Config
		address, host string
		status        int
		location      string
	}{
		{withToken, "/", "", http.StatusSeeOther, "page/runs"},
		{withToken, "/page/runs", "", http.StatusSeeOther, "../page/sign-in?next=" + url.QueryEscape("/page/runs")},
		{withToken, "/page/runs", "rebound.example", http.StatusMisdirectedRequest, ""},
		{withToken, "/page/sign-in", "rebound.example", http.StatusMisdirectedRequest, ""},
		{Config{Service: newFake()}, "/page/runs", "", http.StatusUnauthorized, ""},
	} {
		if status, location := ask(one.config, one.address, one.host); status != one.status || location != one.location {
			t.Errorf("%s at %q: %d to %q, expected %d to %q", one.address, one.host, status, location, one.status, one.location)
		}
	}
}

// TestPageCode signs a browser in by what a program with the token asked for.
func TestPageCode(t *testing.T) {
	s, err := New(Config{Service: newFake(), TokenHash: HashToken("0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, address, authorization, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://localhost"+address, strings.NewReader(body))
		if authorization != "" {
			r.Header.Set("Authorization", "Bearer "+authorization)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	if w := ask("POST", "/v1/page/codes", "", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", w.Code)
	}
	w := ask("POST", "/v1/page/codes", "0123456789abcdef", "")
	_, code, _ := strings.Cut(w.Body.String(), `"code":"`)
	code, _, _ = strings.Cut(code, `"`)
	if w.Code != http.StatusOK || len(code) < 26 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := ask("POST", "/page/sign-in", "", "code="+code); w.Code != http.StatusSeeOther || w.Header().Get("Set-Cookie") == "" {
		t.Errorf("by the code: %d %v", w.Code, w.Header())
	}
}

// TestWorkBesideRequestsEndsWithTheServer holds that what a form of the page left behind is
// stopped with the server, which waits for it.
func TestWorkBesideRequestsEndsWithTheServer(t *testing.T) {
	s, err := New(Config{Service: newFake(), Admitted: true})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	began, ended := make(chan struct{}), false
	s.beside(func(ctx context.Context) {
		close(began)
		<-ctx.Done()
		ended = true
	})
	<-began
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Serve(ctx, ln); err != nil {
		t.Error(err)
	}
	if !ended {
		t.Error("the server did not wait for it")
	}
}
