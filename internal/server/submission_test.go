package server

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const taskWithFile = `{"name": "t", "signature": {"inputs": [{"name": "f", "type": "File"}, {"name": "a", "type": "Any", "default": null}]}}`

func TestBadRequests(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.JSON, c.Limits.Secret, c.Limits.Blob = 4096, 10, 20 })
	h.prepare()
	for _, test := range []struct {
		method, path, body, header string
		status                     int
		code                       api.Code
		field                      string
	}{
		{"POST", "/v1/runs", ``, "Content-Type: application/json", 400, api.RequestInvalid, ""},
		{"POST", "/v1/runs", `{`, "", 422, api.RequestInvalid, "body"},
		{"POST", "/v1/runs", `{} {}`, "", 422, api.RequestInvalid, "body"},
		{"POST", "/v1/runs", "{\"name\": \"\xff\"}", "", 422, api.RequestInvalid, "body"},
		{"POST", "/v1/runs", `[]`, "Content-Type: application/json", 422, api.RequestInvalid, "body"},
		{"POST", "/v1/runs", `{}`, "", 422, api.InvalidTask, "task"},
		{"POST", "/v1/runs", `{}`, "Content-Type: text/plain", 415, api.RequestInvalid, "Content-Type"},
		{"POST", "/v1/runs", `[]`, "", 415, api.RequestInvalid, "Content-Type"},
		{"POST", "/v1/runs", `{"nmae": "x"}`, "", 422, api.RequestInvalid, "nmae"},
		{"POST", "/v1/runs", `{"task": {"timeout_ns": "1s"}}`, "", 422, api.RequestInvalid, "task.timeout_ns"},
		{"POST", "/v1/runs", `{"task": {"signature": {"inputs": [{"name": "x", "type": "itn"}]}}}`, "", 422, api.InvalidType, ""},
		{"POST", "/v1/runs", `{"task": {"name": "t"}, "name": "t"}`, "", 422, api.InvalidTask, "task"},
		{"POST", "/v1/runs", `{"name": "unknown"}`, "", 404, api.NotFound, ""},
		{"POST", "/v1/runs", `{"name": "deployed", "inputs": {"x": "seven"}}`, "", 422, api.InvalidInput, "x"},
		{"POST", "/v1/runs", `{"name": "deployed", "inputs": {"y": 1}}`, "", 422, api.InvalidInput, "y"},
		{"POST", "/v1/runs", `{"name": "deployed", "inputs": 1}`, "", 422, api.InvalidInput, "inputs"},
		{"POST", "/v1/runs", `{"name": "` + strings.Repeat("x", 5000) + `"}`, "", 413, api.RequestTooLarge, ""},
		{"POST", "/v1/runs", `{"name": "deployed"}`, "Idempotency-Key: " + strings.Repeat("k", 257), 422, api.RequestInvalid, "Idempotency-Key"},
		{"POST", "/v1/runs", `{"name": "deployed"}`, "Idempotency-Key: ", 422, api.RequestInvalid, "Idempotency-Key"},
		{"GET", "/v1/runs/run-1/events", "", "Last-Event-ID: ", 422, api.RequestInvalid, "Last-Event-ID"},
		{"GET", "/v1/runs?cursor=~", "", "", 422, api.RequestInvalid, "cursor"},
		{"GET", "/v1/tasks/" + strings.Repeat("x", 129), "", "", 422, api.RequestInvalid, "ref"},
		{"POST", "/v1/runs", `{"name": "deployed"}`, "Idempotency-Key: \xc3\xa9", 422, api.RequestInvalid, "Idempotency-Key"},
		{"POST", "/v1/runs/run-2/cancel", `{"reason": "` + strings.Repeat("x", 1001) + `"}`, "", 422, api.RequestInvalid, "reason"},
		{"POST", "/v1/runs/none/cancel", ``, "", 404, api.NotFound, ""},
		{"POST", "/v1/runs/run-1/resume", ``, "", 409, api.Conflict, ""},
		{"POST", "/v1/runs/run-1/rerun", `{"from": -1}`, "", 422, api.RequestInvalid, "from"},
		{"POST", "/v1/runs/none/rerun", `{}`, "", 404, api.NotFound, ""},
		{"POST", "/v1/runs/run-1/rerun", `{"inputs": {"z": 1}}`, "", 422, api.InvalidInput, "z"},
		{"POST", "/v1/check", `{}`, "", 422, api.RequestInvalid, "task"},
		{"POST", "/v1/prompt", `{}`, "", 422, api.RequestInvalid, "task"},
		{"POST", "/v1/images", `{}`, "", 422, api.RequestInvalid, "spec"},
		{"POST", "/v1/images/i/push", `{}`, "", 422, api.RequestInvalid, "ref"},
		{"POST", "/v1/tasks/deployed/rollback", `{}`, "", 422, api.RequestInvalid, "version"},
		{"GET", "/v1/runs?label=team", "", "", 422, api.RequestInvalid, "label"},
		{"GET", "/v1/runs?label=a%3D1&label=a%3D2", "", "", 422, api.RequestInvalid, "label"},
		{"GET", "/v1/runs?limit=many", "", "", 422, api.RequestInvalid, "limit"},
		{"GET", "/v1/runs?limit=1001", "", "", 422, api.RequestInvalid, "limit"},
		{"GET", "/v1/runs?status=done", "", "", 422, api.RequestInvalid, "status[0]"},
		{"GET", "/v1/runs?since=yesterday", "", "", 422, api.RequestInvalid, "since"},
		{"GET", "/v1/runs?statsu=failed", "", "", 422, api.RequestInvalid, "statsu"},
		{"GET", "/v1/runs/" + strings.Repeat("x", 129), "", "", 422, api.RequestInvalid, "id"},
		{"GET", "/v1/runs/%00", "", "", 422, api.RequestInvalid, "id"},
		{"GET", "/v1/runs/none", "", "", 404, api.NotFound, ""},
		{"GET", "/v1/runs/none/events", "", "", 404, api.NotFound, ""},
		{"GET", "/v1/runs/none/logs", "", "", 404, api.NotFound, ""},
		{"GET", "/v1/runs/none/result?wait=1s", "", "", 404, api.NotFound, ""},
		{"GET", "/v1/runs/run-1/events?after=-1", "", "", 422, api.RequestInvalid, "after"},
		{"GET", "/v1/runs/run-1/events", "", "Last-Event-ID: x", 422, api.RequestInvalid, "Last-Event-ID"},
		{"GET", "/v1/runs/run-1/result?wait=61s", "", "", 422, api.RequestInvalid, "wait"},
		{"GET", "/v1/runs/run-1/result?wait=-1s", "", "", 422, api.RequestInvalid, "wait"},
		{"GET", "/v1/runs/run-1/result?wait=soon", "", "", 422, api.RequestInvalid, "wait"},
		{"GET", "/v1/runs/run-1/outputs/none", "", "", 404, api.NotFound, "name"},
		{"GET", "/v1/runs/run-2/outputs/n", "", "", 409, api.Conflict, ""},
		{"GET", "/v1/blobs/..%2F..%2Fetc%2Fpasswd", "", "", 422, api.RequestInvalid, "digest"},
		{"GET", "/v1/blobs/" + digits, "", "", 404, api.NotFound, ""},
		{"POST", "/v1/blobs", strings.Repeat("x", 21), "", 413, api.RequestTooLarge, ""},
		{"PUT", "/v1/secrets/S", strings.Repeat("x", 11), "", 413, api.RequestTooLarge, ""},
		{"DELETE", "/v1/secrets/none", "", "", 404, api.SecretNotFound, ""},
		{"POST", "/v1/workers/connect", "", "", 503, api.WorkerUnavailable, ""},
	} {
		p := expect(t, h.ask(test.method, test.path, test.body, test.header), test.status, test.code)
		if p.Details.Field != test.field || strings.Contains(p.Detail, "/secret/path") {
			t.Errorf("%s %s %s: field %q, want %q (%s)", test.method, test.path, test.body, p.Details.Field, test.field, p.Detail)
		}
	}
}

