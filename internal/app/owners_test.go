package app

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/value"
)

// shared is a server that ann and bob share, each with a token that has all scopes but
// admin. The server has a token of its own.
type shared struct {
	t       *testing.T
	app     *App
	address string
	tokens  map[string]string // by owner; that of the server is ""
}

const serverToken = "the-token-of-the-server"

func newShared(t *testing.T) *shared { return share(t, openApp(t, t.TempDir())) }

func share(t *testing.T, a *App) *shared {
	s := &shared{t: t, app: a, tokens: map[string]string{"": serverToken}}
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- s.app.Serve(ctx, host.ServeOptions{Listen: "127.0.0.1:0", Token: serverToken, Ready: func(a string) { ready <- a }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case s.address = <-ready:
	case err := <-done:
		done <- err
		t.Fatal(err)
	}
	for _, owner := range []string{"ann", "bob"} {
		s.must(ignored(s.client("").SetOwner(ctx, api.Owner{Name: owner})))
		s.tokens[owner] = s.token(owner, "all", api.ScopeRead, api.ScopeRun, api.ScopeDeploy, api.ScopeApprove)
	}
	return s
}

func ignored[T any](_ T, err error) error { return err }

func (s *shared) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shared) token(owner, name string, scopes ...api.Scope) string {
	s.t.Helper()
	made, err := s.client("").NewToken(s.t.Context(), api.Token{Name: name, Owner: owner, Scopes: scopes})
	s.must(err)
	return made.Text
}

// client is that of an owner; of nobody, that of the server.
func (s *shared) client(owner string) *client.Client { return s.clientWith(s.tokens[owner]) }

func (s *shared) clientWith(token string) *client.Client {
	s.t.Helper()
	c, err := client.Dial("http://"+s.address, client.Options{Token: token})
	s.must(err)
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends a request of an owner and returns the status and the body of its answer.
func (s *shared) ask(token, method, path, body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.address+path, strings.NewReader(body))
	s.must(err)
	r.Header.Set("Authorization", "Bearer "+token)
	if strings.HasSuffix(path, "/connect") {
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "glovebox-port")
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	s.must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	s.must(err)
	return resp.StatusCode, string(text)
}

// adder is a task that needs no cell, with a name to look for.
func adder(name string) *api.Task {
	return &api.Task{
		Name: name, Kind: api.KindOrchestrator, Code: "x + 1", Orchestrator: &api.Orchestrator{}, Cache: api.CacheAuto, Labels: map[string]string{"of": name},
		Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}, Outputs: []value.Param{{Name: "r", Type: value.Type{Kind: value.KindInt}}}},
	}
}

// run makes a run of an owner that has ended.
func (s *shared) run(owner string, task *api.Task) *api.Run {
	s.t.Helper()
	c := s.client(owner)
	run, err := c.Submit(s.t.Context(), api.Submission{Task: task, Inputs: map[string]any{"x": 1}, IdempotencyKey: "key"})
	s.must(err)
	s.must(ignored(c.Wait(s.t.Context(), run.ID)))
	run, err = c.Run(s.t.Context(), run.ID)
	s.must(err)
	return run
}

// session keeps the record of a session, as if it had been paused.
func (s *shared) session(owner, id string) {
	s.t.Helper()
	r := &journal.SessionRecord{Seq: 1, Session: api.Session{ID: id, Owner: owner, State: api.SessionPaused, Created: time.Now()}}
	s.must(s.app.db.Sessions().ChangeSession(s.t.Context(), r, api.SessionEvent{}))
}

// route is an operation as the server describes it.
type route struct {
	method, path string
	Security     []map[string][]string `json:"security"`
}

func (s *shared) routes() (all []route) {
	s.t.Helper()
	status, text := s.ask(serverToken, http.MethodGet, "/openapi.json", "")
	var doc struct{ Paths map[string]map[string]route }
	if err := json.Unmarshal([]byte(text), &doc); status != http.StatusOK || err != nil {
		s.t.Fatal(status, err)
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			r := doc.Paths[path][method]
			r.method, r.path = strings.ToUpper(method), path
			all = append(all, r)
		}
	}
	return all
}

