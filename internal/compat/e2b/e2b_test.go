package e2b

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

type raw = json.RawMessage

func decoded[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

const newBase = `{"templateID":"base","timeout":60,"metadata":{"k":"v"},"envVars":{"A":"1"}}`

func TestDestination(t *testing.T) {
	tests := []struct {
		host, id, port string
		want           destination
	}{
		{"8000-abc.localhost:99", "", "", destination{"abc", 8000}},
		{"8000-abc.localhost:99", "other", "49983", destination{"abc", 8000}},
		{"127.0.0.1:99", "abc", "49999", destination{"abc", 49999}},
		{"127.0.0.1:99", "abc", "", destination{"abc", envdPort}},
		{"127.0.0.1:99", "abc", "70000", destination{}},
		{"127.0.0.1:99", "../abc", "80", destination{}},
		{"70000-abc.localhost", "", "", destination{}},
		{"8000-ABC.localhost", "", "", destination{}},
		{"8000-abc", "", "", destination{}},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = tt.host
		r.Header.Set("E2b-Sandbox-Id", tt.id)
		if tt.port != "" {
			r.Header.Set("E2b-Sandbox-Port", tt.port)
		}
		got, ok := destinationOf(r)
		if ok != (tt.want != destination{}) || ok && got != tt.want {
			t.Errorf("%s with %q, %q: %v, %v; want %v", tt.host, tt.id, tt.port, got, ok, tt.want)
		}
	}
}

func TestClaimsOnlyItsOwn(t *testing.T) {
	face, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for header, known := range map[string]bool{"X-Api-Key": true, "Authorization": false} {
		r := httptest.NewRequest("GET", "/v1/runs", nil)
		r.Header.Set(header, "right")
		if face.Claims(r, known) {
			t.Errorf("a request with %s is claimed", header)
		}
	}
}

func TestWrongKey(t *testing.T) {
	c := newClient(t)
	answer, text := c.ask("POST", "/v2/sandboxes", newBase, "X-Api-Key", "wrong")
	if answer.StatusCode != 401 || decoded[apiError](t, text).Code != 401 {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
	if len(c.sessions.made) != 0 {
		t.Error("a sandbox was made")
	}
}

func TestCreate(t *testing.T) {
	c := newClient(t)
	answer, text := c.ask("POST", "/v2/sandboxes", newBase)
	got := decoded[map[string]any](t, text)
	if answer.StatusCode != 201 || got["envdVersion"] != envdVersion || got["templateID"] != "base" || got["envdAccessToken"] == "" {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
	if !strings.HasPrefix(fmt.Sprint(got["domain"]), "localhost:") {
		t.Errorf("domain is %v", got["domain"])
	}
	spec := c.sessions.made[0].Spec
	want := api.SessionSpec{
		Image: builtin["base"], User: "user", Dir: "/home/user", Env: map[string]string{"A": "1"}, Timeout: time.Minute, Idle: -1,
		AtEnd: api.AtEndKill, NoAutoResume: true, Network: api.Network{Public: true},
		Labels: map[string]string{"e2b.template": "base", "e2b.metadata.k": "v"},
	}
	if diff := cmp.Diff(want, spec); diff != "" {
		t.Error(diff)
	}
}

// TestStoredImages: an image that was built here is a template by its name.
func TestStoredImages(t *testing.T) {
	c := newClient(t)
	record := func(lock string) json.RawMessage { return json.RawMessage(`{"lock":{"version":1,` + lock + `}}`) }
	c.images.stored = map[string]api.ImageInfo{
		"tools": {ID: "sha256:0123", Record: record(`"spec":{"base":"debian","packages":["six"],"platform":"linux/amd64"},"steps":[{"kind":"python"}]`)},
		"0123":  {ID: "sha256:0123", Record: record(`"spec":{"base":"debian"}`)},
		"worn":  {ID: "sha256:4567", Record: record(`"spec":{"base":"debian"},"steps":[{"kind":"run"},{"kind":"session"}]`)},
	}
	if answer, text := c.ask("POST", "/v2/sandboxes", `{"templateID":"tools"}`); answer.StatusCode != 201 {
		t.Fatalf("%d %s", answer.StatusCode, text)
	}
	got := c.sessions.made[0].Spec
	want := api.SessionSpec{Image: api.ImageSpec{Base: "debian", Packages: []string{"six"}, AllowURLs: true}}
	if diff := cmp.Diff(want, api.SessionSpec{Image: got.Image, User: got.User, Dir: got.Dir}); diff != "" {
		t.Errorf("the session (-want +got):\n%s", diff)
	}
	for name, status := range map[string]int{"0123": 404, "absent": 404, "worn": 400} {
		if answer, text := c.ask("POST", "/v2/sandboxes", `{"templateID":"`+name+`"}`); answer.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", name, answer.StatusCode, text, status)
		}
	}
}

func TestCreateVariants(t *testing.T) {
	tests := []struct {
		name, path, body string
		status           int
		check            func(api.SessionSpec) bool
	}{
		{"paused at the end, woken by requests", "/v2/sandboxes", `{"templateID":"base","autoPause":true,"autoResume":{"enabled":true}}`, 201,
			func(s api.SessionSpec) bool {
				return s.AtEnd == api.AtEndPause && !s.NoAutoResume && !s.FilesOnly && s.Timeout == 300*time.Second
			}},
		{"paused without memory", "/v2/sandboxes", `{"templateID":"base","autoPause":true,"autoPauseMemory":false}`, 201,
			func(s api.SessionSpec) bool { return s.AtEnd == api.AtEndPause && s.NoAutoResume && s.FilesOnly }},
		{"old", "/sandboxes", `{"templateID":"base"}`, 201,
			func(s api.SessionSpec) bool { return s.Timeout == 15*time.Second && s.Labels[labelOpen] != "" }},
		{"old and secure", "/sandboxes", `{"templateID":"base","secure":true}`, 201,
			func(s api.SessionSpec) bool { return s.Labels[labelOpen] == "" }},
		{"no time at all", "/v2/sandboxes", `{"templateID":"base","timeout":0}`, 201,
			func(s api.SessionSpec) bool { return s.Timeout > 0 && s.Timeout < time.Second }},
		{"no internet", "/v2/sandboxes", `{"templateID":"base","allow_internet_access":false}`, 201,
			func(s api.SessionSpec) bool { return s.Network.None() }},
		{"some hosts", "/v2/sandboxes", `{"templateID":"base","network":{"denyOut":["0.0.0.0/0"],"allowOut":["pypi.org"]}}`, 201,
			func(s api.SessionSpec) bool { return !s.Network.Public && s.Network.Allow[0] == "pypi.org" }},
		{"a snapshot", "/v2/sandboxes", `{"templateID":"kept:default"}`, 201, func(s api.SessionSpec) bool { return s.Snapshot == "kept" }},
		{"a snapshot by name", "/v2/sandboxes", `{"templateID":"named"}`, 201, func(s api.SessionSpec) bool { return s.Snapshot == "kept" }},
		{"an image", "/v2/sandboxes", `{"templateID":"python:3.12-slim"}`, 201, func(s api.SessionSpec) bool { return s.Image.Ref == "python:3.12-slim" }},
		{"an image of a registry", "/v2/sandboxes", `{"templateID":"ghcr.io/a/b"}`, 201, func(s api.SessionSpec) bool { return s.Image.Ref == "ghcr.io/a/b" }},
		{"a template that is gone", "/v2/sandboxes", `{"templateID":"team/mine:v1"}`, 404, nil},
		{"a file of the host", "/v2/sandboxes", `{"templateID":"/etc/image.tar"}`, 404, nil},
		{"unknown", "/v2/sandboxes", `{"templateID":"unknown"}`, 404, nil},
		{"one host denied", "/v2/sandboxes", `{"templateID":"base","network":{"denyOut":["8.8.8.8"]}}`, 400, nil},
		{"volumes", "/v2/sandboxes", `{"templateID":"base","volumeMounts":[{}]}`, 400, nil},
		{"no template", "/v2/sandboxes", `{}`, 400, nil},
		{"no JSON", "/v2/sandboxes", `{`, 400, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t)
			answer, text := c.ask("POST", tt.path, tt.body)
			if answer.StatusCode != tt.status {
				t.Fatalf("%d %s", answer.StatusCode, text)
			}
			if tt.check == nil {
				if decoded[apiError](t, text).Code != tt.status {
					t.Errorf("the error is %s", text)
				}
				return
			}
			if !tt.check(c.sessions.made[0].Spec) {
				t.Errorf("the session is %+v", c.sessions.made[0].Spec)
			}
		})
	}
}