// TestFilesNeedContent: over HTTP a path would name a file of the server, in
// inputs, in defaults, in tools and in deployments.
func TestFilesNeedContent(t *testing.T) {
	h := start(t)
	stolen := `{"path": "/etc/shadow"}`
	bad := `{"name": "t", "signature": {"inputs": [{"name": "f", "type": "File", "default": ` + stolen + `}]}}`
	for _, test := range []struct{ path, body, field string }{
		{"/v1/runs", `{"task": ` + taskWithFile + `, "inputs": {"f": ` + stolen + `}}`, "f"},
		{"/v1/runs", `{"task": ` + taskWithFile + `, "inputs": {"a": [{"$tuple": [{"$dict": {"k": {"$dir": ` + stolen + `}}}]}]}}`, "a"},
		{"/v1/runs", `{"task": ` + taskWithFile + `, "inputs": {"a": {"k": {"$dataframe": {"path": "p", "sha256": "AB"}}}}}`, "a"},
		{"/v1/runs", `{"task": ` + taskWithFile + `, "inputs": {"f": {"path": "/..", "sha256": "` + digits + `"}}}`, "f"},
		{"/v1/runs", `{"task": ` + bad + `}`, "f"},
		{"/v1/runs", `{"task": {"name": "o", "kind": "orchestrator", "orchestrator": {"tools": [` + bad + `]}}}`, "f"},
		{"/v1/deployments", `{"tasks": [` + bad + `]}`, "f"},
		{"/v1/runs/run-1/rerun", `{"task": ` + bad + `}`, "f"},
	} {
		p := expect(t, h.ask("POST", test.path, test.body), 422, api.InvalidInput)
		if p.Details.Field != test.field {
			t.Errorf("%s: field %q, want %q", test.body, p.Details.Field, test.field)
		}
	}
}

