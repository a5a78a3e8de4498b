package page

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// counted is a service that counts how often a run is read for its page, and can hold that
// up.
type counted struct {
	*fake
	read, followed atomic.Int64
	gate           chan struct{} // nil holds up nothing
	broken         bool
}

func (s *counted) RunTask(ctx context.Context, id string) (*api.Task, error) {
	s.read.Add(1)
	if s.broken {
		panic("no task")
	}
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.fake.RunTask(ctx, id)
}

func (s *counted) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	s.followed.Add(1)
	return s.fake.Events(ctx, id, after)
}

func newCounted(t *testing.T) (*browser, *counted) {
	b := newBrowser(t, hostileService())
	s := &counted{fake: b.fake}
	b.page.Service = s
	return b, s
}

// TestViewersShareARendering holds 200 browsers that ask at once to two renderings: the first
// one's, and one for all others that begins after they asked. So they see what was
// changed meanwhile.
func TestViewersShareARendering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newCounted(t)
		s.gate = make(chan struct{})
		answers := make([]*httptest.ResponseRecorder, 200)
		var all sync.WaitGroup
		ask := func(i int) {
			all.Go(func() { answers[i] = b.do(b.request("GET", "/page/runs/run-1", nil)) })
			synctest.Wait()
		}
		ask(0)
		b.fake.mu.Lock()
		b.fake.runs[0].Status = api.StatusCanceled
		b.fake.mu.Unlock()
		for i := range answers[1:] {
			ask(i + 1)
		}
		s.gate <- struct{}{}
		s.gate <- struct{}{}
		all.Wait()
		if n := s.read.Load(); n != 2 || len(b.page.renderings.all) != 0 {
			t.Errorf("%d renderings, and %d are kept", n, len(b.page.renderings.all))
		}
		for i, w := range answers {
			if canceled := strings.Contains(w.Body.String(), `<span class="status s-canceled">`); w.Code != 200 || canceled != (i > 0) {
				t.Errorf("browser %d: %d, sees the change: %v", i, w.Code, canceled)
			}
		}
	})
}

// TestAttackV12_SharedRenderings is V12: what is shared has nothing of one browser. Each gets its own form
// token and the nonce of its own policy, and nothing else that it sends gets in.
func TestAttackV12_SharedRenderings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newCounted(t)
		s.gate = make(chan struct{})
		const browsers = 4
		cookies, answers := [browsers]string{}, [browsers]*httptest.ResponseRecorder{}
		var all sync.WaitGroup
		for i := range browsers {
			cookies[i] = b.page.keys.cookie(b.page.Now().Add(time.Hour))
			r := httptest.NewRequest("GET", "/page/runs/run-1", nil)
			r.AddCookie(&http.Cookie{Name: cookieName, Value: cookies[i]})
			for _, name := range []string{"Accept", "Referer", "User-Agent", "X-Forwarded-Host", "X-Forwarded-Prefix", "Accept-Language"} {
				r.Header.Set(name, "text/html,poison")
			}
			r.Host = "poison.localhost"
			all.Go(func() { answers[i] = b.do(r) })
			synctest.Wait()
		}
		stranger := b.do(httptest.NewRequest("GET", "/page/runs/run-1", nil)) // cannot join
		close(s.gate)
		all.Wait()
		if stranger.Code != http.StatusUnauthorized || s.read.Load() != 2 {
			t.Errorf("a stranger gets %d; %d renderings", stranger.Code, s.read.Load())
		}
		for i, w := range answers {
			page, policy := w.Body.String(), w.Header().Get("Content-Security-Policy")
			_, nonce, _ := strings.Cut(page, `nonce="`)
			nonce, _, _ = strings.Cut(nonce, `"`)
			if w.Code != 200 || !strings.Contains(policy, "'nonce-"+nonce+"'") || strings.Contains(page, "poison") || w.Header().Get("Cache-Control") != answers[0].Header().Get("Cache-Control") {
				t.Errorf("browser %d: %d, nonce %q for %q, header %v", i, w.Code, nonce, policy, w.Header())
			}
			for j, cookie := range cookies {
				if has := strings.Contains(page, b.page.keys.formToken(cookie)); has != (i == j) {
					t.Errorf("browser %d has the form token of %d: %v", i, j, has)
				}
			}
			if i > 0 && strings.Contains(answers[i-1].Body.String(), nonce) {
				t.Errorf("browsers %d and %d have one nonce", i-1, i)
			}
		}
	})
}

// TestRenderingsEnd: one that all have left is stopped, one that panics is an error of
// those who asked, and the next one is made.
func TestRenderingsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newCounted(t)
		s.gate = make(chan struct{})
		var all sync.WaitGroup
		var leave []func()
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			leave = append(leave, cancel)
			all.Go(func() { b.do(b.request("GET", "/page/runs/run-1", nil).WithContext(ctx)) })
			synctest.Wait()
		}
		for _, cancel := range slices.Backward(leave) { // who waits for the first one at last
			cancel()
			synctest.Wait()
		}
		all.Wait()
		if n := s.read.Load(); n != 1 || len(b.page.renderings.all) != 0 {
			t.Errorf("%d renderings were begun after their viewers had left, %d are kept", n, len(b.page.renderings.all))
		}
		s.gate, s.broken = nil, true
		if w := b.do(b.request("GET", "/page/runs/run-1", nil)); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "no task") {
			t.Errorf("a panic: %d %s", w.Code, w.Body)
		}
		s.broken = false
		b.get("/page/runs/run-1")
	})
}

// TestFollowersShareAReading: events of a run are read once for all who follow it, those who
// come later learn at once that something may have happened, and all of the end.
func TestFollowersShareAReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newCounted(t)
		b.fake.happens = make(chan api.Event)
		var all sync.WaitGroup
		answers := make([]*httptest.ResponseRecorder, 20)
		for i := range answers {
			all.Go(func() { answers[i] = b.do(b.request("GET", "/page/follow/runs/run-2", nil)) })
			time.Sleep(2 * settle)
			synctest.Wait()
		}
		b.fake.happens <- api.Event{Run: "run-2", Seq: 2, Kind: api.EventCallStarted}
		time.Sleep(2 * settle)
		close(b.fake.happens)
		all.Wait()
		for i, w := range answers {
			if changes := strings.Count(w.Body.String(), "event: change"); changes != 3 || !strings.HasSuffix(w.Body.String(), "event: end\ndata: null\n\n") {
				t.Errorf("follower %d was told of %d changes:\n%s", i, changes, w.Body)
			}
		}
		if n := s.followed.Load(); n != 1 || len(b.page.watchers.all) != 0 {
			t.Errorf("the events were read %d times, %d watchers are left", n, len(b.page.watchers.all))
		}
	})
}
