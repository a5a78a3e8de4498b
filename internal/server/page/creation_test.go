package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// stuck is a build of 300 lines that waits at its end until it is let go on.
func stuck(release <-chan error) func(context.Context, func(api.Progress)) error {
	return func(ctx context.Context, progress func(api.Progress)) error {
		progress(api.Progress{Stage: "base", Message: hostile})
		for done := range 10 {
			progress(api.Progress{Stage: "base", Message: "pulling it", Done: int64(done), Total: 9})
		}
		for i := range 300 {
			progress(api.Progress{Stage: "build", Message: fmt.Sprintf("line %d of a step", i)})
		}
		select {
		case err := <-release:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// begin asks for a session whose image is being built, and returns the address of its page.
func (b *browser) begin(t *testing.T) string {
	t.Helper()
	w := b.post("/page/sessions", "packages", "numpy >= 2\r\npandas", "memory", "512")
	name, ok := strings.CutPrefix(w.Header().Get("Location"), "new-sessions/")
	if w.Code != http.StatusSeeOther || !ok {
		t.Fatalf("%d to %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	return "/page/new-sessions/" + name
}

func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page has no %s:\n%s", text, page)
		}
	}
}

func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page has %s:\n%s", text, page)
		}
	}
}

func TestNewSessionShowsItsBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := newCell(t)
		release := make(chan error)
		c.build = stuck(release)
		address := b.begin(t)
		for range 2 { // it can be loaded again
			page := b.get(address)
			holds(t, page, "New session", "building", "numpy &gt;= 2, pandas", "base <", `aria-current="step"`, "line 299 of a step", "The last 200 lines", `<noscript><meta http-equiv="refresh" content="2">`, ">Cancel<", "data-follow=")
			lacks(t, page, "line 99 of a step", "pulling it", `role="alert"`)
		}
		holds(t, b.get("/page/sessions"), "Being made", strings.TrimPrefix(address, "/page/"))
		followed := make(chan *httptest.ResponseRecorder)
		go func() {
			followed <- b.do(b.request("GET", strings.Replace(address, "/page/", "/page/follow/", 1), nil))
		}()
		synctest.Wait()
		release <- nil
		if got := (<-followed).Body.String(); !strings.Contains(got, "event: change\n") || !strings.HasSuffix(got, "event: go\ndata: \"../sessions/made\"\n\n") {
			t.Errorf("it was told %q", got)
		}
		if w := b.do(b.request("GET", address, nil)); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "../sessions/made" {
			t.Errorf("the page leads to %d %q", w.Code, w.Header().Get("Location"))
		}
		lacks(t, b.get("/page/sessions"), "Being made")
	})
}

func TestStagesOfABuildAreInTheirOrder(t *testing.T) {
	now := begin
	c := &creation{now: func() time.Time { return now }, done: make(chan struct{}), changed: make(chan struct{})}
	for _, name := range []string{"build", "build", "resolve", "build"} {
		c.show(api.Progress{Stage: name, Message: "a line"})
		now = now.Add(time.Second)
	}
	want := []buildStage{{Name: "build", Took: 2 * time.Second}, {Name: "resolve", Took: time.Second}, {Name: "build", Now: true}}
	if got := c.look().Stages; !slices.Equal(got, want) {
		t.Errorf("stages are %+v", got)
	}
	for i := range 3 * maxStages {
		c.show(api.Progress{Stage: fmt.Sprint(i)})
	}
	if got := c.look().Stages; len(got) != maxStages || !got[maxStages-1].Now {
		t.Errorf("stages are %+v", got)
	}
}

func TestProgressCountsUpInOneLine(t *testing.T) {
	c := &creation{now: func() time.Time { return begin }, done: make(chan struct{}), changed: make(chan struct{})}
	for done := range int64(3) {
		c.show(api.Progress{Stage: "base", Message: "pulling a", Done: done, Total: 2})
	}
	c.show(api.Progress{Stage: "base", Message: "pulling b", Done: 1, Total: 2})
	c.show(api.Progress{Stage: "build", Message: strings.Repeat("x", 10*maxBuildLine)})
	l := c.look()
	if got := strings.Join(l.Lines[:2], "; "); len(l.Lines) != 3 || got != "pulling a 100%; pulling b 50%" || len(l.Lines[2]) > maxBuildLine+3 {
		t.Errorf("lines are %q", l.Lines)
	}
}

func TestNewSessionShowsWhyItsBuildFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := newCell(t)
		release := make(chan error, 1)
		c.build = stuck(release)
		address := b.begin(t)
		release <- api.Errorf(api.BuildFailed, "numpy could not be %s", hostile).WithHint("use %s", hostile).WithDetails(api.Details{Log: "the last words of pip"})
		synctest.Wait()
		page := b.get(address)
		holds(t, page, "failed", `role="alert"`, "numpy could not be", "What to do:", "the last words of pip", "line 299 of a step", "numpy &gt;= 2", `value="512"`, "Create the session")
		lacks(t, page, "<noscript>", ">Cancel<", "data-follow=", "<img src=x", "\u202e")
		if got := b.do(b.request("GET", strings.Replace(address, "/page/", "/page/follow/", 1), nil)).Body.String(); !strings.HasSuffix(got, "event: end\ndata: \"\"\n\n") {
			t.Errorf("it was told %q", got)
		}
		if strings.Contains(strings.Join(c.asked, " "), "session") {
			t.Errorf("asked to %q", c.asked)
		}
	})
}

// TestAttackV11_BuildsWithoutEnd holds builds that go on after their form was sent to bounds,
// and to those who have signed in.
func TestAttackV11_BuildsWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := newCell(t)
		release := make(chan error)
		c.build = stuck(release)
		var all []string
		for range maxCreating {
			all = append(all, b.begin(t))
		}
		if w := b.post("/page/sessions"); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "16 sessions are being made already") {
			t.Errorf("one too many: %d %s", w.Code, w.Body)
		}
		for name, change := range map[string]func(*http.Request){
			"no cookie": func(r *http.Request) { r.Header.Del("Cookie") }, "another origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			"no token of the page": func(r *http.Request) { r.Body = http.NoBody },
		} {
			r := b.request("POST", all[0]+"/cancel", formOf(b))
			if change(r); b.do(r).Code/100 != 4 {
				t.Errorf("a build is canceled with %s", name)
			}
		}
		holds(t, b.get(all[0]), "building")
		if w := b.post(all[0] + "/cancel"); w.Code != http.StatusSeeOther {
			t.Errorf("cancel: %d %s", w.Code, w.Body)
		}
		holds(t, b.get(all[0]), "canceled by a person on the page", "make it again, if that was not meant")
		for range maxCreations { // each makes room for the next
			all = append(all, b.begin(t))
			b.post(all[len(all)-1] + "/cancel")
		}
		if w := b.do(b.request("GET", all[0], nil)); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "What to do:") {
			t.Errorf("a page that is forgotten: %d", w.Code)
		}
		for _, address := range all[1:maxCreating] {
			holds(t, b.get(address), "building")
		}
		for range maxCreating - 1 {
			release <- nil
		}
	})
}
