//go:build linux

package glovebox_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// agent is a client of MCP that started the program, and speaks with it line by
// line.
type agent struct {
	t    *testing.T
	send io.WriteCloser
	read *bufio.Scanner
	last int
}

// ask sends a request, and returns the result of its answer. Each line between must
// be of the protocol.
func (a *agent) ask(method, params string) (result struct {
	Content           []struct{ Type, Text string }
	StructuredContent map[string]any
	IsError           bool
}) {
	a.t.Helper()
	a.last++
	fmt.Fprintf(a.send, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", a.last, method, params)
	for a.read.Scan() {
		var m struct {
			JSONRPC string
			ID      int
			Result  json.RawMessage
			Error   json.RawMessage
		}
		if err := json.Unmarshal(a.read.Bytes(), &m); err != nil || m.JSONRPC != "2.0" {
			a.t.Fatalf("it printed %q", a.read.Text())
		}
		if m.ID != a.last {
			continue // a notification
		}
		if err := json.Unmarshal(m.Result, &result); err != nil {
			a.t.Fatalf("%s gave %s: %v", method, m.Error, err)
		}
		return result
	}
	a.t.Fatalf("it ended: %v", a.read.Err())
	return result
}

// TestMCP has the program serve an agent, with real cells.
func TestMCP(t *testing.T) {
	if !realCells {
		t.Skip("starts cells: GLOVEBOX_TEST_REAL is not 1")
	}
	cmd := exec.Command(filepath.Join(buildProgram(t), "glovebox"), "mcp")
	send, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	a := &agent{t: t, send: send, read: bufio.NewScanner(out)}
	a.read.Buffer(nil, 1<<20)
	a.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	fmt.Fprintln(send, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	run := a.ask("tools/call", `{"name":"run_python","arguments":{"code":"print('hi')\ny = x * 2","inputs":{"x":21},"outputs":{"y":"int"}}}`)
	if outputs := fmt.Sprint(run.StructuredContent["outputs"]); run.IsError || outputs != "map[y:42]" || run.StructuredContent["stdout"] != "hi\n" {
		t.Errorf("the code gave %+v", run)
	}
	if r := a.ask("tools/call", `{"name":"run_command","arguments":{"command":"cat /etc/shadow; exit 3"}}`); !r.IsError || r.StructuredContent["exit_code"] != 3.0 {
		t.Errorf("the command gave %+v", r)
	}
	session := a.ask("tools/call", `{"name":"session_create","arguments":{}}`).StructuredContent["session"]
	a.ask("tools/call", fmt.Sprintf(`{"name":"session_run","arguments":{"session":%q,"code":"x = 41"}}`, session))
	if r := a.ask("tools/call", fmt.Sprintf(`{"name":"session_run","arguments":{"session":%q,"code":"x + 1"}}`, session)); r.StructuredContent["value"] != "42" {
		t.Errorf("the session gave %+v", r)
	}
	a.ask("tools/call", fmt.Sprintf(`{"name":"file_write","arguments":{"session":%q,"path":"a.txt","content":"text"}}`, session))
	if r := a.ask("tools/call", fmt.Sprintf(`{"name":"session_exec","arguments":{"session":%q,"command":"cat a.txt -","stdin":" more"}}`, session)); r.StructuredContent["stdout"] != "text more" {
		t.Errorf("the command in the session gave %+v", r)
	}
	if r := a.ask("tools/call", `{"name":"code_mode","arguments":{"code":"[i * i for i in range(3)]"}}`); len(r.Content) == 0 || !strings.Contains(r.Content[0].Text, "[0,1,4]") {
		t.Errorf("the program gave %+v", r)
	}
	if err := send.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