func TestListSelects(t *testing.T) {
	c := newClient(t)
	first, _ := c.made(newBase)
	second, _ := c.made(newBase)
	_, _ = c.made(`{"templateID":"base","metadata":{"k":"other"}}`)
	answer, text := c.ask("GET", "/v2/sandboxes?limit=1&state=running,paused&metadata="+url.QueryEscape("k=v"), "")
	next := answer.Header.Get("X-Next-Token")
	if got := decoded[[]detail](t, text); len(got) != 1 || got[0].SandboxID != second || next == "" || got[0].EnvdAccessToken != "" {
		t.Errorf("first page: %s, next %q", text, next)
	}
	answer, text = c.ask("GET", "/v2/sandboxes?limit=1&metadata=k%3Dv&nextToken="+next, "")
	if got := decoded[[]detail](t, text); len(got) != 1 || got[0].SandboxID != first || answer.Header.Get("X-Next-Token") != "" || got[0].Metadata["k"] != "v" {
		t.Errorf("second page: %s", text)
	}
	if _, text = c.ask("GET", "/v2/sandboxes?template=unknown", ""); text != "[]" {
		t.Errorf("of an unknown template: %s", text)
	}
}

func TestLife(t *testing.T) {
	c := newClient(t)
	id, header := c.made(newBase)
	status := func(method, target, body string, want int) string {
		t.Helper()
		answer, text := c.ask(method, target, body)
		if answer.StatusCode != want {
			t.Errorf("%s %s: %d %s, want %d", method, target, answer.StatusCode, text, want)
		}
		return text
	}
	healthy := func(want int) {
		t.Helper()
		answer, text := c.ask("GET", "/health", "", header[:2]...)
		if answer.StatusCode != want || want == 502 && !strings.Contains(text, "The sandbox was not found") {
			t.Errorf("health: %d %s, want %d", answer.StatusCode, text, want)
		}
	}
	healthy(204)
	status("POST", "/sandboxes/"+id+"/timeout", `{"timeout":5}`, 204)
	end := c.sessions.made[0].Ends
	status("POST", "/v2/sandboxes/"+id+"/connect", `{"timeout":1}`, 200)
	if c.sessions.made[0].Ends != end {
		t.Error("connect moved the end to before")
	}
	status("POST", "/sandboxes/"+id+"/pause", `{}`, 204)
	status("POST", "/sandboxes/"+id+"/pause", `{}`, 409)
	if got := decoded[detail](t, status("GET", "/sandboxes/"+id, "", 200)); got.State != "paused" || got.PauseMode != "filesystem" {
		t.Errorf("paused: %+v", got)
	}
	healthy(502)
	token := decoded[sandbox](t, status("POST", "/v2/sandboxes/"+id+"/connect", `{}`, 201)).EnvdAccessToken
	if token != header[3] {
		t.Error("the token is another one after a pause")
	}
	healthy(204)
	status("DELETE", "/sandboxes/"+id, "", 204)
	healthy(502)
	for method, target := range map[string]string{"DELETE": "", "GET": "", "POST": "/timeout"} {
		status(method, "/sandboxes/"+id+target, "", 404)
	}
}

