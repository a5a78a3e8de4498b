package taskfile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestTriggers reads what starts tasks, under the names that a deployment gives.
func TestTriggers(t *testing.T) {
	const text = `
name: env
tasks:
  t: {kind: orchestrator, inputs: {n: int, s: str, d: {type: str, default: x}}, code: "1", output: int, labels: {team: data, tier: 2}, notify: [{url: "https://a.example/x", secret: k, events: [failed, canceled]}, {url: "https://b.example", secret: k}]}
schedules:
  a: {task: t, cron: "@daily", zone: Asia/Tokyo, inputs: {n: 3}, time_input: s, catch_up: all, max_catch_up: 5, overlap: allow, paused: true, end: 2030-01-02T03:04:05Z}
  b: {task: other.t@2, cron: "0 1 * * *"}
hooks:
  h: {task: t, secret: key, signature: github, body: s, fields: {n: /a/0}, inputs: {d: "1"}, paused: true}
`
	f, err := Parse([]byte(text), Options{Path: "x.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	d := f.Deployment()
	schedules := []api.ScheduleSpec{
		{Name: "env.a", Task: "env.t", Cron: "@daily", Zone: "Asia/Tokyo", Inputs: []byte(`{"n":3}`), TimeInput: "s", CatchUp: api.CatchUpAll, MaxCatchUp: 5,
			Overlap: api.OverlapAllow, Paused: true, End: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)},
		{Name: "env.b", Task: "other.t@2", Cron: "0 1 * * *"},
	}
	hooks := []api.HookSpec{
		{Name: "env.h", Task: "env.t", Secret: "key", Signature: api.HookGitHub, Body: "s", Fields: map[string]string{"n": "/a/0"}, Inputs: []byte(`{"d":"1"}`), Paused: true},
	}
	notify := []api.Notify{{URL: "https://a.example/x", Secret: "k", Events: []api.NotifyEvent{api.NotifyFailed, api.NotifyCanceled}}, {URL: "https://b.example", Secret: "k"}}
	labels := map[string]string{"team": "data", "tier": "2"}
	if diff := cmp.Diff(labels, d.Tasks[0].Labels) + cmp.Diff(schedules, d.Schedules) + cmp.Diff(hooks, d.Hooks) + cmp.Diff(notify, d.Tasks[0].Notify); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWrongTriggers(t *testing.T) {
	const tasks = "tasks: {t: {kind: orchestrator, code: \"1\"}}\n"
	for text, want := range map[string]string{
		"schedules: {a: {task: t}}":                                                                                     "schedule a needs task and cron",
		"schedules: {a: {task: t, cron: \"@daily\", often: 1}}":                                                         "often",
		"schedules: {a: {task: t, cron: \"@daily\", overlap: queue}}":                                                   "expected skip or allow or cancel",
		"schedules: {a: {task: t, cron: \"@daily\", end: soon}}":                                                        "expected a time such as",
		"schedules: {a.b: {task: t, cron: \"@daily\"}}":                                                                 "is no name",
		"hooks: {a: {task: t}}":                                                                                         "hook a needs task and secret",
		"hooks: {a: {task: t, secret: s, signature: md5}}":                                                              "expected standard or github",
		"tasks: {u: {kind: orchestrator, code: \"1\", labels: {\"a=b\": x}}}":                                           "labels is the name \"a=b\"",
		"tasks: {u: {kind: orchestrator, code: \"1\", notify: [{url: \"https://a.example\"}]}}":                         "an entry of notify needs url and secret",
		"tasks: {u: {kind: orchestrator, code: \"1\", notify: [{url: \"http://a.example\", secret: s}]}}":               "notify[0].url",
		"tasks: {u: {kind: orchestrator, code: \"1\", notify: [{url: \"https://a.example\", secret: s, events: [x]}]}}": "expected ended or succeeded",
	} {
		if !strings.HasPrefix(text, "tasks:") {
			text = tasks + text
		}
		_, err := Parse([]byte(text), Options{Path: "x.yaml"})
		if err == nil || !strings.Contains(err.Error(), want) || api.AsError(err).Code != api.InvalidTask {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