func TestImagesByPath(t *testing.T) {
	h := start(t)
	bodies := func(ref string) [][2]string {
		return [][2]string{
			{"/v1/runs", `{"task": {"name": "t", "image": {"ref": "` + ref + `"}}}`},
			{"/v1/images", `{"spec": {"base": "` + ref + `"}}`},
			{"/v1/runs", `{"task": {"name": "t", "kind": "codegen", "codegen": {"agent_image": {"ref": "` + ref + `"}}}}`},
			{"/v1/runs", `{"task": {"name": "t", "kind": "codegen", "codegen": {"script": {"image": {"base": "` + ref + `"}}}}}`},
		}
	}
	for _, ref := range []string{"/etc", "./x", "../x", "oci:/x", "archive:x"} {
		for _, b := range bodies(ref) {
			expect(t, h.askTCP("POST", b[0], b[1], "Authorization: Bearer "+token), 422, api.InvalidTask)
		}
	}
	for _, b := range bodies("oci:relative") {
		expect(t, h.ask("POST", b[0], b[1]), 422, api.InvalidTask)
	}
	for _, b := range bodies("oci:/absolute") {
		if res := h.ask("POST", b[0], b[1]); res.StatusCode >= 300 {
			t.Errorf("the user of the host: %d", res.StatusCode)
		}
	}
}

