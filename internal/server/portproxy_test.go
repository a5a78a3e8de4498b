package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// app is a server in a cell: it shows what it was asked.
func app(t *testing.T) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		w.Header().Add("Set-Cookie", "a=1; Domain=localhost; Path=/")
		w.Header().Add("Set-Cookie", portTokenCookie+"=stolen")
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s\n%s\n", r.Method, r.URL.RequestURI(), body, r.Host)
		_ = r.Header.Write(w)
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "data: first\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/socket", func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_, _ = io.Copy(conn, rw)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.Listener.Addr().String()
}

// openPort makes a session whose port 8000 is open.
func (h *host) openPort(body string) (id, name string, port api.Port) {
	h.t.Helper()
	h.kept.Listen(8000, app(h.t))
	_, id = h.newSession()
	res := h.askTCP("PUT", "/v1/sessions/"+id+"/ports/8000", body, "Authorization: Bearer "+token)
	if err := json.Unmarshal([]byte(text(h.t, res)), &port); err != nil || res.StatusCode != http.StatusOK {
		h.t.Fatalf("%d: %v", res.StatusCode, err)
	}
	_, number, _ := net.SplitHostPort(h.tcp)
	return id, "8000-" + id + ".localhost:" + number, port
}

// TestOpenPort carries requests to whoever has the token, and to nobody else.
func TestOpenPort(t *testing.T) {
	h := start(t)
	id, name, port := h.openPort("")
	if want := "http://" + name + "/"; port.URL != want {
		t.Errorf("url is %s, want %s", port.URL, want)
	}
	for _, test := range []struct {
		path    string
		headers []string
		status  int
	}{
		{"/a//b/../c?q=1", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token}, 200},
		{"/", []string{"Host: " + name, "Cookie: glovebox-port-token=" + port.Token}, 200},
		{"/", []string{"Host: " + name}, 401},
		{"/", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token + "x"}, 401},
		{"/", []string{"Host: " + name, "Authorization: Bearer " + token}, 401},
		{"/", []string{"Host: 8001" + name[4:], "Glovebox-Port-Token: " + port.Token}, 404},
		{"/", []string{"Host: 8000-other.localhost", "Glovebox-Port-Token: " + port.Token}, 404},
		{"/", []string{"Host: 8000-" + id + ".evil.example", "Glovebox-Port-Token: " + port.Token}, 421},
		{"/", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token, "Origin: http://" + name}, 200},
		{"/", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token, "Origin: http://" + h.tcp}, 403},
		{"/", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token, "Origin: http://8000-other.localhost"}, 403},
		{"/", []string{"Host: " + name, "Glovebox-Port-Token: " + port.Token, "Sec-Fetch-Site: cross-site"}, 403},
		{"/v1/sessions/" + id + "/ports/8000/proxy/x", []string{"Glovebox-Port-Token: " + port.Token}, 200},
		{"/v1/sessions/" + id + "/ports/8000/proxy/x", []string{"Authorization: Bearer " + token}, 200},
		{"/v1/sessions/" + id + "/ports/8000/proxy/x", []string{"Cookie: glovebox-port-token=" + port.Token}, 401},
		{"/v1/sessions/" + id + "/ports/8000/proxy/x?glovebox_port_token=" + port.Token, nil, 401},
		{"/v1/sessions/" + id + "/ports/8001/proxy/x", []string{"Authorization: Bearer " + token}, 404},
	} {
		if res := h.askTCP("GET", test.path, "", test.headers...); res.StatusCode != test.status {
			t.Errorf("%s with %q: %d %s, want %d", test.path, test.headers, res.StatusCode, text(t, res), test.status)
		}
	}
	if err := h.kept.KillSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	expect(t, h.askTCP("GET", "/", "", "Host: "+name, "Glovebox-Port-Token: "+port.Token), 410, api.SessionEnded)
}

// TestNothingOfOursGoesIn: a cell gets neither tokens nor cookies of this server.
func TestNothingOfOursGoesIn(t *testing.T) {
	h := start(t)
	id, name, port := h.openPort("")
	secret := "Glovebox-Port-Token: " + port.Token
	got := text(t, h.askTCP("POST", "/a%2Fb/c?q=1&glovebox_port_token="+port.Token, "body", "Host: "+name, secret, "Authorization: Bearer "+token,
		"Cookie: glovebox-port-token="+port.Token+"; own=1"))
	for _, bad := range []string{port.Token, token, portTokenCookie, "127.0.0.1"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q went in: %s", bad, got)
		}
	}
	for _, good := range []string{"POST /a%2Fb/c?q=1 body", name, "Cookie: own=1", "X-Forwarded-Proto: http"} {
		if !strings.Contains(got, good) {
			t.Errorf("%q did not go in: %s", good, got)
		}
	}
	got = text(t, h.askTCP("GET", "/", "", "Host: "+name, secret, "Authorization: Basic of-the-app"))
	if !strings.Contains(got, "Authorization: Basic of-the-app") {
		t.Errorf("what is for the server in the cell did not go in: %s", got)
	}
	got = text(t, h.askTCP("GET", "/v1/sessions/"+id+"/ports/8000/proxy/a?b=c", "", "Authorization: Bearer "+token, "Cookie: other=1"))
	if !strings.HasPrefix(got, "GET /a?b=c") || strings.Contains(got, token) || strings.Contains(got, "other=1") || !strings.Contains(got, "X-Forwarded-Prefix: /v1/sessions/"+id+"/ports/8000/proxy") {
		t.Errorf("below the path: %s", got)
	}
}

