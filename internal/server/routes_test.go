package server

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// exchange is a request with the answer that it has to get.
type exchange struct {
	method, path, body string
	status             int
	answer             string // contained in the body
	header             string // a header of the request
}

var digits = strings.Repeat("0", 64)

// exchanges ask once for every route of the API. run-1 has ended, run-2 runs.
var exchanges = []exchange{
	{"POST", "/v1/runs", `{"name": "deployed", "inputs": {"x": 7}}`, 201, `"task":"deployed"`, ""},
	{"GET", "/v1/runs?status=failed,queued&label=a%3D1&label=b%3D&id_prefix=run-0&top=true&limit=5&since=2026-01-02T03:04:05Z", "", 200, `{"runs":[{"id":"run-1"`, ""},
	{"GET", "/v1/runs/run-1", "", 200, `"status":"succeeded"`, ""},
	{"GET", "/v1/runs/run-1/result", "", 200, `"outputs":[{"name":"n","type":"int","value":1},`, ""},
	{"GET", "/v1/runs/run-2/result", "", 202, `{"run":{"id":"run-2"`, ""},
	{"POST", "/v1/runs/run-3/cancel", `{"reason": "no"}`, 202, "", ""},
	{"POST", "/v1/runs/run-1/resume", `{"retry_unknown": true}`, 202, `"id":"run-1"`, ""},
	{"POST", "/v1/runs/run-1/resolve", `{"call": "2", "value": null}`, 200, `"id":"run-1"`, ""},
	{"POST", "/v1/runs/run-1/resolve", `{"call": "2", "failed": "no"}`, 409, `"code":"conflict"`, ""},
	{"POST", "/v1/runs/run-1/rerun", `{"from": 2}`, 201, `"id":"run-1"`, ""},
	{"GET", "/v1/approvals?state=waiting&limit=5", "", 200, `{"approvals":[{"run":"run-2"`, ""},
	{"GET", "/v1/approvals?task=other", "", 200, `{"approvals":[],`, ""},
	{"GET", "/v1/approvals/run-2", "", 200, `"inputs":{"amount":4}`, ""},
	{"POST", "/v1/approvals/run-2", `{"approved": true, "arguments": {"amount": 1}, "by": "Ada"}`, 200, `"by":"Ada","identity":"`, "Idempotency-Key: k"},
	{"POST", "/v1/runs/run-1/signals/paid?wait=5s", `{"value": {"a": 1}, "by": "Ada"}`, 200, `"reason":"5s","arguments":{"a":1},"by":"Ada","identity":"`, "Idempotency-Key: k"},
	{"POST", "/v1/runs/run-1/signals/pald", `{"value": 1}`, 409, `"code":"conflict"`, ""},
	{"POST", "/v1/runs/run-1/signals/paid", `{"value": 1, "from": "page"}`, 422, `"field":"from"`, ""},
	{"POST", "/v1/runs/run-1/signals/paid?wait=2h", `{"value": 1}`, 422, `wait`, ""},
	{"POST", "/v1/approvals/run-2", `{"by": "Ada"}`, 422, `"field":"approved"`, ""},
	{"POST", "/v1/approvals/run-2", `{"approved": true, "from": "page"}`, 422, `"field":"from"`, ""},
	{"POST", "/v1/approvals/run-2", `{"approved": true, "identity": "root"}`, 422, `"code":"request_invalid"`, ""},
	{"GET", "/v1/runs/run-1/events", "", 200, "id: 1\nevent: created\ndata: {\"run\":\"run-1\",\"seq\":1,", ""},
	{"GET", "/v1/runs/run-1/logs", "", 200, `{"seq":1,"time":"1970-01-01T00:00:01Z","stream":"stdout","text":"created"}`, ""},
	{"GET", "/v1/runs/run-1/logs?follow=true&after=1", "", 200, "id: 2\nevent: log\ndata: {\"seq\":2", "Accept: text/event-stream"},
	{"GET", "/v1/runs/run-1/inputs", "", 200, "{}", ""},
	{"GET", "/v1/runs/run-1/outputs", "", 200, `{"n":1,"f":{"path":"f.txt"`, ""},
	{"GET", "/v1/runs/run-1/outputs/n", "", 200, "1", ""},
	{"GET", "/v1/runs/run-1/outputs/f", "", 200, "content", ""},
	{"GET", "/v1/runs/run-1/outputs/d", "", 200, "sub/a.txt", ""},
	{"GET", "/v1/runs/run-1/task", "", 200, `"code":"y = 1"`, ""},
	{"GET", "/v1/runs/run-1/cache", "", 200, `"verdict":"miss"`, ""},
	{"DELETE", "/v1/cache?task=abc", "", 200, `{"cleared":3}`, ""},
	{"POST", "/v1/check", `{"task": {"name": "t", "kind": "orchestrator", "code": "1"}}`, 200, `{"problems":[{"level":"error"`, ""},
	{"POST", "/v1/check", `{"task": {"name": "t"}}`, 200, `{"problems":[]}`, ""},
	{"POST", "/v1/evaluations", `{"name": "deployed", "inputs": {"x": 7}}`, 200, `{"outputs":[{"name":"result","type":"Any","value":7}],"stdout":"aGk=","exit_code":0,"calls":[{"id":1,"tool":"t","run":"run-1"}],"calls_made":1,`, ""},
	{"POST", "/v1/evaluations", `{"task": {"kind": "orchestrator", "code": "fail"}}`, 200, `"error":{"code":"python_exception"`, ""},
	{"POST", "/v1/evaluations", `{"name": "absent"}`, 404, `"code":"not_found"`, ""},
	{"POST", "/v1/prompt", `{"task": {"name": "t"}}`, 200, `{"prompt":"write t"}`, ""},
	{"POST", "/v1/blobs", "content", 201, `"size":7}`, ""},
	{"GET", "/v1/blobs/DIGEST", "", 200, "content", ""},
	{"HEAD", "/v1/blobs/DIGEST", "", 200, "", ""},
	{"GET", "/v1/blobs/DIGEST", "", 206, "ent", "Range: bytes=4-"},
	{"GET", "/v1/blobs/DIGEST", "", 200, "ent", "Range: lines=4-"},
	{"GET", "/v1/blobs/DIGEST", "", 416, `"code":"request_invalid"`, "Range: bytes=70-"},
	{"GET", "/v1/blobs/DIGEST", "", 304, "", "If-None-Match: \"DIGEST\""},
	{"POST", "/v1/deployments", `{"tasks": [{"name": "d"}]}`, 201, `{"tasks":[{"name":"d","version":1`, ""},
	{"GET", "/v1/tasks", "", 200, `{"tasks":[]}`, ""},
	{"GET", "/v1/tasks/deployed", "", 200, `"name":"deployed"`, ""},
	{"GET", "/v1/tasks/deployed/versions", "", 200, `{"versions":[{"name":"deployed"`, ""},
	{"POST", "/v1/tasks/deployed/rollback", `{"version": 1}`, 200, `"name":"deployed"`, ""},
	{"DELETE", "/v1/tasks/deployed", "", 204, "", ""},
	{"GET", "/v1/hooks", "", 200, `{"hooks":[{"name":"push"`, ""},
	{"GET", "/v1/hooks/push", "", 200, `"task":"deployed"`, ""},
	{"POST", "/v1/hooks/push", "body", 202, `{"run":"run-of-push"}`, "Webhook-Signature: body"},
	{"POST", "/v1/hooks/push/pause", "", 200, `"paused":true`, ""},
	{"POST", "/v1/hooks/push/resume", "", 200, `"task":"deployed"`, ""},
	{"DELETE", "/v1/hooks/push", "", 204, "", ""},
	{"GET", "/v1/notifications?run=run-1&state=failed&limit=5", "", 200, `{"deliveries":[{"id":"msg-1"`, ""},
	{"POST", "/v1/notifications/msg-1/redeliver", "", 202, `"state":"waiting"`, ""},
	{"GET", "/v1/schedules", "", 200, `{"schedules":[{"name":"nightly"`, ""},
	{"GET", "/v1/schedules/nightly", "", 200, `"cron":"@daily"`, ""},
	{"POST", "/v1/schedules/nightly/pause", "", 200, `"paused":true`, ""},
	{"POST", "/v1/schedules/nightly/resume", "", 200, `"cron":"@daily"`, ""},
	{"POST", "/v1/schedules/nightly/run", "", 202, `{"id":"manual k"`, "Idempotency-Key: k"},
	{"DELETE", "/v1/schedules/nightly", "", 204, "", ""},
	{"GET", "/v1/environments", "", 200, `{"environments":[]}`, ""},
	{"GET", "/v1/environments/e@3", "", 200, `{"name":"e@3","version":3`, ""},
	{"GET", "/v1/images", "", 200, `{"images":[]}`, ""},
	{"GET", "/v1/images/ghcr.io%2Fa%2Fb:1", "", 200, `"id":"ghcr.io/a/b:1"`, ""},
	{"DELETE", "/v1/images/i", "", 204, "", ""},
	{"POST", "/v1/images", `{"spec": {"name": "n"}}`, 200, "{\"progress\":{\"stage\":\"resolve\"}}\n{\"image\":{\"id\":\"i\"", ""},
	{"POST", "/v1/images", `{"spec": {"name": "bad"}}`, 422, `"code":"build_failed"`, ""},
	{"POST", "/v1/images", `{"spec": {"name": "late"}}`, 200, "{\"progress\":{\"stage\":\"resolve\"}}\n{\"error\":{\"code\":\"build_failed\"", ""},
	{"POST", "/v1/images/i/push", `{"ref": "r"}`, 200, "{\"progress\":{\"stage\":\"push\"}}\n{\"reference\":\"r@sha256:0123\"}", ""},
	{"PUT", "/v1/secrets/S", "value", 204, "", ""},
	{"GET", "/v1/secrets", "", 200, `{"names":["S"]}`, ""},
	{"DELETE", "/v1/secrets/S", "", 204, "", ""},
	{"GET", "/v1/workers", "", 200, `{"workers":[]}`, ""},
	{"GET", "/v1/owners", "", 200, `{"owners":[{"name":"ann"}]}`, ""},
	{"PUT", "/v1/owners/bob", "", 200, `{"name":"bob"}`, ""},
	{"PUT", "/v1/owners/bob", `{"runs": 7, "sessions": 2}`, 200, `{"name":"bob","runs":7,"sessions":2}`, ""},
	{"GET", "/v1/owners/ann/tokens", "", 200, `{"tokens":[{"name":"ci","owner":"ann","scopes":["read"]}]}`, ""},
	{"POST", "/v1/owners/ann/tokens", `{"name": "cd", "scopes": ["run", "read"]}`, 201, `"text":"gbx-text"}`, ""},
	{"POST", "/v1/owners/bob/tokens", `{"name": "cd", "scopes": ["run"]}`, 404, `"code":"not_found"`, ""},
	{"DELETE", "/v1/owners/ann/tokens/ci", "", 204, "", ""},
	{"DELETE", "/v1/owners/ann", "", 204, "", ""},
	{"GET", "/v1/deeds?object=run-1&before=9", "", 200, `{"deeds":[{"num":7,"time":"0001-01-01T00:00:00Z","owner":"ann","token":"ci","action":"cancel","object":"run-1"}],"next":7}`, ""},
	{"GET", "/v1/nodes", "", 200, `{"nodes":[{"id":"node-1","state":"active"`, ""},
	{"POST", "/v1/nodes/node-1/drain", "", 202, "", ""},
	{"POST", "/v1/nodes/node-2/drain", "", 404, `"code":"not_found"`, ""},
	{"GET", "/v1/monty", "", 426, `"code":"request_invalid"`, ""},
	{"POST", "/mcp", `{"jsonrpc": "2.0"}`, 200, `POST  {"jsonrpc": "2.0"}`, ""},
	{"GET", "/mcp", "", 200, "GET s1", "Mcp-Session-Id: s1"},
	{"DELETE", "/mcp", "", 200, "DELETE s1", "Mcp-Session-Id: s1"},
	{"POST", "/v1/workers/connect", "", 426, `"code":"request_invalid"`, ""},
	{"POST", "/v1/mcp/tools", `{"server": {"name": "docs", "url": "https://docs.example.com/mcp"}}`, 200, `"tools":[{"name":"docs","kind":"mcp"`, ""},
	{"POST", "/v1/mcp/tools", `{"server": {"command": ["sh"], "image": {"ref": "oci:a"}}}`, 422, `"field":"image"`, ""},
	{"GET", "/v1/warm", "", 200, `{"pools":[]}`, ""},
	{"PUT", "/v1/warm", `{"task": {"name": "t", "code": "x = 1", "preload": ["json"]}, "cells": 2}`, 200, `"preload":["json"],"asked":2,"wanted":2,"idle":1`, ""},
	{"GET", "/v1/warm", "", 200, `{"pools":[{"image":"sha256:i"`, ""},
	{"POST", "/v1/page/codes", "", 200, `{"code":"`, ""},
	{"POST", "/v1/sessions", `{"labels": {"user": "ada"}, "env": {"A": "b"}}`, 201, `{"id":"session1","state":"running","spec":{"env":{"A":"b"},"labels":{"user":"ada"},"idle_ns":1800000000000,"at_end":"pause"}`, ""},
	{"POST", "/v1/sessions", "", 201, `{"id":"session2"`, ""},
	{"POST", "/v1/sessions", `{"image": {"ref": "oci:a"}}`, 422, `"field":"image"`, ""},
	{"GET", "/v1/sessions", "", 200, `{"sessions":[{"id":"session2"`, ""},
	{"GET", "/v1/sessions?label=user%3Dada&state=running,paused&limit=1&oldest=true", "", 200, `{"sessions":[{"id":"session1"`, ""},
	{"GET", "/v1/sessions?label=user", "", 422, `"field":"label"`, ""},
	{"GET", "/v1/sessions/session1", "", 200, `{"id":"session1"`, ""},
	{"GET", "/v1/sessions/absent", "", 404, `"code":"not_found"`, ""},
	{"PATCH", "/v1/sessions/session1", `{"timeout_ns": 1000000000, "labels": {"user": "", "to": "x"}}`, 200, `"labels":{"to":"x"},"timeout_ns":1000000000`, ""},
	{"POST", "/v1/sessions/session1/pause", `{"reason": "later"}`, 200, `"state":"paused"`, ""},
	{"POST", "/v1/sessions/session1/resume", "", 200, `"state":"running"`, ""},
	{"POST", "/v1/sessions/session1/fork", `{"count": 2}`, 200, `{"forks":[{"session":{"id":"session3"`, ""},
	{"GET", "/v1/sessions/session2/events", "", 200, `{"seq":1,"time":"1970-01-01T00:00:01Z","type":"starting","state":"starting"}`, ""},
	{"GET", "/v1/sessions/session2/events?after=1", "", 200, "id: 2\nevent: running\ndata: {\"seq\":2,", "Accept: text/event-stream"},
	{"GET", "/v1/sessions/session1/usage?since=1970-01-01T00:00:00Z", "", 200, `{"samples":[{"time":"1970-01-01T00:00:01Z","cpus":1,"cpu_ns":1000000000,`, ""},
	{"GET", "/v1/sessions/session1/connections", "", 200, `{"connections":[{"time":"1970-01-01T00:00:01Z","host":"pypi.org","port":443,`, ""},
	{"POST", "/v1/sessions/session1/snapshots", `{"name": "a/b:1"}`, 201, `{"id":"snapshot1","name":"a/b:1"`, ""},
	{"GET", "/v1/snapshots?session=session1", "", 200, `{"snapshots":[{"id":"snapshot1"`, ""},
	{"GET", "/v1/snapshots/a%2Fb:1", "", 200, `{"id":"snapshot1"`, ""},
	{"POST", "/v1/snapshots/a%2Fb:1/image", `{"name":"kept"}`, 200, `{"id":"sha256:of-snapshot1","name":"kept"`, ""},
	{"POST", "/v1/snapshots/none/image", "", 404, "", "not_found"},
	{"DELETE", "/v1/snapshots/snapshot1", "", 204, "", ""},
	{"POST", "/v1/sessions/session1/processes", `{"argv": ["echo", "hello"]}`, 200,
		`{"type":"started","pid":10,"offset":0}` + "\n" + `{"type":"output","stream":"stdout","data":"aGVsbG8K","offset":6}` + "\n" + `{"type":"exited","offset":6,"exit":{"code":0,"status":0}}`, ""},
	{"POST", "/v1/sessions/session1/processes", `{"argv": ["echo", "hello"]}`, 200, "event: output\ndata: {\"type\":\"output\"", "Accept: text/event-stream"},
	{"POST", "/v1/sessions/session1/processes", `{"argv": []}`, 422, `"field":"argv"`, ""},
	{"POST", "/v1/sessions/session1/processes?detach=true", `{"argv": ["cat"], "tag": "c", "stdin": true}`, 200, `{"type":"started","pid":12,"offset":0}`, ""},
	{"GET", "/v1/sessions/session1/processes", "", 200, `{"processes":[{"pid":10,"spec":{"argv":["echo","hello"]}`, ""},
	{"GET", "/v1/sessions/session1/processes/10/events?from=3", "", 200, `"data":"bG8K","offset":6}`, ""},
	{"POST", "/v1/sessions/session1/processes/tag:c/input", "hi", 204, "", ""},
	{"DELETE", "/v1/sessions/session1/processes/12/input", "", 204, "", ""},
	{"GET", "/v1/sessions/session1/processes/tag:c/events", "", 200, `"data":"aGk=","offset":2}`, ""},
	{"POST", "/v1/sessions/session1/processes/12/signal", `{"signal": "SIGTERM"}`, 204, "", ""},
	{"POST", "/v1/sessions/session1/processes/12/signal", `{}`, 422, `"field":"signal"`, ""},
	{"POST", "/v1/sessions/session1/processes/c/signal", `{"signal": "SIGTERM"}`, 422, `"field":"process"`, ""},
	{"PUT", "/v1/sessions/session1/processes/12/terminal", `{"columns": 80, "rows": 24}`, 204, "", ""},
	{"PUT", "/v1/sessions/session1/files/content?path=a%2Fb.txt&mode=600", "content", 200, `{"path":"/work/a/b.txt","type":"file","size":7,"mode":384`, "Glovebox-Attributes: {\"k\": \"v\"}"},
	{"PUT", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "content", 422, `"field":"Glovebox-Attributes"`, "Glovebox-Attributes: [1]"},
	{"PUT", "/v1/sessions/session1/files/content", "content", 422, `"field":"path"`, ""},
	{"GET", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "", 200, "content", ""},
	{"HEAD", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "", 200, "", ""},
	{"GET", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "", 206, "nt", "Range: bytes=5-6"},
	{"GET", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "", 206, "ent", "Range: bytes=-3"},
	{"GET", "/v1/sessions/session1/files/content?path=a%2Fb.txt", "", 416, `"field":"Range"`, "Range: bytes=7-"},
	{"GET", "/v1/sessions/session1/files/content?path=absent", "", 404, `"code":"not_found"`, ""},
	{"GET", "/v1/sessions/session1/files/stat?path=a%2Fb.txt", "", 200, `"attributes":{"k":"v"}}`, ""},
	{"GET", "/v1/sessions/session1/files/list?path=%2Fwork&depth=2", "", 200, `{"files":[{"path":"/work/a","type":"dir"`, ""},
	{"POST", "/v1/sessions/session1/files/directory?path=d", "", 200, `{"path":"/work/d","type":"dir"`, ""},
	{"POST", "/v1/sessions/session1/files/directory?path=d", "", 409, `"code":"conflict"`, ""},
	{"POST", "/v1/sessions/session1/files/move", `{"from": "a/b.txt", "to": "d/c.txt"}`, 200, `{"path":"/work/d/c.txt"`, ""},
	{"GET", "/v1/sessions/session1/files/tree?path=d", "", 200, "c.txt", ""},
	{"PUT", "/v1/sessions/session1/files/tree?path=t", "", 204, "", ""},
	{"DELETE", "/v1/sessions/session1/files?path=d", "", 204, "", ""},
	{"GET", "/v1/sessions/session1/files/watch?path=absent", "", 404, `"code":"not_found"`, ""},
	{"GET", "/v1/sessions/session1/user?name=root", "", 200, `{"name":"root","uid":0,"gid":0,"home":"/root"}`, ""},
	{"PUT", "/v1/sessions/session1/ports/8000", `{"public": true}`, 200, `{"port":8000,"token":"token-of-session1-8000","public":true}`, ""},
	{"PUT", "/v1/sessions/session1/ports/0", "", 422, `"field":"port"`, ""},
	{"GET", "/v1/sessions/session1/ports/8000/connect", "", 426, `"field":"Upgrade"`, ""},
	{"DELETE", "/v1/sessions/session1/ports/8000", "", 204, "", ""},
	{"POST", "/v1/sessions/session1/contexts", "", 201, `{"id":"context1","spec":{"language":"python"}`, ""},
	{"GET", "/v1/sessions/session1/contexts", "", 200, `{"contexts":[{"id":"context1"`, ""},
	{"POST", "/v1/sessions/session1/code", `{"code": "1 + 1"}`, 200, `{"type":"result","time":"1970-01-01T00:00:05Z","main":true,"data":{"text/plain":"1 + 1"}}`, ""},
	{"POST", "/v1/sessions/session1/contexts/context1/interrupt", "", 204, "", ""},
	{"POST", "/v1/sessions/session1/contexts/context1/restart", "", 204, "", ""},
	{"DELETE", "/v1/sessions/session1/contexts/context1", "", 204, "", ""},
	{"DELETE", "/v1/sessions/session1", "", 204, "", ""},
	{"GET", "/v1/sessions/session1/processes", "", 410, `"code":"session_ended"`, ""},
	{"POST", "/v1/prune", `{"older_than_ns": 3600000000000}`, 200, `{"images":{"count":0,"bytes":0},"runs":{"count":1,"bytes":3600}`, ""},
	{"POST", "/v1/prune", "", 200, `"runs":{"count":1,"bytes":0}`, ""},
	{"POST", "/v1/prune", `{"older_than_ns": -1}`, 422, `"field":"older_than_ns"`, ""},
	{"GET", "/v1/retention", "", 200, `{"older_than_ns":3600000000000,"runs_ns":{"deployed":60000000000}}`, ""},
	{"GET", "/v1/cells", "", 200, `{"cells":[{"run":"run-1","task":"deployed","image":"sha256:i"`, ""},
	{"GET", "/v1/doctor", "", 200, `{"ready":false,"findings":[{"subject":"home","ok":false,"fatal":true,"detail":"gone"}]}`, ""},
	{"GET", "/healthz", "", 200, `{"status":"ok"}`, ""},
	{"GET", "/readyz", "", 200, `{"status":"ready"}`, ""},
	{"GET", "/metrics", "", 200, `glovebox_http_requests_total{route="GET /healthz",status="200"} 1`, ""},
	{"GET", "/openapi.json", "", 200, `"openapi":"3.1.0"`, ""},
	{"GET", "/v1/version", "", 200, `{"version":"v0-test"}`, ""},
}

