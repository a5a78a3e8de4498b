package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// notified are the deliveries of all runs, the newest first.
func notified(t *testing.T, db *sqlite.DB) []journal.DeliveryRecord {
	t.Helper()
	list, _, err := db.Deliveries().ListDeliveries(context.WithoutCancel(t.Context()), api.DeliveryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func openDB(t *testing.T, h *host) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestNotify: a run tells the receivers of its task and its own, of the events that
// they ask for; runs below it tell nobody.
func TestNotify(t *testing.T) {
	h := newHost(t)
	db := openDB(t, h)
	e := h.engine("a", db.Journal())
	defer e.Close()
	tools := idempotent(h.arithmetic())
	all := api.Notify{URL: "https://all.example/x", Secret: "s"}
	for i := range tools {
		tools[i].Notify = []api.Notify{all}
	}
	task := orchestrate("fail(add(1, 2))", anything, tools...)
	task.Notify = []api.Notify{all, {URL: "https://good.example/x", Secret: "s", Events: []api.NotifyEvent{api.NotifySucceeded}}}
	own := api.Notify{URL: "http://127.0.0.1:9/", Secret: "s", Events: []api.NotifyEvent{api.NotifyCanceled, api.NotifyFailed}}
	run, err := e.Submit(t.Context(), api.Submission{Task: task, Notify: []api.Notify{all, own}})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = e.Wait(t.Context(), run.ID)
	var got []string
	for _, d := range notified(t, db) {
		got = append(got, string(d.Event)+" "+d.Host)
		if d.Run != run.ID || d.Notice.Error == nil || d.Notice.Error.Code != api.CallFailed && d.Notice.Error.Code == "" || d.State != api.DeliveryWaiting {
			t.Errorf("got %+v", d)
		}
	}
	if want := "failed 127.0.0.1:9, failed all.example:443"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
	if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	_, _ = e.Wait(t.Context(), run.ID)
	if n := len(notified(t, db)); n != 4 {
		t.Errorf("a run that failed twice count it %d times", n)
	}
	_, err = e.Submit(t.Context(), api.Submission{Task: task, Parent: run.ID, Notify: []api.Notify{own}})
	if err == nil {
		t.Error("a run below another has receivers of its own")
	}
}

// TestNotifyAtEveryCrash kills the process after each submission to the journal: a
// run that has ended tells it once, and one that has not tells nothing.
func TestNotifyAtEveryCrash(t *testing.T) {
	for left := 0; notifyCrash(t, left); left++ {
		if left == 30 {
			t.Fatal("a run takes 30 submissions")
		}
	}
}

// notifyCrash reports whether there was something to crash.
func notifyCrash(t *testing.T, left int) bool {
	t.Helper()
	h := newHost(t)
	db := openDB(t, h)
	dying := newCrashing(db.Journal(), left)
	first := h.engine("a", dying)
	task := orchestrate("add(1, add(1, 1))", anything, idempotent(h.arithmetic())...)
	task.Notify = []api.Notify{{URL: "https://all.example/x", Secret: "s"}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		run, err := first.Submit(ctx, api.Submission{Task: task})
		if err == nil {
			_, err = first.Wait(ctx, run.ID)
		}
		done <- err
	}()
	died := false
	select {
	case <-dying.died:
		died = true
		close(dying.gone)
	case <-done:
	}
	h.kill("a", first)
	cancel()
	top, _, err := db.Journal().List(t.Context(), api.RunQuery{Top: true})
	if err != nil {
		t.Fatal(err)
	}
	count := len(notified(t, db))
	if ended := len(top) == 1 && top[0].Status.Ended(); ended != (count == 1) || count > 1 {
		t.Errorf("after %d submissions: ended %t, %d deliveries", left, ended, count)
	}
	if len(top) == 0 || !died {
		return died
	}
	second := h.engine("b", db.Journal())
	defer second.Close()
	if _, err := second.Recover(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Wait(t.Context(), top[0].ID); err != nil {
		t.Errorf("after %d submissions: %v", left, err)
	}
	if list := notified(t, db); len(list) != 1 || list[0].Event != api.NotifySucceeded {
		t.Errorf("after %d submissions: %+v", left, list)
	}
	return true
}
