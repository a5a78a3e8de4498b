package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestSession leads a session through its life.
func TestSession(t *testing.T) {
	c := connect(t, newFake(nil), nil)
	id, _ := member(call(t, c, "session_create", map[string]any{"labels": map[string]any{"job": "a"}}), "session").(string)
	if id == "" {
		t.Fatal("there is no session")
	}
	if r := call(t, c, "session_run", map[string]any{"session": id, "code": "x + 1"}); r.IsError || !strings.Contains(said(r), "x + 1") {
		t.Errorf("the code gave %s", said(r))
	}
	if r := call(t, c, "session_exec", map[string]any{"session": id, "command": "exit 3"}); !r.IsError || member(r, "exit_code") != 3.0 {
		t.Errorf("the command gave %s", said(r))
	}
	forks, _ := member(call(t, c, "session_fork", map[string]any{"session": id, "count": 2}), "sessions").([]any)
	if len(forks) != 2 {
		t.Errorf("the forks are %v", forks)
	}
	if r := call(t, c, "session_fork", map[string]any{"session": id, "count": maxForks + 1}); !r.IsError {
		t.Errorf("too many forks gave %s", said(r))
	}
	if r := call(t, c, "session_close", map[string]any{"session": id}); r.IsError {
		t.Errorf("it was not closed: %s", said(r))
	}
	if r := call(t, c, "session_exec", map[string]any{"session": id, "command": "exit 0"}); !r.IsError || !strings.Contains(said(r), "session_ended") {
		t.Errorf("a closed session gave %s", said(r))
	}
	left, _ := member(call(t, c, "session_list", map[string]any{"labels": map[string]any{"job": "a"}}), "sessions").([]any)
	if len(left) != 2 {
		t.Errorf("the sessions are %v", left)
	}
}

// TestFiles writes and reads text in pages, and images.
func TestFiles(t *testing.T) {
	c := connect(t, newFake(nil), nil)
	id := member(call(t, c, "session_create", nil), "session")
	text := strings.Repeat("é line\n", 10_000)
	call(t, c, "file_write", map[string]any{"session": id, "path": "/work/a.txt", "content": text})
	var read strings.Builder
	for offset := 0.0; ; {
		r := call(t, c, "file_read", map[string]any{"session": id, "path": "/work/a.txt", "offset": offset})
		part, _ := member(r, "text").(string)
		if r.IsError || part == "" || len(part) > maxText {
			t.Fatalf("the page at %v has %d bytes: %s", offset, len(part), said(r))
		}
		read.WriteString(part)
		next, more := member(r, "next").(float64)
		if !more {
			break
		}
		offset = next
	}
	if read.String() != text {
		t.Error("the pages are not what was written")
	}
	png := []byte("\x89PNG\r\n\x1a\n\x00\x01")
	call(t, c, "file_write", map[string]any{"session": id, "path": "/work/a.png", "content": base64.StdEncoding.EncodeToString(png), "base64": true})
	r := call(t, c, "file_read", map[string]any{"session": id, "path": "/work/a.png"})
	if image, ok := r.Content[len(r.Content)-1].(*mcp.ImageContent); !ok || string(image.Data) != string(png) {
		t.Errorf("the image is %+v", r.Content)
	}
	for i := range maxFiles + 5 {
		call(t, c, "file_write", map[string]any{"session": id, "path": fmt.Sprintf("/work/d/%d", i), "content": "x"})
	}
	r = call(t, c, "file_list", map[string]any{"session": id, "path": "/work/d"})
	if files, _ := member(r, "files").([]any); len(files) != maxFiles || member(r, "left") != 5.0 {
		t.Errorf("%d files are listed: %s", len(files), said(r))
	}
	if r := call(t, c, "file_read", map[string]any{"session": id, "path": "/work/none"}); !r.IsError || !strings.Contains(said(r), "not_found") {
		t.Errorf("a file that is not there gave %s", said(r))
	}
}

// TestPrinted keeps little of what is printed without end.
func TestPrinted(t *testing.T) {
	var p printed
	for i := range 100_000 {
		p.add(fmt.Appendf(nil, "é %d\n", i))
	}
	kept, left := p.text()
	if len(kept) > maxText+200 || cap(p.head)+cap(p.tail) > 8*maxText || left == 0 || !utf8.ValidString(kept) {
		t.Errorf("%d bytes are kept in %d, %d left out", len(kept), cap(p.head)+cap(p.tail), left)
	}
	if !strings.HasPrefix(kept, "é 0\n") || !strings.HasSuffix(kept, "é 99999\n") {
		t.Errorf("the ends are missing: %.20q", kept)
	}
	var few printed
	few.add([]byte("a"))
	few.add([]byte("b"))
	if kept, left := few.text(); kept != "ab" || left != 0 {
		t.Errorf("kept %q, %d left out", kept, left)
	}
}

// TestResults shows what code gave in the form that says most.
func TestResults(t *testing.T) {
	v := &codeView{}
	image := []byte(`"` + base64.StdEncoding.EncodeToString([]byte("png")) + `"`)
	v.result(api.CodeEvent{Main: true, Data: map[string]json.RawMessage{"image/png": image, "text/plain": json.RawMessage(`"<Figure>"`)}})
	v.result(api.CodeEvent{Data: map[string]json.RawMessage{"text/plain": json.RawMessage(`"shown"`), "text/html": json.RawMessage(`"<b>"`)}})
	v.result(api.CodeEvent{Main: true, Data: map[string]json.RawMessage{"application/json": json.RawMessage(`{"a":1}`)}})
	if len(v.images) != 1 || v.Value != `{"a":1}` || len(v.Results) != 1 || v.Results[0] != "shown" {
		t.Errorf("shown are %+v", v)
	}
	for range maxResults + 5 {
		v.result(api.CodeEvent{Data: map[string]json.RawMessage{"text/plain": json.RawMessage(`"more"`)}})
	}
	if len(v.Results) != maxResults || len(v.Cut) == 0 {
		t.Errorf("%d results are shown, left out: %q", len(v.Results), v.Cut)
	}
}
