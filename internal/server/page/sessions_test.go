package page

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// cell is what the session of a fake has in it.
type cell struct {
	*fake
	processes []api.Process
	events    []api.ProcessEvent
	code      []api.CodeEvent
	written   map[string]string
	writes    func(io.Reader) error // in place of keeping it
	spec      api.SessionSpec
	started   api.ProcessSpec
	from      int64
	file      string                                          // in place of hostile text
	build     func(context.Context, func(api.Progress)) error // nil: the image is there
}

func (c *cell) BuildImage(ctx context.Context, _ api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	if c.build == nil {
		return &api.ImageInfo{}, nil
	}
	return &api.ImageInfo{}, c.build(ctx, progress)
}

func (c *cell) Processes(context.Context, string) ([]api.Process, error) { return c.processes, nil }

func (c *cell) StartProcess(_ context.Context, _ string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		c.started = spec
		yield(api.ProcessEvent{Type: api.ProcessStarted, PID: 7}, c.note("start"))
	}
}

func (c *cell) FollowProcess(_ context.Context, _ string, p api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		c.from = from
		for _, e := range c.events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (c *cell) WriteInput(_ context.Context, _ string, p api.ProcessRef, data []byte) error {
	return c.note("input", p.Tag, string(data))
}

func (c *cell) ResizeTerminal(_ context.Context, _ string, p api.ProcessRef, size api.TerminalSize) error {
	return c.note("size", fmt.Sprint(size))
}

func (c *cell) SignalProcess(_ context.Context, _ string, p api.ProcessRef, signal string, _ bool) error {
	return c.note(signal, p.Tag)
}

func (c *cell) NewContext(context.Context, string, api.ContextSpec) (*api.Context, error) {
	return &api.Context{ID: "ctx"}, c.note("context")
}

func (c *cell) RunCode(_ context.Context, _ string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return func(yield func(api.CodeEvent, error) bool) {
		for _, e := range c.code {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (c *cell) NewSession(_ context.Context, spec api.SessionSpec) (*api.Session, error) {
	c.spec = spec
	return &api.Session{ID: "made"}, c.note("session")
}

func (c *cell) StatFile(_ context.Context, _, name string, _ api.FileOptions) (*api.FileInfo, error) {
	kind := api.TypeFile
	if !strings.HasPrefix(path.Base(name), "file") {
		kind = api.TypeDir
	}
	return &api.FileInfo{Path: path.Join("/work", name), Type: kind, Owner: hostile}, nil
}

func (c *cell) ListFiles(context.Context, string, string, int, api.FileOptions) ([]api.FileInfo, error) {
	return []api.FileInfo{{Path: "/work/" + strings.ReplaceAll(hostile, "/", "|"), Type: api.TypeSymlink, Link: hostile, Owner: hostile}}, nil
}

func (c *cell) ReadFile(context.Context, string, string, int64, int64, api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	return io.NopCloser(strings.NewReader(cmp.Or(c.file, hostile))), &api.FileInfo{}, nil
}

func (c *cell) WriteFile(_ context.Context, _, name string, in io.Reader, _ api.WriteOptions) (*api.FileInfo, error) {
	if c.writes != nil {
		return nil, c.writes(in)
	}
	text, err := io.ReadAll(in)
	if c.written == nil {
		c.written = map[string]string{}
	}
	c.written[name] = string(text)
	return &api.FileInfo{}, err
}

// newCell returns a browser, and a session that runs, called "s1".
func newCell(t *testing.T) (*browser, *cell) {
	c := &cell{fake: hostileService()}
	for i := range c.sessions {
		c.sessions[i].State = api.SessionRunning
	}
	b := newBrowser(t, c.fake)
	b.page.Service = c
	return b, c
}

// TestAttackV08_Terminals holds that only the page sends keys to a terminal and reads it, to
// no process but terminals, within bounds, and that what it writes stays data.
func TestAttackV08_Terminals(t *testing.T) {
	b, c := newCell(t)
	data := base64.StdEncoding.EncodeToString([]byte("ls\n"))
	input := "/page/sessions/s1/terminal/input"
	for name, change := range map[string]func(*http.Request){
		"no cookie":         func(r *http.Request) { r.Header.Del("Cookie") },
		"another origin":    func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"another site":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a host of a port":  func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"a follow for that": func(r *http.Request) { r.URL.Path = "/page/follow/sessions/s1/terminal" },
	} {
		r := b.request("POST", input, formOf(b, "tag", "page-a", "data", data))
		if change(r); b.do(r).Code/100 != 4 {
			t.Errorf("keys with %s are taken", name)
		}
		r = b.request("GET", "/page/follow/sessions/s1/terminal?tag=page-a", nil)
		r.Header.Set("Accept", "text/event-stream")
		if change(r); name != "a follow for that" && b.do(r).Code/100 != 4 {
			t.Errorf("a terminal is read with %s", name)
		}
	}
	r := b.request("POST", input, map[string][]string{"tag": {"page-a"}, "data": {data}})
	if w := b.do(r); w.Code != http.StatusUnauthorized {
		t.Errorf("keys without the token of the page: %d", w.Code)
	}
	for _, fields := range [][]string{{"tag", "other", "data", data}, {"tag", "", "data", data}, {"tag", "page-a", "data", "*"}, {"tag", "page-a", "data", base64.StdEncoding.EncodeToString(make([]byte, maxKeys+1))}} {
		if w := b.post(input, fields...); w.Code/100 != 4 {
			t.Errorf("%.60q: %d", fields, w.Code)
		}
	}
	for _, size := range [][2]string{{"0", "1"}, {"1", "-1"}, {"x", "1"}, {"1001", "1"}} {
		if w := b.post("/page/sessions/s1/terminal/size", "tag", "page-a", "columns", size[0], "rows", size[1]); w.Code/100 != 4 {
			t.Errorf("a size of %q: %d", size, w.Code)
		}
	}
	if len(c.asked) > 0 {
		t.Fatalf("the session was asked to %q", c.asked)
	}
	c.events = []api.ProcessEvent{{Type: api.ProcessOutput, Data: []byte("\n\nevent: failed\ndata: \"x\"\n\n\x1b]52;c;eA==\a"), Offset: 40}, {Type: api.ProcessExited, Exit: &api.ProcessExit{Status: 3}}}
	r = b.request("GET", "/page/follow/sessions/s1/terminal?tag=page-a&from=5", nil)
	r.Header.Set("Last-Event-ID", "30")
	w := b.do(r)
	if text := w.Body.String(); c.from != 30 || strings.Count(text, "event: ") != 2 || !strings.Contains(text, "id: 40\n") || !strings.Contains(text, "event: exited\ndata: 3\n") {
		t.Errorf("from %d: %q", c.from, text)
	}
	c.processes = make([]api.Process, maxTerminals)
	for i := range c.processes {
		c.processes[i] = api.Process{Spec: api.ProcessSpec{Tag: fmt.Sprint("page-", i), Terminal: &api.TerminalSize{}}}
	}
	if w := b.post("/page/sessions/s1/terminal"); w.Code != http.StatusConflict || c.started.Argv != nil {
		t.Errorf("one terminal too many: %d", w.Code)
	}
	c.processes = c.processes[1:]
	if w := b.post("/page/sessions/s1/terminal"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "terminal?tag="+c.started.Tag || c.started.Terminal == nil {
		t.Errorf("a terminal: %d to %s, started was %+v", w.Code, w.Header().Get("Location"), c.started)
	}
	b.post(input, "tag", "page-a", "data", data)
	b.post("/page/sessions/s1/terminal/end", "tag", "page-a")
	if got := strings.Join(c.asked[1:], "; "); got != "input page-a ls\n; SIGHUP page-a" {
		t.Errorf("asked to %q", got)
	}
}

// TestAttackV09_ResultsAndFiles holds results of code and files of a session to what may be
// shown of them.
func TestAttackV09_ResultsAndFiles(t *testing.T) {
	b, c := newCell(t)
	result := func(kind, text string) api.CodeEvent {
		quoted, _ := json.Marshal(text) // a string always can be
		return api.CodeEvent{Type: api.CodeResult, Data: map[string]json.RawMessage{kind: quoted}}
	}
	page := "<h1>x</h1><script>alert(1)</script>"
	c.code = []api.CodeEvent{
		{Type: api.CodeStarted, Count: 1}, {Type: api.CodeStdout, Text: hostile}, result("text/html", page), result("image/svg+xml", "<svg onload=alert(1)></svg>"),
		result("image/png", base64.StdEncoding.EncodeToString([]byte(page))), result("image/jpeg", "*"), result("text/javascript", "alert(1)"), result(hostile, "x"),
		{Type: api.CodeError, Error: &api.CodeFailure{Name: hostile, Traceback: hostile}},
	}
	w := b.post("/page/sessions/s1/code", "code", "x")
	text := w.Body.String()
	if w.Code != http.StatusOK || strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x") || strings.ContainsAny(text, "\u202e\x1b") {
		t.Errorf("%d %s", w.Code, text)
	}
	if n := strings.Count(text, `<iframe title="Result in HTML" sandbox src=`); n != 1 {
		t.Errorf("%d frames", n)
	}
	names := regexp.MustCompile(`page/results/([A-Z2-7]{26})"`).FindAllStringSubmatch(text, -1)
	if len(names) != 2 {
		t.Fatalf("%d results have an address: %s", len(names), text)
	}
	for _, name := range names {
		w := b.do(b.request("GET", "/page/results/"+name[1], nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != framePolicy || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		r := b.request("GET", "/page/results/"+name[1], nil)
		r.Header.Del("Cookie")
		if w := b.do(r); w.Code == http.StatusOK {
			t.Error("a result is shown to somebody who has not signed in")
		}
	}
	hidden := regexp.MustCompile(`<input type="hidden"[^>]*>`) // what is sent back has to be what came
	for _, address := range []string{"/page/sessions/s1/files", "/page/sessions/s1/files?path=file.html"} {
		if got := hidden.ReplaceAllString(b.get(address), ""); strings.Contains(got, "<img src=x") || strings.ContainsAny(got, "\u202e\x1b") || !strings.Contains(got, "alert(1)") {
			t.Errorf("%s: %s", address, got)
		}
	}
	w = b.do(b.request("GET", "/page/sessions/s1/file?path=file.html", nil))
	if h := w.Header(); h.Get("Content-Type") != "application/octet-stream" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
		t.Errorf("%v", h)
	}
	for _, name := range []string{"../x", "/etc/x", "a/../../x", "a\\b", "."} {
		if w := b.sendParts("/page/upload/sessions/s1/files", b.token(), part{"path", "", "/work"}, part{"files", name, "x"}); w.Code/100 != 4 {
			t.Errorf("a file called %q: %d", name, w.Code)
		}
	}
	for name, parts := range map[string][]part{"no place": {b.token(), {"files", "a", "x"}}, "no token": {{"path", "", "/work"}, {"files", "a", "x"}}, "nothing": {b.token(), {"path", "", "/work"}}} {
		if w := b.sendParts("/page/upload/sessions/s1/files", parts...); w.Code/100 != 4 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if len(c.written) > 0 {
		t.Fatalf("written were %q", c.written)
	}
	w = b.sendParts("/page/upload/sessions/s1/files", b.token(), part{"path", "", "/work/a"}, part{"files", "top/b c", "x"})
	if w.Code != http.StatusSeeOther || c.written["/work/a/top/b c"] != "x" {
		t.Errorf("%d, written were %q", w.Code, c.written)
	}
}

// TestAttackV09_PDF shows a PDF of code and of a session in a frame that is asked for, and
// takes nothing else for one.
func TestAttackV09_PDF(t *testing.T) {
	b, c := newCell(t)
	result := func(data string) api.CodeEvent {
		quoted, _ := json.Marshal(base64.StdEncoding.EncodeToString([]byte(data))) // a string always can be
		return api.CodeEvent{Type: api.CodeResult, Data: map[string]json.RawMessage{"application/pdf": quoted, "text/plain": json.RawMessage(`"plain"`)}}
	}
	frame := regexp.MustCompile(`<details class="pdf" id="pdf-[A-Z2-7]{26}"><summary>[^<]*<span[^>]*>[^<]*</span></summary><iframe title="[^"]*" src="[./]*(/page/results/[A-Z2-7]{26})#navpanes=0" loading="lazy"></iframe></details>`)
	c.code, c.file = []api.CodeEvent{result("<script>alert(1)</script>%PDF-1.7"), result("%PDF-1.7 rest")}, "%PDF-1.7 rest"
	for name, page := range map[string]string{"code": b.post("/page/sessions/s1/code", "code", "x").Body.String(), "file": b.get("/page/sessions/s1/files?path=file")} {
		frames := frame.FindAllStringSubmatch(page, -1)
		if len(frames) != 1 || strings.Count(page, "<iframe") != 1 || (name == "code") != strings.Contains(page, ">plain</pre>") {
			t.Errorf("%s has %d frames: %s", name, len(frames), page)
			continue
		}
		w := b.do(b.request("GET", frames[0][1], nil))
		if h := w.Header(); w.Body.String() != "%PDF-1.7 rest" || h.Get("Content-Type") != "application/pdf" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != framePolicy {
			t.Errorf("%s: %s %v", name, w.Body, h)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	var rs results
	first := rs.keep("a", make([]byte, maxResultBytes/2))
	for range 3 {
		rs.keep("a", make([]byte, maxResultBytes/4))
	}
	if _, ok := rs.get(first); ok || rs.size > maxResultBytes {
		t.Errorf("%d bytes are kept", rs.size)
	}
	for range maxResults + 1 {
		rs.keep("a", nil)
	}
	if len(rs.all) != maxResults || len(rs.order) != maxResults {
		t.Errorf("%d results are kept", len(rs.all))
	}
	b, c := newCell(t)
	for range 3000 {
		c.code = append(c.code, api.CodeEvent{Type: api.CodeStdout, Text: strings.Repeat("x", 1000)})
	}
	if n := b.post("/page/sessions/s1/code", "code", "x").Body.Len(); n > maxShownOutput+64<<10 {
		t.Errorf("a page of %d bytes", n)
	}
}

func TestNewSessionReadsItsForm(t *testing.T) {
	b, c := newCell(t)
	w := b.post("/page/sessions", "image", "", "packages", "numpy\r\n pandas==2 ", "network", "public", "cpu", "2", "memory", "512", "idle", "5", "timeout", "")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "sessions/made" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if s := c.spec; len(s.Image.Packages) != 2 || s.Image.Packages[1] != "pandas==2" || !s.Network.Public || s.Resources.CPU != 2 || s.Resources.Memory != 512<<20 || s.Idle.Minutes() != 5 || s.Timeout != 0 {
		t.Errorf("asked for %+v", s)
	}
	c.asked = nil
	for _, fields := range [][]string{{"image", "/etc"}, {"image", "oci:/x"}, {"memory", "-1"}, {"cpu", "NaN"}, {"idle", "1e300"}} {
		if w := b.post("/page/sessions", fields...); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `role="alert"`) || c.asked != nil {
			t.Errorf("%q: %d, asked to %q", fields, w.Code, c.asked)
		}
	}
}

func TestPortsHaveLinks(t *testing.T) {
	b, c := newCell(t)
	c.sessions[0].Ports = []api.Port{{Port: 8000, Token: "t"}, {Port: 9000, Public: true}}
	b.page.PortLink = func(_ context.Context, session string, p api.Port) string {
		if p.Public {
			return ""
		}
		return "http://8000-" + session + ".localhost/?glovebox_port_token=" + p.Token
	}
	page := b.get("/page/sessions/s1")
	for _, want := range []string{`href="http://8000-s1.localhost/?glovebox_port_token=t" target="_blank" rel="noopener noreferrer"`, "reached by programs", "without a token", "Close port 9000"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, port := range []string{"", "0", "65536", "x"} {
		if w := b.post("/page/sessions/s1/ports", "port", port); w.Code/100 != 4 {
			t.Errorf("port %q: %d", port, w.Code)
		}
	}
}

func formOf(b *browser, pairs ...string) map[string][]string {
	form := map[string][]string{"form-token": {b.token().text}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form[pairs[i]] = []string{pairs[i+1]}
	}
	return form
}