// TestOwnersAtEveryRoute asks each route of the server for what is bob's, with the token of
// ann. What names it is not there; what is not isolated is refused; and no list, count or
// error has anything of it.
func TestOwnersAtEveryRoute(t *testing.T) {
	t.Run("file", func(t *testing.T) { askEveryRoute(t, newShared(t)) })
	t.Run("postgres", func(t *testing.T) {
		if testing.Short() {
			t.Skip("starts Postgres")
		}
		a, err := Open(t.Context(), host.Options{Home: t.TempDir(), Journal: pgtest.New(t)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		askEveryRoute(t, share(t, a))
	})
}

func askEveryRoute(t *testing.T, s *shared) {
	t.Helper()
	run := s.run("bob", adder("secret-project"))
	s.session("bob", "bobsession")
	digest, _, err := s.client("bob").PutBlob(t.Context(), strings.NewReader("words of bob"))
	s.must(err)
	deployed := adder("secret-project")
	deployed.Doc = "plans of bob"
	_, err = s.client("bob").Deploy(t.Context(), api.Deployment{Environment: "secret-project", Tasks: []api.Task{*deployed}, Source: "plans of bob"})
	s.must(err)
	asked := 0
	for _, r := range s.routes() {
		if r.Security != nil && len(r.Security) == 0 { // open, or signed
			continue
		}
		asked++
		id := run.ID
		if strings.Contains(r.path, "/sessions/") {
			id = "bobsession"
		}
		path := strings.NewReplacer("{id}", id, "{digest}", digest, "{name}", "secret-project", "{ref}", "secret-project", "{port}", "80", "{process}", "1",
			"{context}", "c", "{image}", "i", "{snapshot}", "s", "{owner}", "bob", "{token}", "all").Replace(r.path)
		if strings.Contains(path, "/files") && !strings.HasSuffix(path, "/move") {
			path += "?path=/a"
		}
		status, text := s.ask(s.tokens["ann"], r.method, path, bodyOf(r.method, r.path))
		named := strings.Contains(r.path, "{id}") || strings.Contains(r.path, "{digest}") || strings.Contains(r.path, "{ref}")
		switch {
		case status == http.StatusForbidden:
			if !strings.Contains(text, `"code":"forbidden"`) || !strings.Contains(text, "admin") {
				t.Errorf("%s %s does not say which scope is missing: %s", r.method, r.path, text)
			}
		case named && status != http.StatusNotFound:
			t.Errorf("%s %s of bob: got %d %s", r.method, r.path, status, text)
		case status >= http.StatusInternalServerError:
			t.Errorf("%s %s failed: %s", r.method, r.path, text)
		}
		for _, secret := range []string{"words of bob", "plans of bob", `"task":"secret-project"`, `"name":"secret-project"`, "\"owner\":\"bob\""} {
			if strings.Contains(text, secret) {
				t.Errorf("%s %s tells ann of %s: %s", r.method, r.path, secret, text)
			}
		}
		if !named && strings.Contains(text, run.ID) {
			t.Errorf("%s %s tells ann of the run of bob: %s", r.method, r.path, text)
		}
	}
	if asked < 100 {
		t.Errorf("only %d routes were asked", asked)
	}
}

// bodyOf is a body with which a request is understood.
func bodyOf(method, path string) string {
	bodies := map[string]string{
		"/v1/sessions/{id}": `{"idle_ns": 1}`, "/v1/sessions/{id}/processes/{process}/input": "x", "/v1/sessions/{id}/files/content": "x", "/v1/sessions/{id}/files/tree": "x",
		"/v1/runs/{id}/resolve": `{"value": 1}`, "/v1/approvals/{id}": `{"approved": true}`, "/v1/runs/{id}/signals/{name}": `{"value": 1}`,
		"/v1/runs": `{"task": {"name": "t", "kind": "orchestrator", "code": "1"}}`, "/v1/check": `{"task": {"name": "t", "kind": "orchestrator", "code": "1"}}`,
		"/v1/sessions":                `{"secrets": [{"name": "s", "env": "S"}]}`,
		"/v1/sessions/{id}/processes": `{"argv": ["true"]}`, "/v1/sessions/{id}/code": `{"code": "1"}`, "/v1/sessions/{id}/processes/{process}/signal": `{"signal": "SIGTERM"}`,
		"/v1/sessions/{id}/files/move": `{"from": "a", "to": "b"}`, "/v1/sessions/{id}/processes/{process}/terminal": `{"rows": 1, "columns": 1}`,
	}
	if method == http.MethodGet || method == http.MethodDelete {
		return ""
	}
	return bodies[path]
}

// TestOwnersByScope: a token is good for its scopes alone, and the refusal says which one
// is missing; it counts from when it is made until it is revoked.
func TestOwnersByScope(t *testing.T) {
	s := newShared(t)
	run := s.run("ann", adder("t"))
	read := s.token("ann", "read", api.ScopeRead)
	for _, test := range []struct {
		method, path, scope string
	}{
		{"POST", "/v1/runs", "run"}, {"POST", "/v1/runs/" + run.ID + "/cancel", "run"}, {"POST", "/v1/blobs", "run"}, {"POST", "/v1/sessions", "run"},
		{"POST", "/v1/approvals/" + run.ID, "approve"}, {"POST", "/v1/runs/" + run.ID + "/signals/x", "approve"}, {"GET", "/v1/owners", "admin"}, {"POST", "/v1/prune", "admin"},
	} {
		status, text := s.ask(read, test.method, test.path, "{}")
		if status != http.StatusForbidden || !strings.Contains(text, "lacks the scope "+test.scope) {
			t.Errorf("%s %s: got %d %s, want that the scope %s is missing", test.method, test.path, status, text, test.scope)
		}
	}
	if status, text := s.ask(read, "GET", "/v1/runs/"+run.ID, ""); status != http.StatusOK || !strings.Contains(text, `"owner":"ann"`) {
		t.Errorf("reading a run: got %d %s", status, text)
	}
	s.must(s.client("").RemoveToken(t.Context(), "ann", "read"))
	if status, _ := s.ask(read, "GET", "/v1/runs/"+run.ID, ""); status != http.StatusUnauthorized {
		t.Errorf("a token that was revoked: got %d", status)
	}
	for _, wrong := range []string{"gbx-", "gbx-0123456789", s.tokens["ann"] + "x", strings.ToUpper(s.tokens["ann"]), s.tokens["ann"][:20]} {
		if status, text := s.ask(wrong, "GET", "/v1/runs", ""); status != http.StatusUnauthorized || strings.Contains(text, "ann") {
			t.Errorf("the token %q: got %d %s", wrong, status, text)
		}
	}
}

// TestOwnersBlobs: a digest is no permission to the bytes of another, in no input, list of
// files of a directory, or download. Bytes that both sent belong to both.
func TestOwnersBlobs(t *testing.T) {
	s := newShared(t)
	ann, bob := s.client("ann"), s.client("bob")
	digest, _, err := bob.PutBlob(t.Context(), strings.NewReader("words of bob"))
	s.must(err)
	manifest, _, err := ann.PutBlob(t.Context(), strings.NewReader(`{"version":1,"entries":[{"path":"f","type":"file","sha256":"`+digest+`","size":12}]}`))
	s.must(err)
	reads := adder("reads")
	for name, given := range map[string]any{"file": value.File{Path: "f", SHA256: digest}, "dir": value.Dir{Path: "d", SHA256: manifest}} {
		kind := map[string]value.Kind{"file": value.KindFile, "dir": value.KindDir}[name]
		reads.Signature.Inputs = []value.Param{{Name: "x", Type: value.Type{Kind: kind}}}
		run, err := ann.Submit(t.Context(), api.Submission{Task: reads, Inputs: map[string]any{"x": given}})
		if code := api.AsError(err).Code; err == nil || code != api.NotFound && code != api.InvalidInput && code != api.StorageCorrupt {
			t.Errorf("a %s with the digest of bob: got %+v, %v", name, run, err)
		}
	}
	if _, _, err := ann.OpenBlob(t.Context(), digest); api.AsError(err).Code != api.NotFound {
		t.Errorf("bytes of bob: got %v", err)
	}
	s.must(ignored3(ann.PutBlob(t.Context(), strings.NewReader("words of bob"))))
	r, _, err := ann.OpenBlob(t.Context(), digest)
	s.must(err)
	s.must(r.Close())
}

func ignored3[A, B any](_ A, _ B, err error) error { return err }

// TestOwnersCache: the result of one owner answers none of another, nor of the home, though
// their tasks and inputs are the same.
func TestOwnersCache(t *testing.T) {
	s := newShared(t)
	for _, owner := range []string{"bob", "ann", ""} {
		first := s.run(owner, adder("t"))
		run, err := s.client(owner).Submit(t.Context(), api.Submission{Task: adder("t"), Inputs: map[string]any{"x": 1}})
		s.must(err)
		s.must(ignored(s.client(owner).Wait(t.Context(), run.ID)))
		again, err := s.client(owner).Run(t.Context(), run.ID)
		s.must(err)
		if first.Cached || first.Owner != owner || again.CachedRun != first.ID {
			t.Errorf("%q: the first run was cached: %t, of %q; the second was answered by %s, want %s", owner, first.Cached, first.Owner, again.CachedRun, first.ID)
		}
	}
	page, err := s.client("ann").Runs(t.Context(), api.RunQuery{})
	if err != nil || len(page.Runs) != 2 {
		t.Errorf("the runs of ann: got %d, %v", len(page.Runs), err)
	}
	page, err = s.client("").Runs(t.Context(), api.RunQuery{})
	if err != nil || len(page.Runs) != 6 {
		t.Errorf("the runs of all: got %d, %v", len(page.Runs), err)
	}
}

// TestOwnersReachNothingOfTheHome: what a task takes from the home or its host is refused,
// however deep in the task it is.
func TestOwnersReachNothingOfTheHome(t *testing.T) {
	s := newShared(t)
	s.must(s.app.secrets.Set("key", []byte("value")))
	within := func(tool api.Task) *api.Task {
		tool.Name = "tool"
		task := adder("t")
		task.Orchestrator.Tools = []api.Task{tool}
		return task
	}
	model := api.Task{Kind: api.KindModel, Model: &api.Model{Protocol: "openai", Name: "m", Key: "key"}, Signature: api.ModelSignature()}
	for name, task := range map[string]*api.Task{
		"a secret":       within(api.Task{Code: "1", Secrets: []api.SecretRef{{Name: "key", Env: "K"}}}),
		"a key":          within(model),
		"a function":     within(api.Task{Kind: api.KindFunction, Function: &api.Function{ID: "f"}}),
		"a host":         within(api.Task{Kind: api.KindMCP, MCP: &api.MCPTool{Server: api.MCPServer{URL: "http://127.0.0.1/", Host: true}, Tool: "t"}}),
		"a registry":     within(api.Task{Code: "1", Image: api.ImageSpec{Ref: "r", RegistrySecret: "key"}}),
		"a name":         within(api.Task{Code: "1", Image: api.ImageSpec{Name: "tools"}}),
		"a notification": within(api.Task{Code: "1", Notify: []api.Notify{{URL: "https://example.com", Secret: "key"}}}),
	} {
		if _, err := s.client("ann").Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"x": 1}}); api.AsError(err).Code != api.Forbidden && (name != "a host" || api.AsError(err).Code != api.InvalidTask) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err := s.client("").Deploy(t.Context(), api.Deployment{Tasks: []api.Task{*adder("deployed")}})
	s.must(err)
	if _, err := s.client("ann").Submit(t.Context(), api.Submission{Name: "deployed", Inputs: map[string]any{"x": 1}}); api.AsError(err).Code != api.NotFound {
		t.Errorf("a deployed task of the home: got %v", err)
	}
	deep := within(api.Task{Code: "1", Secrets: []api.SecretRef{{Name: "key", Env: "K"}}})
	if _, err := s.client("ann").Deploy(t.Context(), api.Deployment{Tasks: []api.Task{*deep}}); api.AsError(err).Code != api.Forbidden {
		t.Errorf("a deployment with a secret: got %v", err)
	}
	given := api.WithIdentity(t.Context(), api.Identity{Owner: "ann", Scopes: []api.Scope{api.ScopeAdmin}})
	_, err = s.app.Service().Deploy(given, api.Deployment{Tasks: []api.Task{*deep}})
	s.must(err)
	if _, err := s.client("ann").Submit(t.Context(), api.Submission{Name: "t", Inputs: map[string]any{"x": 1}}); api.AsError(err).Code != api.Forbidden {
		t.Errorf("a deployed task with a secret: got %v", err)
	}
	if _, err := s.client("ann").NewSession(t.Context(), api.SessionSpec{Secrets: []api.SecretRef{{Name: "key", Env: "K"}}}); api.AsError(err).Code != api.Forbidden {
		t.Errorf("a session with a secret: got %v", err)
	}
	for name, spec := range map[string]api.ImageSpec{"a name": {Name: "tools"}, "a secret": {BuildSecrets: map[string]string{"a": "key"}}, "a registry": {RegistrySecret: "key"}} {
		if _, err := s.client("ann").BuildImage(t.Context(), spec, nil); api.AsError(err).Code != api.Forbidden {
			t.Errorf("an image with %s: got %v", name, err)
		}
	}
	if _, err := s.client("ann").BuildImage(t.Context(), api.ImageSpec{Packages: []string{"-e /"}}, nil); api.AsError(err).Code == api.Forbidden || err == nil {
		t.Errorf("an image that a session could have: got %v", err)
	}
}

