package page

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strconv"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// These bound large files that come in parts.
const (
	maxResumable      = 64              // of them, with those that ended lately
	resumablePatience = 5 * time.Minute // without a part, and after the end
)

// resumables are the large files that browsers send, by their names in addresses, which
// can only be known.
type resumables struct {
	mu  sync.Mutex
	all map[string]*resumable
}

// resumable is a file that comes in parts, each in a request of its own. Each is stored as
// it comes, so nothing of it is kept here. When a connection breaks, the
// browser asks how much has arrived, and continues there.
type resumable struct {
	size  int64
	to    *io.PipeWriter
	turn  chan struct{} // holds one request at a time
	done  chan struct{} // closed when it is stored, or cannot be
	ref   json.RawMessage
	err   error
	idle  *time.Timer // ends it
	taken int64       // bytes that have arrived; whoever has the turn may use it

	mu      sync.Mutex
	part    *http.ResponseController // of the request that sends a part; nil if none does
	waiting int                      // requests for the turn
}

var (
	errForgotten = api.Errorf(api.NotFound, "the server knows nothing of this upload any more; choose the file again")
	errQuiet     = errors.New("the upload did not continue")
	errStopped   = errors.New("the upload was stopped")
)

// store is where the bytes of a file go; it returns what a form keeps of it.
type store func(ctx context.Context, from io.Reader) (json.RawMessage, error)

// beginUpload starts an upload of size bytes, and returns its name.
func (p *Page) beginUpload(size int64, store store) (string, error) {
	out, in := io.Pipe()
	u := &resumable{size: size, to: in, turn: make(chan struct{}, 1), done: make(chan struct{})}
	name := rand.Text()
	if err := p.resumables.add(name, u); err != nil {
		return "", err
	}
	u.idle = time.AfterFunc(resumablePatience, func() { p.resumables.remove(name, errQuiet) })
	p.Beside(func(ctx context.Context) {
		defer context.AfterFunc(ctx, func() { u.to.CloseWithError(context.Cause(ctx)) })()
		u.ref, u.err = store(ctx, out)
		out.CloseWithError(errors.Join(u.err, io.ErrClosedPipe))
		close(u.done)
	})
	return name, nil
}

func (us *resumables) add(name string, u *resumable) error {
	us.mu.Lock()
	defer us.mu.Unlock()
	if len(us.all) >= maxResumable {
		return api.Errorf(api.Overloaded, "%d large files are being sent already; wait for one of them", len(us.all))
	}
	if us.all == nil {
		us.all = map[string]*resumable{}
	}
	us.all[name] = u
	return nil
}

func (us *resumables) get(name string) (*resumable, error) {
	us.mu.Lock()
	defer us.mu.Unlock()
	if u := us.all[name]; u != nil {
		return u, nil
	}
	return nil, errForgotten
}

// remove forgets an upload, and ends it for a reason if it is under way.
func (us *resumables) remove(name string, why error) {
	us.mu.Lock()
	u := us.all[name]
	delete(us.all, name)
	us.mu.Unlock()
	if u != nil {
		u.idle.Stop()
		u.interrupt()
		u.to.CloseWithError(why)
	}
}

