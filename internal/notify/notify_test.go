package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

const key = "a key of some length, for the tests"

var errRefused = errors.New("refused")

// world is a service with a clock of the test's, and a receiver.
type world struct {
	*testing.T
	*Service
	db     *sqlite.DB
	now    time.Time
	server *httptest.Server

	mu     sync.Mutex
	answer func(w http.ResponseWriter, r *http.Request)
	got    []*http.Request
	bodies []string
}

func newWorld(t *testing.T) *world {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &world{T: t, db: db, now: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.Service = w.service(db.Deliveries())
	w.server = httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(w.server.Close)
	return w
}

// service is one more over a store, as a process that starts has it.
func (w *world) service(store journal.Deliveries) *Service {
	return New(Config{Store: store, Now: func() time.Time { return w.now }, Secret: func(name string) ([]byte, error) {
		switch name {
		case "key":
			return []byte(key), nil
		case "empty":
			return []byte(" \n"), nil
		}
		return nil, api.Errorf(api.SecretNotFound, "there is no secret %s", name)
	}})
}

func (w *world) sending() Sending {
	return Sending{Dial: (&net.Dialer{}).DialContext, Refused: func(err error) bool { return errors.Is(err, errRefused) }, Page: "https://page.example/box/", Version: "1.2.3"}
}

func (w *world) receive(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	w.got, w.bodies = append(w.got, r), append(w.bodies, string(body))
	answer := w.answer
	w.mu.Unlock()
	if answer != nil {
		answer(rw, r)
	}
}

func (w *world) received() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.got)
}

// ended makes a run that has ended and tells the receiver.
func (w *world) ended(id, secret string) string {
	w.Helper()
	return w.endedAt(id, secret, w.server.URL, w.server.Listener.Addr().String())
}

func (w *world) endedAt(id, secret, url, host string) string {
	w.Helper()
	run := journaltest.NewRun(id, 0, nil)
	end := journaltest.Ended(run.Record, api.StatusFailed, 1)
	end.Record.Error = api.Errorf(api.Timeout, "too slow")
	delivery := "msg-" + id
	end.Deliveries = []journal.DeliveryRecord{{
		Delivery: api.Delivery{ID: delivery, Run: id, Task: "task", Event: api.NotifyFailed, URL: url + "/hook?a=b", Secret: secret, State: api.DeliveryWaiting, Created: w.now, Next: w.now},
		Notice:   end.Record.Notice(), GivenUp: journal.DeliveryTries, Changed: w.now, Host: host, Seq: 1,
	}}
	for _, c := range []journal.Change{run, end} {
		if err := w.db.Journal().Submit(c).Wait(w.Context()); err != nil {
			w.Fatal(err)
		}
	}
	return delivery
}

// round sends what is due now, and waits for it.
func round(ctx context.Context, s *Service, how Sending) {
	to := newSender(how, s.config.Secret)
	for {
		due, err := s.take(ctx)
		if err != nil || len(due) == 0 {
			return
		}
		for _, d := range due {
			s.attempt(ctx, to, d)
			s.release(d.ID)
		}
	}
}

