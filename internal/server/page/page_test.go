package page

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func hashOf(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

var update = flag.Bool("update", false, "write the golden pages again")

// addresses are all pages that a browser shows.
var addresses = []string{
	"/page/runs", "/page/runs?status=failed&task=x&kind=sandbox&calls=1", "/page/runs/run-1", "/page/runs/run-1/log", "/page/runs/run-1/events", "/page/runs/run-1/turns", "/page/compare?a=run-3&attempt-a=1&attempt-b=2", "/page/runs/run-3", "/page/runs/run-3/turns", "/page/runs/run-1/rerun",
	"/page/compare?a=run-1&b=run-2", "/page/tasks", "/page/tasks/desk.order", "/page/tasks/desk.order?before=1", "/page/tasks/desk.order/start",
	"/page/schedules", "/page/schedules/nightly", "/page/hooks/push", "/page/notifications?state=failed", "/page/approvals", "/page/approvals?state=decided", "/page/approvals/run-1", "/page/sessions", "/page/sessions/s1", "/page/sessions/s1/terminal", "/page/sessions/s1/code", "/page/sessions/s1/files", "/page/images", "/page/images/abc", "/page/system", "/page/runs/none",
}

// TestAttackV01_TextOfPrograms holds that no text of a program becomes markup, script,
// an attribute or the scheme of a link in any page.
func TestAttackV01_TextOfPrograms(t *testing.T) {
	b, _ := newCell(t)
	scripts := regexp.MustCompile(`(?i)<script[^>]*>`)
	own := regexp.MustCompile(`^<script type="module" nonce="[A-Z2-7]{26}" src="[./]*/page/static/[0-9a-f]{16}/[a-z]+\.js">$`)
	events := regexp.MustCompile(`(?i)<[a-z]+(\s+[a-z-]+(="[^"<>]*")?)*\s+on[a-z]+\s*=`)
	schemes := regexp.MustCompile(`(?i)(href|src|action)="\s*(javascript|data|vbscript):`)
	for _, address := range addresses {
		w := b.do(b.request("GET", address, nil))
		page := w.Body.String()
		for i, got := range scripts.FindAllString(page, -1) {
			if i > 3 || !own.MatchString(got) {
				t.Errorf("%s has the script %q, expected its own alone", address, got)
			}
		}
		for _, bad := range []*regexp.Regexp{events, schemes} {
			if got := bad.FindString(page); got != "" {
				t.Errorf("%s has %q", address, got)
			}
		}
		edits := strings.HasSuffix(address, "/rerun") || strings.HasSuffix(address, "/start") || strings.HasSuffix(address, "/files") || strings.Contains(address, "/approvals/") // where what is sent back has to be what came
		if !edits && strings.ContainsAny(page, "\u202e\x1b") || strings.Contains(page, "<img src=x") {
			t.Errorf("%s has the text of a program as it came", address)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", address, csp)
		}
		if !strings.Contains(page, "alert(1)") && strings.Contains(address, "run-1") && !strings.Contains(address, "events") {
			t.Errorf("%s shows nothing of the hostile text, so this test shows nothing", address)
		}
	}
}

// TestAttackV13_Report holds that the report of a run is shown within a frame that can do
// nothing, whatever is in it, and is a download else.
func TestAttackV13_Report(t *testing.T) {
	b := newBrowser(t, hostileService())
	page := b.get("/page/runs/run-1")
	if want := `sandbox src="../../page/runs/run-1/report?html"`; !strings.Contains(page, want) {
		t.Errorf("the page has no frame with %s", want)
	}
	frame := b.do(b.request("GET", "/page/runs/run-1/report", nil))
	if h := frame.Header(); h.Get("Content-Security-Policy") != framePolicy || h.Get("Content-Type") != htmlType || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the frame: %v", h)
	}
	file := b.do(b.request("GET", "/page/runs/run-1/report/download", nil))
	if h := file.Header(); h.Get("Content-Type") != "application/octet-stream" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
		t.Errorf("the download: %v", h)
	}
	for _, address := range []string{"/page/runs/run-2/report", "/page/runs/run-2/report/download"} {
		if w := b.do(b.request("GET", address, nil)); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
	if strings.Contains(b.get("/page/runs/run-2"), "Report of the run") {
		t.Error("a run without a report shows one")
	}
}