// TestOwnersQuotas: of runs submitted at once, as many are taken as the owner may have; one
// that ends makes room. Others, and the home, are not counted.
func TestOwnersQuotas(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	s.must(ignored(s.client("").SetOwner(ctx, api.Owner{Name: "ann", Runs: 2, Sessions: 1})))
	sleeper := adder("sleeper")
	sleeper.Code, sleeper.Orchestrator.Dialect, sleeper.Orchestrator.Clock = "import time\ntime.sleep(1000)\nx", "extended", api.RealClock
	begin := func(owner string) (string, error) {
		run, err := s.client(owner).Submit(ctx, api.Submission{Task: sleeper, Inputs: map[string]any{"x": 1}})
		if err != nil {
			return "", err
		}
		return run.ID, nil
	}
	type answer struct {
		run string
		err error
	}
	answers := make(chan answer)
	for range 8 {
		go func() {
			run, err := begin("ann")
			answers <- answer{run, err}
		}()
	}
	var runs []string
	for range 8 {
		a := <-answers
		if a.err == nil {
			runs = append(runs, a.run)
		} else if e := api.AsError(a.err); e.Code != api.Overloaded || e.Details.Limit != 2 || !strings.Contains(e.Message, "ann may have 2 runs") {
			t.Errorf("beyond the quota: got %v", a.err)
		}
	}
	if len(runs) != 2 {
		t.Fatalf("%d runs were taken, want 2", len(runs))
	}
	for _, owner := range []string{"bob", ""} {
		run, err := begin(owner)
		s.must(err)
		s.must(s.client(owner).Cancel(ctx, run, ""))
	}
	s.must(s.client("ann").Cancel(ctx, runs[0], ""))
	_, _ = s.client("ann").Wait(ctx, runs[0])
	run, err := begin("ann")
	s.must(err)
	for _, id := range []string{run, runs[1]} {
		s.must(s.client("ann").Cancel(ctx, id, ""))
		_, _ = s.client("ann").Wait(ctx, id)
	}
	s.session("ann", "annsession")
	if _, err := s.client("ann").NewSession(ctx, api.SessionSpec{}); api.AsError(err).Code != api.Overloaded {
		t.Errorf("a session beyond the quota: got %v", err)
	}
}