func TestRequestsWakeWhoWantsThat(t *testing.T) {
	c := newClient(t)
	id, header := c.made(`{"templateID":"base","autoPause":true,"autoResume":{"enabled":true}}`)
	_, _ = c.ask("POST", "/sandboxes/"+id+"/pause", "")
	if answer, _ := c.ask("GET", "/health", "", header...); answer.StatusCode != 204 || c.sessions.made[0].State != api.SessionRunning {
		t.Errorf("health: %d, the session is %s", answer.StatusCode, c.sessions.made[0].State)
	}
}

func TestRequestsWaitForAPause(t *testing.T) {
	c := newClient(t)
	id, header := c.made(newBase)
	_, _ = c.sessions.set(id, api.SessionPausing)
	go func() {
		time.Sleep(3 * transitionStep / 2)
		_, _ = c.sessions.set(id, api.SessionPaused)
	}()
	if answer, text := c.ask("GET", "/health", "", header...); answer.StatusCode != 502 {
		t.Errorf("health: %d %s", answer.StatusCode, text)
	}
}

func TestTokens(t *testing.T) {
	c := newClient(t)
	id, header := c.made(newBase)
	_, other := c.made(newBase)
	if c.face.token(trafficPurpose, id) == header[3] || header[3] == other[3] {
		t.Error("two tokens are equal")
	}
	for name, token := range map[string]string{"none": "", "another sandbox's": other[3], "that of its ports": c.face.token(trafficPurpose, id)} {
		for _, target := range []string{"/process.Process/List", "/filesystem.Filesystem/Stat"} {
			if answer, text := c.ask("POST", target, "{}", "E2b-Sandbox-Id", id, "X-Access-Token", token); answer.StatusCode != 401 {
				t.Errorf("%s with %s: %d %s", target, name, answer.StatusCode, text)
			}
		}
		if answer, text := c.ask("GET", "/files?path=x", "", "E2b-Sandbox-Id", id, "X-Access-Token", token); answer.StatusCode != 401 {
			t.Errorf("/files with %s: %d %s", name, answer.StatusCode, text)
		}
		if answer, text := c.ask("POST", "/execute", `{"code":"1"}`, "E2b-Sandbox-Id", id, "E2b-Sandbox-Port", "49999", "X-Access-Token", token); answer.StatusCode != 401 {
			t.Errorf("/execute with %s: %d %s", name, answer.StatusCode, text)
		}
	}
	for _, hidden := range []string{"/init", "/freeze", "/unfreeze", "/collapse", "/fsfreeze", "/fsthaw"} {
		if answer, _ := c.ask("POST", hidden, "", header...); answer.StatusCode != 404 {
			t.Errorf("%s: %d", hidden, answer.StatusCode)
		}
	}
}

