package attack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asks is how code in a cell speaks with the engine: by CONNECT to the proxy of
// its cell.
const asks = `
import http.client, json, os
proxy = os.environ["GLOVEBOX_PROXY"].removeprefix("http://").split(":")
own = os.environ["GLOVEBOX_RUN"]
def ask(method, path, body=None, headers={}):
    c = http.client.HTTPConnection(proxy[0], int(proxy[1]), timeout=120)
    c.set_tunnel(os.environ["GLOVEBOX_URL"].removeprefix("http://"), 80)
    c.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body),
              {"Content-Type": "application/json", **headers})
    answer = c.getresponse()
    text = answer.read()
    c.close()
    return answer.status, json.loads(text or b"{}")
def start(task, inputs={}, **more):
    return ask("POST", "/v1/runs", {"task": task, "inputs": inputs, **more})
def call(task, inputs={}, **more):
    status, run = start(task, inputs, **more)
    if status != 201:
        return status, run["code"]
    while True:
        status, result = ask("GET", f"/v1/runs/{run['id']}/result?wait=30s")
        if status != 202:
            return status, {o["name"]: o["value"] for o in result["outputs"] or []} or result["run"].get("error")
def task(code, *outputs, **more):
    return {"name": "below", "code": code, "signature": {"outputs": [{"name": o, "type": "Any"} for o in outputs]}, **more}
found = []
def expect(want, got, what):
    if got != want:
        found.append(f"{what}: {got}")
# end of asks
`

// startsRuns runs code in a cell that starts runs, and returns what it found:
// what should not have been.
func startsRuns(t *testing.T, code, settings string) string {
	t.Helper()
	text, err := json.Marshal(asks + code)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ToLower(t.Name())
	file := filepath.Join(t.TempDir(), "way.yaml")
	tasks := fmt.Sprintf("name: way\ntasks:\n  %s: {starts_runs: true, outputs: {found: \"list[str]\"}, %s code: %s}\n", name, settings, text)
	if err := os.WriteFile(file, []byte(tasks), 0o600); err != nil {
		t.Fatal(err)
	}
	glovebox(t, "deploy", file).succeeds(t)
	e := glovebox(t, "start", "way."+name, "--json")
	r := e.result(t)
	if r.Error != nil {
		t.Fatalf("%s: %s; stderr %.3000s", r.Error.Code, r.Error.Message, e.stdout)
	}
	return fmt.Sprint(r.Outputs["found"])
}

func clean(t *testing.T, found string) {
	t.Helper()
	if found != "[]" {
		t.Errorf("found %s", found)
	}
}

// TestAttackC01_WayLeadsToTheEngineOnly: a cell with a way to the engine calls
// what it may, and reaches nothing else on it.
func TestAttackC01_WayLeadsToTheEngineOnly(t *testing.T) {
	clean(t, startsRuns(t, `
expect((200, {"n": 42}), call(task("n = 6 * 7", "n")), "a run below")
inner = task("import os\nn = sorted(k for k in os.environ if k.startswith('GLOVEBOX') or 'proxy' in k.lower())", "n")
expect((200, {"n": []}), call(inner), "variables of a run that starts none")
nested = task(open(__file__).read().split("# end of asks")[0] + "\nn = call(task('n = 1', 'n'))", "n", starts_runs=True)
expect((200, {"n": {"$tuple": [200, {"n": 1}]}}), call(nested), "a run two below")
import socket
def connect(to):
    with socket.create_connection((proxy[0], int(proxy[1])), 10) as s:
        s.sendall(f"CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n".encode())
        return int(s.recv(100).split()[1])
for to in ("example.com:80", "127.0.0.1:80", "169.254.169.254:80", "localhost:22", "x.engine.glovebox:80"):
    expect(403, connect(to), to)
for to in ("engine.glovebox:443", "engine.glovebox:22"):
    expect(400, connect(to), to)
expect(200, connect("engine.glovebox:80"), "the engine")
expect([], [k for k in os.environ if k.upper() in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")], "variables without a network")
for host in ("evil.example", "127.0.0.1"):
    expect(421, ask("GET", "/v1/runs/" + own, headers={"Host": host})[0], host)
`, ""))
	e := glovebox(t, "run", "--json", "-o", "n:int", "-c", `
import socket
with socket.create_connection(("127.0.0.1", 3128), 10) as s:
    s.sendall(b"CONNECT engine.glovebox:80 HTTP/1.1\r\n\r\n")
    n = int(s.recv(100).split()[1])
`, "--network", "example.com")
	if n := e.result(t).Outputs["n"]; n != 403.0 {
		t.Errorf("a cell without a way is answered %v", n)
	}
}

