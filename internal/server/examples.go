package server

import "encoding/json"

// examples are bodies of requests, by operation.
var examples = map[string]json.RawMessage{
	"submitRun":      json.RawMessage(`{"task": {"name": "double", "code": "y = x * 2", "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "y", "type": "int"}]}}, "inputs": {"x": 21}}`),
	"evaluate":       json.RawMessage(`{"task": {"kind": "orchestrator", "code": "x * 2", "orchestrator": {}, "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "result", "type": "int"}]}}, "inputs": {"x": 21}}`),
	"cancelRun":      json.RawMessage(`{"reason": "no longer needed"}`),
	"resumeRun":      json.RawMessage(`{"retry_unknown": false}`),
	"resolveRun":     json.RawMessage(`{"call": "2", "value": 42}`),
	"sendSignal":     json.RawMessage(`{"value": 12.5, "by": "Ada"}`),
	"decideApproval": json.RawMessage(`{"approved": true, "arguments": {"amount": 10}, "reason": "less is enough", "by": "Ada"}`),
	"rerunRun":       json.RawMessage(`{"inputs": {"x": 22}, "from": 3}`),
	"checkTask":      json.RawMessage(`{"task": {"kind": "orchestrator", "code": "x + 1", "orchestrator": {}, "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "result", "type": "int"}]}}}`),
	"promptTask":     json.RawMessage(`{"task": {"kind": "orchestrator", "orchestrator": {"dialect": "strict"}, "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "result", "type": "int"}]}}}`),
	"deploy":         json.RawMessage(`{"environment": "math", "tasks": [{"name": "math.double", "kind": "orchestrator", "code": "x * 2", "orchestrator": {}, "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "result", "type": "int"}]}}]}`),
	"setOwner":       json.RawMessage(`{"runs": 1000, "sessions": 10}`),
	"newToken":       json.RawMessage(`{"name": "ci", "scopes": ["run", "read"], "expires": "2099-01-01T00:00:00Z"}`),
	"rollback":       json.RawMessage(`{"version": 1}`),
	"buildImage":     json.RawMessage(`{"spec": {"name": "tools", "packages": ["numpy>=2"], "system_packages": ["jq"]}}`),
	"pushImage":      json.RawMessage(`{"ref": "registry.example.com/tools:1", "secret": "registry"}`),
	"prune":          json.RawMessage(`{"older_than_ns": 2592000000000000, "max_images": 21474836480}`),
	"newSession":     json.RawMessage(`{"image": {"packages": ["numpy"]}, "labels": {"user": "ada"}, "idle_ns": 600000000000}`),
	"changeSession":  json.RawMessage(`{"timeout_ns": 3600000000000, "labels": {"user": ""}}`),
	"pauseSession":   json.RawMessage(`{"files_only": false, "reason": "the user has left"}`),
	"forkSession":    json.RawMessage(`{"count": 2, "labels": {"try": "a"}}`),
	"newSnapshot":    json.RawMessage(`{"name": "tools:1"}`),
	"snapshotImage":  json.RawMessage(`{"name": "tools"}`),
	"startProcess":   json.RawMessage(`{"argv": ["sh", "-c", "echo hello"], "timeout_ns": 60000000000}`),
	"signalProcess":  json.RawMessage(`{"signal": "SIGTERM", "tree": true}`),
	"resizeTerminal": json.RawMessage(`{"columns": 120, "rows": 40}`),
	"moveFile":       json.RawMessage(`{"from": "a.txt", "to": "b/a.txt"}`),
	"openPort":       json.RawMessage(`{"public": false}`),
	"newContext":     json.RawMessage(`{"language": "python"}`),
	"runCode":        json.RawMessage(`{"code": "x = 6\nx * 7", "timeout_ns": 60000000000}`),
	"sendMCP":        json.RawMessage(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}}`),
	"listMCPTools":   json.RawMessage(`{"server": {"name": "docs", "url": "https://docs.example.com/mcp", "token": "DOCS_TOKEN"}}`),
	"keepWarm":       json.RawMessage(`{"task": {"code": "pass", "preload": ["json"]}, "cells": 2}`),
}

// Examples of streams.
const (
	eventExample        = "id: 1\nevent: created\ndata: {\"run\":\"run-06gvtjalcd0nvvihdhfgp2b1\",\"seq\":1,\"time\":\"2026-01-02T15:04:05.999Z\",\"kind\":\"created\"}\n\n: still here\n\n"
	logExample          = `{"seq":1,"line":1,"time":"2026-01-02T15:04:05.999Z","stream":"stdout","text":"hello\n"}`
	buildExample        = `{"progress":{"stage":"resolve","message":"1 package"}}` + "\n" + `{"error":{"code":"build_failed","message":"a step failed","retryable":false,"outcome":"not_started"}}` + "\n"
	sessionEventExample = `{"seq":2,"time":"2026-01-02T15:04:05.999Z","type":"running","state":"running"}`
	processExample      = `{"type":"output","stream":"stdout","data":"aGVsbG8K","offset":6}`
	watchExample        = `{"type":"write","path":"a.txt"}`
	codeExample         = `{"type":"result","time":"2026-01-02T15:04:05.999Z","main":true,"data":{"text/plain":"42"}}`
	mcpExample          = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
	pushExample         = `{"progress":{"stage":"push"}}` + "\n" + `{"reference":"ghcr.io/my-org/tools@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}` + "\n"
)
