package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// begins begins an upload, and returns its address.
func (b *browser) begins(fields ...string) string {
	b.t.Helper()
	w := b.post("/page/upload/parts", fields...)
	var begun struct{ Upload string }
	if err := json.Unmarshal(w.Body.Bytes(), &begun); err != nil || w.Code != http.StatusOK {
		b.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return "/page/upload/parts/" + begun.Upload
}

// part sends a part that begins at a byte.
func (b *browser) part(address string, at int, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", fmt.Sprintf("%s?at=%d", address, at), body)
	r.AddCookie(&http.Cookie{Name: cookieName, Value: b.cookie})
	r.Header.Set("Glovebox-Form-Token", b.page.keys.formToken(b.cookie))
	return b.do(r)
}

func (b *browser) answers(what string, w *httptest.ResponseRecorder, code int, want string) {
	b.t.Helper()
	if w.Code != code || !strings.Contains(w.Body.String(), want) {
		b.t.Errorf("%s: got %d %s, want %d %s", what, w.Code, w.Body, code, want)
	}
}

// TestUploadContinues sends a file in parts over a connection that breaks: it continues
// where it was, and no byte comes twice.
func TestUploadContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := hostileService()
		b := newBrowser(t, f)
		address := b.begins("kind", "file", "name", "a b.txt", "size", "10")
		b.answers("nothing yet", b.do(b.request("GET", address, nil)), 200, `{"offset":0}`)
		broken := io.MultiReader(strings.NewReader("0123"), iotest.ErrReader(io.ErrUnexpectedEOF))
		b.answers("a part that breaks off", b.part(address, 0, broken), 409, "4 bytes have arrived")
		b.answers("how far it is", b.do(b.request("GET", address, nil)), 200, `{"offset":4}`)
		b.answers("a part that came before", b.part(address, 0, strings.NewReader("0123")), 409, "4 have arrived")
		b.answers("the next part", b.part(address, 4, strings.NewReader("45")), 200, `{"offset":6}`)
		b.answers("the last, and more", b.part(address, 6, strings.NewReader("6789and more")), 200, `"done":true,"ref":{"path":"a b.txt"`)
		b.answers("the answer was lost", b.part(address, 6, strings.NewReader("6789")), 200, `"done":true`)
		if f.stored["0123456789"] == nil {
			t.Errorf("stored: %q", f.stored)
		}
		b.answers("it is not needed any more", b.post(address+"/stop"), 200, "{}")
		b.answers("after that", b.do(b.request("GET", address, nil)), 404, "choose the file again")
	})
}

// TestUploadIsForgotten ends uploads that do not continue, that are stopped, and that cannot
// be stored; nothing of them stays.
func TestUploadIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := newCell(t)
		ends := make(chan error, 1)
		c.writes = func(from io.Reader) error {
			_, err := io.ReadAll(from)
			ends <- err
			return err
		}
		fields := []string{"kind", "session", "session", "s1", "path", "/work", "name", "big", "size", "10"}
		address := b.begins(fields...)
		b.answers("a part", b.part(address, 0, strings.NewReader("0123")), 200, `{"offset":4}`)
		if err := <-ends; !errors.Is(err, errQuiet) { // after the patience, in the time of this bubble
			t.Errorf("quiet: got %v", err)
		}
		b.answers("quiet for long", b.part(address, 4, strings.NewReader("45")), 404, "choose the file again")

		address = b.begins(fields...)
		b.answers("stopped", b.post(address+"/stop"), 200, "{}")
		if err := <-ends; !errors.Is(err, errStopped) {
			t.Errorf("stopped: got %v", err)
		}

		c.writes = func(io.Reader) error { return api.Errorf(api.StorageFull, "no room") }
		address = b.begins(fields...)
		b.answers("no room", b.part(address, 0, strings.NewReader("0123")), 507, "no room")
		b.answers("asked again", b.do(b.request("GET", address, nil)), 507, "no room")
		b.post(address + "/stop")
		if n := len(b.page.resumables.all); n > 0 {
			t.Errorf("%d uploads are left", n)
		}
	})
}

