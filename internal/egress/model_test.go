package egress

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// modelEcho answers each request with its path.
func modelEcho(_ context.Context, conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		text := req.URL.Path + " " + string(body)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	}
}

// TestModelUnderEveryPolicy: a program that takes the proxy for a server comes to its
// model, under every policy, and what is for the proxy goes where the policy lets it
// (attack Q10).
func TestModelUnderEveryPolicy(t *testing.T) {
	for _, policy := range []api.Network{{}, allow("a.org"), public} {
		w := newWorld()
		options := w.options()
		options.Model = modelEcho
		conn := w.cellWith(t, policy, options).dial()
		in := bufio.NewReader(conn)
		for _, path := range []string{"/v1/messages", "/other"} {
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1:3128\r\nContent-Length: 2\r\n\r\nhi", path)
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := io.ReadAll(res.Body); string(text) != path+" hi" {
				t.Errorf("%+v: %q", policy, text)
			}
		}
		conn.Close()
		if a := w.waitForAudit(t, 1)[0]; a.Host != api.ModelHost || !a.Allowed {
			t.Errorf("%+v: %+v", policy, a)
		}
	}
	w := newWorld()
	options := w.options()
	options.Model = modelEcho
	c := w.cellWith(t, api.Network{}, options)
	for _, to := range []string{"model.glovebox:80", "engine.glovebox:80", "a.org:443"} {
		if _, _, status := c.connect(to); !strings.HasPrefix(status, "403") {
			t.Errorf("%s: %s", to, status)
		}
	}
}

// TestNoModelWithoutLeave: the proxy of a cell that may ask none is no server.
func TestNoModelWithoutLeave(t *testing.T) {
	conn := newWorld().cell(t, public).dial()
	fmt.Fprint(conn, "POST /v1/messages HTTP/1.1\r\nHost: x\r\n\r\n")
	if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || res.StatusCode != http.StatusBadRequest {
		t.Errorf("%v, %v", res, err)
	}
}