// TestAttackC02_OtherRuns looks for runs that are not below its own.
func TestAttackC02_OtherRuns(t *testing.T) {
	foreign := glovebox(t, "run", "--json", "-c", "print('of another')")
	var other struct {
		ID string `json:"run_id"`
	}
	if err := json.Unmarshal([]byte(foreign.stdout), &other); err != nil {
		t.Fatal(err)
	}
	clean(t, startsRuns(t, strings.ReplaceAll(`
for run in ("FOREIGN", "run-06gvuktuhpujqfpq5hlrbim5", "none"):
    for method, path in [("GET", ""), ("GET", "/result"), ("GET", "/inputs"), ("GET", "/outputs"), ("GET", "/events"), ("GET", "/logs"),
                         ("GET", "/cache"), ("POST", "/cancel"), ("POST", "/resume"), ("POST", "/rerun")]:
        expect((401, "unauthorized"), (lambda s, a: (s, a.get("code")))(*ask(method, f"/v1/runs/{run}{path}")), run + path)
    expect((401, "unauthorized"), call(task("pass"), parent=run), "below " + run)
for path in ("/v1/runs", "/v1/runs?root=FOREIGN", "/v1/runs?parent=FOREIGN", "/v1/tasks", "/v1/environments", "/v1/secrets", "/v1/images", "/v1/workers", "/metrics"):
    expect(401, ask("GET", path)[0], path)
expect(200, ask("GET", "/v1/runs/" + own)[0], "its own run")
expect(401, ask("GET", f"/v1/runs/{own}/result?wait=1s")[0] if ask("GET", "/v1/runs/" + own)[1]["status"] != "running" else 401, "its own end")
expect(401, ask("POST", f"/v1/runs/{own}/cancel")[0], "its own end")
`, "FOREIGN", other.ID), ""))
}

// TestAttackC03_MoreAuthority starts runs with what its own task does not have.
func TestAttackC03_MoreAuthority(t *testing.T) {
	for _, name := range []string{"cellway-own", "cellway-other"} {
		gloveboxIn(t, "value of "+name, "secret", "set", name).succeeds(t)
	}
	found := startsRuns(t, `
secret = lambda name: [{"name": name, "env": "KEY"}]
look = "import os\nn = len(os.environ['KEY'])"
expect((200, {"n": 20}), call(task(look, "n", secrets=secret("cellway-own"))), "its own secret")
expect((401, "unauthorized"), call(task(look, "n", secrets=secret("cellway-other"))), "another secret")
flow = {"name": "flow", "kind": "orchestrator", "code": "below()", "signature": {"outputs": [{"name": "n", "type": "Any"}]}}
for tool in (task(look, "n", secrets=secret("cellway-other")), task("n = 1", "n", network={"public": True}),
             {"name": "below", "kind": "function", "function": {"id": "f"}}):
    expect((401, "unauthorized"), call({**flow, "orchestrator": {"tools": [tool]}}), "a tool with more")
expect((200, {"n": 20}), call({**flow, "orchestrator": {"tools": [task(look, "n", secrets=secret("cellway-own"))]}}), "a tool with its own")
for more in ({"network": {"public": True}}, {"network": {"allow": ["example.com"]}}, {"image": {"ref": "evil.example/x"}},
             {"image": {"commands": ["true"]}}, {"image": {"registry": "evil.example/x", "packages": ["cowsay"]}}, {"kind": "function", "function": {"id": "f"}, "code": ""}):
    expect((401, "unauthorized"), call(task("n = 1", "n") | more), str(more))
expect((422, "invalid_task"), (lambda s, a: (s, a["code"]))(*start(task("n = 1", "n", image={"ref": "oci:/etc"}))), "an image by its path")
for method, path in [("PUT", "/v1/secrets/x"), ("DELETE", "/v1/secrets/cellway-own"), ("DELETE", "/v1/cache"), ("DELETE", "/v1/images/x")]:
    expect(401, ask(method, path, b"x" if method == "PUT" else None)[0], path)
`, "secrets: [{name: cellway-own, env: MINE}],")
	clean(t, found)
}