// TestAttackV02_Files holds that a file of a run is shown only as a picture or within a
// frame that can do nothing, and is a download else.
func TestAttackV02_Files(t *testing.T) {
	b := newBrowser(t, hostileService())
	page := b.get("/page/runs/run-1")
	for text, want := range map[string]bool{
		`src="../../page/runs/run-1/outputs/png/view"`: true, `src="../../page/runs/run-1/outputs/svg/view"`: false,
		`<iframe title="page" sandbox src="../../page/runs/run-1/outputs/page/view"`: true,
	} {
		if strings.Contains(page, text) != want {
			t.Errorf("the page has %q: %v, expected %v", text, !want, want)
		}
	}
	frame := b.do(b.request("GET", "/page/runs/run-1/outputs/page/view", nil))
	if got := frame.Header().Get("Content-Security-Policy"); got != framePolicy {
		t.Errorf("policy of the frame: %q", got)
	}
	if svg := b.do(b.request("GET", "/page/runs/run-1/outputs/svg/view", nil)); svg.Code == http.StatusOK {
		t.Errorf("an SVG is shown: %s", svg.Body)
	}
	for _, name := range []string{"svg", "page", "png", "csv"} {
		w := b.do(b.request("GET", "/page/runs/run-1/outputs/"+name, nil))
		if d := w.Header().Get("Content-Disposition"); !strings.HasPrefix(d, "attachment; filename=") || strings.ContainsAny(d, "<>\r\n") {
			t.Errorf("%s: disposition %q", name, d)
		}
		if kind := w.Header().Get("Content-Type"); kind != "application/octet-stream" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s is sent as %s", name, kind)
		}
	}
}

// TestAttackV02_PDF holds that what a frame without the attribute sandbox shows is a PDF
// by its bytes, sent as one and nothing else, whatever its name.
func TestAttackV02_PDF(t *testing.T) {
	f := hostileService()
	f.runs[0].Outputs = json.RawMessage(`{"svg":{"path":"a.html","size":20,"sha256":"pdf"},"page":{"path":"a.pdf","size":20,"sha256":"html"},"png":{"path":"a.pdf","size":9000000,"sha256":"pdf"},"csv":{"path":"b.pdf","size":20,"sha256":"late"}}`)
	f.blobs["pdf"], f.blobs["late"] = []byte("%PDF-1.7\n<script>alert(1)</script>"), []byte("\n<html><script>alert(1)</script>%PDF-1.7")
	b := newBrowser(t, f)
	page := b.get("/page/runs/run-1")
	if want := `<iframe title="PDF svg" src="../../page/runs/run-1/outputs/svg/view#navpanes=0" loading="lazy">`; !strings.Contains(page, want) || strings.Count(page, "<iframe") != 2 {
		t.Errorf("expected one frame beside that of the report, %s: %s", want, page)
	}
	for name, status := range map[string]int{"svg": 200, "page": 422, "png": 422, "csv": 422} {
		w := b.do(b.request("GET", "/page/runs/run-1/outputs/"+name+"/view", nil))
		h := w.Header()
		if w.Code != status || status != 200 && strings.Contains(w.Body.String(), "<script>alert") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if status == 200 && (h.Get("Content-Type") != "application/pdf" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != framePolicy || h.Get("X-Frame-Options") != "") {
			t.Errorf("%s: %v", name, h)
		}
	}
}

// TestAttackV03_SignIn holds every page, form and stream to the cookie, and the cookie
// to the token and its time.
func TestAttackV03_SignIn(t *testing.T) {
	b := newBrowser(t, hostileService())
	good := b.cookie
	flip := []byte(good)
	flip[len(flip)-1] ^= 1
	other := newKeys(hashOf("another token")).cookie(b.page.Now().Add(time.Hour))
	for name, cookie := range map[string]string{
		"none": "", "changed": string(flip), "over": b.page.keys.cookie(b.page.Now()), "of another token": other,
		"a later end": strings.Replace(good, good[:10], "9999999999", 1), "empty parts": "..",
	} {
		b.cookie = cookie
		for _, address := range append([]string{"/page/new-sessions/x", "/page/follow/new-sessions/x", "/page/runs/run-1/code", "/page/runs/run-1/outputs/png", "/page/follow/runs", "/page/follow/runs/run-1"}, addresses...) {
			w := b.do(b.request("GET", address, nil))
			if w.Code != http.StatusSeeOther || !strings.Contains(w.Header().Get("Location"), "page/sign-in?next=") {
				t.Errorf("%s with cookie %s: %d %s", address, name, w.Code, w.Header().Get("Location"))
			}
		}
		for _, address := range []string{"/page/runs/run-1/cancel", "/page/tasks/desk.order/start", "/page/sessions/s1/kill", "/page/check"} {
			if w := b.post(address); w.Code != http.StatusUnauthorized {
				t.Errorf("POST %s with cookie %s: %d", address, name, w.Code)
			}
		}
	}
	if len(b.fake.asked) > 0 {
		t.Errorf("the service was asked to %q", b.fake.asked)
	}
}

