package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// workerProtocol is what a worker asks to be upgraded to.
const workerProtocol = "glovebox-worker"

// registerWorkers adds the routes of the processes that offer functions.
func (s *Server) registerWorkers() {
	route(s, traits{}, operation(http.MethodGet, "/v1/workers", "workers", "listWorkers", "The processes that offer functions"),
		func(ctx context.Context, _ *nothing) (*answer[workersAnswer], error) {
			workers, err := s.Service.Workers(ctx)
			return answerWith(workersAnswer{orEmpty(workers)}, err)
		})
	connect := operation(http.MethodPost, "/v1/workers/connect", "workers", "connectWorker", "Offer functions over this connection")
	connect.Description = "With Connection: Upgrade and Upgrade: glovebox-worker. Both sides then send JSON lines, as docs/WORKER.md says."
	route(s, traits{stream: true, raw: true}, connect, s.connectWorker)
	s.content(connect, "101", "The connection speaks glovebox-worker now")
	delete(s.operationOf(connect).Responses, "200")
	for i, value := range []string{workerProtocol, "Upgrade"} { // without them it is 426, which huma would not know
		p := s.operationOf(connect).Parameters[i]
		p.Required, p.Schema.Enum = true, []any{value}
	}
}

type workersAnswer struct {
	Workers []api.Worker `json:"workers"`
}

type connectInput struct {
	Upgrade    string `header:"Upgrade" doc:"What the connection is to become"`
	Connection string `header:"Connection" doc:"That it is to become something else"`
}

func (s *Server) connectWorker(_ context.Context, in *connectInput) (*huma.StreamResponse, error) {
	if s.Config.Workers == nil {
		return nil, api.Errorf(api.WorkerUnavailable, "this server takes no workers")
	}
	if !strings.EqualFold(in.Upgrade, workerProtocol) || !strings.Contains(strings.ToLower(in.Connection), "upgrade") {
		return nil, refusal(http.StatusUpgradeRequired, api.Errorf(api.RequestInvalid, "a worker has to ask for an upgrade").
			WithDetails(api.Details{Field: "Upgrade", Expected: workerProtocol, Got: in.Upgrade}))
	}
	return streamed(s.takeOver), nil
}

// takeOver turns the connection of a request into that of a worker, until the
// worker leaves or the server stops.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request) {
	id := infoOf(r).id
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		newFailure(api.Errorf(api.RequestInvalid, "this connection cannot be upgraded")).write(w, r)
		return
	}
	defer conn.Close()
	if answer, ok := w.(*response); ok {
		answer.status = http.StatusSwitchingProtocols
	}
	_ = conn.SetDeadline(time.Time{}) // fails only when the connection is gone
	switched := "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + workerProtocol + "\r\n" + requestIDHeader + ": " + id + "\r\n\r\n"
	if _, err := io.WriteString(conn, switched); err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // that of r also ends with what is read
	defer s.cancelOnDrain(ctx, cancel)()
	if err := s.Config.Workers(ctx, upgraded{conn, buffered.Reader}); err != nil && ctx.Err() == nil { // else we left it
		s.Logger.Warn("a worker left", "request", id, "error", err)
	}
}

// upgraded is a connection of which something was read already.
type upgraded struct {
	net.Conn
	r *bufio.Reader
}

func (c upgraded) Read(p []byte) (int, error) { return c.r.Read(p) }