func TestSignedURLs(t *testing.T) {
	c := newClient(t)
	_, _ = c.made(newBase)
	_, header := c.made(newBase)
	c.sessions.made[1].files["/home/user/a b"] = "of the second"
	sign := func(operation, expires string) string {
		sum := sha256.Sum256([]byte("a b:" + operation + "::" + header[3] + expires))
		return "v1_" + base64.RawStdEncoding.EncodeToString(sum[:])
	}
	past, future := fmt.Sprint(time.Now().Unix()-1), fmt.Sprint(time.Now().Unix()+60)
	tests := []struct {
		name, signature, expires string
		status                   int
		body                     string
	}{
		{"for ever", sign("read", ""), "", 200, "of the second"},
		{"not yet over", sign("read", ":"+future), future, 200, "of the second"},
		{"over", sign("read", ":"+past), past, 401, `{"code":401,"message":"signature is already expired"}`},
		{"of a longer time", sign("read", ":"+past), future, 401, `{"code":401,"message":"invalid signature"}`},
		{"for writing", sign("write", ""), "", 401, `{"code":401,"message":"invalid signature"}`},
	}
	for _, tt := range tests {
		query := url.Values{"path": {"a b"}, "signature": {tt.signature}}
		if tt.expires != "" {
			query.Set("signature_expiration", tt.expires)
		}
		answer, text := c.ask("GET", "/files?"+query.Encode(), "", "X-Api-Key", "")
		if answer.StatusCode != tt.status || text != tt.body {
			t.Errorf("%s: %d %s", tt.name, answer.StatusCode, text)
		}
	}
	if answer, text := c.ask("GET", "/files?path=a", "", header[:2]...); answer.StatusCode != 401 || !strings.Contains(text, "missing signature query parameter") {
		t.Errorf("without a signature: %d %s", answer.StatusCode, text)
	}
}

