package model

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of the answers that are given in pieces.
const (
	maxStreams = 1000      // at a time; others are given whole
	keepStream = time.Hour // after their end, for code that waits for somebody meanwhile
)

// streams are answers whose pieces are being taken, by the run that asked and the
// name that it gave them. They end with this process: what is not taken then is
// lost, and nobody is asked for it again.
type streams struct {
	mu     sync.Mutex
	live   map[string]*stream
	closed bool
}

// stream is an answer that is written while others read it.
type stream struct {
	cancel context.CancelFunc

	mu     sync.Mutex
	text   strings.Builder // without the key
	ended  bool
	answer api.ModelAnswer // of one that ended, whose text is above
	err    error
	news   chan struct{} // closed at the next change
}

// first asks, and returns the first piece of the answer.
func (r *Runner) first(ctx context.Context, req *api.Request, question api.ModelRequest, to io.Writer) (api.ModelAnswer, error) {
	name := req.Parent + "/" + question.Pieces
	asking, cancel := context.WithCancel(context.WithoutCancel(ctx)) // outlives this run, which ends with its piece
	s := &stream{cancel: cancel, news: make(chan struct{})}
	if req.Parent == "" || !r.streams.add(name, s) {
		cancel()
		return r.whole(ctx, req, question, to)
	}
	asked := *req // which this run must not touch when it has ended
	asked.Stdout, asked.Stderr, asked.Progress = nil, nil, nil
	go func() {
		defer cancel()
		answer, err := r.whole(asking, &asked, question, s)
		s.end(answer, err)
		time.AfterFunc(keepStream, func() { r.streams.drop(name, s) })
	}()
	return r.take(ctx, name, s, api.ModelRest{}, to)
}

// rest returns a further piece.
func (r *Runner) rest(ctx context.Context, parent string, rest api.ModelRest, to io.Writer) (api.ModelAnswer, error) {
	name := parent + "/" + rest.Pieces
	s := r.streams.find(name)
	if s == nil {
		return api.ModelAnswer{Stop: api.StopLost}, nil
	}
	return r.take(ctx, name, s, rest, to)
}

// take waits for a piece. Who is cancelled meanwhile needs no other one. An answer
// that breaks off after its first piece is lost, for its statements have run.
func (r *Runner) take(ctx context.Context, name string, s *stream, rest api.ModelRest, to io.Writer) (api.ModelAnswer, error) {
	answer, err := s.piece(ctx, rest, r.config.Ready)
	if ctx.Err() != nil {
		s.cancel()
		err = api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	}
	if err != nil || answer.Stop != api.StopMore {
		r.streams.drop(name, s)
	}
	if err != nil && ctx.Err() == nil && rest.After > 0 {
		answer, err = api.ModelAnswer{Stop: api.StopLost}, nil
	}
	_, _ = io.WriteString(to, answer.Text) // as in whole
	return answer, err
}

// Write adds to the text.
func (s *stream) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(text)
	s.tell()
	return len(text), nil
}

func (s *stream) end(answer api.ModelAnswer, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.answer, s.err = true, answer, err
	s.tell()
}

func (s *stream) tell() {
	close(s.news)
	s.news = make(chan struct{})
}

// piece waits for what follows, and returns it.
func (s *stream) piece(ctx context.Context, rest api.ModelRest, ready func(string, int) bool) (api.ModelAnswer, error) {
	looked := 0
	for {
		answer, news, err := s.look(rest, ready, &looked)
		if news == nil {
			return answer, err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return api.ModelAnswer{}, ctx.Err()
		}
	}
}

// look returns what there is, or what tells of more. It asks whether a text is ready
// when that is longer by a thousandth than the last time: the provider decides how
// often it grows.
func (s *stream) look(rest api.ModelRest, ready func(string, int) bool, looked *int) (api.ModelAnswer, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.text.String()
	switch {
	case s.err != nil:
		return api.ModelAnswer{}, nil, s.err
	case rest.After > len(text):
		return api.ModelAnswer{Stop: api.StopLost}, nil, nil
	case s.ended:
		answer := s.answer
		answer.Text = text[rest.After:]
		return answer, nil, nil
	}
	text = text[:wholeRunes(text)]
	if rest.Whole || len(text) <= rest.After || len(text)-*looked <= *looked>>10 {
		return api.ModelAnswer{}, s.news, nil
	}
	*looked = len(text)
	if !ready(text, rest.After) {
		return api.ModelAnswer{}, s.news, nil
	}
	return api.ModelAnswer{Text: text[rest.After:], Stop: api.StopMore}, nil, nil
}

// wholeRunes is how long a text is without a rune that is not complete.
func wholeRunes(text string) int {
	n := len(text)
	for range utf8.UTFMax - 1 {
		if r, size := utf8.DecodeLastRuneInString(text[:n]); r != utf8.RuneError || size != 1 {
			break
		}
		n--
	}
	return n
}

// add keeps a stream in the place of an earlier one of that name, unless there are
// too many.
func (all *streams) add(name string, s *stream) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if earlier := all.live[name]; earlier != nil {
		earlier.cancel()
		delete(all.live, name)
	}
	if all.closed || len(all.live) >= maxStreams {
		return false
	}
	all.live[name] = s
	return true
}

func (all *streams) find(name string) *stream {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.live[name]
}

func (all *streams) drop(name string, s *stream) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.live[name] == s {
		delete(all.live, name)
	}
}

func (all *streams) close() {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.closed = true
	for _, s := range all.live {
		s.cancel()
	}
	clear(all.live)
}