func TestSignInByTokenAndByCode(t *testing.T) {
	b := newBrowser(t, hostileService())
	b.cookie = ""
	sign := func(fields url.Values) (int, *http.Cookie, string) {
		w := b.do(b.request("POST", "/page/sign-in", fields))
		for _, c := range w.Result().Cookies() {
			return w.Code, c, w.Header().Get("Location")
		}
		return w.Code, nil, ""
	}
	status, cookie, next := sign(url.Values{"token": {token}, "next": {"/page/runs/run-1?x=1"}})
	if status != http.StatusSeeOther || cookie == nil || next != "runs/run-1?x=1" || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "" {
		t.Fatalf("%d %+v to %s", status, cookie, next)
	}
	b.cookie = cookie.Value
	b.get("/page/runs")
	b.cookie = ""
	if status, cookie, _ := sign(url.Values{"token": {"wrong"}}); status != http.StatusUnauthorized || cookie != nil {
		t.Errorf("a wrong token: %d %v", status, cookie)
	}
	code, err := b.page.Code()
	if err != nil {
		t.Fatal(err)
	}
	if _, cookie, _ := sign(url.Values{"code": {code}}); cookie == nil {
		t.Error("a code lets nobody in")
	}
	if _, cookie, _ := sign(url.Values{"code": {code}}); cookie != nil {
		t.Error("a code lets in twice")
	}
	late, _ := b.page.Code()
	b.page.Now = func() time.Time { return begin.Add(time.Hour) }
	if _, cookie, _ := sign(url.Values{"code": {late}}); cookie != nil {
		t.Error("a code lets in after its minute")
	}
}

// TestAttackV04_Redirects holds signing in to pages of this server.
func TestAttackV04_Redirects(t *testing.T) {
	for next, want := range map[string]string{
		"/page/tasks": "tasks", "/page/runs?task=a%20b": "runs?task=a%20b", "": "runs", "https://evil.example/page/runs": "runs", "//evil.example/page/": "runs",
		"/page/../../evil": "runs", "/page//evil.example": "runs", `/page/\evil.example`: "runs", "/page/sign-in": "runs", "javascript:alert(1)": "runs", "/page/javascript:alert(1)": "runs", "/v1/runs": "runs",
	} {
		if got := nextAfterSignIn(next); got != want {
			t.Errorf("%q leads to %q, expected %q", next, got, want)
		}
	}
}

// TestAttackV05_Forms holds forms to the token that the page put into them, and requests
// to the origin of the page.
func TestAttackV05_Forms(t *testing.T) {
	b := newBrowser(t, hostileService())
	for name, form := range map[string]url.Values{"no token": {"x": {"1"}}, "of another cookie": {"form-token": {b.page.keys.formToken("other")}}} {
		if w := b.do(b.request("POST", "/page/runs/run-1/cancel", form)); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	good := url.Values{"form-token": {b.page.keys.formToken(b.cookie)}}
	for _, header := range [][2]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		r := b.request("POST", "/page/runs/run-1/cancel", good)
		r.Header.Set(header[0], header[1])
		if w := b.do(r); w.Code != http.StatusForbidden {
			t.Errorf("%v: %d", header, w.Code)
		}
	}
	for mode, want := range map[string]int{"navigate document": 200, "navigate iframe": 403, "no-cors image": 403, "cors empty": 403} {
		r := b.request("GET", "/page/runs", nil)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		m, d, _ := strings.Cut(mode, " ")
		r.Header.Set("Sec-Fetch-Mode", m)
		r.Header.Set("Sec-Fetch-Dest", d)
		if w := b.do(r); w.Code != want {
			t.Errorf("from another site, %s: %d, expected %d", mode, w.Code, want)
		}
	}
	if len(b.fake.asked) > 0 {
		t.Fatalf("the service was asked to %q", b.fake.asked)
	}
	if w := b.do(b.request("POST", "/page/runs/run-1/cancel", good)); w.Code != http.StatusSeeOther || len(b.fake.asked) != 1 {
		t.Errorf("the form of the page: %d, asked to %q", w.Code, b.fake.asked)
	}
}

