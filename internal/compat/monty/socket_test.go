package monty

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func dial(t *testing.T, served chan<- error) *websocket.Conn {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served <- Upgrade(context.Background(), w, r, Options{Key: testKey, Memory: 1 << 20})
	}))
	t.Cleanup(server.Close)
	c, _, err := websocket.Dial(context.Background(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(maxFrame)
	t.Cleanup(func() { c.CloseNow() })
	return c
}

func exchange(t *testing.T, c *websocket.Conn, frame []byte) event {
	t.Helper()
	if err := c.Write(context.Background(), websocket.MessageBinary, frame); err != nil {
		t.Fatal(err)
	}
	_, answer, err := c.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return readEvent(t, answer)
}

func TestWebSocket(t *testing.T) {
	served := make(chan error, 1)
	c := dial(t, served)
	if ev := exchange(t, c, bytesOf(1, number(9, 6))); ev.kind != eventOK {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if ev := exchange(t, c, bytesOf(3, text(1, "40 + 2"))); ev.kind != eventComplete {
		t.Errorf("event %d: %q", ev.kind, ev.body)
	}
	if ev := exchange(t, c, bytesOf(3, text(1, "'x' * 10_000_000"))); ev.kind != eventError {
		t.Errorf("beyond the memory of the server: event %d", ev.kind)
	}
	_ = c.Close(websocket.StatusNormalClosure, "") // the server may be the first to close
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestCodeEndsWithItsClient leaves while code runs that has no limit of time.
func TestCodeEndsWithItsClient(t *testing.T) {
	served := make(chan error, 1)
	c := dial(t, served)
	exchange(t, c, bytesOf(1, number(9, 6)))
	if err := c.Write(context.Background(), websocket.MessageBinary, bytesOf(3, text(1, "while True: pass"))); err != nil {
		t.Fatal(err)
	}
	c.CloseNow()
	select {
	case <-served:
	case <-time.After(20 * time.Second):
		t.Error("the code runs on")
	}
}
