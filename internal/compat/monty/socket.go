package monty

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/coder/websocket"
)

// Upgrade makes a WebSocket of a request, and answers its client until that
// leaves or ctx ends. Each frame is one binary message. Who may send the
// request, and from which page, is for the caller to say.
func Upgrade(ctx context.Context, w http.ResponseWriter, r *http.Request, o Options) error {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return err
	}
	defer c.CloseNow()
	c.SetReadLimit(maxFrame)
	if err := Serve(ctx, socket{c}, o); err != nil {
		return err
	}
	_ = c.Close(websocket.StatusNormalClosure, "") // the client may be gone
	return nil
}

type socket struct{ conn *websocket.Conn }

// Read implements Conn.
func (s socket) Read(ctx context.Context) ([]byte, error) {
	kind, frame, err := s.conn.Read(ctx)
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd:
		return nil, io.EOF
	}
	switch {
	case err != nil:
		return nil, err
	case kind != websocket.MessageBinary:
		return nil, errors.New("a message that is not binary")
	}
	return frame, nil
}

// Write implements Conn.
func (s socket) Write(ctx context.Context, frame []byte) error {
	return s.conn.Write(ctx, websocket.MessageBinary, frame)
}
