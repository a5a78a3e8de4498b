package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// enginePort is where the engine is, and nothing else.
const enginePort = 80

// toEngine handles CONNECT to the engine. No policy allows or forbids it: a cell
// has the way, or it has not.
func (s *session) toEngine(t target) *refusal {
	if r := s.proxy.refuseEngine(t); r != nil {
		s.answer(r)
		return r
	}
	select {
	case s.proxy.engineSlots <- struct{}{}:
		defer func() { <-s.proxy.engineSlots }()
	default:
		r := exhausted("more than %d connections to the engine at once, close some first", maxEngine)
		s.answer(r)
		return r
	}
	if _, err := io.WriteString(s.conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return nil
	}
	return s.carry(s.proxy.options.Engine, &s.proxy.engineQuota)
}

func (p *Proxy) refuseEngine(t target) *refusal {
	switch {
	case p.options.Engine == nil:
		return &refusal{status: http.StatusForbidden, reason: "this run has no way to the engine", hint: "its task has to say that it starts runs: starts_runs"}
	case t.port != enginePort:
		return badRequest("the engine is at %s:%d", api.EngineHost, enginePort)
	case p.engineQuota.spent():
		return p.engineQuota.refusal()
	}
	return nil
}

// carry copies both ways until both have ended. The other side may be silent for
// as long as a run takes, so silence does not end the session; what a connection
// may cost is the business of the server behind it. It gets one end of a pipe,
// because a deadline ends the connection of a cell for good.
func (s *session) carry(to func(context.Context, net.Conn), q *quota) *refusal {
	s.conn.idle.Stop()
	near, far := net.Pipe()
	up := &upstream{Conn: near, quota: q}
	defer context.AfterFunc(s.ctx, func() { near.Close() })()
	served := make(chan struct{})
	go func() {
		defer close(served)
		defer far.Close()
		to(s.ctx, far)
	}()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(s.conn, up)
		_ = closeWrite(s.conn)
		s.timer(lingerTimeout)
	}()
	if _, err := io.Copy(up, s.in); errors.Is(err, io.ErrClosedPipe) {
		_, _ = io.Copy(io.Discard, s.in) // who is cut off in a request still gets the answer
	}
	near.Close()
	<-answered
	<-served
	if up.cut.Load() {
		return q.refusal()
	}
	return nil
}