// framed is the one message of a client that asks for a stream.
func framed(text string) string {
	return string(append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(text))), text...))
}

// unframed returns the messages of a stream, the last with END before it.
func unframed(t *testing.T, body string) (messages []string) {
	t.Helper()
	for len(body) >= 5 {
		n := 5 + int(binary.BigEndian.Uint32([]byte(body)[1:5]))
		if len(body) < n {
			break
		}
		message := body[5:n]
		if body[0] == flagEnd {
			message = "END " + message
		}
		messages, body = append(messages, message), body[n:]
	}
	if body != "" {
		messages = append(messages, strings.TrimSpace(body))
	}
	return messages
}

func TestStart(t *testing.T) {
	tests := []struct {
		cmd  string
		want []string
	}{
		{"hello", []string{
			`{"event":{"start":{"pid":7}}}`, `{"event":{"data":{"stdout":"aGVsbG8="}}}`,
			`{"event":{"end":{"exitCode":0,"exited":true,"status":"exit status 0"}}}`, `END {}`,
		}},
		{"killed", []string{
			`{"event":{"start":{"pid":7}}}`,
			`{"event":{"end":{"exitCode":-1,"exited":false,"status":"signal: killed","error":"signal: killed"}}}`, `END {}`,
		}},
		{"slow", []string{`{"event":{"start":{"pid":7}}}`, `END {"error":{"code":"deadline_exceeded","message":"context deadline exceeded"}}`}},
	}
	for _, tt := range tests {
		c := newClient(t)
		_, header := c.made(newBase)
		answer, text := c.ask("POST", "/process.Process/Start", framed(`{"process":{"cmd":"`+tt.cmd+`"}}`), append(header, "Connect-Timeout-Ms", "1500")...)
		if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "application/connect+json" {
			t.Errorf("%s: %d %v", tt.cmd, answer.StatusCode, answer.Header)
		}
		if diff := cmp.Diff(tt.want, unframed(t, text)); diff != "" {
			t.Errorf("%s: %s", tt.cmd, diff)
		}
		if spec := c.sessions.commands[0]; !spec.Stdin || spec.Timeout != 1500*time.Millisecond {
			t.Errorf("%s: started as %+v", tt.cmd, spec)
		}
	}
}

func TestStartRefuses(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	tests := []struct{ name, body, user, want string }{
		{"a directory that is not there", framed(`{"process":{"cmd":"hello","cwd":"/x"}}`), "", `END {"error":{"code":"invalid_argument","message":"cwd '/x' does not exist"}}`},
		{"an unknown user", framed(`{"process":{"cmd":"hello"}}`), "nobody:", `END {"error":{"code":"unauthenticated","message":"invalid username: 'nobody'"}}`},
		{"a message that is too long", "\x00\xff\xff\xff\xff", "", `END {"error":{"code":"resource_exhausted","message":"a message is too large"}}`},
		{"a compressed message", "\x01\x00\x00\x00\x00", "", `END {"error":{"code":"invalid_argument","message":"a message is compressed, which was not agreed on"}}`},
	}
	for _, tt := range tests {
		with := header
		if tt.user != "" {
			with = append(with[:len(with):len(with)], "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(tt.user)))
		}
		answer, text := c.ask("POST", "/process.Process/Start", tt.body, with...)
		if got := unframed(t, text); answer.StatusCode != 200 || len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %d %q", tt.name, answer.StatusCode, got)
		}
	}
}

func TestKillBreaksStreams(t *testing.T) {
	c := newClient(t)
	id, header := c.made(newBase)
	go func() {
		for c.sessions.started() == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = c.sessions.KillSession(t.Context(), id)
	}()
	_, text := c.ask("POST", "/process.Process/Start", framed(`{"process":{"cmd":"endless"}}`), header...)
	if diff := cmp.Diff([]string{`{"event":{"start":{"pid":7}}}`, "BROKEN"}, unframed(t, text)); diff != "" {
		t.Error(diff)
	}
}

