package gateway

import (
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// spool is an answer on its way. Who writes it never waits for the program, which
// may not read; an answer is bounded where it comes from.
type spool struct {
	mu         sync.Mutex
	status     int // 0 until the first of the answer is there
	retryAfter string
	media      string
	text       []byte
	ended      bool
	err        error
	news       chan struct{} // closed at the next change
}

func newSpool() *spool { return &spool{news: make(chan struct{})} }

// begin is an Exchange's Begin.
func (s *spool) begin(status int, retryAfter, media string) io.Writer {
	s.change(func() { s.status, s.retryAfter, s.media = status, retryAfter, media })
	return s
}

// Write implements io.Writer.
func (s *spool) Write(text []byte) (int, error) {
	s.change(func() { s.text = append(s.text, text...) })
	return len(text), nil
}

// end ends it, with the whole answer if nothing came before: it was recorded.
func (s *spool) end(a api.ModelAnswer, err error) {
	s.change(func() {
		s.ended, s.err = true, err
		if err == nil && s.status == 0 && a.Raw != nil {
			s.status, s.media, s.text = http.StatusOK, a.Raw.Type, []byte(a.Raw.Body)
		}
	})
}

func (s *spool) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.news)
	s.news = make(chan struct{})
}

// copyTo writes the answer as it comes. An error that it returns is for the program,
// to which nothing was written; one in the middle of an answer breaks it off.
func (s *spool) copyTo(ctx context.Context, w http.ResponseWriter) error {
	for sent := 0; ; {
		s.mu.Lock()
		status, media, text, ended, err, news := s.status, s.media, s.text[sent:], s.ended, s.err, s.news
		s.mu.Unlock()
		switch {
		case status == http.StatusOK && sent == 0 && len(text) > 0:
			w.Header().Set("Content-Type", media)
		case ended && sent == 0:
			return s.failure()
		}
		if len(text) > 0 {
			sent += len(text)
			if _, err := w.Write(text); err != nil {
				return nil // the program has gone
			}
			_ = http.NewResponseController(w).Flush() // the next write says what is wrong
			continue
		}
		if ended && err != nil {
			panic(http.ErrAbortHandler)
		}
		if ended {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil
		}
	}
}

// failure is why there is no answer, with the status of the provider.
func (s *spool) failure() error {
	if s.err == nil {
		return refused(http.StatusBadGateway, "the answer is empty")
	}
	r := asRefusal(s.err)
	if s.status != 0 && s.status != http.StatusOK {
		r = &refusal{err: r.err, status: s.status, retryAfter: s.retryAfter}
	}
	return r
}
