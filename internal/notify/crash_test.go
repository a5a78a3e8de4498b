package notify

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// dying is the store of a process that is killed at one of its writes.
type dying struct {
	journal.Deliveries
	left  int  // writes until then
	after bool // that write is still carried out
	kill  context.CancelFunc
}

func (d *dying) ChangeDelivery(ctx context.Context, r journal.DeliveryRecord) error {
	if d.left > 0 {
		d.left--
		return d.Deliveries.ChangeDelivery(ctx, r)
	}
	d.kill()
	if d.after {
		return d.Deliveries.ChangeDelivery(context.WithoutCancel(ctx), r)
	}
	return errors.New("the process is gone")
}

// TestCrashAtEveryStep kills the process at each write of a delivery, before and
// after it, with a receiver that answers at the third attempt: the message comes in
// the end, under one id, and one write that is lost costs one more message.
func TestCrashAtEveryStep(t *testing.T) {
	for left := range 3 {
		for _, after := range []bool{false, true} {
			w := newWorld(t)
			w.answer = func(rw http.ResponseWriter, _ *http.Request) {
				if w.received() < 3 {
					rw.WriteHeader(500)
				}
			}
			id := w.ended("run-1", "key")
			ctx, kill := context.WithCancel(t.Context())
			first := w.service(&dying{w.db.Deliveries(), left, after, kill})
			for ctx.Err() == nil {
				round(ctx, first, w.sending())
				w.now = w.now.Add(longPause)
			}
			second := w.service(w.db.Deliveries())
			for w.delivery(id).State == api.DeliveryWaiting {
				round(t.Context(), second, w.sending())
				w.now = w.now.Add(longPause)
			}
			want := 3
			if !after && left == 2 {
				want++ // the answer was lost
			}
			if d := w.delivery(id); d.State != api.DeliveryDelivered || w.received() != want {
				t.Errorf("killed at write %d (carried out: %t): %d messages, want %d: %+v", left, after, w.received(), want, d.Delivery)
			}
			for _, r := range w.got {
				if r.Header.Get("Webhook-Id") != id {
					t.Errorf("a message has the id %q", r.Header.Get("Webhook-Id"))
				}
			}
		}
	}
}

// TestStopping: an attempt under way when the server stops is no attempt.
func TestStopping(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	w.answer = func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}
	id := w.ended("run-1", "key")
	w.Work(ctx, w.sending())
	if d := w.delivery(id); d.State != api.DeliveryWaiting || d.Attempts != 0 {
		t.Errorf("got %+v", d.Delivery)
	}
}

// TestHangingReceiver: a receiver that takes the message and says nothing is left.
func TestHangingReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var far net.Conn
		how := Sending{Refused: func(error) bool { return false }, Dial: func(context.Context, string, string) (net.Conn, error) {
			var near net.Conn
			near, far = net.Pipe()
			go func() {
				buffer := make([]byte, 1<<10)
				for {
					if _, err := far.Read(buffer); err != nil {
						return
					}
				}
			}()
			return near, nil
		}}
		s := newSender(how, func(string) ([]byte, error) { return []byte(key), nil })
		began := time.Now()
		out := s.send(t.Context(), &journal.DeliveryRecord{Delivery: api.Delivery{ID: "m", URL: "http://127.0.0.1/"}}, began)
		if took := time.Since(began); out.delivered || out.final || took != patience {
			t.Errorf("after %s: %+v", took, out)
		}
		far.Close()
	})
}
