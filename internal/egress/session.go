package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

// session is one connection from the cell. It needs no deadlines of the
// connection: what takes too long is cancelled, and that closes it.
type session struct {
	ctx    context.Context
	cancel context.CancelFunc
	proxy  *Proxy
	conn   *watched
	head   *headReader
	in     *bufio.Reader // over head
}

func newSession(ctx context.Context, cancel context.CancelFunc, p *Proxy, conn net.Conn) *session {
	w := &watched{Conn: conn, idle: time.AfterFunc(idleTimeout, cancel)}
	head := &headReader{r: w}
	return &session{ctx: ctx, cancel: cancel, proxy: p, conn: w, head: head, in: bufio.NewReader(head)}
}

// serve handles requests until one ends the connection.
func (s *session) serve() {
	defer s.conn.idle.Stop()
	for s.one() {
	}
}

// one handles one request and reports whether another may follow.
func (s *session) one() bool {
	if s.forModel() {
		s.toModel()
		return false
	}
	req, r := s.readHead()
	if r != nil {
		s.answer(r)
		return false
	}
	if req == nil {
		return false
	}
	if req.Method == http.MethodConnect {
		s.connect(req)
		return false
	}
	return s.forward(req)
}

// readHead waits for a request and reads its head within bounds. Without a
// request and a refusal, the program has closed the connection.
func (s *session) readHead() (*http.Request, *refusal) {
	s.head.left = maxHead
	if _, err := s.in.Peek(1); err != nil {
		return nil, nil
	}
	defer s.timer(headTimeout).Stop()
	req, err := http.ReadRequest(s.in)
	if s.head.spent {
		return nil, &refusal{status: http.StatusRequestHeaderFieldsTooLarge, reason: "the head of the request is too large"}
	}
	if err != nil && s.ctx.Err() != nil {
		return nil, nil
	}
	if err != nil {
		return nil, badRequest("this is not an HTTP request to a proxy")
	}
	s.head.left = math.MaxInt
	return req.WithContext(s.ctx), nil
}

// refuse answers that there is no way to t. It is on record first: the program
// may have ended before the answer is written.
func (s *session) refuse(start time.Time, t target, r *refusal) {
	s.proxy.record(start, t, nil, r)
	s.answer(r)
}

// answer sends a refusal; the connection is closed after it.
func (s *session) answer(r *refusal) { _, _ = io.WriteString(s.conn, r.raw()) }

// timer ends the session if one step takes too long.
func (s *session) timer(d time.Duration) *time.Timer { return time.AfterFunc(d, s.cancel) }

// watched counts every byte that moves as a sign of life.
type watched struct {
	net.Conn
	idle *time.Timer
}

// Read implements net.Conn.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.touch(n)
	return n, err
}

// Write implements net.Conn.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.touch(n)
	return n, err
}

// touch does not revive a timer that has fired or was stopped.
func (w *watched) touch(n int) {
	if n > 0 && w.idle.Stop() {
		w.idle.Reset(idleTimeout)
	}
}

// CloseWrite ends the direction towards the cell.
func (w *watched) CloseWrite() error { return closeWrite(w.Conn) }

var errHeadTooLarge = errors.New("head too large")

// headReader bounds what is read of a request's head.
type headReader struct {
	r     io.Reader
	left  int
	spent bool
}

// Read implements io.Reader.
func (h *headReader) Read(p []byte) (int, error) {
	if h.left <= 0 {
		h.spent = true
		return 0, errHeadTooLarge
	}
	n, err := h.r.Read(p[:min(len(p), h.left)])
	h.left -= n
	return n, err
}