// TestAttackC04_Names takes the names of what others deployed.
func TestAttackC04_Names(t *testing.T) {
	file := filepath.Join(t.TempDir(), "honest.yaml")
	if err := os.WriteFile(file, []byte("name: cellway\ntasks:\n  billing: {output: int, code: result = 1, env: {KEY: hunter2}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	glovebox(t, "deploy", file).succeeds(t)
	clean(t, startsRuns(t, `
expect(401, ask("POST", "/v1/deployments", {"tasks": [task("result = 2", "result") | {"name": "cellway.billing"}]})[0], "a new version")
expect(401, ask("POST", "/v1/deployments", {"environment": "cellway", "tasks": [task("pass") | {"name": "cellway.more"}]})[0], "an environment")
expect(401, ask("POST", "/v1/tasks/cellway.billing/rollback", {"version": 1})[0], "a rollback")
status, version = ask("GET", "/v1/tasks/cellway.billing")
expect((200, False), (status, "hunter2" in json.dumps(version)), "what is in a task")
free = {"tasks": [task("result = 3", "result") | {"name": "cellway-free"}]}
for again in (1, 2):
    expect(201, ask("POST", "/v1/deployments", free)[0], "a free name")
status, run = ask("POST", "/v1/runs", {"name": "cellway-free"})
expect(201, status, "what it deployed")
expect(201, ask("POST", "/v1/runs", {"name": "cellway.billing"})[0], "what others deployed")
`, ""))
	if e := glovebox(t, "start", "cellway.billing", "--json"); e.result(t).Outputs["result"] != 1.0 {
		t.Errorf("the name means %s", e.stdout)
	}
}

// TestAttackC05_RunsThatStay starts runs and ends.
func TestAttackC05_RunsThatStay(t *testing.T) {
	clean(t, startsRuns(t, `
for i in range(20):
    expect(201, start(task("import time\ntime.sleep(1000)"))[0], "a run that stays")
`, ""))
	for _, status := range []string{"running", "queued", "interrupted"} {
		if list := glovebox(t, "runs", "--all", "--status", status, "--json").succeeds(t).stdout; strings.Contains(list, "below") {
			t.Errorf("%s: %s", status, list)
		}
	}
}

// TestAttackC06_Floods fills what there is to be filled.
func TestAttackC06_Floods(t *testing.T) {
	clean(t, startsRuns(t, `
import socket, threading
def tunnel():
    s = socket.create_connection((proxy[0], int(proxy[1])), 30)
    s.sendall(b"CONNECT engine.glovebox:80 HTTP/1.1\r\n\r\n")
    return s, s.recv(100).split()[1]
held = [tunnel() for i in range(99)]
expect((96, 3), (sum(code == b"200" for _, code in held), sum(code == b"503" for _, code in held)), "connections")
for s, code in held[:40]:
    if code == b"200": # heads and bodies that never end
        s.sendall(b"POST /v1/blobs HTTP/1.1\r\nHost: engine.glovebox\r\nContent-Length: 1000000\r\n\r\nx")
for s, _ in held[20:]:
    s.close()
import time
for i in range(100): # until the closed ones are gone
    try:
        status = ask("GET", "/v1/runs/" + own)[0]
        break
    except (OSError, http.client.HTTPException):
        time.sleep(0.1)
expect(200, status, "an honest request beside them")
codes = set()
def flood():
    for i in range(40):
        status, answer = start(task("import time\ntime.sleep(1000)"))
        codes.add((status, answer.get("code")))
threads = [threading.Thread(target=flood) for i in range(8)]
for t in threads: t.start()
for t in threads: t.join()
expect({(201, None), (422, "limit_exceeded")}, codes, "submissions")
status, answer = ask("POST", "/v1/blobs", b"x" * (11 << 20), {"Content-Type": "application/octet-stream"})
expect((422, "limit_exceeded"), (status, answer.get("code")), "a giant blob")
`, "limits: {outputs: 10Mi}, timeout: 5m,"))
	glovebox(t, "run", "-c", "pass").succeeds(t)
}
