// Package gateway lets the program of one cell ask the model of its task, by the
// messages of Anthropic or the responses of OpenAI. The host asks in its place and
// adds the key there.
//
// The program is taken to be hostile. It reaches few paths of one provider, for one
// model, within a budget; what would have the provider reach something else, such as
// its own tools, addresses and stored files, is refused before it is sent.
//
//	gateway.go   Gateway: which requests there are, and how one is answered
//	failure.go   what the program hears in the place of an answer
//	protocol.go  what differs from protocol to protocol
//	question.go  what may be asked: messages.go, responses.go
//	equal.go     when two questions are equal, also equalresponses.go
//	spool.go     an answer on its way, which waits for no reader
//	run.go       questions as runs below that of the cell
package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// Bounds of what one cell asks for.
const (
	maxBody     = 16 << 20 // bytes of a question
	maxAtOnce   = 8        // questions
	maxRequests = 100_000  // those that were refused or failed included
	bodyTimeout = 2 * time.Minute
)

// Ask asks a model a question, and tells the exchange of the answer as it comes.
type Ask func(ctx context.Context, m api.Model, q api.ModelRaw, x *model.Exchange) (api.ModelAnswer, error)

// Config is what a Gateway is made of.
type Config struct {
	Asks *api.Asks
	Ask  Ask
	// Recorded says that the answer is kept, so that it is worth having although its
	// program has gone.
	Recorded bool
	Memory   *budget.Memory // nil bounds nothing
}

// Gateway answers the program of one cell. It is an http.Handler.
type Gateway struct {
	config Config
	speaks protocol
	life   context.Context // of what it asks
	cancel context.CancelFunc
	asking sync.WaitGroup
	slots  chan struct{}

	mu       sync.Mutex
	closed   bool
	requests int
	spent    api.ModelUsage
}

// New returns a gateway. End ends it.
func New(c Config) *Gateway {
	g := &Gateway{config: c, speaks: protocols[c.Asks.Model.Protocol], slots: make(chan struct{}, maxAtOnce)}
	g.life, g.cancel = context.WithCancel(context.Background())
	return g
}

// End ends what is being asked, and returns when nothing of it is left.
func (g *Gateway) End() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.cancel()
	g.asking.Wait()
}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := g.serve(w, r); err != nil {
		g.speaks.fail(w, err)
	}
}

// serve answers a request, or says why it has no answer. It has written nothing then.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost || !slices.Contains(g.speaks.paths, r.URL.Path) {
		return refused(http.StatusNotFound, "this cell asks its model by POST %s, and nothing else", strings.Join(g.speaks.paths, " or POST "))
	}
	if err := g.begin(); err != nil {
		return err
	}
	s := newSpool()
	ask, err := g.take(w, r, s)
	if err != nil {
		g.asking.Done()
		return err
	}
	go func() {
		defer g.asking.Done()
		defer func() { <-g.slots }()
		ask()
	}()
	return s.copyTo(r.Context(), w)
}

// take waits for a place among the questions, and reads one.
func (g *Gateway) take(w http.ResponseWriter, r *http.Request, s *spool) (ask func(), err error) {
	select {
	case g.slots <- struct{}{}:
	case <-r.Context().Done():
		return nil, refused(http.StatusServiceUnavailable, "the program has gone")
	case <-g.life.Done():
		return nil, errEnded()
	}
	ask, err = g.read(w, r, s)
	if err != nil {
		<-g.slots
	}
	return ask, err
}

func errEnded() error {
	return refused(http.StatusServiceUnavailable, "the attempt of the cell has ended")
}

// begin counts a request, if the budget still has one. End waits for it from then on.
func (g *Gateway) begin() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
	tokens, b := g.spent.Input+g.spent.Output, g.config.Asks.Budget
	switch {
	case g.closed:
		return errEnded()
	case g.requests > maxRequests:
		return refused(http.StatusForbidden, "the cell has asked %d times", maxRequests)
	case b.Calls > 0 && g.spent.Asked >= int64(b.Calls):
		return refused(http.StatusForbidden, "the budget of %d questions to the model is spent", b.Calls)
	case b.Tokens > 0 && tokens >= b.Tokens:
		return refused(http.StatusForbidden, "the budget of %d tokens is spent: there were %d", b.Tokens, tokens)
	case b.Cost > 0 && g.spent.Cost >= b.Cost:
		return refused(http.StatusForbidden, "the budget of %g US dollars is spent: it cost %.6g", b.Cost, g.spent.Cost)
	}
	g.asking.Add(1)
	return nil
}

// read reads a question, and returns what asks it. The memory for the question is
// taken before it is read.
func (g *Gateway) read(w http.ResponseWriter, r *http.Request, s *spool) (ask func(), err error) {
	size := r.ContentLength
	if size > maxBody {
		return nil, tooLarge()
	}
	if size < 0 {
		size = maxBody
	}
	ctx, share := g.config.Memory.Share(r.Context())
	defer func() {
		if err != nil {
			share.Release()
		}
	}()
	if err := budget.Take(ctx, budget.CostOfText(size)); err != nil {
		return nil, refused(http.StatusServiceUnavailable, "the host has no memory for the question now")
	}
	body, err := readBody(w, r)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, refused(http.StatusBadRequest, "the question cannot be read: %w", err)
	}
	m := g.config.Asks.Model
	q, err := g.speaks.readQuestion(&m, r, body)
	if err != nil {
		return nil, err
	}
	life := r.Context()
	if g.config.Recorded {
		life = g.life
	}
	return func() {
		defer share.Release()
		answer, err := g.config.Ask(life, m, q, &model.Exchange{Body: body, Begin: s.begin})
		g.charge(answer.Usage)
		s.end(answer, err)
	}, nil
}

// readBody does not wait for ever. The deadline must not outlive the body: it would
// look as if the program had gone.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(bodyTimeout)) // of a connection without deadlines nothing comes from a cell
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = c.SetReadDeadline(time.Time{})
	return body, err
}

// charge counts an answer, also one that an earlier attempt was given.
func (g *Gateway) charge(used api.ModelUsage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent = g.spent.Add(used)
}

func tooLarge() error {
	return refused(http.StatusRequestEntityTooLarge, "a question may have %d bytes", maxBody)
}
