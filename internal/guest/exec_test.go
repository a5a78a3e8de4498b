package guest

import (
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// TestOutputEndsWhenNobodyCloses: a write end that nobody will ever close must
// not keep a run from its end, and what is in the pipe must not be lost.
func TestOutputEndsWhenNobodyCloses(t *testing.T) {
	a, b := net.Pipe()
	host := wire.NewMux(wire.Host, a, nil)
	guest := wire.NewMux(wire.Guest, b, func(_ string, _ json.RawMessage, ch *wire.Channel) {
		out, err := newPipes(ch, false)
		if err != nil {
			t.Error(err)
			return
		}
		defer out.closeTheirs()
		for _, w := range out.theirs {
			io.WriteString(w, strings.Repeat("x", 60<<10))
		}
		out.expire()
		out.finish()
		ch.Close(wire.Exit{Code: 3})
	})
	go host.Run()
	go guest.Run()
	t.Cleanup(func() { host.Close(); guest.Close() })
	ch, err := host.Open(wire.KindExec, wire.Exec{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(ch)
	if err != nil || len(text) != 2*60<<10 {
		t.Errorf("got %d bytes of output, %v; want all of it", len(text), err)
	}
	var exit wire.Exit
	if err := ch.Status(&exit); err != nil || exit.Code != 3 {
		t.Errorf("got %+v, %v", exit, err)
	}
}