// TestTokensOfOwnersDoNotGoIn: one that is known, and one of which the store cannot say
// whether it is, stay outside; one that is for the server in the cell goes in.
func TestTokensOfOwnersDoNotGoIn(t *testing.T) {
	h := start(t, func(c *Config) {
		c.Authenticate = func(_ context.Context, text string) (api.Identity, error) {
			switch text {
			case "gbx-known":
				return api.Identity{Owner: "ann", Token: "ci", Scopes: []api.Scope{api.ScopeRun}}, nil
			case "gbx-unsure":
				return api.Identity{}, api.Errorf(api.Internal, "the disk does not answer")
			}
			return api.Identity{}, errNoToken()
		}
	})
	_, name, port := h.openPort("")
	for shown, goesIn := range map[string]bool{"gbx-known": false, "gbx-unsure": false, "of-the-app": true} {
		got := text(t, h.askTCP("GET", "/", "", "Host: "+name, "Glovebox-Port-Token: "+port.Token, "Authorization: Bearer "+shown))
		if strings.Contains(got, shown) != goesIn {
			t.Errorf("%s went in: %v", shown, !goesIn)
		}
	}
}

// TestAnswersOfCells: a page of a cell has an origin of its own, sets cookies for
// that alone, and below a path it runs in no browser.
func TestAnswersOfCells(t *testing.T) {
	h := start(t)
	id, name, port := h.openPort("")
	res := h.askTCP("GET", "/", "", "Host: "+name, "Glovebox-Port-Token: "+port.Token)
	if got := res.Header.Values("Set-Cookie"); len(got) != 1 || got[0] != "a=1; Path=/" {
		t.Errorf("cookies: %q", got)
	}
	if got := res.Header.Get("Content-Security-Policy"); got != "default-src 'self'" {
		t.Errorf("its policy is %q", got)
	}
	res = h.askTCP("GET", "/v1/sessions/"+id+"/ports/8000/proxy/", "", "Authorization: Bearer "+token)
	if got := res.Header.Values("Content-Security-Policy"); len(got) != 1 || got[0] != "sandbox" {
		t.Errorf("below the path the policy is %q", got)
	}
	for _, path := range []string{"/a?x=1&glovebox_port_token=", "//evil.example/?glovebox_port_token="} {
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res := h.do(&client, "http://"+h.tcp+path+port.Token, "GET", "", "Host: "+name)
		cookie := res.Header.Get("Set-Cookie")
		if res.StatusCode != 303 || strings.HasPrefix(res.Header.Get("Location"), "//") || strings.Contains(res.Header.Get("Location"), port.Token) ||
			cookie != "glovebox-port-token="+port.Token+"; Path=/; HttpOnly; SameSite=Strict" {
			t.Errorf("%s: %d to %q with %q", path, res.StatusCode, res.Header.Get("Location"), cookie)
		}
	}
}

// TestPublicPort needs no token, and keeps pages of others out all the same.
func TestPublicPort(t *testing.T) {
	h := start(t)
	_, name, _ := h.openPort(`{"public": true}`)
	if res := h.askTCP("GET", "/", "", "Host: "+name); res.StatusCode != 200 {
		t.Errorf("%d", res.StatusCode)
	}
	expect(t, h.askTCP("GET", "/", "", "Host: "+name, "Origin: http://evil.example"), 403, api.RequestInvalid)
}

// TestStreamsOfPorts: events come as they are sent, WebSockets go both ways, and
// both end with the port.
func TestStreamsOfPorts(t *testing.T) {
	h := start(t)
	id, name, port := h.openPort("")
	res := h.askTCP("GET", "/events", "", "Host: "+name, "Glovebox-Port-Token: "+port.Token)
	if line, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil || line != "data: first\n" {
		t.Fatalf("%q, %v", line, err)
	}
	conn, err := net.Dial("tcp", h.tcp)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "GET /socket HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://%s\r\nGlovebox-Port-Token: %s\r\n\r\n", name, name, port.Token)
	r := bufio.NewReader(conn)
	switched, err := http.ReadResponse(r, nil)
	if err != nil || switched.StatusCode != 101 {
		t.Fatalf("%v, %v", switched, err)
	}
	fmt.Fprint(conn, "ping")
	got := make([]byte, 4)
	if _, err := io.ReadFull(r, got); err != nil || string(got) != "ping" {
		t.Fatalf("%q, %v", got, err)
	}
	h.askTCP("DELETE", "/v1/sessions/"+id+"/ports/8000", "", "Authorization: Bearer "+token)
	if _, err := r.ReadByte(); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the WebSocket outlives the port: %v", err)
	}
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the events outlive the port")
	}
	expect(t, h.askTCP("GET", "/", "", "Host: "+name, "Glovebox-Port-Token: "+port.Token), 404, api.NotFound)
}

// TestPortsAreBounded: a request to a port takes the place of a stream.
func TestPortsAreBounded(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Streams = 1 })
	h.kept.Listen(8000, app(t))
	_, id := h.newSession()
	if _, err := h.kept.OpenPort(t.Context(), id, 8000, api.PortOptions{Public: true}); err != nil {
		t.Fatal(err)
	}
	h.streams <- struct{}{}
	expect(t, h.askTCP("GET", "/", "", "Host: 8000-"+id+".localhost"), http.StatusTooManyRequests, api.Overloaded)
	<-h.streams
}

func TestPortURL(t *testing.T) {
	for origin, want := range map[string]string{
		"http://127.0.0.1:8700": "http://80-s.localhost:8700/", "http://[::1]:8700": "http://80-s.localhost:8700/", "https://box.example": "https://80-s.box.example/",
		"http://192.168.1.7:80": "http://192.168.1.7:80/v1/sessions/s/ports/80/proxy/", "": "",
	} {
		ctx := context.WithValue(t.Context(), infoKey{}, info{origin: origin})
		if got := portURL(ctx, "s", 80); got != want {
			t.Errorf("%q: got %q, want %q", origin, got, want)
		}
	}
}
