package app

import (
	"bufio"
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// viewers is how many browsers look at one run.
const viewers = 200

// busy is a service of which every run seems to be under way: something happens to it when
// the bench says so.
type busy struct {
	api.Service
	mu       sync.Mutex
	happened chan struct{} // closed at the next event
}

func (s *busy) happen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.happened)
	s.happened = make(chan struct{})
}

func (s *busy) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.happened
}

func (s *busy) Run(ctx context.Context, id string) (*api.Run, error) {
	run, err := s.Service.Run(ctx, id)
	if err == nil {
		run.Status, run.Ended = api.StatusRunning, time.Time{}
	}
	return run, err
}

// Events yields what the journal has again whenever something happens, as an engine reads
// it again then.
func (s *busy) Events(ctx context.Context, id string, _ int64) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		for ctx.Err() == nil {
			next := s.next()
			for e, err := range s.Service.Events(ctx, id, 0) {
				if !yield(e, err) {
					return
				}
			}
			select {
			case <-next:
			case <-ctx.Done():
			}
		}
	}
}

// BenchmarkViewers measures what a change of a run costs that 200 browsers look at, and how
// long it takes until they have seen it: they get word of it, and load the page.
func BenchmarkViewers(b *testing.B) {
	a := openApp(b, b.TempDir())
	fillJournal(b, a.db.Journal(), 10, 2000)
	s := &busy{Service: a.Service(), happened: make(chan struct{})}
	front, err := server.New(server.Config{Service: s, TokenHash: server.HashToken("token")})
	if err != nil {
		b.Fatal(err)
	}
	web := httptest.NewServer(front.Handler())
	defer web.Close()
	cookies := signIn(b, front.Handler(), "token")
	for name, run := range map[string]string{"2000-calls": "run-parent", "one": "run-000001"} {
		b.Run(name, func(b *testing.B) {
			seen := make(chan time.Time, viewers)
			ctx, leave := context.WithCancel(b.Context())
			var all errgroup.Group
			for range viewers {
				all.Go(func() error { return look(ctx, web.URL, run, cookies, seen) })
			}
			wait := func() (at []time.Time) {
				for range viewers {
					select {
					case t := <-seen:
						at = append(at, t)
					case <-time.After(time.Minute):
						b.Fatal("a change is not seen")
					}
				}
				return at
			}
			wait() // of what there was at first
			var took []time.Duration
			before := processorTime(b)
			for b.Loop() {
				began := time.Now()
				s.happen()
				for _, t := range wait() {
					took = append(took, t.Sub(began))
				}
			}
			slices.Sort(took)
			b.ReportMetric((processorTime(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(took[len(took)/2].Seconds()*1000, "median-ms")
			b.ReportMetric(took[len(took)-1].Seconds()*1000, "last-ms")
			leave()
			_ = all.Wait() // they have left
		})
	}
}

// look follows a run as the script of its page does, and says when it has seen a change.
func look(ctx context.Context, site, run string, cookies []*http.Cookie, seen chan<- time.Time) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	get := func(path string) (io.ReadCloser, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, site+path+run, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", "text/html")
		for _, c := range cookies {
			r.AddCookie(c)
		}
		res, err := client.Do(r)
		if err != nil {
			return nil, err
		}
		return res.Body, nil
	}
	stream, err := get("/page/follow/runs/")
	if err != nil {
		return err
	}
	defer stream.Close()
	for lines := bufio.NewScanner(stream); lines.Scan(); {
		if lines.Text() != "event: change" {
			continue
		}
		page, err := get("/page/runs/")
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, page); err != nil {
			return err
		}
		page.Close()
		seen <- time.Now()
	}
	return nil
}
