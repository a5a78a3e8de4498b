package attack

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

// asker is an agent that asks its model, and keeps what it got.
const asker = `
import json, os, time, urllib.error, urllib.request
base = os.environ.get("ANTHROPIC_BASE_URL", "https://nowhere.invalid") + "/v1/messages"
body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
if "OPENAI_BASE_URL" in os.environ:
    base, body = os.environ["OPENAI_BASE_URL"] + "/responses", {"model": "m", "store": False, "input": "hi"}
key = os.environ.get("ANTHROPIC_API_KEY") or os.environ["OPENAI_API_KEY"]
question = urllib.request.Request(base, json.dumps(body).encode(), {"X-Api-Key": key, "Authorization": "Bearer " + key, "Content-Type": "application/json"})
try:
    answer = urllib.request.urlopen(question).read()
except urllib.error.URLError as e:
    answer = str(e)
print(b"[redacted]" in answer if isinstance(answer, bytes) else answer, flush=True)
time.sleep(10**6)
`

// searcher looks for the key in all that its user can read in a cell: files, variables,
// and memory, of itself and of the agent, which it starts, since a process reads that of
// those below it only. It gets each byte of the key plus one, and reads with one added
// to each byte: so it never holds the key itself.
const searcher = `
import ctypes, json, os, stat, subprocess, sys
agent = subprocess.Popen([sys.executable, "-c", sys.argv[2]], stdout=subprocess.PIPE, text=True)
answered = agent.stdout.readline().strip()
needle, plus, found, minds = bytes.fromhex(sys.argv[1]), bytes((i + 1) % 256 for i in range(256)), set(), set()
def look(name, pieces):
    kept = b""
    for data in pieces:
        if needle in (kept + data).translate(plus):
            return found.add(name)
        kept = data[-len(needle):]
def read(path):
    with open(path, "rb") as file:
        while data := file.read(1 << 20):
            yield data
class Place(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
here = ctypes.create_string_buffer(1 << 20)
libc = ctypes.CDLL(None)
def remember(pid, begin, end):
    while begin < end:
        size = min(end - begin, 1 << 20)
        n = libc.process_vm_readv(pid, ctypes.byref(Place(ctypes.addressof(here), size)), 1, ctypes.byref(Place(begin, size)), 1, 0)
        if n <= 0:
            return
        minds.add(pid)
        yield here.raw[:n]
        begin += n
def memory(pid):
    with open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            place, rights = line.split()[:2]
            if "r" in rights:
                look("memory", remember(int(pid), *(int(at, 16) for at in place.split("-"))))
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("cmdline", "environ"):
        try:
            look(name, read(f"/proc/{pid}/{name}"))
        except OSError:
            pass
    try:
        memory(pid)
    except OSError:
        pass
for top, dirs, names in os.walk("/"):
    dirs[:] = [each for each in dirs if os.path.join(top, each) not in ("/proc", "/sys", "/dev")]
    for path in (os.path.join(top, name) for name in names):
        try:
            if stat.S_ISREG(os.lstat(path).st_mode):
                look("file", read(path))
        except OSError:
            pass
agent.kill()
print(json.dumps({"answered": answered, "found": sorted(found), "minds": len(minds)}))
`

// TestAttackQ11_TheKeyIsNowhereInTheCell looks for the key of a model in the variables,
// the memory and the files of a session whose agent has asked it, and heard a provider
// that says the key. A key that is handed in is found.
func TestAttackQ11_TheKeyIsNowhereInTheCell(t *testing.T) {
	canary := "canary-" + rand.Text()
	name := "attack-" + strings.ToLower(rand.Text()[:8])
	provider := httptest.NewServer(modeltest.New(modeltest.Script{Key: canary, Turns: []modeltest.Turn{{Always: true, Text: "the key is " + canary}}}))
	defer provider.Close()
	s := serve(t, home)
	s.ask(canary, "secret", "set", name).succeeds(t)
	t.Cleanup(func() { glovebox(t, "secret", "rm", name) })
	c, err := client.Dial("unix://"+filepath.Join(home, "server", "glovebox.sock"), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asks := func(protocol string) api.SessionSpec {
		return api.SessionSpec{Asks: &api.Asks{Model: api.Model{Protocol: protocol, Name: "m", BaseURL: provider.URL + "/v1", Key: name}}}
	}
	for what, spec := range map[string]api.SessionSpec{
		"messages": asks(api.ProtocolAnthropic), "responses": asks(api.ProtocolOpenAI),
		"handed in": {Secrets: []api.SecretRef{{Name: name, Env: "ANTHROPIC_API_KEY"}}},
	} {
		session, err := c.NewSession(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		if spec.Asks == nil {
			want = []string{"environ", "memory"}
		}
		for _, user := range []string{"", "root"} {
			got := search(t, c, session.ID, canary, user)
			if answered := got.Answered == "True"; answered != (spec.Asks != nil) {
				t.Errorf("%s: the agent printed %q", what, got.Answered)
			}
			if !slices.Equal(got.Found, want) || got.Minds < 2 {
				t.Errorf("%s: the key is in %v, want %v, in %d processes", what, got.Found, want, got.Minds)
			}
		}
		if err := c.KillSession(t.Context(), session.ID); err != nil {
			t.Error(err)
		}
	}
}

// searched is where a cell has the key, for one of its users.
type searched struct {
	Answered string   `json:"answered"` // what the agent printed
	Found    []string `json:"found"`
	Minds    int      `json:"minds"` // processes whose memory was read
}

// search looks for a key in a session.
func search(t *testing.T, c *client.Client, session, key, user string) (got searched) {
	t.Helper()
	shifted := []byte(key)
	for i := range shifted {
		shifted[i]++
	}
	spec := api.ProcessSpec{Argv: []string{"python3", "-c", searcher, hex.EncodeToString(shifted), asker}, User: user}
	var out, errs strings.Builder
	for e, err := range c.StartProcess(t.Context(), session, spec) {
		switch {
		case err != nil:
			t.Fatal(err)
		case e.Stream == "stdout":
			out.Write(e.Data)
		default:
			errs.Write(e.Data)
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("the search of %q printed %q, %q: %v", user, out.String(), errs.String(), err)
	}
	return got
}
