package cell

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// TestHostileFileInfo feeds the host descriptions that no file has.
func TestHostileFileInfo(t *testing.T) {
	good := wire.FileInfo{Path: "/f", Type: wire.TypeFile, Size: 1, Mode: 0o644}
	if _, err := decodeFileInfo(&good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*wire.FileInfo){
		"no path":       func(f *wire.FileInfo) { f.Path = "" },
		"relative":      func(f *wire.FileInfo) { f.Path = "../f" },
		"long path":     func(f *wire.FileInfo) { f.Path = wire.Text("/" + strings.Repeat("x", 3*maxPath)) },
		"long link":     func(f *wire.FileInfo) { f.Link = wire.Text(strings.Repeat("x", 3*maxPath)) },
		"unknown type":  func(f *wire.FileInfo) { f.Type = "socket" },
		"negative size": func(f *wire.FileInfo) { f.Size = -1 },
		"mode":          func(f *wire.FileInfo) { f.Mode = 0o100644 },
		"owner":         func(f *wire.FileInfo) { f.UID = -1 },
	} {
		bad := good
		change(&bad)
		if got, err := decodeFileInfo(&bad); err == nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	if _, err := decodeFileInfo(nil); err == nil {
		t.Error("nothing is a description")
	}
}

func TestRefusalTrustsNoWords(t *testing.T) {
	for _, done := range []wire.Done{
		{Error: "x", Code: "unauthorized", Field: "password"},
		{Error: strings.Repeat("\xff", 1<<20), Code: "no such code"},
	} {
		err := api.AsError(refusal(done))
		if err.Code != api.Conflict || err.Details.Field != "" || len(err.Message) > 4*maxReason {
			t.Errorf("got %s of %q with %d bytes", err.Code, err.Details.Field, len(err.Message))
		}
	}
	said := api.AsError(refusal(wire.Done{Error: "x", Code: wire.CodeConflict, Field: "path", Errno: int(unix.EACCES)}))
	if said.Details.Errno != "EACCES" {
		t.Errorf("Linux said %q, want EACCES", said.Details.Errno)
	}
	invented := api.AsError(refusal(wire.Done{Error: "x", Code: wire.CodeConflict, Field: "path", Errno: -1 << 30}))
	if invented.Details.Errno != "" {
		t.Errorf("an error that Linux has not is called %q", invented.Details.Errno)
	}
	if err := refusal(wire.Done{}); err != nil {
		t.Errorf("no error is %v", err)
	}
}

func TestHostileExit(t *testing.T) {
	for _, exit := range []wire.ProcessExit{{Code: 1 << 30}, {Code: -1 << 30}, {Signal: -5}, {Signal: 1 << 30}} {
		got := exitOf(exit)
		if got.Code < -1 || got.Code > 255 || got.Status < -1 || got.Status > 255 {
			t.Errorf("%+v is %+v", exit, got)
		}
	}
}

// FuzzFileEvent reads events of a hostile guest.
func FuzzFileEvent(f *testing.F) {
	good, err := json.Marshal(wire.Event{Type: wire.EventCreate, Path: "f", Info: &wire.FileInfo{Path: "/f", Type: wire.TypeFile}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wire.AppendRecord(nil, wire.Record{Kind: wire.RecordEvent, Data: good}))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		for {
			event, err := nextFileEvent(in)
			if err != nil {
				return
			}
			if event.Type == "" || len(event.Path) > 2*maxPath || event.Info != nil && event.Info.Size < 0 {
				t.Errorf("got %+v", event)
			}
		}
	})
}
