package cellway

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/internal/server"
)

// Bounds of the requests to a model. What is behind their heads is bounded by what
// answers them.
const (
	headTimeout = 10 * time.Second
	maxHead     = 64 << 10 // bytes
)

// ModelWay is the way of one cell to the model that it may ask.
type ModelWay struct {
	listener *server.Handed
	server   *http.Server
	done     chan struct{}
}

// OpenModel opens a way to what answers the questions.
func OpenModel(answers http.Handler) *ModelWay {
	w := &ModelWay{listener: server.NewHanded(), done: make(chan struct{}), server: &http.Server{
		Handler: answers, ReadHeaderTimeout: headTimeout, MaxHeaderBytes: maxHead,
		ErrorLog: log.New(io.Discard, "", 0), // code in a cell could fill the log of the host
	}}
	go func() {
		defer close(w.done)
		if err := w.server.Serve(w.listener); !errors.Is(err, http.ErrServerClosed) {
			w.listener.Close()
		}
	}()
	return w
}

// Serve carries one connection.
func (w *ModelWay) Serve(_ context.Context, conn net.Conn) { w.listener.Hand(conn) }

// End closes the way, and its connections.
func (w *ModelWay) End() {
	_ = w.server.Close() // of a listener that closes without an error
	<-w.done
}