func TestUnaryErrors(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	c.sessions.made[0].files["/home/user/file"] = ""
	tests := []struct {
		target, body string
		status       int
		code         string
	}{
		{"/process.Process/SendSignal", `{"process":{"pid":8},"signal":"SIGNAL_SIGKILL"}`, 404, codeNotFound},
		{"/process.Process/SendSignal", `{"process":{"pid":7},"signal":9}`, 200, ""},
		{"/process.Process/SendSignal", `{"process":{"pid":7},"signal":"SIGNAL_SIGSTOP"}`, 400, codeInvalidArgument},
		{"/filesystem.Filesystem/Stat", `{"path":"/x","newer":1}`, 404, codeNotFound},
		{"/filesystem.Filesystem/MakeDir", `{"path":"dir"}`, 200, ""},
		{"/filesystem.Filesystem/MakeDir", `{"path":"dir"}`, 409, codeAlreadyExists},
		{"/filesystem.Filesystem/MakeDir", `{"path":"file"}`, 400, codeInvalidArgument},
		{"/filesystem.Filesystem/CreateWatcher", `{"path":"file"}`, 400, codeInvalidArgument},
		{"/filesystem.Filesystem/GetWatcherEvents", `{"watcherId":"x"}`, 404, codeNotFound},
	}
	for _, tt := range tests {
		answer, text := c.ask("POST", tt.target, tt.body, header...)
		if answer.StatusCode != tt.status || tt.code != "" && decoded[connectError](t, text).Code != tt.code {
			t.Errorf("%s of %s: %d %s", tt.target, tt.body, answer.StatusCode, text)
		}
	}
}

func TestRootWritesForTheUser(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	for _, target := range []string{"/files?path=/root/made", "/files?path=made&username=root"} {
		if answer, text := c.ask("POST", target, "x", header...); answer.StatusCode != 200 {
			t.Fatalf("%s: %d %s", target, answer.StatusCode, text)
		}
	}
	for i, owner := range []string{templateUser, "root"} {
		if got := c.sessions.writes[i].FileOptions; got != (api.FileOptions{User: rootUser, Owner: owner}) {
			t.Errorf("write %d is %+v, want root's for %s", i, got, owner)
		}
	}
}

func TestWatcher(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	_, other := c.made(newBase)
	_, text := c.ask("POST", "/filesystem.Filesystem/CreateWatcher", `{"path":"/home/user"}`, header...)
	id := decoded[watcherID](t, text).WatcherID
	ask := `{"watcherId":"` + id + `"}`
	if answer, text := c.ask("POST", "/filesystem.Filesystem/GetWatcherEvents", ask, other...); answer.StatusCode != 404 {
		t.Errorf("of another sandbox: %d %s", answer.StatusCode, text)
	}
	_, text = c.ask("POST", "/filesystem.Filesystem/GetWatcherEvents", ask, header...)
	events := decoded[eventsAnswer](t, text).Events
	if diff := cmp.Diff([]*fileEvent{{Name: "new", Type: "EVENT_TYPE_CREATE"}}, events); diff != "" {
		t.Error(diff)
	}
	if _, text = c.ask("POST", "/filesystem.Filesystem/GetWatcherEvents", ask, header...); text != "{}" {
		t.Errorf("a second time: %s", text)
	}
	for _, want := range []int{200, 404} {
		if answer, text := c.ask("POST", "/filesystem.Filesystem/RemoveWatcher", ask, header...); answer.StatusCode != want {
			t.Errorf("remove: %d %s, want %d", answer.StatusCode, text, want)
		}
	}
}

func TestEntry(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	c.sessions.made[0].files["/home/user/file"] = "abc"
	_, text := c.ask("POST", "/filesystem.Filesystem/Stat", `{"path":"file"}`, header...)
	want := `{"entry":{"name":"file","type":"FILE_TYPE_FILE","path":"/home/user/file","size":"3","mode":420,"permissions":"-rw-r--r--",` +
		`"owner":"user","group":"","modifiedTime":"0001-01-01T00:00:00Z","metadata":{"k":"v"}}}`
	if text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	_, text = c.ask("POST", "/filesystem.Filesystem/Stat", `{"path":"file"}`, append(header, "User-Agent", "connect-python")...)
	if got := decoded[map[string]map[string]any](t, text)["entry"]; got["metadata"] != nil || got["name"] != "file" {
		t.Errorf("for an old client: %s", text)
	}
}