func (w *world) delivery(id string) *journal.DeliveryRecord {
	w.Helper()
	d, err := w.db.Deliveries().Delivery(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return d
}

// TestMessage: the receiver gets what happened, signed, and neither inputs nor
// outputs.
func TestMessage(t *testing.T) {
	w := newWorld(t)
	id := w.ended("run-1", "key")
	round(t.Context(), w.Service, w.sending())
	if w.received() != 1 {
		t.Fatalf("%d messages", w.received())
	}
	r, body := w.got[0], w.bodies[0]
	hook, err := standard.NewWebhookRaw([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	if err := hook.VerifyIgnoringTimestamp([]byte(body), r.Header); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"Webhook-Id": id, "Webhook-Timestamp": fmt.Sprint(w.now.Unix()), "Content-Type": "application/json", "User-Agent": "glovebox/1.2.3",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatal(err)
	}
	data := m["data"].(map[string]any)
	if m["type"] != "run.failed" || data["run"] != "run-1" || data["status"] != "failed" || data["error"].(map[string]any)["code"] != "timeout" || data["url"] != "https://page.example/box/page/runs/run-1" {
		t.Errorf("got %s", body)
	}
	for _, absent := range []string{"inputs", "outputs", key} {
		if strings.Contains(body, absent) {
			t.Errorf("%q is in %s", absent, body)
		}
	}
	if d := w.delivery(id); d.State != api.DeliveryDelivered || d.Attempts != 1 || d.Answer != 200 || !d.Next.IsZero() {
		t.Errorf("got %+v", d.Delivery)
	}
}

// TestAnswers: what each answer makes of a delivery.
func TestAnswers(t *testing.T) {
	endless := func(rw http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := rw.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	status := func(code int, headers ...string) func(http.ResponseWriter, *http.Request) {
		return func(rw http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				rw.Header().Set(headers[i], headers[i+1])
			}
			rw.WriteHeader(code)
		}
	}
	for what, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		secret string
		state  api.DeliveryState
		code   int
		after  time.Duration // at least
	}{
		"created":                   {status(201), "key", api.DeliveryDelivered, 201, 0},
		"an endless body":           {endless, "key", api.DeliveryDelivered, 200, 0},
		"an error":                  {status(500), "key", api.DeliveryWaiting, 500, 8 * time.Second},
		"not found":                 {status(404), "key", api.DeliveryWaiting, 404, 8 * time.Second},
		"gone":                      {status(410), "key", api.DeliveryFailed, 410, 0},
		"a redirect":                {status(307, "Location", "/elsewhere"), "key", api.DeliveryWaiting, 307, 8 * time.Second},
		"retry after seconds":       {status(503, "Retry-After", "120"), "key", api.DeliveryWaiting, 503, 2 * time.Minute},
		"retry after a time":        {status(429, "Retry-After", "Sat, 02 Jan 2027 04:04:05 GMT"), "key", api.DeliveryWaiting, 429, time.Hour},
		"retry after years":         {status(503, "Retry-After", "4000000000"), "key", api.DeliveryWaiting, 503, maxAsked},
		"retry after nonsense":      {status(503, "Retry-After", "5m"), "key", api.DeliveryWaiting, 503, 8 * time.Second},
		"a long head":               {status(200, "X", strings.Repeat("x", 2*maxHead)), "key", api.DeliveryWaiting, 0, 8 * time.Second},
		"no answer":                 {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "key", api.DeliveryWaiting, 0, 8 * time.Second},
		"a secret that is not here": {status(200), "none", api.DeliveryWaiting, 0, 8 * time.Second},
		"an empty secret":           {status(200), "empty", api.DeliveryWaiting, 0, 8 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t)
			w.answer = test.answer
			id := w.ended("run-1", test.secret)
			round(t.Context(), w.Service, w.sending())
			d := w.delivery(id)
			if d.State != test.state || d.Answer != test.code || (d.State != api.DeliveryDelivered) == (d.Reason == "") {
				t.Errorf("got %+v", d.Delivery)
			}
			pause := d.Next.Sub(w.now)
			if test.state == api.DeliveryWaiting && (pause < test.after || pause > test.after+longPause) || test.state != api.DeliveryWaiting && !d.Next.IsZero() {
				t.Errorf("next after %s, want at least %s", pause, test.after)
			}
			if strings.HasPrefix(d.Reason, "http") || strings.Contains(d.Reason, "a=b") {
				t.Errorf("the reason tells the address: %s", d.Reason)
			}
			if n := w.received(); n > 1 {
				t.Errorf("%d requests: a redirect was followed", n)
			}
		})
	}
}

