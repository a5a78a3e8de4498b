package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/webhook"
	"github.com/glovebox-dev/glovebox/value"
)

const key = "a key of some length, for the tests"

// codeFile is what the task brings along, as a deployed function does: no message
// has it, and each run gets it.
const codeFile = `{"path":"code","sha256":"0000000000000000000000000000000000000000000000000000000000000000"}`

// world is a service with a clock and an engine of the test's.
type world struct {
	*testing.T
	*webhook.Service
	now  time.Time
	runs []api.Submission
	keys map[string]string
}

func newWorld(t *testing.T, hooks ...api.HookSpec) *world {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &world{T: t, now: time.Unix(1_800_000_000, 0), keys: map[string]string{}}
	any := value.Param{Name: "event", Type: value.Type{Kind: value.KindAny}}
	n, err := value.Param{Name: "n", Type: value.Type{Kind: value.KindInt}}.WithDefault(int64(5))
	if err != nil {
		t.Fatal(err)
	}
	code := value.Param{Name: "code", Type: value.Type{Kind: value.KindFile}, Default: json.RawMessage(codeFile)}
	signature := api.Signature{Inputs: []value.Param{any, n, code}}
	w.Service = webhook.New(webhook.Config{
		Store: db.Hooks(), Now: func() time.Time { return w.now }, Submit: w.submit,
		Task: func(context.Context, string) (*api.TaskVersion, error) {
			return &api.TaskVersion{Name: "task", Version: 2, Signature: signature}, nil
		},
		Secret: func(name string) ([]byte, error) {
			switch name {
			case "standard":
				return []byte("whsec_" + base64.StdEncoding.EncodeToString([]byte(key)) + "\n"), nil
			case "plain":
				return []byte(key), nil
			}
			return nil, api.Errorf(api.SecretNotFound, "there is no secret %s", name)
		},
	})
	commit, err := w.PrepareDeployment(t.Context(), &api.Deployment{Hooks: hooks})
	if err == nil {
		err = commit(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) submit(_ context.Context, s api.Submission) (*api.Run, error) {
	if id := w.keys[s.IdempotencyKey]; id != "" {
		return &api.Run{ID: id, Created: w.now.Add(-1)}, nil
	}
	w.runs = append(w.runs, s)
	id := fmt.Sprintf("run-%d", len(w.runs))
	w.keys[s.IdempotencyKey] = id
	return &api.Run{ID: id, Created: w.now.Add(1)}, nil
}

func mac(text string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return h.Sum(nil)
}

// standard is a message of Standard Webhooks.
func standard(id string, sent time.Time, body string) http.Header {
	at := strconv.FormatInt(sent.Unix(), 10)
	signature := base64.StdEncoding.EncodeToString(mac(id + "." + at + "." + body))
	return http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {at}, "Webhook-Signature": {"v1,AAAA v1," + signature}}
}

func github(body string) http.Header {
	return http.Header{"X-Hub-Signature-256": {"sha256=" + hex.EncodeToString(mac(body))}, "X-Github-Delivery": {"d"}}
}

func (w *world) want(name string, header http.Header, body string, run string, code api.Code) {
	w.Helper()
	got, err := w.Receive(w.Context(), name, header, []byte(body))
	switch {
	case code != "" && (err == nil || api.AsError(err).Code != code):
		w.Errorf("%s: got %v, want %s", body, err, code)
	case code == "" && (err != nil || got.ID != run):
		w.Errorf("%s: got %+v, %v, want %s", body, got, err, run)
	}
}

// TestMessages: a signed message starts a run, and the same again is the same run.
func TestMessages(t *testing.T) {
	w := newWorld(t,
		api.HookSpec{Name: "s", Task: "task", Secret: "standard", Body: "event", Inputs: json.RawMessage(`{"n":7}`)},
		api.HookSpec{Name: "g", Task: "task", Secret: "plain", Signature: api.HookGitHub, Fields: map[string]string{"event": "/a/1/b~1c", "n": "/n"}},
	)
	const body = `{"a": [0, {"b/c": "x"}], "n": 3}`
	w.want("s", standard("m1", w.now, body), body, "run-1", "")
	w.want("s", standard("m1", w.now.Add(time.Minute), body), body, "run-1", "")
	w.want("s", standard("m2", w.now.Add(-4*time.Minute), body), body, "run-2", "")
	w.want("g", github(body), body, "run-3", "")
	again := github(body)
	again.Set("X-Github-Delivery", "another")
	w.want("g", again, body, "run-3", "")
	w.want("g", github(`{"a": [0, {"b/c": null}]}`), `{"a": [0, {"b/c": null}]}`, "run-4", "")
	for i, want := range []string{`{"event":{"a":[0,{"b/c":"x"}],"n":3},"n":7}`, `{"event":{"a":[0,{"b/c":"x"}],"n":3},"n":7}`, `{"event":"x","n":3}`, `{"event":null,"n":5}`} {
		want = strings.TrimSuffix(want, "}") + `,"code":` + codeFile + `}`
		if got := string(w.runs[i].Checked.JSON()); got != want || w.runs[i].Name != "task@2" {
			t.Errorf("run %d of %s has %s, want %s", i+1, w.runs[i].Name, got, want)
		}
	}
	if trigger := w.runs[0].Trigger; trigger.Hook != "s" || trigger.Message != "m1" || !trigger.Time.Equal(w.now) {
		t.Errorf("started by %+v", trigger)
	}
	w.want("g", github(`{}`), `{}`, "", api.InvalidInput)
	w.want("g", github(`no JSON`), `no JSON`, "", api.RequestInvalid)
}

// TestUnauthorized: all that is wrong with who sent a message has one answer,
// also that there is no such hook.
func TestUnauthorized(t *testing.T) {
	w := newWorld(t,
		api.HookSpec{Name: "s", Task: "task", Secret: "standard", Body: "event"}, api.HookSpec{Name: "g", Task: "task", Secret: "plain", Signature: api.HookGitHub, Body: "event"},
		api.HookSpec{Name: "lost", Task: "task", Secret: "gone", Body: "event"},
	)
	changed := func(header http.Header, name, text string) http.Header {
		header.Set(name, text)
		return header
	}
	answers := map[string]bool{}
	for what, test := range map[string]struct {
		hook   string
		header http.Header
		body   string
	}{
		"no headers":          {"s", http.Header{}, `{}`},
		"another body":        {"s", standard("m", w.now, `{}`), `{"a": 1}`},
		"another id":          {"s", changed(standard("m", w.now, `{}`), "Webhook-Id", "n"), `{}`},
		"another time":        {"s", changed(standard("m", w.now, `{}`), "Webhook-Timestamp", "1800000001"), `{}`},
		"no time":             {"s", changed(standard("m", w.now, `{}`), "Webhook-Timestamp", "now"), `{}`},
		"an old message":      {"s", standard("m", w.now.Add(-6*time.Minute), `{}`), `{}`},
		"a message to come":   {"s", standard("m", w.now.Add(6*time.Minute), `{}`), `{}`},
		"an id with spaces":   {"s", standard("m n", w.now, `{}`), `{}`},
		"no id":               {"s", standard("", w.now, `{}`), `{}`},
		"GitHub for another":  {"s", github(`{}`), `{}`},
		"GitHub, wrong":       {"g", github(`{}`), `{ }`},
		"GitHub, SHA-1":       {"g", changed(http.Header{}, "X-Hub-Signature", "sha1=00"), `{}`},
		"GitHub, no scheme":   {"g", changed(http.Header{}, "X-Hub-Signature-256", hex.EncodeToString(mac(`{}`))), `{}`},
		"standard for GitHub": {"g", standard("m", w.now, `{}`), `{}`},
		"no such hook":        {"none", standard("m", w.now, `{}`), `{}`},
		"no secret":           {"lost", standard("m", w.now, `{}`), `{}`},
	} {
		run, err := w.Receive(t.Context(), test.hook, test.header, []byte(test.body))
		if err == nil || api.AsError(err).Code != api.Unauthorized {
			t.Errorf("%s: got %+v, %v", what, run, err)
			continue
		}
		answers[err.Error()] = true
	}
	if len(answers) != 1 || len(w.runs) != 0 {
		t.Errorf("%d runs, the answers %v", len(w.runs), answers)
	}
}

// TestEmptySecretsAdmitNobody: an HMAC of an empty key can be made by everybody.
func TestEmptySecretsAdmitNobody(t *testing.T) {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.Hooks().PutHooks(t.Context(), []journal.HookRecord{{Hook: api.Hook{HookSpec: api.HookSpec{Name: "g", Signature: api.HookGitHub}}}, {Hook: api.Hook{HookSpec: api.HookSpec{Name: "s"}}}}, nil))
	now := time.Now()
	for _, secret := range []string{"", " \n", "whsec_"} {
		s := webhook.New(webhook.Config{Store: db.Hooks(), Secret: func(string) ([]byte, error) { return []byte(secret), nil }})
		h := hmac.New(sha256.New, nil)
		h.Write([]byte("{}"))
		_, err := s.Receive(t.Context(), "g", http.Header{"X-Hub-Signature-256": {"sha256=" + hex.EncodeToString(h.Sum(nil))}}, []byte("{}"))
		if err == nil || api.AsError(err).Code != api.Unauthorized {
			t.Errorf("%q, github: %v", secret, err)
		}
		at := strconv.FormatInt(now.Unix(), 10)
		h = hmac.New(sha256.New, nil)
		h.Write([]byte("m." + at + ".{}"))
		header := http.Header{"Webhook-Id": {"m"}, "Webhook-Timestamp": {at}, "Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))}}
		if _, err = s.Receive(t.Context(), "s", header, []byte("{}")); err == nil || api.AsError(err).Code != api.Unauthorized {
			t.Errorf("%q, standard: %v", secret, err)
		}
	}
}

// TestRate: a hook starts so many runs at once, and then so many a second.
func TestRate(t *testing.T) {
	w := newWorld(t, api.HookSpec{Name: "s", Task: "task", Secret: "standard", Body: "event"})
	send := func(i int) error {
		_, err := w.Receive(t.Context(), "s", standard(strconv.Itoa(i), w.now, "1"), []byte("1"))
		return err
	}
	for i := range 50 {
		if err := send(i); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	if err := send(50); err == nil || api.AsError(err).Code != api.Overloaded {
		t.Errorf("one more: %v", err)
	}
	w.now = w.now.Add(100 * time.Millisecond)
	if err := send(51); err != nil {
		t.Errorf("after a tenth of a second: %v", err)
	}
}

// TestPausedAndCalls: a paused hook starts nothing, and a message that it refused
// starts a run later. What became of signed messages is kept, and of others nothing.
func TestPausedAndCalls(t *testing.T) {
	spec := api.HookSpec{Name: "s", Task: "task", Secret: "standard", Body: "event", Paused: true}
	w := newWorld(t, spec)
	w.want("s", standard("m1", w.now, "1"), "1", "", api.Conflict)
	if h, err := w.ResumeHook(t.Context(), "s"); err != nil || h.Paused {
		t.Fatalf("resumed: %+v, %v", h, err)
	}
	w.want("s", standard("m1", w.now, "1"), "1", "run-1", "")
	w.want("s", standard("m1", w.now, "1"), "1", "run-1", "")
	w.want("s", standard("m2", w.now, "no JSON"), "no JSON", "", api.RequestInvalid)
	w.want("s", standard("m3", w.now, "1"), "2", "", api.Unauthorized)
	h, err := w.Hook(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range h.LastCalls {
		got = append(got, c.Message+" "+string(c.State)+" "+c.Run)
	}
	want := []string{"m2 refused ", "m1 repeated run-1", "m1 started run-1", "m1 refused "}
	if !slices.Equal(got, want) || h.LastCalls[3].Reason == "" {
		t.Errorf("got %q, want %q", got, want)
	}
	deploy := func(spec api.HookSpec) bool {
		commit, err := w.PrepareDeployment(t.Context(), &api.Deployment{Hooks: []api.HookSpec{spec}})
		if err == nil {
			err = commit(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		h, err := w.Hook(t.Context(), "s")
		return err == nil && h.Paused
	}
	if deploy(spec) {
		t.Error("the same definition paused the hook again")
	}
	spec.Paused = false
	if _, err := w.PauseHook(t.Context(), "s"); err != nil || deploy(spec) {
		t.Errorf("a definition that says something else did not count: %v", err)
	}
	if _, err := w.PauseHook(t.Context(), "t"); err == nil || api.AsError(err).Code != api.NotFound {
		t.Errorf("pause a hook that is not there: %v", err)
	}
}