// take gets the turn. A request before may read from a connection that has broken without
// saying so, or be about to; it is interrupted.
func (u *resumable) take(ctx context.Context) error {
	u.wait(1)
	defer u.wait(-1)
	u.interrupt()
	select {
	case u.turn <- struct{}{}:
		u.idle.Stop()
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (u *resumable) release() {
	u.idle.Reset(resumablePatience)
	<-u.turn
}

func (u *resumable) wait(requests int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waiting += requests
}

func (u *resumable) interrupt() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.part != nil {
		_ = u.part.SetReadDeadline(time.Unix(1, 0)) // a recorder of a test has none
	}
}

// reading lets others interrupt the request that answers to w, which happens at once if
// one waits already.
func (u *resumable) reading(w http.ResponseWriter) (stop func()) {
	set := func(c *http.ResponseController) (waited bool) {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.part = c
		return u.waiting > 0
	}
	if set(http.NewResponseController(w)) {
		u.interrupt()
	}
	return func() { set(nil) }
}

// receive takes a part that begins at a byte. One that begins elsewhere than at the next
// is not read.
func (u *resumable) receive(w http.ResponseWriter, r *http.Request, at int64) error {
	if at != u.taken {
		return api.Errorf(api.Conflict, "the part begins at byte %d, and %d have arrived", at, u.taken)
	}
	defer u.reading(w)()
	n, err := io.Copy(u.to, io.LimitReader(r.Body, u.size-u.taken))
	u.taken += n
	if u.taken == u.size {
		_ = u.to.Close()
		err = nil
	}
	if errors.Is(err, io.ErrClosedPipe) { // it could not be stored
		<-u.done
		return u.err
	}
	if err != nil {
		return api.Errorf(api.Conflict, "the part broke off; %d bytes have arrived", u.taken)
	}
	return nil
}

// arrived is how far an upload is.
type arrived struct {
	Offset int64           `json:"offset"`
	Done   bool            `json:"done,omitempty"`
	Ref    json.RawMessage `json:"ref,omitempty"` // of an input
}

// far says how far it is; when all has arrived it waits until that is stored.
func (u *resumable) far(ctx context.Context) (arrived, error) {
	if u.taken < u.size {
		select {
		case <-u.done:
			return arrived{}, u.err
		default:
			return arrived{Offset: u.taken}, nil
		}
	}
	select {
	case <-u.done:
		return arrived{Offset: u.taken, Done: true, Ref: u.ref}, u.err
	case <-ctx.Done():
		return arrived{}, context.Cause(ctx)
	}
}

// beginParts answers a form that says what is to be sent: an input of a run, or a file for a
// directory of a session.
func (p *Page) beginParts(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	form := r.PostForm
	bytes, err := strconv.ParseInt(form.Get("size"), 10, 64)
	if err != nil || bytes < 1 || bytes > p.MaxUpload {
		return api.Errorf(api.RequestInvalid, "the upload has %s bytes, expected 1 to %d", visible(form.Get("size")), p.MaxUpload)
	}
	store, err := p.storeOf(form.Get("kind"), form.Get("session"), form.Get("path"), form.Get("name"))
	if err != nil {
		return err
	}
	name, err := p.beginUpload(bytes, store)
	if err != nil {
		return err
	}
	return sendJSON(w, map[string]string{"upload": name})
}

// storeOf says where the bytes of an upload go.
func (p *Page) storeOf(kind, session, dir, name string) (store, error) {
	switch kind {
	case "file", "frame":
		return func(ctx context.Context, from io.Reader) (json.RawMessage, error) {
			var one stored
			err := one.put(ctx, p.Service, name, kind == "frame", from)
			return one.ref, err
		}, nil
	case "session":
		if !path.IsAbs(dir) {
			return nil, api.Errorf(api.RequestInvalid, "the form does not say where the file goes").WithDetails(api.Details{Field: "path", Got: dir, Expected: "an absolute path"})
		}
		if !goodPath(name) {
			return nil, badName(name)
		}
		return func(ctx context.Context, from io.Reader) (json.RawMessage, error) {
			_, err := p.Service.WriteFile(ctx, session, path.Join(dir, name), from, api.WriteOptions{})
			return nil, err
		}, nil
	}
	return nil, api.Errorf(api.RequestInvalid, "the form does not say what is sent").WithDetails(api.Details{Field: "kind", Got: kind, Expected: "file, frame or session"})
}

// sendPart takes the next part of an upload, or says how much has arrived.
func (p *Page) sendPart(w http.ResponseWriter, r *http.Request) error {
	u, err := p.resumables.get(r.PathValue("name"))
	if err != nil {
		return err
	}
	at, err := strconv.ParseInt(r.URL.Query().Get("at"), 10, 64)
	if r.Method == http.MethodPost {
		if err := p.checkToken(r, r.Header.Get("Glovebox-Form-Token")); err != nil {
			return err
		}
		if err != nil {
			return api.Errorf(api.RequestInvalid, "the address does not say where the part begins").WithDetails(api.Details{Field: "at", Expected: "a number of bytes"})
		}
	}
	if err := u.take(r.Context()); err != nil {
		return err
	}
	defer u.release()
	if r.Method == http.MethodPost && u.taken < u.size {
		if err := u.receive(w, r, at); err != nil {
			return err
		}
	}
	far, err := u.far(r.Context())
	if err != nil {
		return err
	}
	return sendJSON(w, far)
}

// stopParts ends an upload, and forgets one that has ended.
func (p *Page) stopParts(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	p.resumables.remove(r.PathValue("name"), errStopped)
	return sendJSON(w, struct{}{})
}

func sendJSON(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the browser may be gone
	return nil
}
