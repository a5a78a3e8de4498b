package egress

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// connect handles CONNECT: a tunnel to one checked address.
func (s *session) connect(req *http.Request) {
	start := time.Now()
	t, r := parseTarget(req.URL.Host, 0)
	if r != nil {
		s.refuse(start, t, r)
		return
	}
	if t.host == api.EngineHost {
		s.proxy.record(start, t, nil, s.toEngine(t))
		return
	}
	if place := s.proxy.options.Withheld.At(true, t.host, t.port); place != nil {
		s.intercept(start, t, place)
		return
	}
	up, r := s.proxy.open(s.ctx, t)
	if r != nil {
		s.refuse(start, t, r)
		return
	}
	if _, err := io.WriteString(s.conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		up.Close()
	}
	s.proxy.record(start, t, up, s.tunnel(t, up))
}

// tunnel copies both ways until both have ended or one has failed.
func (s *session) tunnel(t target, up *upstream) *refusal {
	defer up.Close()
	inward := make(chan struct{})
	go func() {
		defer close(inward)
		if _, err := io.Copy(s.conn, up); err != nil || closeWrite(s.conn) != nil {
			s.cancel()
		}
	}()
	stop := context.AfterFunc(s.ctx, func() { up.Close() })
	defer stop()
	err := s.outward(t, up)
	if err != nil {
		s.cancel()
	}
	<-inward
	var r *refusal
	errors.As(err, &r)
	return r
}

// outward checks what the program says first, then copies it and the rest.
func (s *session) outward(t target, up *upstream) error {
	first, r := s.checkHello(t)
	if r != nil {
		return r
	}
	if _, err := up.Write(first); err != nil {
		return err
	}
	if _, err := io.Copy(up, s.in); err != nil {
		return err
	}
	return up.CloseWrite()
}

// checkHello makes sure, under an allow list, that TLS in the tunnel asks for
// the host that was checked, and that the ports of the web carry TLS. It
// returns the bytes it has read.
func (s *session) checkHello(t target) ([]byte, *refusal) {
	if s.proxy.policy.public {
		return nil, nil
	}
	web := t.port == 443 || t.port == 80
	if web { // elsewhere the server may speak first, for as long as it likes
		defer s.timer(helloTimeout).Stop()
	}
	start, err := s.in.Peek(1)
	if err != nil {
		return nil, nil // nothing was sent, so nothing needs a check
	}
	if start[0] != recordHandshake && web {
		return nil, denied("a tunnel to %s must carry TLS, use a plain http:// request otherwise", t)
	}
	if start[0] != recordHandshake {
		return nil, nil
	}
	name, read, err := serverName(s.in)
	if err != nil {
		return nil, denied("the TLS client hello to %s cannot be read or names no server", t)
	}
	if strings.ToLower(name) != t.host {
		return nil, denied("TLS in the tunnel to %s asks for the server %q", t, clip(name))
	}
	return read, nil
}