// TestAttackV07_Parts holds uploads in parts to their form's token, their size and number,
// and to names below the directory that they are for.
func TestAttackV07_Parts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t, hostileService())
		for _, fields := range [][]string{
			{"kind", "file", "name", "x", "size", "0"}, {"kind", "file", "name", "x", "size", "-1"}, {"kind", "file", "name", "x", "size", "1073741825"}, {"kind", "file", "name", "x", "size", "9e9"},
			{"kind", "dir", "name", "x", "size", "9"}, {"kind", "session", "session", "s1", "path", "work", "name", "x", "size", "9"},
			{"kind", "session", "session", "s1", "path", "/work", "name", "../x", "size", "9"}, {"kind", "session", "session", "s1", "path", "/work", "name", "/x", "size", "9"},
		} {
			if w := b.post("/page/upload/parts", fields...); w.Code/100 != 4 {
				t.Errorf("%q: %d %s", fields, w.Code, w.Body)
			}
		}
		address := b.begins("kind", "file", "name", "x", "size", "9")
		r := b.request("POST", address+"?at=0", nil)
		b.answers("without the token", b.do(r), 401, "")
		b.answers("stopped without it", b.do(b.request("POST", address+"/stop", nil)), 401, "")
		b.answers("without a place", b.part(address, -1, strings.NewReader("x")), 409, "0 have arrived")
		for range maxResumable - 1 {
			b.begins("kind", "file", "name", "x", "size", "9")
		}
		b.answers("one too many", b.post("/page/upload/parts", "kind", "file", "name", "x", "size", "9"), 429, "")
		other := b.cookie
		b.cookie = ""
		if w := b.do(b.request("GET", address, nil)); w.Code == http.StatusOK {
			t.Error("somebody else sees an upload")
		}
		b.cookie = other
		for name := range b.page.resumables.all {
			b.page.resumables.remove(name, errStopped)
		}
	})
}

// TestNewPartInterruptsTheOld lets a browser continue while the server still reads from a
// connection that has broken without saying so.
func TestNewPartInterruptsTheOld(t *testing.T) {
	b := newBrowser(t, hostileService())
	server := httptest.NewServer(b.page)
	defer server.Close()
	address := b.begins("kind", "file", "name", "x", "size", "8")
	ask := func(method string, at int, body io.Reader) (string, error) {
		r, err := http.NewRequestWithContext(t.Context(), method, fmt.Sprintf("%s%s?at=%d", server.URL, address, at), body)
		if err != nil {
			return "", err
		}
		r.AddCookie(&http.Cookie{Name: cookieName, Value: b.cookie})
		r.Header.Set("Glovebox-Form-Token", b.page.keys.formToken(b.cookie))
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer w.Body.Close()
		text, err := io.ReadAll(w.Body)
		return string(text), err
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	silent, feed := io.Pipe() // it sends four bytes, and then nothing, without an end
	defer context.AfterFunc(ctx, func() { feed.Close() })()
	go ask("POST", 0, silent)
	if _, err := io.WriteString(feed, "0123"); err != nil {
		t.Fatal(err)
	}
	u, err := b.page.resumables.get(path.Base(address))
	if err != nil {
		t.Fatal(err)
	}
	for len(u.turn) == 0 { // until it has its turn
		time.Sleep(time.Millisecond)
	}
	text, err := ask("GET", 0, nil)
	var far arrived
	if err := errors.Join(err, json.Unmarshal([]byte(text), &far)); err != nil || far.Offset > 4 {
		t.Fatalf("how far: %s, %v", text, err)
	}
	if text, err := ask("POST", int(far.Offset), strings.NewReader("01234567"[far.Offset:])); err != nil || !strings.Contains(text, `"done":true`) {
		t.Errorf("the rest: %s, %v", text, err)
	}
}

// TestInterruptedBeforeItReads: a part that has its turn, and does not read yet when another
// request comes, is interrupted as soon as it does.
func TestInterruptedBeforeItReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := &resumable{turn: make(chan struct{}, 1), idle: time.NewTimer(time.Hour)}
		if err := u.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		go u.take(t.Context())
		synctest.Wait()
		w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		defer u.reading(w)()
		if w.deadline.IsZero() {
			t.Error("it reads on")
		}
		<-u.turn // so that the other one ends
		synctest.Wait()
		other := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		defer u.reading(other)()
		if !other.deadline.IsZero() {
			t.Error("one for which no other waits is interrupted")
		}
	})
}

type deadlineRecorder struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

// SetReadDeadline is what http.ResponseController calls.
func (d *deadlineRecorder) SetReadDeadline(at time.Time) error {
	d.deadline = at
	return nil
}
