package attack

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func serverCases() []Case {
	return []Case{
		{Name: "A01_token", Area: Server, Tries: "ask the HTTP API without the token, with an empty one and with a wrong one", Attack: served(withoutToken)},
		{Name: "A02_paths", Area: Server, Tries: "read a file of this host by paths in requests", Attack: served(paths)},
		{Name: "A03_other_origins", Area: Server, Tries: "ask the HTTP API from a page of another origin, and by a name that was made to resolve to it", Attack: served(otherOrigins)},
		{Name: "A03_listens_to_the_world", Area: Server, Tries: "have a server listen to the network without a token, and without TLS", Attack: listensToTheWorld},
		{Name: "A06_giant_request", Area: Server, Tries: "send a request whose head never ends", Attack: served(giantHead)},
		{Name: "V03_page_without_signing_in", Area: Server, Tries: "see the page without signing in", Attack: served(pageWithoutSigningIn)},
		{Name: "V05_forms", Area: Server, Tries: "send forms of the page from elsewhere", Attack: served(forms)},
	}
}

// open is a server that the cases ask.
type open struct {
	b              *Bench
	address, token string
}

// served starts a server on the loopback of this host for a case.
func served(attack func(context.Context, open) error) func(context.Context, *Bench) error {
	return func(ctx context.Context, b *Bench) error {
		token := newCanary()
		address, stop, err := b.Serve(ctx, "127.0.0.1:0", token)
		if err != nil {
			return err
		}
		defer stop()
		o := open{b, address, token}
		a, err := o.ask(ctx, request{path: "/v1/runs", headers: []string{"Authorization: Bearer " + token}})
		if err != nil {
			return err
		}
		if a.status != http.StatusOK {
			return fmt.Errorf("the server answers its token with the status %d", a.status)
		}
		return attack(ctx, o)
	}
}

// request is one, as it is written: no client cleans its path or completes its headers.
type request struct {
	method, path string // GET
	headers      []string
	host         string // that of the server
	body         string
}

type answer struct {
	status int
	text   string // at most 1 MiB of it
}

// exchange is how long one request may take.
const exchange = 10 * time.Second

func (o open) ask(ctx context.Context, r request) (answer, error) {
	conn, err := (&net.Dialer{Timeout: exchange}).DialContext(ctx, "tcp", o.address)
	if err != nil {
		return answer{}, api.AsError(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(exchange)); err != nil {
		return answer{}, api.AsError(err)
	}
	if r.method == "" {
		r.method = http.MethodGet
	}
	if r.host == "" {
		r.host = o.address
	}
	head := append([]string{r.method + " " + r.path + " HTTP/1.1", "Host: " + r.host, "Connection: close", fmt.Sprintf("Content-Length: %d", len(r.body))}, r.headers...)
	if _, err := io.WriteString(conn, strings.Join(head, "\r\n")+"\r\n\r\n"+r.body); err != nil {
		return answer{}, api.AsError(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return answer{}, api.AsError(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return answer{response.StatusCode, string(text)}, err
}

// refuses wants each request to be answered by a status of 400 or more.
func (o open) refuses(ctx context.Context, requests ...request) error {
	for _, r := range requests {
		a, err := o.ask(ctx, r)
		if err != nil {
			return err
		}
		if a.status < 400 {
			return broken("%s %s with %q and the host %q was answered by %d", r.method, r.path, r.headers, r.host, a.status)
		}
	}
	return nil
}

func withoutToken(ctx context.Context, o open) error {
	var requests []request
	for _, path := range []string{"/v1/runs", "/v1/secrets", "/v1/sessions", "/v1/images", "/v1/doctor", "/metrics"} {
		for _, headers := range [][]string{nil, {"Authorization:"}, {"Authorization: Bearer "}, {"Authorization: Bearer x" + o.token}, {"Authorization: Basic Og=="}, {"Cookie: token=x"}} {
			requests = append(requests, request{path: path, headers: headers})
		}
	}
	return o.refuses(ctx, requests...)
}

// paths asks with the token for the canary.
func paths(ctx context.Context, o open) error {
	up := strings.Repeat("../", 12)
	escaped := strings.Repeat("..%2f", 12)
	file := strings.TrimPrefix(o.b.canary, "/")
	for _, path := range []string{
		"/" + up + file, "/" + escaped + file, "/v1/blobs/" + up + file, "/v1/blobs/" + escaped + strings.ReplaceAll(file, "/", "%2f"),
		"/v1/runs/" + escaped + file, "/page/static/x/" + escaped + strings.ReplaceAll(file, "/", "%2f"), "//" + file, "/%2f" + file, "/v1/../" + up + file,
	} {
		a, err := o.ask(ctx, request{path: path, headers: []string{"Authorization: Bearer " + o.token}})
		if err != nil {
			return err
		}
		if strings.Contains(a.text, o.b.content) {
			return broken("GET %s gave a file of this host", path)
		}
	}
	return nil
}

// otherOrigins sends requests that a browser sends for a page of somebody else, with the
// token, as if the browser had it.
func otherOrigins(ctx context.Context, o open) error {
	token := "Authorization: Bearer " + o.token
	return o.refuses(ctx,
		request{path: "/v1/runs", host: "evil.example", headers: []string{token}},
		request{path: "/v1/runs", host: "evil.example:80", headers: []string{token}},
		request{method: http.MethodPost, path: "/v1/blobs", headers: []string{token, "Origin: https://evil.example"}, body: "x"},
		request{method: http.MethodPost, path: "/v1/blobs", headers: []string{token, "Origin: null"}, body: "x"},
		request{method: http.MethodPost, path: "/v1/blobs", headers: []string{token, "Sec-Fetch-Site: cross-site"}, body: "x"},
	)
}

func listensToTheWorld(ctx context.Context, b *Bench) error {
	for _, token := range []string{"", newCanary()} {
		address, stop, err := b.Serve(ctx, "0.0.0.0:0", token)
		if err == nil {
			stop()
			return broken("a server without TLS listened at %s, with a token of %d letters", address, len(token))
		}
		if !errors.Is(err, api.RequestInvalid) && !errors.Is(err, api.InvalidTask) {
			return err
		}
	}
	return nil
}

// giantHead sends 16 MiB of headers, unless the server ends it.
func giantHead(ctx context.Context, o open) error {
	a, err := o.ask(ctx, request{path: "/healthz", headers: []string{"X: " + strings.Repeat("x", 16<<20)}})
	if err == nil && a.status < 400 {
		return broken("a head of 16 MiB was answered by %d", a.status)
	}
	return ctx.Err() // the server may close the connection while the head comes
}

func pageWithoutSigningIn(ctx context.Context, o open) error {
	for _, path := range []string{"/page/runs", "/page/tasks", "/page/schedules"} {
		a, err := o.ask(ctx, request{path: path, headers: []string{"Accept: text/html", "Cookie: glovebox=x"}})
		if err != nil {
			return err
		}
		if a.status < 300 {
			return broken("GET %s was answered by %d", path, a.status)
		}
	}
	return nil
}

func forms(ctx context.Context, o open) error {
	form := []string{"Content-Type: application/x-www-form-urlencoded", "Origin: https://evil.example"}
	return o.refuses(ctx,
		request{method: http.MethodPost, path: "/page/sign-in", headers: form, body: "token=" + o.token},
		request{method: http.MethodPost, path: "/page/sign-out", headers: form, body: "x=y"},
		request{method: http.MethodPost, path: "/page/sessions", headers: form, body: "x=y"},
	)
}