// prepare makes what exchanges ask for, and returns the digest of a blob.
func (h *host) prepare() string {
	h.t.Helper()
	param, err := value.Param{Name: "x", Type: value.Type{Kind: value.KindInt}}.WithDefault(int64(1))
	if err != nil {
		h.t.Fatal(err)
	}
	h.tasks["deployed"] = &api.TaskVersion{Name: "deployed", Signature: api.Signature{Inputs: []value.Param{param}}}
	h.trees[digits] = map[string]string{"sub/a.txt": "a"}
	first := h.submit()
	h.submit()
	h.submit()
	digest := h.put([]byte("content"))
	h.finish(first, &api.Result{Outputs: []api.Output{
		{Name: "n", Type: value.Type{Kind: value.KindInt}, Value: int64(1)},
		{Name: "f", Type: value.Type{Kind: value.KindFile}, Value: value.File{Path: "/home/u/f.txt", SHA256: digest}},
		{Name: "d", Type: value.Type{Kind: value.KindDir}, Value: value.Dir{Path: "/home/u/d", SHA256: digits}},
	}, Stdout: []byte("\x00")}, nil)
	return digest
}

func TestRoutes(t *testing.T) {
	h := start(t, func(c *Config) { c.Workers = refuseWorkers })
	digest := h.prepare()
	asked := map[string]bool{}
	for _, e := range exchanges {
		path, header := strings.ReplaceAll(e.path, "DIGEST", digest), strings.ReplaceAll(e.header, "DIGEST", digest)
		res := h.ask(e.method, path, e.body, header)
		got := text(t, res)
		if res.StatusCode != e.status || !strings.Contains(got, e.answer) {
			t.Errorf("%s %s: %d %s, want %d %s", e.method, path, res.StatusCode, got, e.status, e.answer)
		}
		if e.method == "POST" && path == "/v1/runs" && strings.Contains(got, `"inputs":{"x":7}`) {
			t.Errorf("%s %s echoes the inputs: %s", e.method, path, got)
		}
		if strings.Contains(got, "/home/u") {
			t.Errorf("%s %s tells a path of the host: %s", e.method, path, got)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if res.Header.Get(name) != want {
				t.Errorf("%s %s: %s is %q", e.method, path, name, res.Header.Get(name))
			}
		}
		_, pattern := h.mux.Handler(mustRequest(t, e.method, path))
		asked[pattern] = true
	}
	for pattern := range h.traits {
		if !asked[pattern] {
			t.Errorf("no exchange asks for %s", pattern)
		}
	}
	if h.last.Name != "deployed" || h.last.Given()["x"] != int64(7) {
		t.Errorf("submitted %+v", h.last)
	}
	want := api.RunQuery{Status: []api.Status{"failed", "queued"}, Labels: map[string]string{"a": "1", "b": ""}, IDPrefix: "run-0", Top: true, Limit: 5, Since: h.query.Since}
	if diff := cmp.Diff(want, h.query); diff != "" || h.query.Since.Year() != 2026 {
		t.Errorf("query: %s", diff)
	}
	if h.again.From != 2 {
		t.Errorf("rerun: %+v", h.again)
	}
}