func TestSubmission(t *testing.T) {
	h := start(t)
	body := `{"task": ` + taskWithFile + `, "inputs": {"f": {"path": "/a/b.txt", "sha256": "` + digits + `"}, "a": "\ud800"}, "parent": "p", "group": "g", "cache": "override"}`
	res := h.ask("POST", "/v1/runs", body, "Idempotency-Key: key 1")
	if res.StatusCode != http.StatusCreated || res.Header.Get("Location") != "/v1/runs/run-1" {
		t.Fatalf("%d, %s", res.StatusCode, res.Header.Get("Location"))
	}
	want := api.Submission{
		Inputs:         map[string]any{"f": value.File{Path: "b.txt", SHA256: digits}, "a": "\xed\xa0\x80"},
		IdempotencyKey: "key 1", Parent: "p", Group: "g", Cache: api.CacheOverride,
	}
	got := h.last
	got.Task, got.Inputs, got.Checked = nil, got.Given(), value.Fields{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	h.runs["run-1"].Created = h.runs["run-1"].Created.AddDate(0, 0, -1)
	if res := h.ask("POST", "/v1/runs", body, "Idempotency-Key: key 1"); res.StatusCode != http.StatusOK {
		t.Errorf("the same key again: %d", res.StatusCode)
	}
}

func TestBlobThatEndsEarly(t *testing.T) {
	conn := start(t).dial().(*net.UnixConn)
	_, _ = io.WriteString(conn, "POST /v1/blobs HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc")
	_ = conn.CloseWrite()
	answer, _ := io.ReadAll(conn)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 4") || !strings.Contains(string(answer), `"request_invalid"`) {
		t.Errorf("%s", answer)
	}
}

// FuzzSubmission: whatever comes, either an *api.Error goes back or a
// submission that names no path of this host comes out.
func FuzzSubmission(f *testing.F) {
	f.Add([]byte(`{"task": ` + taskWithFile + `, "inputs": {"f": {"path": "x", "sha256": "` + digits + `"}}}`))
	f.Add([]byte(`{"task": {"orchestrator": {"tools": [` + taskWithFile + `]}, "image": {"ref": "/x"}}, "inputs": {"a": {"$file": {"path": "/x"}}}}`))
	f.Add([]byte(`{"name": "deployed", "inputs": {"x": 1}}`))
	service := newFake()
	service.tasks["deployed"] = &api.TaskVersion{Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: value.Type{Kind: value.KindAny}}}}}
	s, err := New(Config{Service: service})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var body jsonBody[submission]
		body.decode(text)
		given, err := body.get()
		var out *api.Submission
		if err == nil {
			out, err = s.decodeSubmission(t.Context(), given, false)
		}
		var known *api.Error
		if err != nil {
			if !errors.As(err, &known) || known.Code == api.Internal {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, v := range out.Given() {
			for file := range value.Files(v) {
				if strings.Contains(file.Path, "/") || len(file.SHA256) != 64 {
					t.Errorf("a path came through: %+v", file)
				}
			}
		}
		if out.Task == nil {
			return
		}
		again, err := json.Marshal(out.Task)
		if err != nil || strings.Contains(string(again), `"ref":"/`) {
			t.Errorf("%s: %v", again, err)
		}
	})
}

// TestMCPServersOnTheHost: only the user of the machine lends programs and networks
// of it, also as the tool of a tool.
func TestMCPServersOnTheHost(t *testing.T) {
	h := start(t)
	tool := func(server string) string {
		return `{"name": "t", "kind": "mcp", "mcp": {"tool": "t", "server": ` + server + `}}`
	}
	within := func(tool string) string {
		return `{"name": "o", "kind": "orchestrator", "code": "1", "orchestrator": {"tools": [` + tool + `]}}`
	}
	program, network := tool(`{"command": ["sh"], "host": true}`), tool(`{"url": "http://127.0.0.1:1", "host": true}`)
	for _, task := range []string{program, network, within(program), within(within(network)), tool(`{"command": ["sh"], "image": {"ref": "/etc"}}`)} {
		for path, body := range map[string]string{"/v1/runs": `{"task": ` + task + `}`, "/v1/deployments": `{"tasks": [` + task + `]}`} {
			expect(t, h.askTCP("POST", path, body, "Authorization: Bearer "+token), 422, api.InvalidTask)
		}
	}
	for _, server := range []string{`{"command": ["sh"], "host": true}`, `{"url": "http://127.0.0.1:1", "host": true}`} {
		expect(t, h.askTCP("POST", "/v1/mcp/tools", `{"server": `+server+`}`, "Authorization: Bearer "+token), 422, api.InvalidTask)
	}
	if r := h.ask("POST", "/v1/runs", `{"task": `+within(program)+`}`); r.StatusCode != http.StatusCreated {
		t.Errorf("the user of the host got %d", r.StatusCode)
	}
}