// TestGivenUp: a delivery is tried for hours and then given up, until somebody asks
// for it again.
func TestGivenUp(t *testing.T) {
	w := newWorld(t)
	w.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(502) }
	id := w.ended("run-1", "key")
	began := w.now
	for range 3 * journal.DeliveryTries {
		round(t.Context(), w.Service, w.sending())
		if d := w.delivery(id); !d.Next.IsZero() {
			w.now = d.Next
		}
	}
	d := w.delivery(id)
	if took := w.now.Sub(began); d.State != api.DeliveryFailed || w.received() != journal.DeliveryTries || took < 10*time.Hour || took > 24*time.Hour {
		t.Fatalf("after %s and %d messages: %+v", took, w.received(), d.Delivery)
	}
	w.answer = nil
	again, err := w.Redeliver(t.Context(), id)
	if err != nil || again.State != api.DeliveryWaiting {
		t.Fatalf("got %+v, %v", again, err)
	}
	round(t.Context(), w.Service, w.sending())
	if d := w.delivery(id); d.State != api.DeliveryDelivered || d.Attempts != journal.DeliveryTries+1 || w.got[len(w.got)-1].Header.Get("Webhook-Id") != id {
		t.Errorf("got %+v", d.Delivery)
	}
	if _, err := w.Redeliver(t.Context(), "none"); err == nil || api.AsError(err).Code != api.NotFound {
		t.Errorf("got %v", err)
	}
}

// TestRefusedReceiver (A16): what may not be reached is not tried again.
func TestRefusedReceiver(t *testing.T) {
	w := newWorld(t)
	id := w.ended("run-1", "key")
	how := w.sending()
	how.Dial = func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.Join(errors.New("a private address"), errRefused)
	}
	round(t.Context(), w.Service, how)
	if d := w.delivery(id); d.State != api.DeliveryFailed || d.Attempts != 1 || !strings.Contains(d.Reason, "a private address; the operator can allow it") || w.received() != 0 {
		t.Errorf("got %+v", d.Delivery)
	}
}

// TestClockSetBack: a delivery does not wait for a time by a clock that was wrong.
func TestClockSetBack(t *testing.T) {
	w := newWorld(t)
	w.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(500) }
	id := w.ended("run-1", "key")
	round(t.Context(), w.Service, w.sending())
	w.now, w.answer = w.now.Add(-365*24*time.Hour), nil
	round(t.Context(), w.Service, w.sending())
	if d := w.delivery(id); d.State != api.DeliveryDelivered {
		t.Errorf("got %+v", d.Delivery)
	}
}

// TestSlowReceiver: a receiver that does not answer takes a few attempts at a time,
// and others get theirs meanwhile.
func TestSlowReceiver(t *testing.T) {
	w := newWorld(t)
	release := make(chan struct{})
	var most, now int
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		w.mu.Lock()
		now++
		most = max(most, now)
		w.mu.Unlock()
		<-release
		w.mu.Lock()
		now--
		w.mu.Unlock()
	}))
	defer slow.Close()
	const messages = 3 * maxUnderWay
	for i := range messages {
		w.endedAt(fmt.Sprintf("run-slow-%d", i), "key", slow.URL, slow.Listener.Addr().String())
	}
	last := w.ended("run-quick", "key")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Work(ctx, w.sending())
	}()
	w.waitFor(func() bool { return w.delivery(last).State == api.DeliveryDelivered })
	close(release)
	w.waitFor(func() bool {
		page, err := w.Deliveries(t.Context(), api.DeliveryQuery{State: api.DeliveryDelivered, Limit: 1000})
		return err == nil && len(page.Deliveries) == messages+1
	})
	cancel()
	<-done
	if most > maxOfHost {
		t.Errorf("%d attempts at one host at once", most)
	}
}

// waitFor polls: what it waits for happens in other goroutines.
func (w *world) waitFor(done func() bool) {
	w.Helper()
	for until := time.Now().Add(30 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			w.Fatal("it did not happen")
		}
	}
}

func TestWrongQueries(t *testing.T) {
	w := newWorld(t)
	for field, q := range map[string]api.DeliveryQuery{"state": {State: "gone"}, "cursor": {Cursor: "x"}} {
		if _, err := w.Deliveries(t.Context(), q); err == nil || api.AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