func TestDownload(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	content := strings.Repeat("0123456789", 100)
	c.sessions.made[0].files["/home/user/file"] = content
	c.sessions.made[0].files["/home/user/empty"] = ""
	tests := []struct {
		path, header, value string
		status              int
		want                string
	}{
		{"file", "Accept", "*/*", 200, content},
		{"file", "Range", "bytes=990-", 206, content[990:]},
		{"file", "Range", "bytes=-3", 206, "789"},
		{"empty", "Accept-Encoding", "gzip", 200, ""},
		{"none", "Accept", "*/*", 404, `{"code":404,"message":"path 'none' does not exist"}`},
		{"/home/user", "Accept", "*/*", 400, `{"code":400,"message":"path '/home/user' is a directory"}`},
	}
	for _, tt := range tests {
		answer, text := c.ask("GET", "/files?path="+tt.path, "", append(header, tt.header, tt.value)...)
		if answer.StatusCode != tt.status || text != tt.want {
			t.Errorf("%s with %s: %d %s", tt.path, tt.value, answer.StatusCode, text)
		}
	}
	answer, text := c.ask("GET", "/files?path=file", "", append(header, "Accept-Encoding", "gzip, deflate")...)
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil || answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("compressed: %v, %v", answer.Header, err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != content {
		t.Errorf("compressed: %d bytes, %v", len(got), err)
	}
}

func TestUpload(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	var form, packed bytes.Buffer
	parts := multipart.NewWriter(&form)
	for _, name := range []string{"/home/user/a/b.txt", "/home/user/c"} {
		part, _ := parts.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="` + name + `"`}})
		_, _ = io.WriteString(part, "of "+name)
	}
	_ = parts.Close()
	answer, text := c.ask("POST", "/files", form.String(), append(header, "Content-Type", parts.FormDataContentType())...)
	if answer.StatusCode != 200 || len(decoded[[]writtenFile](t, text)) != 2 || c.sessions.made[0].files["/home/user/a/b.txt"] != "of /home/user/a/b.txt" {
		t.Errorf("a form: %d %s, %v", answer.StatusCode, text, c.sessions.made[0].files)
	}
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, "text")
	_ = z.Close()
	answer, text = c.ask("POST", "/files?path=d", packed.String(), append(header,
		"Content-Type", "application/octet-stream", "Content-Encoding", "gzip", "X-Metadata-Owner", "me")...)
	if answer.StatusCode != 200 || c.sessions.made[0].files["/home/user/d"] != "text" {
		t.Errorf("compressed: %d %s, %v", answer.StatusCode, text, c.sessions.made[0].files)
	}
	if diff := cmp.Diff(map[string]string{"e2b.owner": "me"}, c.sessions.writes[2].Attributes); diff != "" {
		t.Error(diff)
	}
	if got := c.sessions.writes[0].Attributes; got == nil || len(got) != 0 {
		t.Errorf("without metadata: %v, which keeps what the file had", got)
	}
	for name, tt := range map[string][]string{
		"a directory":       {"/home/user", "Content-Type", "application/octet-stream"},
		"no path":           {"", "Content-Type", "application/octet-stream"},
		"too much metadata": {"d", "Content-Type", "application/octet-stream", "X-Metadata-A", strings.Repeat("x", maxMetadata)},
		"not compressed":    {"d", "Content-Type", "application/octet-stream", "Content-Encoding", "gzip"},
	} {
		if answer, text := c.ask("POST", "/files?path="+tt[0], "text", append(header, tt[1:]...)...); answer.StatusCode != 400 {
			t.Errorf("%s: %d %s", name, answer.StatusCode, text)
		}
	}
}

func TestCompose(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	files := c.sessions.made[0].files
	files["/home/user/1"], files["/home/user/2"] = "one ", "two"
	answer, text := c.ask("POST", "/files/compose", `{"source_paths":["1","2"],"destination":"all"}`, header...)
	delete(files, "/home/user/")
	if diff := cmp.Diff(map[string]string{"/home/user/all": "one two"}, files); answer.StatusCode != 200 || diff != "" {
		t.Errorf("%d %s: %s", answer.StatusCode, text, diff)
	}
}

func TestExecute(t *testing.T) {
	c := newClient(t)
	_, header := c.made(newBase)
	header = append(header, "E2b-Sandbox-Port", "49999")
	_, text := c.ask("POST", "/execute", `{"code":"x","context_id":null,"language":null,"env_vars":null}`, header...)
	want := []string{
		`{"type":"number_of_executions","execution_count":1}`,
		`{"type":"stdout","text":"1\n","timestamp":"0001-01-01T00:00:00Z"}`,
		`{"data":{"x":[1]},"extra":{"x/y":1},"is_main_result":true,"png":"iVBO","text":"a","type":"result"}`,
		`{"type":"error","name":"NameError","value":"x","traceback":""}`,
		`{"type":"end_of_execution"}`,
	}
	if diff := cmp.Diff(want, strings.Split(text, "\n")); diff != "" {
		t.Error(diff)
	}
	for body, status := range map[string]int{
		`{"code":"x","context_id":"unknown"}`:              404,
		`{"code":"x","context_id":"a","language":"bash"}`:  400,
		`{"code":"x","language":"cobol"}`:                  400,
		`{"code":"x","language":"js","env_vars":{"A":""}}`: 200,
	} {
		if answer, text := c.ask("POST", "/execute", body, header...); answer.StatusCode != status {
			t.Errorf("%s: %d %s", body, answer.StatusCode, text)
		}
	}
	for _, r := range c.sessions.code {
		if r.Env != nil && r.Language != api.LanguageJavaScript {
			t.Errorf("js is %s", r.Language)
		}
	}
}

func TestTraffic(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Header.Get("E2b-Sandbox-Id")+r.Header.Get(tokenHeader)+r.Header.Get("X-Api-Key"))
		_, _ = io.WriteString(w, r.Host+" "+r.URL.Path)
	}))
	defer inside.Close()
	c := newClient(t)
	c.sessions.ports[8000] = strings.TrimPrefix(inside.URL, "http://")
	public, _ := c.made(newBase)
	private, _ := c.made(`{"templateID":"base","network":{"allowPublicTraffic":false,"maskRequestHost":"masked:${PORT}"}}`)
	other, err := c.sessions.NewSession(t.Context(), api.SessionSpec{}) // that no client of E2B made
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		header []string
		status int
		want   string
	}{
		{"of nobody here", []string{"Host", "8000-" + other.ID + ".localhost:1"}, 403, ""},
		{"of nobody here, with its token", []string{"Host", "8000-" + other.ID + ".localhost:1", tokenHeader, c.face.token(trafficPurpose, other.ID)}, 200, ""},
		{"by header", []string{"E2b-Sandbox-Id", public, "E2b-Sandbox-Port", "8000"}, 200, ""},
		{"by host", []string{"Host", "8000-" + public + ".localhost:1"}, 200, "8000-" + public + ".localhost:1 /a//b"},
		{"nothing listens", []string{"Host", "8001-" + public + ".localhost:1"}, 502, "port is not open"},
		{"no sandbox", []string{"Host", "8000-none.localhost:1"}, 502, "was not found"},
		{"private", []string{"Host", "8000-" + private + ".localhost:1"}, 403, ""},
		{"private, with the token of another", []string{"Host", "8000-" + private + ".localhost:1", tokenHeader, c.face.token(trafficPurpose, public)}, 403, ""},
		{"private, with its token", []string{"Host", "8000-" + private + ".localhost:1", tokenHeader, c.face.token(trafficPurpose, private)}, 200, "masked:8000 /a//b"},
	}
	for _, tt := range tests {
		answer, text := c.ask("GET", "/a//b", "", tt.header...)
		if answer.StatusCode != tt.status || !strings.Contains(text, tt.want) || answer.Header.Get("X-Seen") != "" {
			t.Errorf("%s: %d %s, seen %q", tt.name, answer.StatusCode, text, answer.Header.Get("X-Seen"))
		}
	}
}