func mustRequest(t *testing.T, method, path string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDocumentOperations holds the list of operations to a file; run with
// UPDATE=1 to write it anew.
func TestDocumentOperations(t *testing.T) {
	s, err := New(Config{Service: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for pattern := range maps.Keys(s.traits) {
		method, path, _ := strings.Cut(pattern, " ")
		item := s.document.OpenAPI().Paths[path]
		raw, err := json.Marshal(item)
		if err != nil || item == nil {
			t.Fatalf("%s is not in the document: %v", pattern, err)
		}
		var ops map[string]struct{ OperationID, Summary string }
		if err := json.Unmarshal(raw, &ops); err != nil {
			t.Fatal(err)
		}
		op := ops[strings.ToLower(method)]
		lines = append(lines, path+" "+method+" "+op.OperationID+": "+op.Summary)
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	const golden = "testdata/operations.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentIsWhole(t *testing.T) {
	h := start(t)
	content := text(t, h.ask("GET", "/openapi.json", ""))
	var doc struct {
		Components struct{ Schemas, Responses map[string]any }
		Errors     []describedError `json:"x-glovebox-errors"`
	}
	if err := json.Unmarshal([]byte(content), &doc); err != nil {
		t.Fatal(err)
	}
	refs := regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllStringSubmatch(content, -1)
	if len(refs) < 20 {
		t.Errorf("only %d references", len(refs))
	}
	for _, ref := range refs {
		place, name, _ := strings.Cut(strings.TrimPrefix(ref[1], "#/components/"), "/")
		if map[string]map[string]any{"schemas": doc.Components.Schemas, "responses": doc.Components.Responses}[place][name] == nil {
			t.Errorf("%s leads nowhere", ref[1])
		}
	}
	if doc.Components.Schemas["ErrorModel"] != nil || len(doc.Errors) != len(api.Codes()) {
		t.Errorf("the errors are not ours: %d codes", len(doc.Errors))
	}
}