func TestActions(t *testing.T) {
	b := newBrowser(t, hostileService())
	for _, one := range []struct{ address, fields, next, asked string }{
		{"/page/runs/run-1/cancel", "", "../run-1", "cancel run-1"},
		{"/page/runs/run-1/resume", "", "../run-1", "resume run-1"},
		{"/page/runs/run-1/resolve", "outcome=done&value=42", "../run-1", "resolve run-1"},
		{"/page/tasks/desk.order/rollback", "version=1", "../desk.order", "rollback desk.order"},
		{"/page/sessions/s1/kill", "", "../s1", "kill s1"},
		{"/page/schedules/nightly/pause", "", "../nightly", "pause nightly"},
		{"/page/hooks/push/pause", "", "../push", "pause hook push"},
		{"/page/notifications/msg-1/redeliver", "", "../../runs/run-1", "redeliver msg-1"},
		{"/page/schedules/nightly/run", "key=once", "../nightly", "run nightly once"},
	} {
		fields, _ := url.ParseQuery(one.fields)
		var flat []string
		for name := range fields {
			flat = append(flat, name, fields.Get(name))
		}
		w := b.post(one.address, flat...)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != one.next || b.fake.asked[len(b.fake.asked)-1] != one.asked {
			t.Errorf("%s: %d to %s, asked to %q", one.address, w.Code, w.Header().Get("Location"), b.fake.asked)
		}
	}
	for address, fields := range map[string][]string{
		"/page/runs/run-1/resolve": {"outcome", "done", "value", "{"}, "/page/runs/run-2/resolve": {"value", "1"}, "/page/tasks/desk.order/rollback": {"version", "x"}, "/page/sessions/s1/explode": nil, "/page/schedules/nightly/explode": nil, "/page/hooks/push/explode": nil,
	} {
		if w := b.post(address, fields...); w.Code/100 != 4 {
			t.Errorf("%s with %q: %d", address, fields, w.Code)
		}
	}
}

