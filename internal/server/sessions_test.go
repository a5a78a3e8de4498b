package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// newSession starts a session and returns its path.
func (h *host) newSession() (path, id string) {
	h.t.Helper()
	var made api.Session
	if err := json.Unmarshal([]byte(text(h.t, h.ask("POST", "/v1/sessions", ""))), &made); err != nil {
		h.t.Fatal(err)
	}
	return "/v1/sessions/" + made.ID, made.ID
}

// TestStreamsSayWhatEndedThem: an error after the first entry is the last entry.
func TestStreamsSayWhatEndedThem(t *testing.T) {
	for accept, want := range map[string]string{
		"":                  `{"problem":{"type":"urn:glovebox:error:session_ended"`,
		"text/event-stream": "event: problem\ndata: {\"problem\":{\"type\":\"urn:glovebox:error:session_ended\"",
	} {
		h := start(t)
		path, id := h.newSession()
		res := h.ask("POST", path+"/processes", `{"argv": ["sleep", "100"]}`, "Accept: "+accept)
		if _, err := io.ReadFull(res.Body, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if err := h.kept.KillSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := text(t, res); !strings.Contains(got, want) {
			t.Errorf("%q: got %s", accept, got)
		}
	}
}

// TestSessionStreamsEndWithTheServer: a command that continues does not hold it up.
func TestSessionStreamsEndWithTheServer(t *testing.T) {
	h := start(t)
	path, _ := h.newSession()
	res := h.ask("POST", path+"/processes", `{"argv": ["sleep", "100"]}`)
	line, err := bufio.NewReader(res.Body).ReadString('\n')
	if err != nil || !strings.Contains(line, "started") {
		t.Fatalf("%q, %v", line, err)
	}
	h.stop()
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Errorf("the stream was not ended: %v", err)
	}
}

// TestInputOfAnyLength passes on more than one piece, and refuses half of a body.
func TestInputOfAnyLength(t *testing.T) {
	h := start(t)
	path, _ := h.newSession()
	h.ask("POST", path+"/processes?detach=true", `{"argv": ["cat"], "stdin": true, "tag": "c"}`)
	large := strings.Repeat("0123456789", 30_000)
	if res := h.ask("POST", path+"/processes/tag:c/input", large); res.StatusCode != http.StatusNoContent {
		t.Fatalf("%d %s", res.StatusCode, text(t, res))
	}
	list, err := h.kept.Processes(t.Context(), strings.TrimPrefix(path, "/v1/sessions/"))
	if err != nil || list[0].Offset != int64(len(large)) {
		t.Errorf("%+v, %v", list, err)
	}
	conn, err := net.Dial("unix", h.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "POST "+path+"/processes/tag:c/input HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf"); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.UnixConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if answer, _ := io.ReadAll(conn); bytes.Contains(answer, []byte("204")) {
		t.Errorf("half a body is taken: %s", answer)
	}
}

// TestFilesOfSessionsAreNotShown: what a cell wrote is no page of the server.
func TestFilesOfSessionsAreNotShown(t *testing.T) {
	h := start(t)
	path, _ := h.newSession()
	h.ask("PUT", path+"/files/content?path=a%22%0A.html", "<script>alert(1)</script>")
	res := h.ask("GET", path+"/files/content?path=a%22%0A.html", "")
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "Content-Disposition": `attachment; filename*=utf-8''a%22%0A.html`, "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := res.Header.Get(fileHeader); !json.Valid([]byte(got)) || strings.Contains(got, "\n") {
		t.Errorf("%s is %q", fileHeader, got)
	}
}

// TestHeaderOfAnyFile: a name of any characters, and attributes of any length,
// stand in a header.
func TestHeaderOfAnyFile(t *testing.T) {
	info := &api.FileInfo{Path: "/w/ä\u2028😀\x7f\r\n", Attributes: map[string]string{"k": strings.Repeat("ö", 10_000)}}
	got := fileInfo(info)
	for _, b := range []byte(got) {
		if b < ' ' || b > '~' {
			t.Fatalf("%q has %#x", got, b)
		}
	}
	var back api.FileInfo
	if err := json.Unmarshal([]byte(got), &back); err != nil || back.Path != info.Path || back.Attributes != nil {
		t.Errorf("%v: %+v", err, back)
	}
}

// echo is a server that repeats what it reads until its end.
func echo(t *testing.T) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	return ln.Addr().String()
}

// connectTo asks for a connection to a port.
func (h *host) connectTo(path string) (*net.UnixConn, *bufio.Reader) {
	h.t.Helper()
	conn, err := net.Dial("unix", h.socket)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: glovebox-port\r\n\r\n"); err != nil {
		h.t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		h.t.Fatalf("%v, %v", res, err)
	}
	return conn.(*net.UnixConn), r
}

func TestConnectPort(t *testing.T) {
	h := start(t)
	h.kept.Listen(8000, echo(t))
	path, _ := h.newSession()
	conn, r := h.connectTo(path + "/ports/8000/connect")
	if _, err := io.WriteString(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := conn.CloseWrite(); err != nil { // the other direction continues
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v", got, err)
	}
	expect(t, h.ask("GET", path+"/ports/8001/connect", "", "Connection: Upgrade", "Upgrade: glovebox-port"), 404, api.NotFound)

	idle, r := h.connectTo(path + "/ports/8000/connect")
	h.stop()
	_ = idle.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("a connection outlives the server: %v", err)
	}
}