func TestStartReadsItsForm(t *testing.T) {
	f := hostileService()
	signature := api.Signature{Inputs: []value.Param{
		{Name: "n", Type: typeOf("int")}, {Name: "text", Type: typeOf("str")}, {Name: "day", Type: typeOf("date")}, {Name: "yes", Type: typeOf("bool")},
		{Name: "list", Type: typeOf("list[int]")}, {Name: "maybe", Type: typeOf("Optional[float]")}, {Name: "more", Type: typeOf("int"), Default: json.RawMessage("7")},
	}}
	f.tasks[0].Signature, f.tasks[0].Task.Signature = signature, signature
	b := newBrowser(t, f)
	form := b.get("/page/tasks/desk.order/start")
	for _, want := range []string{`name="in-n" type="number"`, `name="in-day" type="date"`, `<select id="in-yes"`, `value="7"`} {
		if !strings.Contains(form, want) {
			t.Errorf("the form has no %s", want)
		}
	}
	good := []string{"in-n", "3", "in-text", "a b", "in-day", "2026-11-28", "in-yes", "true", "in-list", "[1, 2]", "in-maybe", "", "in-more", "8"}
	w := b.post("/page/tasks/desk.order/start", good...)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "../../runs/run-new" {
		t.Fatalf("%d to %s: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	want := map[string]any{"n": int64(3), "text": "a b", "yes": true, "list": []any{int64(1), int64(2)}, "more": int64(8), "maybe": nil}
	got := b.fake.sent.Inputs
	if day := fmt.Sprint(got["day"]); !strings.HasPrefix(day, "2026-11-28") {
		t.Errorf("day is %s", day)
	}
	delete(got, "day")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	bad := b.post("/page/tasks/desk.order/start", "in-n", "three", "in-text", "kept", "in-day", "tomorrow", "in-yes", "true", "in-list", "[1,")
	page := bad.Body.String()
	if bad.Code != http.StatusUnprocessableEntity || strings.Count(page, `aria-invalid="true"`) != 3 || !strings.Contains(page, `value="kept"`) {
		t.Errorf("%d, %d fields are marked: %s", bad.Code, strings.Count(page, `aria-invalid="true"`), page)
	}
}

func TestRerunChangesOnlyWhatTheFormChanged(t *testing.T) {
	f := hostileService()
	f.task.Code = "x = 1\ny = 2\n"
	f.task.Signature = api.Signature{Inputs: []value.Param{{Name: "x", Type: typeOf("str")}, {Name: "file", Type: typeOf("File")}}}
	f.runs[0].Inputs = json.RawMessage(`{"x":"old","file":{"path":"a.txt","size":3,"sha256":"` + strings.Repeat("a", 64) + `"}}`)
	b := newBrowser(t, f)
	kept := `{"path":"a.txt","size":3,"sha256":"` + strings.Repeat("a", 64) + `"}`
	if w := b.post("/page/runs/run-1/rerun", "in-x", "new", "in-file", kept, "code", "x = 1\r\ny = 2\r\n"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "../run-new" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	file, _ := f.rerun.Inputs["file"].(value.File)
	if f.rerun.Code != "" || f.rerun.Inputs["x"] != "new" || file.SHA256 != strings.Repeat("a", 64) {
		t.Errorf("asked for %+v", f.rerun)
	}
	b.post("/page/runs/run-1/rerun", "in-x", "new", "in-file", kept, "code", "x = 3")
	if f.rerun.Code != "x = 3" {
		t.Errorf("the code is %q", f.rerun.Code)
	}
	f.refuse = api.Errorf(api.CheckFailed, "the code would fail").WithDetails(api.Details{Problems: []api.Problem{{Line: 1, Level: "error", Message: "no name z"}}})
	w := b.post("/page/runs/run-1/rerun", "in-x", "new", "in-file", kept, "code", "z")
	if page := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(page, "no name z") || !strings.Contains(page, "skip-check") || !strings.Contains(page, ">z</textarea>") {
		t.Errorf("%d %s", w.Code, page)
	}
}

// TestGolden holds whole pages to what they were when somebody looked at them last.
// TestErrorsSayWhatToDo: a wrong value names what its field takes and how that is written, an
// address without a page has one that leads on, and errors lead back to the list they are of.
func TestErrorsSayWhatToDo(t *testing.T) {
	b := newBrowser(t, hostileService())
	for path, words := range map[string][]string{
		"/page/nothing?x=<b>":   {"there is no page /page/nothing", "choose one above", ">All runs</a>"},
		"/page/runs?status=odd": {"status is &#34;odd&#34;, expected one of queued running", ">All runs</a>"},
		"/page/runs?kind=odd":   {"kind is &#34;odd&#34;, expected one of sandbox orchestrator"},
	} {
		text := b.do(b.request("GET", path, nil)).Body.String()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", path, w, text)
			}
		}
	}
	for path, want := range map[string]string{"/page/tasks/none": "tasks", "/page/hooks/x": "schedules", "/page/compare": "runs", "/page/upload/parts/x": "", "/page/": ""} {
		if got := partOf(path); got != want {
			t.Errorf("%s is of %q, want %q", path, got, want)
		}
	}
}

func TestGolden(t *testing.T) {
	f := hostileService()
	f.runs[0].Task, f.task.Name = "desk.order", "desk.order"
	b := newBrowser(t, f)
	nonce := regexp.MustCompile(`nonce="[A-Z2-7]{26}"|name="form-token" value="[^"]+"|/static/[0-9a-f]{16}/`)
	for name, address := range map[string]string{"runs": "/page/runs", "run": "/page/runs/run-1", "start": "/page/tasks/desk.order/start", "system": "/page/system"} {
		got := nonce.ReplaceAllString(b.get(address), "*")
		file := "testdata/" + name + ".golden.html"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs from %s; look at the page, then run the test with -update (-want +got):\n%s", address, file, diff)
		}
	}
}

// TestLinksAreRelative holds pages to links that work below any path.
func TestLinksAreRelative(t *testing.T) {
	b, _ := newCell(t)
	absolute := regexp.MustCompile(`(href|src|action|data-follow|data-root)="(/|[a-z]+:)[^"]*"`)
	for _, address := range addresses {
		w := b.do(b.request("GET", address, nil))
		if got := absolute.FindString(w.Body.String()); got != "" {
			t.Errorf("%s has %s", address, got)
		}
	}
}
